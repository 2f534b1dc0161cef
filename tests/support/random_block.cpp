#include "support/random_block.hpp"

namespace weft::test {

Strides random_strides(Random& random, const Extents& extents) {
  auto strides = Strides::filled(extents.size(), 1);
  Index distance = random.chance(80) ? 1 : 1 + random.below(3);
  for (int axis : random_order(random, extents.size())) {
    strides[axis] = distance;
    distance = distance * extents[axis] + (random.chance(70) ? 0 : random.below(5));
  }
  return strides;
}

Index reach(const Extents& extents, const Strides& strides) {
  Index last = 0;
  for (int axis = 0; axis < extents.size(); ++axis) last += (extents[axis] - 1) * strides[axis];
  return last + 1;
}

}  // namespace weft::test
