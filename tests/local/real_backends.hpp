#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "local/local_transform.hpp"
#include "support/local_run.hpp"

namespace weft::test {

inline constexpr Kind real_kinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                      Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// All usable backends but the reference; also FFTW and the reference as if they had no cosine and
/// sine transforms of their own, so that these are made of Fourier transforms. Those of devices are
/// the last ones.
const std::vector<LocalBackend>& real_backends();

/// Labels of those with kernels of weft's own for devices.
std::vector<std::string> own_device_backends();

/// For INSTANTIATE_TEST_SUITE_P.
inline auto every_real_backend() {
  return testing::Range<std::size_t>(0, real_backends().size());
}
inline auto every_real_backend_of_the_host() {
  const auto count = std::count_if(real_backends().begin(), real_backends().end(), on_host);
  return testing::Range<std::size_t>(0, static_cast<std::size_t>(count));
}
inline std::string real_backend_name(const testing::TestParamInfo<std::size_t>& info) {
  return label_of(real_backends()[info.param]);
}

}  // namespace weft::test
