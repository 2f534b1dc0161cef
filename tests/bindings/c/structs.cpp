#include "bindings/c/structs.hpp"

#include <algorithm>

namespace weft::test {

namespace {

weft_box box_of(const Box& box) {
  weft_box result{};
  std::copy(box.lower.begin(), box.lower.end(), result.lower);
  std::copy(box.upper.begin(), box.upper.end(), result.upper);
  return result;
}

}  // namespace

Structs::Structs(const Problem& given, const Options& chosen) : options(to_string(chosen)) {
  const Extents& shape = given.shape;
  weft_problem_init(&problem, shape.size(), shape.begin());
  const Axes<Kind> kinds = given.kinds.resolve(shape.size());
  std::transform(kinds.begin(), kinds.end(), problem.kinds,
                 [](Kind kind) { return static_cast<int>(kind); });
  problem.input = layout_of(given.input, in_, in_boxes_);
  problem.output = layout_of(given.output, out_, out_boxes_);
  problem.precision = static_cast<int>(given.precision);
  problem.numbers = static_cast<int>(given.numbers);
  problem.batch = given.batch;
  problem.interleaved = given.interleaved ? 1 : 0;
  problem.norm = static_cast<int>(given.norm);
  if (given.orthogonalize) problem.orthogonalize = *given.orthogonalize ? 1 : 0;
  std::copy(given.input_points.begin(), given.input_points.end(), problem.input_points);
  std::copy(given.modes.begin(), given.modes.end(), problem.modes);
}

const weft_layout* Structs::layout_of(const LayoutSpec& spec, weft_layout& layout,
                                      std::vector<weft_box>& boxes) {
  layout = weft_layout_of(static_cast<weft_form>(spec.form), spec.axis);
  std::copy(spec.parts.begin(), spec.parts.end(), layout.parts);
  for (const Box& box : spec.all) boxes.push_back(box_of(box));
  layout.boxes = boxes.data();
  layout.box_count = static_cast<std::int64_t>(boxes.size());
  layout.own = box_of(spec.own);
  layout.split = static_cast<int>(spec.split);
  std::copy(spec.order.begin(), spec.order.end(), layout.order);
  std::copy(spec.halo_lower.begin(), spec.halo_lower.end(), layout.halo_lower);
  std::copy(spec.halo_upper.begin(), spec.halo_upper.end(), layout.halo_upper);
  std::copy(spec.strides.begin(), spec.strides.end(), layout.strides);
  layout.r2c_padding = spec.r2c_padding ? 1 : 0;
  return &layout;
}

void check(int status) {
  if (status != WEFT_SUCCESS) throw Error(weft_error_message());
}

Report report_of(weft_plan plan, std::optional<Index> field) {
  weft_report told;
  check(field ? weft_plan_field_report(plan, *field, &told) : weft_plan_report(plan, &told));
  Report report;
  if (told.tolerance != 0) report.tolerance = told.tolerance;
  report.predicted_error = told.predicted_error;
  report.error = told.error;
  report.bytes = told.bytes;
  report.plain_bytes = told.plain_bytes;
  for (std::size_t i = 0; i < told.redistribution_count; ++i) {
    const weft_redistribution_report& part = told.redistributions[i];
    report.redistributions.push_back({part.codec, part.predicted_error, part.error, part.bytes,
                                      part.plain_bytes, part.repeated, part.broken != 0});
  }
  return report;
}

}  // namespace weft::test
