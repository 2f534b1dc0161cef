#include "problem.hpp"

#include <nanobind/stl/string.h>

#include <type_traits>
#include <utility>

#include "array.hpp"
#include "geometry/unknown_name.hpp"
#include "integer.hpp"

namespace weft::python {

namespace {

constexpr std::pair<LayoutSpec::Form, const char*> form_names[] = {
    {LayoutSpec::Form::as_input, "as_input"}, {LayoutSpec::Form::slab, "slab"},
    {LayoutSpec::Form::pencil, "pencil"},     {LayoutSpec::Form::brick, "brick"},
    {LayoutSpec::Form::grid, "grid"},         {LayoutSpec::Form::boxes, "boxes"},
    {LayoutSpec::Form::own_box, "own_box"}};

template <class T>
T value_of(nb::handle given, const std::string& name) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return integer_of<T>(given, name);
  } else {
    T value{};
    if (nb::try_cast<T>(given, value)) return value;
    const char* const wanted = std::is_same_v<T, bool> ? "True or False" : "a str";
    throw Error(named(given, name) + ": must be " + wanted);
  }
}

template <class T>
T read(const nb::dict& request, const char* name) {
  return value_of<T>(request[name], name);
}

/// One entry for each axis.
template <class T>
Axes<T> axes_of(nb::handle sequence, const std::string& name) {
  if (!nb::isinstance<nb::iterable>(sequence)) {
    throw Error(named(sequence, name) + ": must be a sequence, with an entry for each axis");
  }
  Axes<T> result;
  for (nb::handle entry : sequence) {
    result.push_back(value_of<T>(entry, name + "[" + std::to_string(result.size()) + "]"));
  }
  return result;
}

Extents extents_or_none(const nb::dict& request, const char* name) {
  const nb::object given = request[name];
  return given.is_none() ? Extents{} : axes_of<Index>(given, name);
}

Box box_of(nb::handle pair) {
  return {axes_of<Index>(pair[0], "lower corner"), axes_of<Index>(pair[1], "upper corner")};
}

LayoutSpec::Form form_of(const std::string& text) {
  std::vector<std::string_view> known;
  for (const auto& [value, name] : form_names) {
    if (text == name) return value;
    known.push_back(name);
  }
  throw Error("form '" + text + "' of a layout is unknown; known: " + comma_list(known));
}

}  // namespace

LayoutSpec layout_of(nb::handle given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::str>(given)) return parse_layout(nb::cast<std::string>(given));
  LayoutSpec spec;
  spec.form = form_of(value_of<std::string>(given.attr("form"), "form"));
  spec.axis = integer_of<int>(given.attr("axis"), "axis");
  spec.parts = axes_of<Index>(given.attr("parts"), "parts");
  for (nb::handle box : given.attr("boxes")) spec.all.push_back(box_of(box));
  if (!given.attr("own").is_none()) spec.own = box_of(given.attr("own"));
  spec.split = value_of<std::string>(given.attr("split"), "split") == "block" ? Split::block
                                                                              : Split::balanced;
  spec.order = axes_of<int>(given.attr("order"), "order");
  spec.halo_lower = axes_of<Index>(given.attr("halo_lower"), "halo_lower");
  spec.halo_upper = axes_of<Index>(given.attr("halo_upper"), "halo_upper");
  spec.strides = axes_of<Index>(given.attr("strides"), "strides");
  spec.r2c_padding = value_of<bool>(given.attr("r2c_padding"), "r2c_padding");
  return spec;
}

Problem problem_of(const nb::dict& request) {
  Problem problem{.shape = axes_of<Index>(request["shape"], "shape"),
                  .kinds = parse_kinds(read<std::string>(request, "kinds")),
                  .input = layout_of(request["input"]),
                  .output = layout_of(request["output"]),
                  .precision = parse_precision(read<std::string>(request, "precision")),
                  .numbers = parse_numbers(read<std::string>(request, "numbers")),
                  .batch = read<Index>(request, "batch"),
                  .interleaved = read<bool>(request, "interleaved"),
                  .norm = parse_norm(read<std::string>(request, "norm")),
                  .orthogonalize = {},
                  .input_points = extents_or_none(request, "input_points"),
                  .modes = extents_or_none(request, "modes")};
  const nb::object orthogonalize = request["orthogonalize"];
  if (!orthogonalize.is_none()) problem.orthogonalize = read<bool>(request, "orthogonalize");
  return problem;
}

ElementType element_type_of(const nb::dict& request) {
  return {parse_precision(read<std::string>(request, "precision")),
          read<std::string>(request, "numbers") == "complex"};
}

HaloProblem halo_problem_of(const nb::dict& request) {
  return {.shape = axes_of<Index>(request["shape"], "shape"),
          .layout = layout_of(request["layout"]),
          .lower = extents_or_none(request, "lower"),
          .upper = extents_or_none(request, "upper"),
          .periodic = axes_of<bool>(request["periodic"], "periodic"),
          .type = element_type_of(request),
          .batch = read<Index>(request, "batch"),
          .interleaved = read<bool>(request, "interleaved")};
}

ConvolutionProblem convolution_problem_of(const nb::dict& request) {
  return {.first = axes_of<Index>(request["first"], "shape"),
          .second = extents_or_none(request, "second"),
          .periodic = read<bool>(request, "periodic"),
          .input = layout_of(request["input"]),
          .output = layout_of(request["output"])};
}

LongProblem long_problem_of(const nb::dict& request) {
  const auto order = read<std::string>(request, "order");
  if (order != "natural" && order != "transposed") {
    throw Error("order '" + order + "' is unknown; known: natural, transposed");
  }
  return {.length = read<Index>(request, "length"),
          .order = order == "natural" ? LongOrder::natural : LongOrder::transposed,
          .precision = parse_precision(read<std::string>(request, "precision")),
          .norm = parse_norm(read<std::string>(request, "norm"))};
}

Options options_of(const nb::dict& request) {
  return parse_options(read<std::string>(request, "options"));
}

nb::typed<nb::dict, nb::str, nb::any> layout_members(const std::string& text) {
  const LayoutSpec spec = parse_layout(text);
  nb::typed<nb::dict, nb::str, nb::any> members;
  for (const auto& [value, name] : form_names) {
    if (spec.form == value) members["form"] = name;
  }
  members["axis"] = spec.axis;
  members["parts"] = tuple_of_axes(spec.parts);
  members["split"] = spec.split == Split::block ? "block" : "balanced";
  members["order"] = tuple_of_axes(spec.order);
  return members;
}

}  // namespace weft::python
