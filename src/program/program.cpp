#include "program/program.hpp"

#include <algorithm>

namespace weft {

Index Program::workspace_bytes() const {
  return std::max({apart.bytes, in_place.bytes, with_copy.bytes}) + packer_scratch_bytes +
         scratch_bytes;
}

bool Program::exchange_reads_input() const {
  return std::any_of(redistributions.begin(), redistributions.end(), [](const auto* one) {
    return one->buffers().array_from == input_buffer || one->buffers().send == input_buffer;
  });
}

bool Program::works_in_place() const {
  // Nothing may be written before all has been read; within one step it depends on the step.
  if (input_until <= output_from) return true;
  if (input_until > output_from + 1) return false;
  const Step& step = steps[static_cast<std::size_t>(output_from)];
  return step.kind == Step::pass && passes[step.number]->works_in_place();
}

bool Program::applies_to_input(const detail::PointFunction& function) const {
  return !exchange_reads_input() &&
         std::all_of(passes.begin(), passes.end(),
                     [&](const auto& pass) { return pass->applies_to_input(function); });
}

bool Program::copies_input(const Context& context, bool same_array, bool functions_on_input) const {
  // On a device functions are applied to a copy that is made when there are any.
  return (same_array && !works_in_place()) ||
         (context.on_host() && functions_on_input && !applies_to_input({}));
}

bool Program::blocks() const {
  return std::any_of(redistributions.begin(), redistributions.end(),
                     [](const auto* one) { return one->blocks(); });
}

}  // namespace weft
