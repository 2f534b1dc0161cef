// Moves of blocks by accelerators, compared with copies by the host.
#include <cstring>

#include "device/accelerator_test.hpp"
#include "support/random_block.hpp"

namespace weft {
namespace {

using test::poison;
using test::Random;

constexpr CopyElement elements[] = {{Precision::f32, false},
                                    {Precision::f32, true},
                                    {Precision::f64, false},
                                    {Precision::f64, true}};

std::size_t real_bytes(CopyElement element) {
  return static_cast<std::size_t>(bytes_of({element.precision, false}));
}
std::size_t size_of(CopyElement element) {
  return static_cast<std::size_t>(bytes_of(element));
}

/// Numbers whose products are the same everywhere.
std::vector<std::byte> numbers(Random& random, std::size_t bytes, CopyElement element) {
  std::vector<std::byte> data(bytes);
  for (std::size_t at = 0; at + real_bytes(element) <= bytes; at += real_bytes(element)) {
    const double value = static_cast<double>(random.below(2000001) - 1000000) / 1000;
    if (element.precision == Precision::f32) {
      const auto single = static_cast<float>(value);
      std::memcpy(data.data() + at, &single, sizeof single);
    } else {
      std::memcpy(data.data() + at, &value, sizeof value);
    }
  }
  return data;
}

/// A block between places in two buffers.
struct Move {
  Extents extents;
  Strides to, from;
  std::size_t to_begin, from_begin;  // bytes
};

/// Moves that are put into buffers one after the other, some of them at odd places.
class Moves {
 public:
  Moves(Random& random, CopyElement element) : random_(random), element_(element) {}

  void add(const Extents& extents, const Strides& to, const Strides& from) {
    moves_.push_back({extents, to, from, place(to_bytes_), place(from_bytes_)});
    to_bytes_ = moves_.back().to_begin + length(extents, to);
    from_bytes_ = moves_.back().from_begin + length(extents, from);
  }
  void add_random(int axes, Index longest) {
    const Extents extents = test::random_shape(random_, axes, longest);
    if (product(extents) > 50000) return;
    add(extents, test::random_strides(random_, extents), test::random_strides(random_, extents));
  }
  void add_empty() { moves_.push_back({{3, 0, 2}, {1, 1, 1}, {1, 1, 1}, 0, 0}); }

  std::size_t to_bytes() const { return to_bytes_ + 64; }
  std::size_t from_bytes() const { return from_bytes_; }
  std::vector<BlockMove> blocks(std::byte* to, const std::byte* from) const {
    std::vector<BlockMove> result;
    for (const Move& move : moves_) {
      result.push_back(
          {move.extents, {from + move.from_begin, move.from}, {to + move.to_begin, move.to}});
    }
    return result;
  }
  std::string to_string() const {
    std::string text = std::to_string(size_of(element_)) + " bytes, " +
                       std::to_string(real_bytes(element_)) + " of a real number:";
    for (const Move& move : moves_) {
      text += " " + weft::to_string(move.extents) + " to " + weft::to_string(move.to) + " at " +
              std::to_string(move.to_begin) + " from " + weft::to_string(move.from) + " at " +
              std::to_string(move.from_begin) + ";";
    }
    return text;
  }

 private:
  std::size_t length(const Extents& extents, const Strides& strides) const {
    return static_cast<std::size_t>(test::reach(extents, strides)) * size_of(element_);
  }
  /// Mostly at a multiple of 16 bytes.
  std::size_t place(std::size_t end) {
    const std::size_t unit = random_.chance(70) ? 16 : real_bytes(element_);
    return (end + unit - 1) / unit * unit + (random_.chance(20) ? unit : 0);
  }

