// Encoded messages: whatever tiles they are written in and whatever parts they are read in, the
// numbers are those that the codec makes of each line.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "pass/array_view.hpp"
#include "pass/encoded_message.hpp"
#include "schedule/stage.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;
using Bytes = std::vector<std::byte>;

/// A box of numbers in memory, with gaps, in any order of axes.
struct Block {
  Box box;
  Strides stride;
  Index element_bytes;
  Bytes memory;

  Block(Random& random, const Box& of, Index bytes) : box(of), element_bytes(bytes) {
    stride = Strides::filled(box.axes(), 1);
    Index distance = 1 + random.below(2);
    for (int axis : test::random_order(random, box.axes())) {
      stride[axis] = distance;
      distance = distance * box.extent(axis) + random.below(3);
    }
    memory.assign(static_cast<std::size_t>((distance + 1) * bytes), std::byte{0xff});
  }
  std::byte* at(const Extents& point) {
    Index position = 0;
    for (int axis = 0; axis < box.axes(); ++axis) {
      position += (point[axis] - box.lower[axis]) * stride[axis];
    }
    return memory.data() + position * element_bytes;
  }
  ConstBlock from(const Extents& point) { return {at(point), stride}; }
  MutableBlock to(const Extents& point) { return {at(point), stride}; }
};

template <class Visit>
void for_each_point(const Box& box, Visit&& visit) {
  for (Index number = 0; number < box.count(); ++number) {
    Extents point = box.lower;
    Index rest = number;
    for (int axis = box.axes() - 1; axis >= 0; --axis) {
      point[axis] += rest % box.extent(axis);
      rest /= box.extent(axis);
    }
    visit(point);
  }
}

/// The coordinates at which `count` random cuts, or all, divide an interval.
std::vector<Index> cuts(Random& random, Index lower, Index upper, Index multiple) {
  std::vector<Index> at{lower};
  for (Index i = lower + 1; i < upper; ++i) {
    if (i % multiple == 0 && random.chance(multiple > 1 ? 50 : 15)) at.push_back(i);
  }
  at.push_back(upper);
  return at;
}

/// A box in parts, cut along one axis at multiples and along the others anywhere, in any order.
std::vector<Box> random_parts(Random& random, const Box& box, int aligned, Index multiple) {
  std::vector<Box> parts{box};
  for (int axis = 0; axis < box.axes(); ++axis) {
    const auto at =
        cuts(random, box.lower[axis], box.upper[axis], axis == aligned ? multiple : Index{1});
    std::vector<Box> finer;
    for (const Box& part : parts) {
      for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        finer.push_back(part);
        finer.back().lower[axis] = at[i];
        finer.back().upper[axis] = at[i + 1];
      }
    }
    parts = finer;
  }
  std::shuffle(parts.begin(), parts.end(), random.engine());
  return parts;
}

Box random_region(Random& random) {
  const int axes = 1 + static_cast<int>(random.below(4));
  const int longest = static_cast<int>(random.below(axes));
  Box box;
  for (int axis = 0; axis < axes; ++axis) {
    const Index lower = random.chance(30) ? 0 : random.below(200);
    const Index extent = 1 + random.below(axis == longest ? (random.chance(5) ? 3000 : 300) : 5);
    box.lower.push_back(lower);
    box.upper.push_back(lower + extent);
  }
  return box;
}

template <class Real>
void fill(Random& random, Block& block) {
  std::normal_distribution<double> normal;
  const auto parts = block.element_bytes / static_cast<Index>(sizeof(Real));
  for_each_point(block.box, [&](const Extents& point) {
    auto* reals = reinterpret_cast<Real*>(block.at(point));
    for (Index part = 0; part < parts; ++part) {
      reals[part] = static_cast<Real>(normal(random.engine()));
    }
  });
}

/// What the codec makes of each line, encoded as a whole: a run to the first multiple of the block
/// and the rest. Also what encoding should have measured.
struct Expected {
  Block block;
  EncodingMeasure measure;
};

