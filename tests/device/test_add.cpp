#include <gtest/gtest.h>

#include <complex>

#include "device/host_add.hpp"
#include "support/random_block.hpp"
#include "support/random_distribution.hpp"
#include "support/random_problem.hpp"
#include "weft/plan.hpp"

namespace weft {
namespace {

using test::Random;
using test::reach;

template <class T>
class AddBlock : public testing::Test {};

using Elements = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(AddBlock, Elements);

template <class T>
std::vector<T> random_integers(Random& random, Index count) {
  std::vector<T> values;
  for (Index i = 0; i < count; ++i) {
    const auto real = static_cast<float>(random.below(200) - 100);
    if constexpr (std::is_floating_point_v<T>) {
      values.push_back(real);
    } else {
      values.push_back(T(real, static_cast<float>(random.below(200) - 100)));
    }
  }
  return values;
}

TYPED_TEST(AddBlock, AddsEveryElementOnceAndTouchesNoOther) {
  Random random(51);
  const ElementType type = element_type_of<TypeParam>();
  for (int trial = 0; trial < 300; ++trial) {
    const Extents extents = test::random_shape(random, max_axes, 6);
    const Strides to = test::random_strides(random.engine(), whole(extents), 1);
    const Strides from = test::random_strides(random.engine(), whole(extents), 1);
    const auto source = random_integers<TypeParam>(random, reach(extents, from));
    auto target = random_integers<TypeParam>(random, reach(extents, to));
    auto expected = target;
    for (Index number = 0; number < product(extents); ++number) {
      Index rest = number, in_to = 0, in_from = 0;
      for (int axis = 0; axis < extents.size(); ++axis) {
        in_to += rest % extents[axis] * to[axis];
        in_from += rest % extents[axis] * from[axis];
        rest /= extents[axis];
      }
      expected[static_cast<std::size_t>(in_to)] += source[static_cast<std::size_t>(in_from)];
    }
    add_block(extents, {reinterpret_cast<std::byte*>(target.data()), to},
              {reinterpret_cast<const std::byte*>(source.data()), from},
              {type.precision, type.complex});
    ASSERT_EQ(target, expected) << to_string(extents);
  }
}

}  // namespace
}  // namespace weft
