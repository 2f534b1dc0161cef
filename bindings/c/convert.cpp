#include "c/convert.hpp"

#include <algorithm>

namespace weft::c {

namespace {

template <class Cpp, class C>
constexpr bool same(Cpp cpp, C c) {
  return static_cast<int>(cpp) == static_cast<int>(c);
}
// So numbers are handed on as they come, and unknown ones are refused by the plan.
static_assert(same(Kind::none, WEFT_KIND_NONE) && same(Kind::c2c, WEFT_KIND_C2C) &&
              same(Kind::r2c, WEFT_KIND_R2C) && same(Kind::dct1, WEFT_KIND_DCT1) &&
              same(Kind::dct2, WEFT_KIND_DCT2) && same(Kind::dct3, WEFT_KIND_DCT3) &&
              same(Kind::dct4, WEFT_KIND_DCT4) && same(Kind::dst1, WEFT_KIND_DST1) &&
              same(Kind::dst2, WEFT_KIND_DST2) && same(Kind::dst3, WEFT_KIND_DST3) &&
              same(Kind::dst4, WEFT_KIND_DST4));
static_assert(same(Precision::f32, WEFT_PRECISION_F32) && same(Precision::f64, WEFT_PRECISION_F64));
static_assert(same(Numbers::automatic, WEFT_NUMBERS_AUTOMATIC) &&
              same(Numbers::real, WEFT_NUMBERS_REAL) &&
              same(Numbers::complex, WEFT_NUMBERS_COMPLEX));
static_assert(same(Norm::backward, WEFT_NORM_BACKWARD) && same(Norm::ortho, WEFT_NORM_ORTHO) &&
              same(Norm::forward, WEFT_NORM_FORWARD) && same(Norm::none, WEFT_NORM_NONE));
static_assert(same(Split::balanced, WEFT_SPLIT_BALANCED) && same(Split::block, WEFT_SPLIT_BLOCK));
using Form = LayoutSpec::Form;
static_assert(same(Form::as_input, WEFT_FORM_AS_INPUT) && same(Form::slab, WEFT_FORM_SLAB) &&
              same(Form::pencil, WEFT_FORM_PENCIL) && same(Form::brick, WEFT_FORM_BRICK) &&
              same(Form::grid, WEFT_FORM_GRID) && same(Form::boxes, WEFT_FORM_BOXES) &&
              same(Form::own_box, WEFT_FORM_OWN_BOX));
static_assert(max_axes == WEFT_MAX_AXES);

template <class Number>
bool all_zero(const Number* numbers, int count) {
  return std::all_of(numbers, numbers + count, [](Number number) { return number == 0; });
}

Box box_of(const weft_box& box, int axes) {
  return {extents_of(box.lower, axes), extents_of(box.upper, axes)};
}

/// As many as there are, so that a grid for another number of axes is noticed.
Extents parts_of(const std::int64_t* parts) {
  int count = max_axes;
  while (count > 0 && parts[count - 1] == 0) --count;
  return extents_of(parts, count);
}

std::optional<bool> orthogonalize_of(int number) {
  if (number == -1) return std::nullopt;
  if (number == 0 || number == 1) return number == 1;
  throw Error("orthogonalize " + std::to_string(number) + ": must be -1, 0 or 1");
}

/// Widths of a halo; none where all are -1.
Extents widths_of(const std::int64_t* widths, int axes) {
  const bool by_default =
      std::all_of(widths, widths + axes, [](std::int64_t width) { return width == -1; });
  return by_default ? Extents{} : extents_of(widths, axes);
}

}  // namespace

void check_axes(int axes) {
  if (axes >= 1 && axes <= max_axes) return;
  throw Error(std::to_string(axes) + " axes; 1 to " + std::to_string(max_axes) + " are supported");
}

Extents extents_of(const std::int64_t* numbers, int axes) {
  Extents result;
  for (int axis = 0; axis < axes; ++axis) result.push_back(numbers[axis]);
  return result;
}

Extents extents_or_none(const std::int64_t* numbers, int axes) {
  return all_zero(numbers, axes) ? Extents{} : extents_of(numbers, axes);
}

Precision precision_of(int number) {
  if (number == WEFT_PRECISION_F32 || number == WEFT_PRECISION_F64)
    return static_cast<Precision>(number);
  throw Error("precision " + std::to_string(number) + " is unknown");
}

LayoutSpec layout_of(const weft_layout* pointer, int axes, Index batch, const std::string& name,
                     const LayoutSpec& otherwise) {
  if (pointer == nullptr) return otherwise;
  const weft_layout& layout = initialized(pointer, name + " layout");
  if (layout.form < WEFT_FORM_AS_INPUT || layout.form > WEFT_FORM_OWN_BOX) {
    throw Error(name + " layout: form " + std::to_string(layout.form) + " is unknown");
  }
  LayoutSpec spec;
  spec.form = static_cast<Form>(layout.form);
  spec.axis = layout.axis;
  if (spec.form == Form::grid) spec.parts = parts_of(layout.parts);
  if (spec.form == Form::boxes) {
    if (layout.box_count < 1) throw Error(name + " layout: no boxes are given");
    const weft_box* boxes = &given(layout.boxes, (name + " layout: the list of boxes").c_str());
    for (std::int64_t i = 0; i < layout.box_count; ++i) spec.all.push_back(box_of(boxes[i], axes));
  }
  if (spec.form == Form::own_box) spec.own = box_of(layout.own, axes);
  spec.split = static_cast<Split>(layout.split);
  if (!all_zero(layout.order, axes)) {
    for (int i = 0; i < axes; ++i) spec.order.push_back(layout.order[i]);
  }
  if (!all_zero(layout.halo_lower, axes) || !all_zero(layout.halo_upper, axes)) {
    spec.halo_lower = extents_of(layout.halo_lower, axes);
    spec.halo_upper = extents_of(layout.halo_upper, axes);
  }
  spec.strides = extents_or_none(layout.strides, axes + (batch > 1 ? 1 : 0));
  spec.r2c_padding = layout.r2c_padding != 0;
  return spec;
}

Problem problem_of(const weft_problem* pointer) {
  const weft_problem& problem = initialized(pointer, "weft_problem");
  const int axes = problem.axes;
  check_axes(axes);
  Axes<Kind> kinds;
  for (int axis = 0; axis < axes; ++axis) {
    kinds.push_back(static_cast<Kind>(problem.kinds[axis]));
  }
  return {.shape = extents_of(problem.shape, axes),
          .kinds = kinds,
          .input = layout_of(problem.input, axes, problem.batch, "input", slab_split(0)),
          .output = layout_of(problem.output, axes, problem.batch, "output", {}),
          .precision = static_cast<Precision>(problem.precision),
          .numbers = static_cast<Numbers>(problem.numbers),
          .batch = problem.batch,
          .interleaved = problem.interleaved != 0,
          .norm = static_cast<Norm>(problem.norm),
          .orthogonalize = orthogonalize_of(problem.orthogonalize),
          .input_points = extents_or_none(problem.input_points, axes),
          .modes = extents_or_none(problem.modes, axes)};
}

Options options_of(const char* text) {
  return text == nullptr ? Options{} : parse_options(text);
}

HaloProblem halo_problem_of(const weft_halo_problem* pointer) {
  const weft_halo_problem& problem = initialized(pointer, "weft_halo_problem");
  const int axes = problem.axes;
  check_axes(axes);
  Axes<bool> periodic;
  for (int axis = 0; axis < axes; ++axis) periodic.push_back(problem.periodic[axis] != 0);
  return {.shape = extents_of(problem.shape, axes),
          .layout = layout_of(problem.layout, axes, problem.batch, "input", slab_split(0)),
          .lower = widths_of(problem.lower, axes),
          .upper = widths_of(problem.upper, axes),
          .periodic = periodic,
          .type = {static_cast<Precision>(problem.precision), problem.is_complex != 0},
          .batch = problem.batch,
          .interleaved = problem.interleaved != 0};
}

void write_layout(const LayoutSpec& spec, weft_layout& layout) {
  layout.form = static_cast<int>(spec.form);
  layout.axis = spec.axis;
  layout.split = static_cast<int>(spec.split);
  for (int i = 0; i < max_axes; ++i) {
    layout.parts[i] = i < spec.parts.size() ? spec.parts[i] : 0;
    layout.order[i] = i < spec.order.size() ? spec.order[i] : 0;
  }
}

weft_local_array local_array_of(const LocalArray& array) {
  weft_local_array result{};
  result.axes = array.box.axes();
  std::copy(array.box.lower.begin(), array.box.lower.end(), result.box.lower);
  std::copy(array.box.upper.begin(), array.box.upper.end(), result.box.upper);
  std::copy(array.strides.begin(), array.strides.end(), result.strides);
  result.offset = array.offset;
  result.allocation_size = array.allocation_size;
  result.precision = static_cast<int>(array.type.precision);
  result.is_complex = array.type.complex ? 1 : 0;
  return result;
}

}  // namespace weft::c
