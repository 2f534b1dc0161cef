#include "modes.hpp"

namespace weft::navier_stokes {

Modes::Modes(const Plan& plan)
    : box_(plan.output().box),
      strides_(plan.output().strides),
      first_(plan.output().offset),
      threads_(plan.threads()) {
  double k2 = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Index kept = plan.keep()[axis];
    const Index stored = plan.kinds()[axis] == Kind::r2c ? kept / 2 + 1 : kept;
    for (Index k = 0; k < stored; ++k) {
      wavenumbers_[static_cast<std::size_t>(axis)].push_back(
          wavenumber(plan.kinds()[axis], k, kept));
    }
    k2 += static_cast<double>((kept / 2) * (kept / 2));
  }
  shells_ = static_cast<std::size_t>(std::lround(std::sqrt(k2))) + 1;
}

}  // namespace weft::navier_stokes
