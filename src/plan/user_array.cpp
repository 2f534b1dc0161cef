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

std::optional<std::string> find_mismatch(const char* name, const detail::AnyArray& given,
                                         const LocalArray& planned, const char* user) {
  if (given.refusal != nullptr) return given.refusal;
  if (!(given.type == planned.type)) {
    return std::string(name) + " array is " + to_string(given.type) + ", " + user + " works on " +
           to_string(planned.type);
  }
  if (given.data == nullptr && planned.allocation_size > 0) {
    return std::string(name) + " array is null, but this rank owns box " + to_string(planned.box);
  }
  if (given.elements < static_cast<std::size_t>(planned.allocation_size)) {
    return std::string(name) + " array has " + std::to_string(given.elements) + " elements, " +
           std::to_string(planned.allocation_size) + " are needed";
  }
  return std::nullopt;
}

std::optional<std::string> find_device_error(const char* name, const void* data,
                                             const LocalArray& planned, const Device& device) {
  if (planned.allocation_size == 0) return std::nullopt;
  const Owner owner = device.owner_of(data);
  if (owner.who == Owner::nobody) return std::string(name) + " array: " + owner.error;
  const auto alignment = static_cast<std::uintptr_t>(element_bytes(true, planned.type.precision));
  if (owner.who == Owner::device && reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    return std::string(name) + " array is not aligned to " + std::to_string(alignment) +
           " bytes, as devices need it";
  }
  return std::nullopt;
}

std::optional<std::string> find_overlap(const detail::AnyArray& in, const LocalArray& planned_in,
                                        const detail::AnyArray& out,
                                        const LocalArray& planned_out) {
  if (planned_in.allocation_size == 0 || planned_out.allocation_size == 0) return std::nullopt;
  const auto from = reinterpret_cast<std::uintptr_t>(in.data);
  const auto to = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t in_bytes = bytes_of(planned_in), out_bytes = bytes_of(planned_out);
  if (from == to) {
    const bool are_sized = in.elements != detail::AnyArray::unknown_size &&
                           out.elements != detail::AnyArray::unknown_size;
    if (are_sized) return std::nullopt;
    if (in_bytes == out_bytes) return std::nullopt;
    return "in place needs arrays of equal size: the input has " + std::to_string(in_bytes) +
           " bytes, the output " + std::to_string(out_bytes);
  }
  if (from < to + out_bytes && to < from + in_bytes) {
    return "input and output arrays overlap, but do not start at the same addresses";
  }
  return std::nullopt;
}

}  // namespace weft
