#include <gtest/gtest.h>

#include <cstring>

#include "device/host_copy.hpp"
#include "support/random_block.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;
using test::random_strides;
using test::reach;

constexpr std::byte poison{0xa5};

/// Calls visit(position in to, position in from) for every element.
template <class Visit>
void for_each(const Extents& extents, const Strides& to, const Strides& from, const Visit& visit) {
  for (Index number = 0; number < product(extents); ++number) {
    Index rest = number, in_to = 0, in_from = 0;
    for (int axis = 0; axis < extents.size(); ++axis) {
      in_to += rest % extents[axis] * to[axis];
      in_from += rest % extents[axis] * from[axis];
      rest /= extents[axis];
    }
    visit(static_cast<std::size_t>(in_to), static_cast<std::size_t>(in_from));
  }
}

/// Memory that starts at any multiple of `step` bytes past a cache line.
class Memory {
 public:
  Memory(std::size_t bytes, std::size_t shift) : bytes_(bytes + shift + 64), shift_(shift) {}
  std::byte* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (64 - address % 64) % 64 + shift_;
  }
  std::vector<std::byte>& all() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t shift_;
};

struct Case {
  CopyElement element;
  Store store;
};

std::size_t real_bytes(CopyElement element) {
  return static_cast<std::size_t>(bytes_of({element.precision, false}));
}
std::size_t size_of(CopyElement element) {
  return static_cast<std::size_t>(bytes_of(element));
}

template <class Real>
void put_random_reals(Random& random, std::vector<std::byte>& bytes, std::size_t first) {
  for (std::size_t at = first; at + sizeof(Real) <= bytes.size(); at += sizeof(Real)) {
    const auto value = static_cast<Real>(random.below(2000001) - 1000000) / 1000;
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

template <class Real>
void multiply(std::byte* data, std::size_t bytes, double scale) {
  for (std::size_t at = 0; at < bytes; at += sizeof(Real)) {
    Real value;
    std::memcpy(&value, data + at, sizeof value);
    value *= static_cast<Real>(scale);
    std::memcpy(data + at, &value, sizeof value);
  }
}

/// Nothing, or a description of a block that was copied wrongly.
std::string copy_and_compare(Random& random, const Extents& extents, const Strides& to,
                             const Strides& from, const Case& how) {
  const bool single = how.element.precision == Precision::f32;
  const std::size_t size = size_of(how.element), real = real_bytes(how.element);
  // A complex number needs the alignment of a real one only.
  const auto shift = [&] {
    return random.chance(40) ? 0 : real * static_cast<std::size_t>(random.below(64 / Index(real)));
  };
  Memory source(static_cast<std::size_t>(reach(extents, from)) * size, shift());
  Memory target(static_cast<std::size_t>(reach(extents, to)) * size, shift());
  const auto first = static_cast<std::size_t>(source.data() - source.all().data()) % real;
  if (single)
    put_random_reals<float>(random, source.all(), first);
  else
    put_random_reals<double>(random, source.all(), first);
  std::fill(target.all().begin(), target.all().end(), poison);
  const double scale = random.chance(50) ? 1 : 1.0 / 3;
  std::vector<std::byte> expected = target.all();
  const auto begin = static_cast<std::size_t>(target.data() - target.all().data());
  for_each(extents, to, from, [&](std::size_t in_to, std::size_t in_from) {
    std::byte* const element = expected.data() + begin + in_to * size;
    std::memcpy(element, source.data() + in_from * size, size);
    if (single)
      multiply<float>(element, size, scale);
    else
      multiply<double>(element, size, scale);
  });
  const Load load = random.chance(50) ? Load::ahead : Load::cached;
  copy_block(extents, {target.data(), to}, {source.data(), from}, how.element, how.store, scale,
             load);
  finish_streaming();
  if (target.all() == expected) return "";
  return to_string(extents) + " to " + to_string(to) + " from " + to_string(from) +
         " elements of " + std::to_string(size) + " bytes, scale " + std::to_string(scale);
}

class CopyBlock : public testing::TestWithParam<Case> {};

TEST_P(CopyBlock, AgreesWithANaiveLoopForRandomBlocks) {
  Random random(41);
  for (int trial = 0; trial < 1500; ++trial) {
    const Extents extents = test::random_shape(random, 5, trial % 3 == 0 ? 40 : 6);
    if (product(extents) > 40000) continue;
    const Strides to = random_strides(random, extents), from = random_strides(random, extents);
    ASSERT_EQ(copy_and_compare(random, extents, to, from, GetParam()), "");
  }
}

TEST_P(CopyBlock, RunsOfEveryLength) {
  Random random(42);
  for (Index length = 1; length <= 200; ++length) {
    ASSERT_EQ(copy_and_compare(random, {length}, {1}, {1}, GetParam()), "");
    ASSERT_EQ(copy_and_compare(random, {3, length}, {length + 2, 1}, {length + 5, 1}, GetParam()),
              "");
  }
}

TEST_P(CopyBlock, TranspositionsOfEverySize) {
  Random random(43);
  for (Index rows = 1; rows <= 40; rows += 1 + rows / 10) {
    for (Index columns = 1; columns <= 40; ++columns) {
      ASSERT_EQ(copy_and_compare(random, {rows, columns}, {columns, 1}, {1, rows}, GetParam()), "");
      ASSERT_EQ(copy_and_compare(random, {2, rows, columns}, {columns * rows, columns, 1},
                                 {1, 2, 2 * rows + 3}, GetParam()),
                "");
    }
  }
}

TEST_P(CopyBlock, EmptyBlocksTouchNothing) {
  for (const Extents& extents : {Extents{0}, Extents{3, 0}, Extents{0, 3}}) {
    copy_block(extents, {nullptr, Strides::filled(extents.size(), 1)},
               {nullptr, Strides::filled(extents.size(), 1)}, GetParam().element, GetParam().store);
  }
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const bool complex : {false, true}) {
      for (const Store store : {Store::cached, Store::streaming}) {
        cases.push_back({{precision, complex}, store});
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Elements, CopyBlock, testing::ValuesIn(every_case()),
                         [](const auto& info) {
                           const Case& how = info.param;
                           return to_string(how.element.precision) +
                                  (how.element.complex ? "_complex" : "_real") +
                                  (how.store == Store::streaming ? "_streaming" : "_cached");
                         });

}  // namespace
}  // namespace weft
