#include "weft/wavenumbers.hpp"

#include "kind/kind.hpp"
#include "spectral/box_lengths.hpp"

namespace weft {

Wavenumbers::Wavenumbers(const Plan& plan, std::span<const double> lengths)
    : kinds_(plan.info().kinds), box_(plan.output().box), on_device_(plan.info().device != "host") {
  check_box_lengths(lengths, kinds_.size());
  const Extents extents = spectral_shape(plan.info().shape, kinds_, plan.info().modes);
  for (int axis = 0; axis < kinds_.size(); ++axis) {
    const double length = lengths[static_cast<std::size_t>(axis)];
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

std::span<const double> Wavenumbers::local(int axis, const Lists& lists) const {
  if (axis < 0 || axis >= axes()) {
    throw Error("wavenumbers along axis " + std::to_string(axis) + " of " + std::to_string(axes()));
  }
  const std::span<const double> all = lists[as_size(axis)];
  return all.subspan(as_size(box_.lower[axis]), as_size(box_.extent(axis)));
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
