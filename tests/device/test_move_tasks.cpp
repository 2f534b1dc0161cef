// How moves are divided for the kernels of GPUs: the host does what a kernel would, word by word.
#include <cstring>

#include "device/accelerator_test.hpp"
#include "device/buffer.hpp"
#include "device/host_copy.hpp"
#include "device/move_tasks.hpp"
#include "support/random_block.hpp"

namespace weft {
namespace {

using test::poison;
using test::Random;

/// Runs tasks at once; every word may be written once only.
class HostKernels : public TaskSink {
 public:
  void add(const MoveTask& task, TaskKind, std::uint32_t word_bytes) override {
    widest_word = std::max(widest_word, word_bytes);
    for (std::uint32_t part = 0; part < task.parts; ++part) move_part(task, part, word_bytes);
  }

  std::uint32_t widest_word = 0;
  Index moved_bytes = 0;

 private:
  void move_part(const MoveTask& task, std::uint32_t number, std::uint32_t word_bytes) {
    const std::uint32_t first_a = take(number, task.a.parts) << task.a.part_log2;
    const std::uint32_t first_b = take(number, task.b.parts) << task.b.part_log2;
    std::int64_t to = 0, from = 0;
    for (int i = static_cast<int>(task.loops) - 1; i >= 0; --i) {
      const std::uint32_t at = i > 0 ? take(number, task.loop[i]) : number;
      to += at * task.loop_to[i];
      from += at * task.loop_from[i];
    }
    const std::uint32_t end_a = std::min(first_a + (1U << task.a.part_log2), task.a.count);
    const std::uint32_t end_b = std::min(first_b + (1U << task.b.part_log2), task.b.count);
    for (std::uint32_t a = first_a; a < end_a; ++a) {
      for (std::uint32_t b = first_b; b < end_b; ++b) {
        std::memcpy(task.to + (to + a * task.a.to + b * task.b.to) * word_bytes,
                    task.from + (from + a * task.a.from + b * task.b.from) * word_bytes,
                    word_bytes);
        moved_bytes += word_bytes;
      }
    }
  }
};

/// Moves a block both ways of `shift` bytes behind an aligned address, and compares all bytes.
HostKernels check(Random& random, const Extents& extents, const Strides& to, const Strides& from,
                  CopyElement element, std::size_t shift) {
  const auto bytes = static_cast<std::size_t>(bytes_of(element));
  const auto size = [&](const Strides& strides) {
    return static_cast<std::size_t>(test::reach(extents, strides)) * bytes + shift;
  };
  Buffer source(size(from)), target(size(to) + 64), expected(size(to) + 64);
  for (std::size_t i = 0; i < source.size(); ++i) {
    source.data()[i] = static_cast<std::byte>(random.below(256));
  }
  for (Buffer* buffer : {&target, &expected}) {
    std::memset(buffer->data(), static_cast<int>(poison), buffer->size());
  }
  const ConstBlock block{source.data() + shift, from};
  copy_block(extents, {expected.data() + shift, to}, block, element, Store::cached);
  HostKernels kernels;
  make_tasks({extents, block, {target.data() + shift, to}}, element, kernels);
  EXPECT_EQ(kernels.moved_bytes, product(extents) * bytes_of(element));
  EXPECT_EQ(std::memcmp(target.data(), expected.data(), expected.size()), 0)
      << to_string(extents) << " to " << to_string(to) << " from " << to_string(from) << ", "
      << bytes << " bytes an element, shifted by " << shift;
  return kernels;
}

constexpr CopyElement elements[] = {{Precision::f32, false},
                                    {Precision::f32, true},
                                    {Precision::f64, false},
                                    {Precision::f64, true}};

TEST(MoveTasks, MoveEveryElementOnce) {
  Random random(61);
  for (int trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    const CopyElement element = elements[random.below(4)];
    const Extents extents = test::random_shape(random, 1 + random.below(5), 9);
    const Index real = element.precision == Precision::f32 ? 4 : 8;
    const Index shift = random.chance(50) ? 0 : real * random.below(5);
    check(random, extents, test::random_strides(random, extents),
          test::random_strides(random, extents), element, static_cast<std::size_t>(shift));
  }
}

TEST(MoveTasks, WordsAreAsWideAsRowsDistancesAndAddressesAllow) {
  Random random(62);
  constexpr CopyElement single{Precision::f32, false}, number{Precision::f64, true};
  EXPECT_EQ(check(random, {3, 8}, {8, 1}, {8, 1}, single, 0).widest_word, 16u);
  EXPECT_EQ(check(random, {3, 8}, {12, 1}, {8, 1}, single, 8).widest_word, 8u);
  EXPECT_EQ(check(random, {3, 8}, {8, 1}, {8, 1}, single, 4).widest_word, 4u);
  EXPECT_EQ(check(random, {3, 6}, {6, 1}, {8, 1}, single, 0).widest_word, 8u);
  EXPECT_EQ(check(random, {3, 2}, {3, 1}, {2, 1}, single, 0).widest_word, 4u);
  EXPECT_EQ(check(random, {3, 2}, {2, 1}, {3, 1}, single, 0).widest_word, 4u);
  EXPECT_EQ(check(random, {3, 2}, {6, 1}, {4, 1}, single, 0).widest_word, 8u);
  EXPECT_EQ(check(random, {3, 5}, {5, 1}, {5, 1}, number, 0).widest_word, 16u);
  EXPECT_EQ(check(random, {5, 3}, {1, 5}, {3, 1}, number, 8).widest_word, 8u);
  EXPECT_EQ(check(random, {4}, {1}, {1}, single, 0).widest_word, 16u);
}

TEST(MoveTasks, LongRowsAndLargeTilesAreDivided) {
  Random random(63);
  for (const CopyElement element : elements) {
    check(random, {3, 1000}, {1001, 1}, {1000, 1}, element, 0);
    check(random, {300, 129}, {1, 300}, {129, 1}, element, 0);
    check(random, {2, 65, 7, 33}, {1, 2, 130, 910}, {15015, 231, 33, 1}, element, 0);
  }
}

TEST(MoveTasks, OfNothingThereAreNone) {
  HostKernels kernels;
  make_tasks({{3, 0, 2}, {nullptr, {1, 1, 1}}, {nullptr, {1, 1, 1}}}, {}, kernels);
  EXPECT_EQ(kernels.moved_bytes, 0);
}

}  // namespace
}  // namespace weft