template <class Real>
Expected line_by_line(Random& random, const Codec& codec, Block& source, const AxisList& order,
                      double scale) {
  Expected expected{Block(random, source.box, source.element_bytes), {}};
  const int fastest = order.back();
  Box starts = source.box;
  starts.upper[fastest] = starts.lower[fastest] + 1;
  const Index length = source.box.extent(fastest), bytes = source.element_bytes;
  const Index block = codec.block_elements(), lower = source.box.lower[fastest];
  const Index head = std::min((lower / block + 1) * block - lower, length);
  for_each_point(starts, [&](Extents point) {
    Bytes line(static_cast<std::size_t>(length * bytes)), decoded(line.size());
    for (Index i = 0; i < length; ++i) {
      point[fastest] = lower + i;
      Real numbers[2];
      std::memcpy(numbers, source.at(point), static_cast<std::size_t>(bytes));
      for (Real& number : numbers) number = static_cast<Real>(number * static_cast<Real>(scale));
      std::memcpy(line.data() + i * bytes, numbers, static_cast<std::size_t>(bytes));
    }
    Index begin = 0;
    for (const Index run : {head, length - head}) {
      if (run == 0) continue;
      Bytes code(static_cast<std::size_t>(codec.bytes(run)));
      codec.encode(line.data() + begin * bytes, run, code.data(), expected.measure);
      codec.decode(code.data(), run, decoded.data() + begin * bytes);
      begin += run;
    }
    for (Index i = 0; i < length; ++i) {
      point[fastest] = lower + i;
      std::memcpy(expected.block.at(point), decoded.data() + i * bytes,
                  static_cast<std::size_t>(bytes));
    }
  });
  return expected;
}

/// Writes a message in tiles and reads it in parts; what is wrong, or nothing.
template <class Real>
std::string trial(Random& random, const Codec& codec, bool complex) {
  const CopyElement element{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, complex};
  const Index bytes = element_bytes(complex, element.precision);
  const Box region = random_region(random);
  const AxisList order = test::random_order(random, region.axes());
  const double scale = random.chance(50) ? 1 : 0.37;
  Block source(random, region, bytes), target(random, region, bytes);
  fill<Real>(random, source);
  Expected expected = line_by_line<Real>(random, codec, source, order, scale);

  const EncodedMessage message(codec, region, order);
  constexpr std::size_t guard = 64;
  Bytes code(static_cast<std::size_t>(message.bytes()) + guard, std::byte{0x5a});
  // One byte too far would be noticed, at any alignment of the message.
  Bytes buffer(EncodedMessage::buffer_bytes + 2 * guard, std::byte{0x5a});
  EncodingMeasure measure;
  const int fastest = order.back();
  for (const Box& tile : random_parts(random, region, fastest, codec.block_elements())) {
    message.write(tile, source.from(tile.lower), code.data(), element, scale, buffer.data() + guard,
                  measure);
  }
  for (const Box& part : random_parts(random, region, fastest, 1)) {
    message.read(part, target.to(part.lower), code.data(), element, buffer.data() + guard);
  }
  std::string wrong;
  for_each_point(region, [&](const Extents& point) {
    if (std::memcmp(target.at(point), expected.block.at(point), static_cast<std::size_t>(bytes))) {
      wrong = "differs at " + to_string(point) + "; ";
    }
  });
  const auto is_near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
  if (!is_near(measure.squared_norm, expected.measure.squared_norm)) wrong += "norm; ";
  if (!is_near(measure.squared_error, expected.measure.squared_error)) wrong += "error; ";
  if (measure.broken) wrong += "broken; ";
  for (std::size_t i = 0; i < guard; ++i) {
    const bool kept = code[code.size() - 1 - i] == std::byte{0x5a} &&
                      buffer[i] == std::byte{0x5a} &&
                      buffer[buffer.size() - 1 - i] == std::byte{0x5a};
    if (!kept) return wrong + "wrote too far";
  }
  if (!wrong.empty()) wrong += "region " + to_string(region) + " order " + to_string(order);
  return wrong;
}

