#include "weft/wavenumbers.hpp"

#include "kind/kind.hpp"

namespace weft {

Wavenumbers::Wavenumbers(const Plan& plan, std::span<const double> lengths)
    : kinds_(plan.info().kinds), on_device_(plan.info().device != "host") {
  if (static_cast<int>(lengths.size()) != kinds_.size()) {
    throw Error(std::to_string(lengths.size()) + " lengths of the box are given, the array has " +
                std::to_string(kinds_.size()) + " axes");
  }
  const Extents extents = spectral_shape(plan.info().shape, kinds_, plan.info().modes);
  for (int axis = 0; axis < kinds_.size(); ++axis) {
    const double length = lengths[static_cast<std::size_t>(axis)];
    if (!(length > 0)) {
      throw Error("length " + std::to_string(length) + " of the box along axis " +
                  std::to_string(axis) + ": must be positive");
    }
    auto& first = derivative_k_.emplace_back();
    auto& any = k_.emplace_back();
    const Kind kind = kinds_[axis];
    const Index n = (kind == Kind::c2c ? plan.info().modes : plan.info().shape)[axis];
    for (Index i = 0; i < extents[axis]; ++i) {
      any.push_back(angular_wavenumber(kind, i, n, length));
      first.push_back(derivative_wavenumber(kind, i, n, length));
    }
  }
  make_tables(plan);
}

void Wavenumbers::make_tables(const Plan& plan) {
  std::vector<double> all;
  for (const auto* tables : {&derivative_k_, &k_}) {
    for (const auto& table : *tables) all.insert(all.end(), table.begin(), table.end());
  }
  PlanArray<double> copy(plan, static_cast<Index>(all.size()));
  copy.copy_from(all);
  tables_ = std::make_shared<const PlanArray<double>>(std::move(copy));
  const double* next = tables_->data();
  numbers_.axes = axes();
  for (int axis = 0; axis < axes(); ++axis) {
    numbers_.derivative_k[axis] = next;
    next += derivative_k_[static_cast<std::size_t>(axis)].size();
  }
  for (int axis = 0; axis < axes(); ++axis) {
    numbers_.k[axis] = next;
    next += k_[static_cast<std::size_t>(axis)].size();
  }
}

void Wavenumbers::check_derivative(int axis) const {
  if (axis < 0 || axis >= axes()) {
    throw Error("derivative along axis " + std::to_string(axis) + " of " + std::to_string(axes()));
  }
  if (kinds_[axis] == Kind::c2c || kinds_[axis] == Kind::r2c) return;
  throw Error("derivative along axis " + std::to_string(axis) + " of kind " +
              to_string(kinds_[axis]) + ": only c2c and r2c have it in the same kind");
}

}  // namespace weft
