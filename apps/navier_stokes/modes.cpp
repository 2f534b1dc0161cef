#include "modes.hpp"

namespace weft::navier_stokes {

Modes::Modes(const Plan& plan)
    : box_(plan.output().box), strides_(plan.output().strides), first_(plan.output().offset) {
  double k2 = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Index kept = plan.info().modes[axis];
    const Index stored = plan.info().kinds[axis] == Kind::r2c ? kept / 2 + 1 : kept;
    for (Index k = 0; k < stored; ++k) {
      wavenumbers_.push_back(wavenumber(plan.info().kinds[axis], k, kept));
    }
    counts_[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(stored);
    const Index highest = kept / 2;
    k2 += static_cast<double>(highest * highest);
  }
  shells_ = static_cast<std::size_t>(std::lround(std::sqrt(k2))) + 1;
  copy_ = PlanArray<double>(plan, static_cast<Index>(wavenumbers_.size()));
  copy_.copy_from(wavenumbers_);
}

ModeGrid Modes::on_host() const {
  return grid(wavenumbers_.data());
}
ModeGrid Modes::in_place() const {
  return grid(copy_.data());
}

ModeGrid Modes::grid(const double* wavenumbers) const {
  ModeGrid result{};
  result.first = first_;
  for (int axis = 0; axis < 3; ++axis) {
    result.lower[axis] = box_.lower[axis];
    result.extent[axis] = box_.extent(axis);
    result.stride[axis] = strides_[axis];
    result.wavenumbers[axis] = wavenumbers;
    wavenumbers += counts_[static_cast<std::size_t>(axis)];
  }
  return result;
}

}  // namespace weft::navier_stokes
