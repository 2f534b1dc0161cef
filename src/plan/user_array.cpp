#include "plan/user_array.hpp"

#include <cstdint>

#include "schedule/stage.hpp"

namespace weft {

namespace {

Box without_last_axis(const Box& box) {
  Box result;
  for (int axis = 0; axis + 1 < box.axes(); ++axis) {
    result.lower.push_back(box.lower[axis]);
    result.upper.push_back(box.upper[axis]);
  }
  return result;
}

}  // namespace

std::size_t bytes_of(const LocalArray& array) {
  return static_cast<std::size_t>(array.allocation_size *
                                  element_bytes(array.type.complex, array.type.precision));
}

LocalArray user_array(const ResolvedProblem& problem, const Layout& layout, const Extents& shape,
                      bool complex) {
  const View view = layout.memory.view(layout.distribution.box(shape, problem.rank));
  const Box box = problem.batch == 1 ? view.box : without_last_axis(view.box);
  return {box, view.stride, view.offset, view.size, {problem.precision, complex}};
}

void check_array(const char* name, const detail::AnyArray& given, const LocalArray& planned,
                 const char* user) {
  if (given.refusal != nullptr) throw Error(given.refusal);
  const auto refuse = [&](const std::string& why) {
    throw Error(std::string(name) + " array " + why);
  };
  if (!(given.type == planned.type)) {
    refuse("is " + to_string(given.type) + ", " + user + " works on " + to_string(planned.type));
  }
  if (given.data == nullptr && planned.allocation_size > 0) {
    refuse("is null, but this rank owns box " + to_string(planned.box));
  }
  if (given.elements < static_cast<std::size_t>(planned.allocation_size)) {
    refuse("has " + std::to_string(given.elements) + " elements, " +
           std::to_string(planned.allocation_size) + " are needed");
  }
}

void check_owner(const char* name, const void* data, const LocalArray& planned,
                 const Device& device) {
  if (planned.allocation_size == 0) return;
  const Owner owner = device.owner_of(data);
  if (owner.who == Owner::nobody) throw Error(std::string(name) + " array: " + owner.error);
  const auto alignment = static_cast<std::uintptr_t>(element_bytes(true, planned.type.precision));
  if (owner.who == Owner::device && reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    throw Error(std::string(name) + " array is not aligned to " + std::to_string(alignment) +
                " bytes, as devices need it");
  }
}

void check_overlap(const RunArrays& arrays) {
  const std::uintptr_t in_bytes = bytes_of(arrays.planned_in);
  const std::uintptr_t out_bytes = bytes_of(arrays.planned_out);
  if (in_bytes == 0 || out_bytes == 0) return;
  const auto from = reinterpret_cast<std::uintptr_t>(arrays.in.data);
  const auto to = reinterpret_cast<std::uintptr_t>(arrays.out.data);
  if (from == to) {
    const bool are_sized = arrays.in.elements != detail::AnyArray::unknown_size &&
                           arrays.out.elements != detail::AnyArray::unknown_size;
    if (are_sized || in_bytes == out_bytes) return;
    throw Error("in place needs arrays of equal size: the input has " + std::to_string(in_bytes) +
                " bytes, the output " + std::to_string(out_bytes));
  }
  if (from < to + out_bytes && to < from + in_bytes) {
    throw Error("input and output arrays overlap, but do not start at the same addresses");
  }
}

}  // namespace weft
