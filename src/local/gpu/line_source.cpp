#include "local/gpu/line_source.hpp"

#include "weft/kernels/planned_shape.hpp"

namespace weft {

namespace {

std::string text_of(LineForm form) {
  return "LineForm(" + std::to_string(static_cast<int>(form)) + ")";
}

std::string text_of(Precision precision) {
  return precision == Precision::f32 ? "float" : "double";
}

/// Blocks of threads at a time that a processor must have registers for: as was measured for
/// lengths that are used most, otherwise as is planned.
template <class Real>
int blocks_of(const LinePass& pass, std::size_t shared_bytes) {
  int blocks = stockham::planned_blocks(sizeof(Real) == sizeof(double), pass.shared_numbers(),
                                        pass.block_threads(), shared_bytes);
  stockham::each_known_shape<Real>(pass.form, [&](auto shape) {
    if (stockham::has_shape(pass, shape)) blocks = decltype(shape)::blocks;
  });
  return blocks;
}

int blocks_of(Precision precision, const LinePass& pass, std::size_t shared_bytes) {
  return precision == Precision::f32 ? blocks_of<float>(pass, shared_bytes)
                                     : blocks_of<double>(pass, shared_bytes);
}

bool is_wide(const LinePass& pass) {
  return pass.lasting_blocks > 0;
}

std::string shape_of(Precision precision, const LinePass& pass, std::size_t shared_bytes) {
  std::string text = (is_wide(pass) ? "WideShape<" : "FixedShape<") +
                     std::to_string(pass.lanes.count) + ", " + std::to_string(pass.threads.count);
  if (!is_wide(pass)) text += ", " + std::to_string(blocks_of(precision, pass, shared_bytes));
  for (std::uint32_t i = 0; i < pass.stages; ++i) {
    text += ", " + std::to_string(pass.stage[i].radix);
  }
  return text + ">";
}

/// A kernel that calls a function template of line_code.hpp. HIP has a macro for bounds of
/// launches.
std::string kernel_of(const std::string& pass, unsigned threads, const std::string& blocks,
                      const std::string& function) {
  return "using namespace weft;\nusing namespace weft::stockham;\n"
         "extern \"C\" __global__ void __launch_bounds__(" +
         std::to_string(threads) + ", (" + blocks + ")) weft_kernel(WEFT_KERNEL_ARGUMENT " + pass +
         " pass) {\n  " + function + "(pass);\n}\n";
}

bool is_form_of_planes(LineForm first, LineForm second) {
  const LineForm whole = LineForm::whole;
  return first == whole ? second == whole || second == LineForm::to_packed
                        : first == LineForm::from_packed && second == whole;
}

}  // namespace

std::string source_of(Precision precision, const LinePass& pass, std::size_t shared_bytes) {
  const std::string shape = shape_of(precision, pass, shared_bytes);
  const std::string types = text_of(precision) + ", " + shape + ">";
  return kernel_of("LinePass", pass.block_threads(), shape + "::blocks",
                   is_wide(pass) ? "transform_wide_lines<" + types
                                 : "transform_lines<" + text_of(pass.form) + ", " + types);
}

std::string source_of(Precision precision, const PieceLines& pass, std::size_t shared_bytes) {
  const std::string types = text_of(precision) + ", " + shape_of(precision, pass, shared_bytes);
  return kernel_of("PieceLines", pass.block_threads(), "blocks_with_pieces<" + types + ">",
                   "transform_pieces<" + text_of(pass.form) + ", " + types + ", " +
                       std::to_string(pass.per_lookup(true)) + ", " +
                       std::to_string(pass.per_lookup(false)) + ">");
}

std::string source_of([[maybe_unused]] Precision precision,
                      [[maybe_unused]] const PlanePass<>& pass,
                      [[maybe_unused]] std::size_t shared_bytes) {
#if !defined(WEFT_HIP)
  const LinePass &first = pass.first, &second = pass.second;
  const auto threads = [](const LinePass& lines) {
    return lines.lanes.count * lines.threads.count;
  };
  if (is_form_of_planes(first.form, second.form) &&
      can_share_blocks(first.lanes.count, threads(first), second.lanes.count, threads(second))) {
    const std::string one = shape_of(precision, first, shared_bytes);
    const std::string other = shape_of(precision, second, shared_bytes);
    return kernel_of(
        "PlanePass<>", pass.block_threads(), "std::min(" + one + "::blocks, " + other + "::blocks)",
        "transform_planes<" + text_of(first.form) + ", " + text_of(second.form) + ", " +
            text_of(precision) + ", " + one + ", " + other + (pass.mixed ? ", true>" : ", false>"));
  }
#endif
  return {};
}

}  // namespace weft