  Random& random_;
  CopyElement element_;
  std::vector<Move> moves_;
  std::size_t to_bytes_ = 0;
  std::size_t from_bytes_ = 0;
};

class MoveBlocks : public test::AcceleratorTest {
 protected:
  /// Moves on the device, and looks at all of the target.
  void check(Random& random, const Moves& moves, CopyElement element, double scale, Mover mover) {
    const std::vector<std::byte> source = numbers(random, moves.from_bytes(), element);
    std::vector<std::byte> expected(moves.to_bytes(), poison);
    for (const BlockMove& block : moves.blocks(expected.data(), source.data())) {
      copy_block(block.extents, block.to, block.from, element, Store::cached, scale);
    }
    const Buffer from(*device, source.size()), to(*device, expected.size());
    put(from.data(), source);
    put(to.data(), std::vector<std::byte>(expected.size(), poison));
    stream->move(moves.blocks(to.data(), from.data()), element, scale, mover);
    ASSERT_TRUE(get(to.data(), expected.size()) == expected)
        << moves.to_string() << " scale " << scale << ", mover " << static_cast<int>(mover);
  }
  void check(Random& random, const Moves& moves, CopyElement element) {
    for (const Mover mover : {Mover::automatic, Mover::kernel, Mover::engine}) {
      for (const double scale : {1.0, 1.0 / 3}) {
        ASSERT_NO_FATAL_FAILURE(check(random, moves, element, scale, mover));
      }
    }
  }
};

TEST_P(MoveBlocks, RandomBlocks) {
  Random random(51);
  for (int trial = 0; trial < 120; ++trial) {
    for (const CopyElement element : elements) {
      Moves moves(random, element);
      moves.add({1}, {1}, {1});
      const Index blocks = trial % 4 == 0 ? 50 : 3;
      for (Index i = 0; i < blocks; ++i) {
        if (random.chance(10)) moves.add_empty();
        moves.add_random(trial % 5 == 0 ? 6 : 4, trial % 3 == 0 ? 40 : 6);
      }
      ASSERT_NO_FATAL_FAILURE(check(random, moves, element));
    }
  }
}

TEST_P(MoveBlocks, RunsOfEveryLength) {
  Random random(52);
  for (const CopyElement element : elements) {
    Moves moves(random, element);
    for (Index length = 1; length <= 140; ++length) {
      moves.add({length}, {1}, {1});
      moves.add({5, length}, {length + 4, 1}, {length + 8, 1});
      moves.add({5, length}, {length + 1, 1}, {length + 3, 1});
      moves.add({5, length}, {1, 6}, {2, 10});
    }
    for (const Index length : {500, 513, 1024, 4095, 70001}) {
      moves.add({2, length}, {length, 1}, {length + 16, 1});
      moves.add({length}, {1}, {1});
    }
    ASSERT_NO_FATAL_FAILURE(check(random, moves, element));
  }
}

TEST_P(MoveBlocks, TranspositionsOfEverySize) {
  Random random(53);
  for (const CopyElement element : elements) {
    Moves moves(random, element);
    for (Index rows = 1; rows <= 140; rows += 1 + rows / 8) {
      for (Index columns = 1; columns <= 140; columns += 1 + columns / 8) {
        moves.add({rows, columns}, {columns, 1}, {1, rows});
        moves.add({2, rows, columns}, {columns * rows, columns, 1}, {1, 2, 2 * rows + 3});
      }
    }
    moves.add({3, 5000}, {5000, 1}, {1, 3});
    moves.add({5000, 3}, {3, 1}, {1, 5000});
    moves.add({300, 400}, {401, 1}, {1, 301});
    ASSERT_NO_FATAL_FAILURE(check(random, moves, element));
  }
}

TEST_P(MoveBlocks, CopiesOfEngines) {
  // Long runs, alone and in one and two loops around, few and many of them.
  Random random(54);
  for (const CopyElement element : elements) {
    Moves moves(random, element);
    moves.add({70000}, {1}, {1});
    moves.add({3, 20000}, {20001, 1}, {20003, 1});
    moves.add({2, 3, 20000}, {60007, 20001, 1}, {20000, 40009, 1});
    moves.add({100, 2, 100}, {210, 103, 1}, {220, 101, 1});
    moves.add({2, 100, 100}, {10300, 102, 1}, {10400, 103, 1});
    moves.add({2, 2, 2, 100}, {1000, 400, 150, 1}, {1000, 450, 200, 1});
    ASSERT_NO_FATAL_FAILURE(check(random, moves, element));
  }
}

TEST_P(MoveBlocks, BitsStayAsTheyAreWithoutScale) {
  // As numbers these would be changed by products with 1.
  Random random(55);
  for (const CopyElement element : elements) {
    std::vector<std::byte> source(16 * 1000);
    for (std::byte& byte : source) byte = static_cast<std::byte>(random.chance(50) ? 0xff : 0x7f);
    const Buffer from(*device, source.size()), to(*device, source.size());
    put(from.data(), source);
    const auto count = static_cast<Index>(source.size() / size_of(element));
    const BlockMove block{{count}, {from.data(), {1}}, {to.data(), {1}}};
    stream->move(std::span(&block, 1), element, 1, Mover::kernel);
    ASSERT_TRUE(get(to.data(), source.size()) == source);
  }
}

TEST_P(MoveBlocks, MoreThan31BitsOfElements) {
  if (GetParam() == "emulated") GTEST_SKIP() << "the host's copies have no limits of 32 bits";
  const Index n = 46343, elements_count = n * n;  // just above 2^31
  const auto bytes = static_cast<std::size_t>(elements_count) * 4;
  const Buffer from(*device, bytes), to(*device, bytes);
  const auto mark = [&](std::byte* memory, Index at, float value) {
    stream->copy(memory + at * 4, reinterpret_cast<const std::byte*>(&value), 4);
    stream->synchronize();
  };
  const auto marked = [&](Index at) {
    const std::vector<std::byte> data = get(to.data() + at * 4, 4);
    float value;
    std::memcpy(&value, data.data(), sizeof value);
    return value;
  };
  const std::vector<Index> rows{0, 1, n / 2, n - 2, n - 1}, columns{0, 7, n / 3, n - 1};
  stream->clear(from.data(), bytes);
  float value = 1;
  for (const Index row : rows) {
    for (const Index column : columns) mark(from.data(), row * n + column, value++);
  }
  const struct {
    Extents extents;
    Strides to, from;
    bool transposed;
  } cases[] = {{{elements_count}, {1}, {1}, false},
               {{n, n}, {n, 1}, {1, n}, true},
               {{1, n * n - 1}, {1, 1}, {1, 1}, false}};
  for (const auto& each : cases) {
    stream->clear(to.data(), bytes);
    mark(to.data(), elements_count - 1, 20);
    const BlockMove block{each.extents, {from.data(), each.from}, {to.data(), each.to}};
    stream->move(std::span(&block, 1), {Precision::f32, false}, 1, Mover::kernel);
    value = 1;
    for (const Index row : rows) {
      for (const Index column : columns) {
        EXPECT_EQ(marked(each.transposed ? column * n + row : row * n + column), value++);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MoveBlocks, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
