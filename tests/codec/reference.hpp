#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// What is left of a run of reals that was encoded and decoded, by the definition of each codec,
/// one number at a time in extended precision. `name` as make_codec takes it; not for ZFP.
template <class Real>
std::vector<Real> reference_decoded(const std::string& name, const std::vector<Real>& values);

}  // namespace weft::test
