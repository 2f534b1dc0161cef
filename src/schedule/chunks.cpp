#include "schedule/chunks.hpp"

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// With parts of fewer points some would be twice as large as others.
constexpr Index points_of_part = 2;

class Choice {
 public:
  explicit Choice(const ChunkRequest& request) : request_(request) {}

  /// An axis along which both sides have the same parts; -1: none.
  int common_axis() const {
    int best = -1;
    for (int axis : request_.order) {  // slowest first: long contiguous parts
      if (request_.shape[axis] == 1 || !may_share(axis)) continue;
      if (best < 0 || rating(axis) < rating(best)) best = axis;
    }
    return best;
  }

  /// An axis along which a side is cut on its own; -1: none.
  int own_axis(const ChunkSide& side) const {
    int best = -1;
    for (int axis : request_.order) {
      if (request_.shape[axis] == 1 || (side.cuts & ~side.transformed & bit(axis)) == 0) continue;
      if (places_to_cut(side, axis) >= points_of_part * side.parts) return axis;
      if (best < 0 || places_to_cut(side, axis) > places_to_cut(side, best)) best = axis;
    }
    return best;
  }

  Cut cut(int axis, Index count) const {
    if (axis < 0 || count == 1) return {};
    return {axis, count, alignment(axis)};
  }

 private:
  Index alignment(int axis) const { return axis == request_.order.back() ? request_.alignment : 1; }

  /// Along an axis of the box of rank 0, a measure of all.
  Index places_to_cut(const ChunkSide& side, int axis) const {
    const Box box = side.distribution->box(request_.shape, 0);
    return box.empty() ? 0 : box.extent(axis) / alignment(axis);
  }

  bool may_share(int axis) const {
    const AxisMask own = bit(axis), real = bit(request_.halved);
    const auto divides = [&](AxisMask transformed, AxisMask together) {
      return (transformed & own) == 0 || (transformed & ~together) != 0;
    };
    return (request_.sender.cuts & request_.receiver.cuts & own) != 0 &&
           divides(request_.sender.transformed, own | real) &&
           divides(request_.receiver.transformed, own == real ? ~AxisMask{0} : own) &&
           leaves_alone(*request_.sender.distribution, *request_.receiver.distribution,
                        request_.shape, axis);
  }

  /// The smaller the better.
  int rating(int axis) const {
    int result = 0;
    for (const ChunkSide* side : {&request_.sender, &request_.receiver}) {
      if (side->transformed & bit(axis)) ++result;
    }
    const Index wanted = std::max(request_.sender.parts, request_.receiver.parts);
    if (places_to_cut(request_.sender, axis) < wanted) result += 2;
    return result;
  }

  const ChunkRequest& request_;
};

}  // namespace

Chunking choose_chunking(const ChunkRequest& request) {
  const ChunkSide &sender = request.sender, &receiver = request.receiver;
  const Choice choice(request);
  Chunking chunking;
  if (sender.parts > 1 && receiver.parts > 1) {
    const Cut both = choice.cut(choice.common_axis(), std::max(sender.parts, receiver.parts));
    chunking.sender = chunking.receiver = both;
    if (chunking.is_cut()) return chunking;
  }
  chunking.sender = choice.cut(choice.own_axis(sender), sender.parts);
  chunking.receiver = choice.cut(choice.own_axis(receiver), receiver.parts);
  if (std::popcount(sender.transformed) < std::popcount(receiver.transformed)) {
    chunking.order = ChunkOrder::by_receiver;
  }
  return chunking;
}

std::vector<AxisMask> separate(AxisMask mask, int cut_in, int cut_out, int halved) {
  const AxisMask real = bit(halved) & mask;
  AxisMask first = bit(cut_out) & mask;
  if (first != 0) first |= real;
  AxisMask last = bit(cut_in) & mask & ~first & ~real;
  if (first == mask) first = 0;
  const AxisMask middle = mask & ~first & ~last;
  std::vector<AxisMask> parts;
  for (AxisMask part : {first, middle, last}) {
    if (part != 0) parts.push_back(part);
  }
  return parts;
}

}  // namespace weft
