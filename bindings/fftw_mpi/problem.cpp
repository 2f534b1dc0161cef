#include "problem.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sizes.hpp"

namespace weft::fftw_mpi {

namespace {

/// One of the two arrays of a request.
struct Side {
  Extents shape;    ///< of the global array, its axes in the order of the transform
  bool transposed;  ///< axis 1 is distributed and slowest in memory, instead of axis 0
  Size block;
  bool real_of_halved;  ///< the real array of r2c and c2r, which is padded

  Blocks blocks(int ranks) const { return Blocks(shape[transposed ? 1 : 0], block, ranks); }
  /// FFTW then distributes axis 0 all the same.
  bool is_whole_when_transposed() const { return transposed && block >= shape[1]; }
};

AxisList order_of(int axes, bool transposed) {
  AxisList order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  if (transposed) std::swap(order[0], order[1]);
  return order;
}

LayoutSpec layout_of(const Side& side, int ranks, int rank) {
  const int axis = side.transposed ? 1 : 0;
  const Blocks blocks = side.blocks(ranks);
  LayoutSpec layout = slab_split(axis).with_split(Split::block);
  if (!blocks.is_default()) {
    Box own = whole(side.shape);
    own.lower[axis] = blocks.start(rank);
    own.upper[axis] = own.lower[axis] + blocks.count(rank);
    layout = box(own);
  }
  if (side.transposed) layout = layout.with_order(order_of(side.shape.size(), true));
  return side.real_of_halved ? layout.padded_for_r2c() : layout;
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

Kind inverse(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
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

Side transpose_side(const Request& request, const Extents& shape, bool input) {
  const bool in_columns = !input;
  return {shape, in_columns, input ? request.in_block : request.out_block, false};
}

/// A transpose moves numbers between the layouts: axis 0 is distributed before, axis 1 after.
/// TRANSPOSED_IN and TRANSPOSED_OUT are about the order of axes in the memory of a rank.
void set_transpose(const Request& request, int ranks, int rank, Problem& problem) {
  const Extents shape = {request.shape[0], request.shape[1]};
  const auto ordered = [&](const Side& side, bool first_is_slowest) {
    return layout_of(side, ranks, rank).with_order(order_of(2, !first_is_slowest));
  };
  problem.input = ordered(transpose_side(request, shape, true), !(request.flags & transposed_in));
  problem.output = ordered(transpose_side(request, shape, false), request.flags & transposed_out);
  // Fields of a point stay together; pairs of reals are moved as one number.
  const bool pairs = request.howmany % 2 == 0;
  problem.numbers = pairs ? Numbers::complex : Numbers::real;
  problem.batch = pairs ? request.howmany / 2 : request.howmany;
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
  const bool to_real = request.family == Family::c2r, from_real = request.family == Family::r2c;
  Side in{to_real ? halved : shape, (request.flags & transposed_in) != 0, request.in_block,
          from_real};
  Side out{from_real ? halved : shape, (request.flags & transposed_out) != 0, request.out_block,
           to_real};
  if (request.family == Family::transpose) {
    in = transpose_side(request, shape, true);
    out = transpose_side(request, shape, false);
  }
  if (!in.blocks(ranks).cover() || !out.blocks(ranks).cover()) {
    result.refusal = "blocks for more ranks than there are";
    return result;
  }
  if (ranks > 1 && (in.is_whole_when_transposed() || out.is_whole_when_transposed())) {
    result.refusal = "a block of all points of the transposed axis";
    return result;
  }
  if ((in.real_of_halved && in.transposed && shape.size() == 2) ||
      (out.real_of_halved && out.transposed && shape.size() == 2)) {
    result.refusal = "real arrays whose halved axis is distributed";
    return result;
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
    set_transpose(request, ranks, rank, result.problem);
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
