#include "support/random_distribution.hpp"

#include <algorithm>

namespace weft::test {

Extents random_shape(Random& random, int most_axes, Index longest) {
  const Index axes = 1 + random.below(most_axes);
  Extents shape;
  for (Index axis = 0; axis < axes; ++axis) shape.push_back(1 + random.below(longest));
  return shape;
}

Box random_box(Random& random, const Extents& shape) {
  Box box;
  for (Index length : shape) {
    const Index lower = random.below(length);
    box.lower.push_back(lower);
    box.upper.push_back(lower + 1 + random.below(length - lower));
  }
  return box;
}

std::vector<Box> random_boxes(const Extents& shape, int count, std::mt19937_64& random) {
  const auto draw = [&](Index below) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(below));
  };
  std::vector<Box> result{whole(shape)};
  while (static_cast<int>(result.size()) < count) {
    const auto chosen = static_cast<std::size_t>(draw(static_cast<Index>(result.size())));
    const int axis = static_cast<int>(draw(shape.size()));
    Box lower = result[chosen];
    Box upper = lower;
    const Index cut = lower.lower[axis] + draw(lower.extent(axis) + 1);
    lower.upper[axis] = cut;
    upper.lower[axis] = cut;
    result[chosen] = lower;
    result.push_back(upper);
  }
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

Distribution random_distribution(Random& random, const Extents& shape, Index ranks) {
  if (random.chance(30)) {
    return Distribution::by_boxes(random_boxes(shape, static_cast<int>(ranks), random.engine()));
  }
  // Prime factors in a random order give the digits of a rank; each axis gets at most one digit
  // that was merged from neighboring ones.
  std::vector<Index> digits(1, 1);
  Index rest = random.chance(20) ? 1 + random.below(ranks) : ranks;
  for (Index prime = 2; rest > 1; ++prime) {
    for (; rest % prime == 0; rest /= prime) digits.push_back(prime);
  }
  std::shuffle(digits.begin(), digits.end(), random.engine());
  while (static_cast<int>(digits.size()) > shape.size()) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<Index>(digits.size()) - 1));
    digits[at] *= digits[at + 1];
    digits.erase(digits.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  const AxisList axes = random_order(random, shape.size());
  const Split split = random.chance(50) ? Split::balanced : Split::block;
  auto grid = Axes<GridAxis>::filled(shape.size(), GridAxis{});
  Index stride = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    grid[axes[static_cast<int>(i)]] = {digits[i], stride, split};
    stride *= digits[i];
  }
  return Distribution::by_grid(grid, ranks);
}

AxisList random_order(Random& random, int axes) {
  AxisList order = natural_order(axes);
  std::shuffle(order.begin(), order.end(), random.engine());
  return order;
}

Layout random_dense_layout(Random& random, const Extents& shape, Index ranks) {
  Memory memory;
  memory.order = random_order(random, shape.size());
  return {random_distribution(random, shape, ranks), memory.dense()};
}

}  // namespace weft::test
