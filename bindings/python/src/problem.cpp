#include "problem.hpp"

#include <nanobind/stl/string.h>

#include <utility>

namespace weft::python {

namespace {

constexpr std::pair<LayoutSpec::Form, const char*> form_names[] = {
    {LayoutSpec::Form::as_input, "as_input"}, {LayoutSpec::Form::slab, "slab"},
    {LayoutSpec::Form::pencil, "pencil"},     {LayoutSpec::Form::brick, "brick"},
    {LayoutSpec::Form::grid, "grid"},         {LayoutSpec::Form::boxes, "boxes"},
    {LayoutSpec::Form::own_box, "own_box"}};

template <class T>
T read(const nb::dict& request, const char* name) {
  try {
    return nb::cast<T>(request[name]);
  } catch (const std::bad_cast&) {
    throw Error(std::string(name) +
                " has the wrong type: " + nb::cast<std::string>(nb::repr(request[name])));
  }
}

/// One entry for each axis.
template <class T>
Axes<T> axes_of(nb::handle sequence) {
  Axes<T> result;
  for (nb::handle entry : sequence) result.push_back(nb::cast<T>(entry));
  return result;
}

Extents extents_or_none(const nb::dict& request, const char* name) {
  const nb::object given = request[name];
  return given.is_none() ? Extents{} : axes_of<Index>(given);
}

Box box_of(nb::handle pair) {
  return {axes_of<Index>(pair[0]), axes_of<Index>(pair[1])};
}

template <class T>
nb::tuple tuple_of(const Axes<T>& axes) {
  nb::list entries;
  for (const T& entry : axes) entries.append(entry);
  return nb::tuple(entries);
}

}  // namespace

LayoutSpec layout_of(nb::handle given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::str>(given)) return parse_layout(nb::cast<std::string>(given));
  LayoutSpec spec;
  const auto form = nb::cast<std::string>(given.attr("form"));
  for (const auto& [value, name] : form_names) {
    if (form == name) spec.form = value;
  }
  spec.axis = nb::cast<int>(given.attr("axis"));
  spec.parts = axes_of<Index>(given.attr("parts"));
  for (nb::handle box : given.attr("boxes")) spec.all.push_back(box_of(box));
  if (!given.attr("own").is_none()) spec.own = box_of(given.attr("own"));
  spec.split =
      nb::cast<std::string>(given.attr("split")) == "block" ? Split::block : Split::balanced;
  spec.order = axes_of<int>(given.attr("order"));
  spec.halo_lower = axes_of<Index>(given.attr("halo_lower"));
  spec.halo_upper = axes_of<Index>(given.attr("halo_upper"));
  spec.strides = axes_of<Index>(given.attr("strides"));
  spec.r2c_padding = nb::cast<bool>(given.attr("r2c_padding"));
  return spec;
}

MpiProblem problem_of(const nb::dict& request, MPI_Comm comm) {
  MpiProblem problem{.shape = axes_of<Index>(request["shape"]),
                     .comm = comm,
                     .kinds = parse_kinds(read<std::string>(request, "kinds")),
                     .in = layout_of(request["input"]),
                     .out = layout_of(request["output"]),
                     .precision = parse_precision(read<std::string>(request, "precision")),
                     .numbers = parse_numbers(read<std::string>(request, "numbers")),
                     .batch = read<Index>(request, "batch"),
                     .interleaved = read<bool>(request, "interleaved"),
                     .norm = parse_norm(read<std::string>(request, "norm")),
                     .orthogonalize = {},
                     .points = extents_or_none(request, "points"),
                     .keep = extents_or_none(request, "keep")};
  const nb::object orthogonalize = request["orthogonalize"];
  if (!orthogonalize.is_none()) problem.orthogonalize = nb::cast<bool>(orthogonalize);
  return problem;
}

ElementType element_type_of(const nb::dict& request) {
  return {parse_precision(read<std::string>(request, "precision")),
          read<std::string>(request, "numbers") == "complex"};
}

HaloProblem halo_problem_of(const nb::dict& request, MPI_Comm comm) {
  HaloProblem problem{.shape = axes_of<Index>(request["shape"]),
                      .comm = comm,
                      .layout = layout_of(request["layout"]),
                      .lower = extents_or_none(request, "lower"),
                      .upper = extents_or_none(request, "upper"),
                      .periodic = {},
                      .type = element_type_of(request),
                      .batch = read<Index>(request, "batch"),
                      .interleaved = read<bool>(request, "interleaved")};
  problem.periodic = axes_of<bool>(request["periodic"]);
  return problem;
}

ConvolutionProblem convolution_problem_of(const nb::dict& request, MPI_Comm comm) {
  return {.first = axes_of<Index>(request["first"]),
          .comm = comm,
          .second = extents_or_none(request, "second"),
          .periodic = read<bool>(request, "periodic"),
          .in = layout_of(request["input"]),
          .out = layout_of(request["output"])};
}

LongProblem long_problem_of(const nb::dict& request, MPI_Comm comm) {
  const auto order = read<std::string>(request, "order");
  if (order != "natural" && order != "transposed") {
    throw Error("order '" + order + "' is unknown; known: natural, transposed");
  }
  return {.length = read<Index>(request, "length"),
          .comm = comm,
          .order = order == "natural" ? LongOrder::natural : LongOrder::transposed,
          .precision = parse_precision(read<std::string>(request, "precision")),
          .norm = parse_norm(read<std::string>(request, "norm"))};
}

Options options_of(const nb::dict& request) {
  Options options;
  options.algorithm = parse_algorithm(read<std::string>(request, "algorithm"));
  options.grid = extents_or_none(request, "grid");
  options.device = read<std::string>(request, "device");
  options.device_number = read<int>(request, "device_number");
  options.stream = reinterpret_cast<void*>(read<std::uintptr_t>(request, "stream"));
  options.exchange = read<std::string>(request, "exchange");
  options.local = read<std::string>(request, "local");
  options.reorder = read<bool>(request, "reorder");
  options.overwrite_input = read<bool>(request, "overwrite_input");
  options.rigor = parse_rigor(read<std::string>(request, "rigor"));
  options.threads = read<int>(request, "threads");
  options.tile_bytes = read<Index>(request, "tile_bytes");
  options.stream_bytes = read<Index>(request, "stream_bytes");
  options.codec = read<std::string>(request, "codec");
  const auto tolerance = read<double>(request, "tolerance");
  if (tolerance != 0) options.tolerance = tolerance;
  options.chunks = read<Index>(request, "chunks");
  options.receive_chunks = read<Index>(request, "receive_chunks");
  options.fields_in_flight = read<int>(request, "fields_in_flight");
  options.progress = parse_progress(read<std::string>(request, "progress"));
  options.mpi_count_limit = read<Index>(request, "mpi_count_limit");
  return options;
}

nb::typed<nb::dict, nb::str, nb::any> layout_members(const std::string& text) {
  const LayoutSpec spec = parse_layout(text);
  nb::typed<nb::dict, nb::str, nb::any> members;
  for (const auto& [value, name] : form_names) {
    if (spec.form == value) members["form"] = name;
  }
  members["axis"] = spec.axis;
  members["parts"] = tuple_of(spec.parts);
  members["split"] = spec.split == Split::block ? "block" : "balanced";
  members["order"] = tuple_of(spec.order);
  return members;
}

}  // namespace weft::python
