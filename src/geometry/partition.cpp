#include "geometry/partition.hpp"

#include <algorithm>

namespace weft {

namespace {

Index block_length(Index length, Index parts) {
  return (length + parts - 1) / parts;
}

}  // namespace

Interval part_interval(Index length, Index parts, Split split, Index part) {
  if (split == Split::block) {
    const Index block = block_length(length, parts);
    return {std::min(part * block, length), std::min((part + 1) * block, length)};
  }
  const Index each = length / parts;
  const Index extra = length % parts;
  const Index lower = part * each + std::min(part, extra);
  return {lower, lower + each + (part < extra ? 1 : 0)};
}

Index part_of(Index length, Index parts, Split split, Index point) {
  if (split == Split::block) return point / block_length(length, parts);
  const Index each = length / parts;
  const Index extra = length % parts;
  const Index in_larger_parts = extra * (each + 1);
  if (point < in_larger_parts) return point / (each + 1);
  return extra + (point - in_larger_parts) / each;
}

}  // namespace weft
