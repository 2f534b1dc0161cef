#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "local/local_transform.hpp"

namespace weft::test {

inline constexpr Kind real_kinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                      Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// All usable backends of the host but the reference; also FFTW and the reference as if they had no
/// cosine and sine transforms of their own, so that these are made of Fourier transforms.
const std::vector<LocalBackend>& real_backends();

/// For INSTANTIATE_TEST_SUITE_P.
inline auto every_real_backend() {
  return testing::Range<std::size_t>(0, real_backends().size());
}
inline std::string real_backend_name(const testing::TestParamInfo<std::size_t>& info) {
  return real_backends()[info.param].name;
}

}  // namespace weft::test