class EncodedMessages : public testing::TestWithParam<std::string> {};

TEST_P(EncodedMessages, AreWhatTheCodecMakesOfEachLine) {
  Random random(11);
  for (const CodecMethod& method : codec_methods()) {
    if (method.name != GetParam()) continue;
    for (const bool complex : {false, true}) {
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        const auto parameters = method.parameters({precision, complex});
        ASSERT_FALSE(parameters.empty());
        for (int repetition = 0; repetition < 40; ++repetition) {
          const auto which = random.below(static_cast<Index>(parameters.size()));
          const std::string& parameter = parameters[static_cast<std::size_t>(which)];
          const auto codec = method.make(parameter, {precision, complex});
          if (codec == nullptr) continue;
          const std::string wrong = precision == Precision::f32
                                        ? trial<float>(random, *codec, complex)
                                        : trial<double>(random, *codec, complex);
          ASSERT_EQ(wrong, "") << codec->name() << " " << to_string(precision)
                               << (complex ? " complex" : " real");
        }
      }
    }
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const CodecMethod& method : codec_methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Codecs, EncodedMessages, testing::ValuesIn(method_names()),
                         [](const auto& info) { return info.param; });

TEST(EncodedMessage, HasNoBytesWhereItHasNoPoints) {
  const auto codec = make_codec("bfp:9", {});
  const Box empty{{3, 7}, {3, 9}};
  const AxisList order{0, 1};
  EXPECT_EQ(EncodedMessage(*codec, empty, order).bytes(), 0);
}

TEST(SquaredNorm, IsThatOfAPlainLoop) {
  Random random(12);
  for (int repetition = 0; repetition < 300; ++repetition) {
    Box box = random_region(random);
    box.upper[0] = box.lower[0] + std::min<Index>(box.extent(0), 40);
    Block block(random, box, 16);
    fill<double>(random, block);
    for (const CopyElement element :
         {CopyElement{Precision::f64, true}, CopyElement{Precision::f64, false}}) {
      double expected = 0;
      for_each_point(box, [&](const Extents& point) {
        // As reals, every second number of memory counts as an element of its own.
        const auto* reals = reinterpret_cast<const double*>(block.at(point));
        expected += reals[0] * reals[0] + reals[1] * reals[1];
      });
      Strides stride = block.stride;
      Extents extents = box.extents();
      if (!element.complex) {
        for (Index& distance : stride) distance *= 2;
        stride.push_back(1);
        extents.push_back(2);
      }
      const double norm = squared_norm(extents, {block.memory.data(), stride}, element);
      EXPECT_NEAR(norm, expected, 1e-13 * expected);
      EXPECT_NEAR(squared_norm(extents, {block.memory.data(), stride}, element, 3), 9 * expected,
                  1e-12 * expected);
    }
  }
  const std::vector<float> numbers{1, 2, 3, 4};
  const ConstBlock block{reinterpret_cast<const std::byte*>(numbers.data()), {1}};
  EXPECT_EQ(squared_norm({4}, block, {Precision::f32, false}), 30);
  EXPECT_EQ(squared_norm({2}, block, {Precision::f32, true}), 30);
  EXPECT_EQ(squared_norm({0}, block, {Precision::f32, true}), 0);
}

TEST(SquaredNorm, TellsFaintNumbersFromZeros) {
  std::vector<double> numbers(10, 0.0);
  const ConstBlock block{reinterpret_cast<const std::byte*>(numbers.data()), {1}};
  const CopyElement real{Precision::f64, false};
  EXPECT_FALSE(is_faint(0, {10}, block, real));
  numbers[7] = 1e-190;
  EXPECT_EQ(squared_norm({10}, block, real), 0);
  EXPECT_TRUE(is_faint(0, {10}, block, real));
  EXPECT_FALSE(is_faint(1, {10}, block, real));
}

}  // namespace
}  // namespace weft
