#include "schedule/chunks.hpp"

namespace weft {

namespace {

bool left_alone(const ChunkRequest& request, int axis) {
  const Distribution& before = *request.before;
  const Distribution& after = *request.after;
  if (before.is_grid() && after.is_grid() && before.grid_size() == before.ranks() &&
      after.grid_size() == after.ranks() && before.grid()[axis] == after.grid()[axis]) {
    return true;
  }
  return before.is_whole(request.shape, axis) && after.is_whole(request.shape, axis);
}

/// Points of rank 0 along an axis: a measure of how far it can be cut.
Index points(const Distribution& distribution, const Extents& shape, int axis) {
  const Box box = distribution.box(shape, 0);
  return box.empty() ? 0 : box.extent(axis);
}

/// The smaller the better.
int rating(const ChunkRequest& request, int axis) {
  const AxisMask own = bit(axis);
  int result = 0;
  if (request.transformed_before & own) result += request.transformed_before == own ? 4 : 1;
  if (request.transformed_after & own) result += request.transformed_after == own ? 4 : 1;
  if (points(*request.before, request.shape, axis) < request.count) result += 2;
  if ((request.cuts_before & own) == 0) ++result;
  if ((request.cuts_after & own) == 0) ++result;
  return result;
}

}  // namespace

Chunking choose_chunking(const ChunkRequest& request) {
  Chunking chunking;
  if (request.count == 1) return chunking;
  int best = -1;
  for (int axis : request.order) {  // slowest first: long contiguous parts
    if (request.shape[axis] == 1 || !left_alone(request, axis)) continue;
    if (((request.cuts_before | request.cuts_after) & bit(axis)) == 0) continue;
    if (best < 0 || rating(request, axis) < rating(request, best)) best = axis;
  }
  if (best >= 0) {
    chunking.of_sender = (request.cuts_before & bit(best)) != 0;
    chunking.of_receiver = (request.cuts_after & bit(best)) != 0;
  } else {
    const AxisMask possible = request.cuts_before & ~request.transformed_before;
    for (int axis : request.order) {
      if (request.shape[axis] == 1 || (possible & bit(axis)) == 0) continue;
      if (best < 0 || points(*request.before, request.shape, axis) >
                          points(*request.before, request.shape, best)) {
        best = axis;
      }
    }
    chunking.of_receiver = false;
  }
  if (best < 0) return {};
  chunking.axis = best;
  chunking.count = request.count;
  if (best == request.order.back()) chunking.alignment = request.alignment;
  return chunking;
}

std::vector<AxisMask> separate(AxisMask mask, int chunks_in, int chunks_out, int halved) {
  const AxisMask real = bit(halved) & mask;
  AxisMask first = bit(chunks_out) & mask;
  if (first != 0) first |= real;
  AxisMask last = bit(chunks_in) & mask & ~first & ~real;
  if (first == mask) first = 0;
  const AxisMask middle = mask & ~first & ~last;
  std::vector<AxisMask> parts;
  for (AxisMask part : {first, middle, last}) {
    if (part != 0) parts.push_back(part);
  }
  return parts;
}

}  // namespace weft
