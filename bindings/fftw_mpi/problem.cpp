#include "problem.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sizes.hpp"

namespace weft::fftw_mpi {

namespace {

/// One of the two arrays of a request.
struct Side {
  Extents shape;     ///< of the global array, its axes in the order of the transform
  int split;         ///< the axis that is distributed, 0 or 1
  bool swapped;      ///< axis 1 is slowest in memory, instead of axis 0
  Size block;        ///< of the distributed axis
  bool real_halved;  ///< the real array of r2c and c2r, which is padded

  Blocks blocks(int ranks) const { return Blocks(shape[split], block, ranks); }
  /// FFTW then distributes axis 0 all the same.
  bool is_in_one_block_of_columns() const { return split == 1 && block >= shape[1]; }
  /// The halved axis is then distributed.
  bool splits_real_rows() const { return real_halved && split == shape.size() - 1; }
};

Side side_of(const Request& request, const Extents& shape, bool output) {
  const bool transposed = (request.flags & (output ? transposed_out : transposed_in)) != 0;
  const Size block = output ? request.out_block : request.in_block;
  const bool real_halved = request.family == (output ? Family::c2r : Family::r2c);
  // A transpose distributes rows before and columns after, each with its own axis slowest in
  // memory.
  if (request.family == Family::transpose) {
    return {shape, output ? 1 : 0, output != transposed, block, false};
  }
  return {shape, transposed ? 1 : 0, transposed, block, real_halved};
}

LayoutSpec layout_of(const Side& side, int ranks, int rank) {
  const Blocks blocks = side.blocks(ranks);
  LayoutSpec layout = slab_split(side.split).with_split(Split::block);
  if (!blocks.is_default()) {
    Box own = whole(side.shape);
    own.lower[side.split] = blocks.start(rank);
    own.upper[side.split] = own.lower[side.split] + blocks.count(rank);
    layout = box(own);
  }
  if (side.swapped) {
    AxisList order = {1, 0};
    for (int axis = 2; axis < side.shape.size(); ++axis) order.push_back(axis);
    layout = layout.with_order(order);
  }
  return side.real_halved ? layout.padded_for_r2c() : layout;
}

/// The transform of FFTW as weft's forward: types II and III are each other's inverses.
std::optional<Kind> kind_of(int kind) {
  switch (kind) {
    case redft00:
      return Kind::dct1;
    case redft10:
      return Kind::dct2;
    case redft01:
      return Kind::dct3;
    case redft11:
      return Kind::dct4;
    case rodft00:
      return Kind::dst1;
    case rodft10:
      return Kind::dst2;
    case rodft01:
      return Kind::dst3;
    case rodft11:
      return Kind::dst4;
    default:
      return {};
  }
}

/// Whether it is the backward one of a pair of requests.
bool is_backward(const Request& request, const Axes<Kind>& kinds) {
  switch (request.family) {
    case Family::c2c:
      return request.sign > 0;
    case Family::r2c:
    case Family::transpose:
      return false;
    case Family::c2r:
      return true;
    case Family::r2r:
      break;
  }
  for (Kind kind : kinds) {
    if (inverse(kind) != kind) return kind == Kind::dct3 || kind == Kind::dst3;
  }
  return (request.flags & transposed_in) && !(request.flags & transposed_out);
}

/// Why weft does not serve it, whatever the kinds.
std::string general_refusal(const Request& request) {
  if (request.shape.size() < 2) return "transforms of fewer than 2 axes";
  if (request.shape.size() > max_axes) return "more than 6 axes";
  for (Size length : request.shape) {
    if (length < 1) return "axes without points";
  }
  if (request.howmany < 1) return "no fields";
  if (request.in_block < 0 || request.out_block < 0) return "negative blocks";
  if (request.flags & (scrambled_in | scrambled_out)) return "scrambled order";
  return {};
}

/// The kinds of weft's forward; in a refusal what there is no kind for.
Axes<Kind> kinds_of(const Request& request, std::string& refusal) {
  const int axes = static_cast<int>(request.shape.size());
  Axes<Kind> kinds = Axes<Kind>::filled(axes, Kind::c2c);
  if (request.family == Family::transpose) return Axes<Kind>::filled(axes, Kind::none);
  if (request.family == Family::r2c || request.family == Family::c2r) kinds[axes - 1] = Kind::r2c;
  if (request.family != Family::r2r) return kinds;
  for (int axis = 0; axis < axes; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::optional<Kind> kind = kind_of(request.kinds[at]);
    if (!kind) {
      refusal = "R2HC, HC2R and DHT";
    } else if (*kind == Kind::dct1 && request.shape[at] < 2) {
      refusal = "REDFT00 of one point";
    } else {
      kinds[axis] = *kind;
    }
  }
  return kinds;
}

/// Why weft does not serve these arrays.
std::string refusal_of(const Side& side, int ranks) {
  if (!side.blocks(ranks).cover()) return "blocks for more ranks than there are";
  if (ranks > 1 && side.is_in_one_block_of_columns()) return "transposed arrays in one block";
  if (side.splits_real_rows()) return "real arrays whose halved axis is distributed";
  return {};
}

}  // namespace

Translation translate(const Request& request, int ranks, int rank) {
  Translation result{general_refusal(request)};
  if (!result.refusal.empty()) return result;
  Axes<Kind> kinds = kinds_of(request, result.refusal);
  if (!result.refusal.empty()) return result;

  Extents shape;
  for (Size length : request.shape) shape.push_back(length);
  Extents halved = shape;
  if (kinds.back() == Kind::r2c) halved[halved.size() - 1] = shape.back() / 2 + 1;
  Side in = side_of(request, request.family == Family::c2r ? halved : shape, false);
  Side out = side_of(request, request.family == Family::r2c ? halved : shape, true);
  for (const Side* side : {&in, &out}) {
    result.refusal = refusal_of(*side, ranks);
    if (!result.refusal.empty()) return result;
  }

  if (is_backward(request, kinds)) {
    result.direction = Direction::backward;
    std::swap(in, out);
    for (Kind& kind : kinds) kind = inverse(kind);
  }
  result.problem = {.shape = shape,
                    .kinds = kinds,
                    .input = layout_of(in, ranks, rank),
                    .output = layout_of(out, ranks, rank),
                    .precision = request.precision,
                    .batch = request.howmany,
                    .interleaved = true,
                    .norm = Norm::none};
  if (request.family == Family::r2r) result.problem.numbers = Numbers::real;
  if (request.family == Family::transpose) {
    // Fields of a point stay together; pairs of reals are moved as one number.
    const bool pairs = request.howmany % 2 == 0;
    result.problem.numbers = pairs ? Numbers::complex : Numbers::real;
    result.problem.batch = pairs ? request.howmany / 2 : request.howmany;
  }
  return result;
}

Options options_of(const Request& request) {
  Options options;
  options.overwrite_input =
      (request.flags & destroy_input) != 0 && (request.flags & preserve_input) == 0;
  if ((request.flags & (estimate | wisdom_only)) == 0) {
    options.tune = Tune::measure;
    if ((request.flags & (patient | exhaustive)) == 0) options.tune_seconds = 1;
  }
  return options;
}

std::string key_of(const Request& request, const Translation& translation, const Options& options) {
  const bool backward = translation.direction == Direction::backward;
  Size blocks[] = {request.in_block, request.out_block};
  unsigned transposed[] = {request.flags & transposed_in, request.flags & transposed_out};
  if (backward) {
    std::swap(blocks[0], blocks[1]);
    std::swap(transposed[0], transposed[1]);
  }
  const Problem& problem = translation.problem;
  std::string key = to_string(problem.shape);
  key += ' ' + to_string(problem.kinds.resolve(problem.shape.size()));
  key += ' ' + to_string(problem.precision) + ' ' + std::to_string(request.howmany);
  for (Size block : blocks) key += ' ' + std::to_string(block);
  for (unsigned flag : transposed) key += flag != 0 ? " transposed" : " not";
  return key + ' ' + to_string(problem.numbers) + ' ' + to_string(options);
}

}  // namespace weft::fftw_mpi
