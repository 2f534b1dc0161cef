// Messages that accelerators encode are those of the host, byte for byte, and decoded they give the
// same numbers.
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/sample_data.hpp"
#include "device/accelerator_test.hpp"
#include "device/code_tasks.hpp"
#include "pass/array_view.hpp"
#include "pass/encoded_message.hpp"
#include "support/random_block.hpp"

namespace weft {
namespace {

using test::Data;
using test::poison;
using test::Random;
using Bytes = std::vector<std::byte>;

/// A message, and where its numbers are in an array: those from `gap_at` on lie `gap` further.
struct Coded {
  Box region;
  AxisList order;
  Strides stride;
  Index gap_at = 0;
  Index gap = 0;
  std::size_t numbers_at = 0;  ///< bytes
  std::size_t message_at = 0;

  int fastest() const { return order.back(); }
  /// Elements from the first number to that at a point.
  Index position(const Extents& point) const {
    const int axis = fastest();
    const bool behind = point[axis] - region.lower[axis] >= gap_at;
    return position_in(region, stride, point) + (behind ? gap * stride[axis] : 0);
  }
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

std::vector<std::string> device_codecs(CodecElement element) {
  std::vector<std::string> names;
  for (const CodecMethod& method : codec_methods()) {
    if (!method.on_devices) continue;
    for (const std::string& parameter : method.parameters(element)) {
      names.push_back(std::string(method.name) + ":" + parameter);
    }
  }
  return names;
}

/// Parts at multiples of the block along the fastest axis, and anywhere along others.
std::vector<Box> random_parts(Random& random, const Box& region, int fastest, Index block) {
  std::vector<Box> parts{region};
  for (int axis = 0; axis < region.axes(); ++axis) {
    const Index length = region.extent(axis);
    if (length < 2 || random.chance(50)) continue;
    Index cut = region.lower[axis] + 1 + random.below(length - 1);
    if (axis == fastest) cut = cut / block * block;
    if (cut <= region.lower[axis]) continue;
    std::vector<Box> finer;
    for (const Box& part : parts) {
      Box low = part, high = part;
      low.upper[axis] = high.lower[axis] = cut;
      finer.push_back(low);
      finer.push_back(high);
    }
    parts = finer;
  }
  return parts;
}

/// Some messages of one codec, encoded by the host.
template <class Real>
class Messages {
 public:
  Messages(Random& random, const Codec& codec, bool complex, double scale, int count)
      : codec_(codec),
        element_{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, complex},
        scale_(scale) {
    // Plans have messages that are aligned.
    const bool aligned = random.chance(50);
    for (int i = 0; i < count; ++i) add(random, aligned);
    message_bytes += 16;
    const std::size_t reals = number_bytes / sizeof(Real) + 1;
    const std::vector<Data> all = test::every_data();
    const Data data = all[static_cast<std::size_t>(random.below(static_cast<Index>(all.size())))];
    const std::vector<Real> values = test::sample<Real>(data, reals, random);
    numbers.resize(number_bytes);
    std::memcpy(numbers.data(), values.data(), number_bytes);
    text = codec.name() + (sizeof(Real) == 4 ? " f32" : " f64") + (complex ? " complex " : " ") +
           to_string(data) + " scale " + std::to_string(scale);
    for (const Coded& coded : messages_) {
      text += "; " + to_string(coded.region) + " order " + to_string(coded.order) + " strides " +
              to_string(coded.stride) + " gap " + std::to_string(coded.gap) + " at " +
              std::to_string(coded.gap_at);
    }
  }

  /// Encoded, and decoded to other memory, by the host.
  void encode_on_host(Bytes& encoded, Bytes& decoded, EncodingMeasure& measure) const {
    const Index bytes = bytes_of(element_);
    Bytes buffer(EncodedMessage::buffer_bytes);
    for (const Coded& coded : messages_) {
      if (coded.region.empty()) continue;
      const EncodedMessage message(codec_, coded.region, coded.order);
      const Strides dense = message_strides(coded.region, coded.order);
      Bytes packed(static_cast<std::size_t>(coded.region.count() * bytes)), restored = packed;
      const auto copy = [&](std::byte* to, const std::byte* from) {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
      };
      for_each_point(coded.region, [&](const Extents& point) {
        copy(packed.data() + position_in(coded.region, dense, point) * bytes,
             numbers.data() + coded.numbers_at + coded.position(point) * bytes);
      });
      std::byte* const to = encoded.data() + coded.message_at;
      message.write(coded.region, {packed.data(), dense}, to, element_, scale_, buffer.data(),
                    measure);
      message.read(coded.region, {restored.data(), dense}, to, element_, buffer.data());
      for_each_point(coded.region, [&](const Extents& point) {
        copy(decoded.data() + coded.numbers_at + coded.position(point) * bytes,
             restored.data() + position_in(coded.region, dense, point) * bytes);
      });
    }
  }

  /// All messages in parts, for numbers and messages in memory of a device.
  std::vector<CodedPart> parts(Random& random, std::byte* numbers_of_device,
                               std::byte* messages_of_device, Index block) const {
    std::vector<CodedPart> result;
    for (const Coded& coded : messages_) {
      std::byte* const message = messages_of_device + coded.message_at;
      for (const Box& part : random_parts(random, coded.region, coded.fastest(), block)) {
        std::byte* const first =
            numbers_of_device + coded.numbers_at +
            position_in(coded.region, coded.stride, part.lower) * bytes_of(element_);
        result.push_back(coded_part(*codec_.format(), element_.complex, coded.region, coded.order,
                                    part, {first, coded.stride}, message));
        const int axis = coded.fastest();
        result.back().gap = coded.gap;
        result.back().gap_at = coded.gap_at - (part.lower[axis] - coded.region.lower[axis]);
      }
    }
    return result;
  }

  std::size_t number_bytes = 64;
  std::size_t message_bytes = 0;
  Bytes numbers;
  std::string text;

 private:
  void add(Random& random, bool aligned) {
    Coded coded;
    const int axes = 1 + static_cast<int>(random.below(4));
    Extents lower, upper;
    for (int axis = 0; axis < axes; ++axis) {
      const Index longest = axes == 1 ? 1000 : axes == 2 ? 150 : 24;
      lower.push_back(random.below(100));
      upper.push_back(lower[axis] + random.below(longest) + (random.chance(95) ? 1 : 0));
    }
    coded.region = {lower, upper};
    coded.order = test::random_order(random, axes);
    Extents reserved = coded.region.extents();
    const int fastest = coded.fastest();
    coded.gap_at = reserved[fastest];
    if (random.chance(30)) {
      coded.gap = random.below(40);
      coded.gap_at = random.below(reserved[fastest] + 1);
      reserved[fastest] += coded.gap;
    }
    for (Index& extent : reserved) extent = std::max<Index>(extent, 1);
    coded.stride = test::random_strides(random, reserved);
    // Complex numbers are aligned as their parts are.
    coded.numbers_at = number_bytes + (random.chance(20) ? sizeof(Real) : 0);
    const auto reach = static_cast<std::size_t>(test::reach(reserved, coded.stride));
    number_bytes =
        (coded.numbers_at + reach * static_cast<std::size_t>(bytes_of(element_)) + 15) / 16 * 16;
    coded.message_at = aligned ? (message_bytes + 15) / 16 * 16
                               : message_bytes + static_cast<std::size_t>(random.below(9));
    if (!coded.region.empty()) {
      message_bytes =
          coded.message_at +
          static_cast<std::size_t>(EncodedMessage(codec_, coded.region, coded.order).bytes());
    }
    messages_.push_back(coded);
  }

  const Codec& codec_;
  CopyElement element_;
  double scale_;
  std::vector<Coded> messages_;
};

/// The sums of a device, and their bits.
struct Sums {
  std::vector<EncodingSums> all = std::vector<EncodingSums>(encoding_sums);
  EncodingSums total;
};

class CodeBlocks : public test::AcceleratorTest {
 protected:
  Sums fetch(const Buffer& memory) {
    Sums sums;
    const Bytes bytes = get(memory.data(), memory.size());
    std::memcpy(sums.all.data(), bytes.data(), bytes.size());
    for (const EncodingSums& part : sums.all) sums.total.add(part);
    return sums;
  }

  template <class Real>
  void check(Random& random, const std::string& name, bool complex, int count) {
    const CopyElement element{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, complex};
    const auto codec = make_codec(name, {element.precision, complex});
    if (codec == nullptr) return;
    const double scale = random.chance(50) ? 1 : 0.37;
    const Messages<Real> messages(random, *codec, complex, scale, count);
    Bytes encoded(messages.message_bytes, poison), decoded(messages.number_bytes, poison);
    EncodingMeasure measure;
    messages.encode_on_host(encoded, decoded, measure);

    const Buffer numbers(*device, messages.number_bytes);
    const Buffer message(*device, messages.message_bytes);
    const Buffer sums(*device, encoding_sums * sizeof(EncodingSums));
    put(numbers.data(), messages.numbers);
    const Index block = codec->block_elements();
    const auto parts = messages.parts(random, numbers.data(), message.data(), block);
    Sums seen[2];
    for (Sums& once : seen) {
      put(message.data(), Bytes(messages.message_bytes, poison));
      stream->clear(sums.data(), sums.size());
      stream->encode(parts, *codec->format(), element, scale,
                     reinterpret_cast<EncodingSums*>(sums.data()));
      once = fetch(sums);
      ASSERT_TRUE(get(message.data(), encoded.size()) == encoded) << messages.text;
    }
    EXPECT_EQ(std::memcmp(seen[0].all.data(), seen[1].all.data(), sums.size()), 0);
    const auto expect_near = [&](double mine, double expected) {
      const bool same = !std::isfinite(expected) ? !std::isfinite(mine)
                                                 : std::abs(mine - expected) <= 1e-9 * expected;
      EXPECT_TRUE(same) << mine << " " << expected << " " << messages.text;
    };
    expect_near(seen[0].total.squared_error, measure.squared_error);
    expect_near(seen[0].total.squared_norm, measure.squared_norm);
    EXPECT_EQ(seen[0].total.broken != 0, measure.broken) << messages.text;

    // Parts of decoding may be cut anywhere.
    put(numbers.data(), Bytes(messages.number_bytes, poison));
    stream->decode(messages.parts(random, numbers.data(), message.data(), 1), *codec->format(),
                   element);
    ASSERT_TRUE(get(numbers.data(), decoded.size()) == decoded) << messages.text;
  }

  template <class Real>
  void check_all(std::uint64_t seed, int messages, int trials, std::size_t step) {
    Random random(seed);
    for (const bool complex : {false, true}) {
      const Precision precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
      const std::vector<std::string> names = device_codecs({precision, complex});
      for (std::size_t i = 0; i < names.size(); i += step) {
        for (int trial = 0; trial < trials; ++trial) {
          ASSERT_NO_FATAL_FAILURE(check<Real>(random, names[i], complex, messages));
        }
      }
    }
  }
};

TEST_P(CodeBlocks, AreThoseOfTheHost) {
  check_all<double>(71, 3, 2, 1);
  check_all<float>(72, 3, 3, 1);
}

TEST_P(CodeBlocks, MayBeManyAtATime) {
  check_all<double>(73, 40, 1, 9);
  check_all<float>(74, 40, 1, 9);
}

TEST_P(CodeBlocks, PlainNumbersAreMeasured) {
  for (const CopyElement element :
       {CopyElement{Precision::f32, true}, {Precision::f64, false}, {Precision::f64, true}}) {
    const int width = element.precision == Precision::f32 ? 32 : 64;
    const Box region{{5, 3}, {12, 90}};
    const AxisList order{0, 1};
    const auto bytes = static_cast<std::size_t>(region.count() * bytes_of(element));
    Random random(75);
    Bytes values(bytes);
    if (width == 32) {
      const auto sample = test::sample<float>(Data::gaussian, bytes / 4, random);
      std::memcpy(values.data(), sample.data(), bytes);
    } else {
      const auto sample = test::sample<double>(Data::gaussian, bytes / 8, random);
      std::memcpy(values.data(), sample.data(), bytes);
    }
    const Strides dense = message_strides(region, order);
    const Buffer from(*device, bytes), to(*device, bytes);
    const Buffer sums(*device, encoding_sums * sizeof(EncodingSums));
    put(from.data(), values);
    stream->clear(sums.data(), sums.size());
    const CodedPart part = coded_part({BlockScheme::plain, width, 0}, element.complex, region,
                                      order, region, {from.data(), dense}, to.data());
    stream->encode(std::span(&part, 1), {BlockScheme::plain, width, 0}, element, 1,
                   reinterpret_cast<EncodingSums*>(sums.data()));
    EXPECT_TRUE(get(to.data(), bytes) == values);
    const double norm = squared_norm(region.extents(), {values.data(), dense}, element);
    const Sums seen = fetch(sums);
    EXPECT_NEAR(seen.total.squared_norm, norm, 1e-12 * norm);
    EXPECT_EQ(seen.total.squared_error, 0);
    EXPECT_EQ(seen.total.nonzero, 1u);
  }
}

TEST_P(CodeBlocks, TellUnsoundNumbersAndZeros) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    double value;
    bool broken;
    bool nonzero;
  };
  for (const char* name : {"bfp:12", "bfp:55", "trim:9", "cast:fp32", "cast:fp16", "cast:bf16"}) {
    const auto codec = make_codec(name, {Precision::f64, false});
    for (const Case& each : {Case{infinity, true, true},
                             {-infinity, true, true},
                             {std::nan(""), true, true},
                             {0.0, false, false},
                             {-0.0, false, false},
                             {1e-310, false, true}}) {
      std::vector<double> numbers(700, 0.0);
      numbers[431] = each.value;
      const Buffer from(*device, numbers.size() * 8), to(*device, numbers.size() * 8);
      const Buffer sums(*device, encoding_sums * sizeof(EncodingSums));
      Bytes bytes(numbers.size() * 8);
      std::memcpy(bytes.data(), numbers.data(), bytes.size());
      put(from.data(), bytes);
      stream->clear(sums.data(), sums.size());
      const Box region{{0}, {700}};
      const CodedPart part =
          coded_part(*codec->format(), false, region, {0}, region, {from.data(), {1}}, to.data());
      stream->encode(std::span(&part, 1), *codec->format(), {Precision::f64, false}, 1,
                     reinterpret_cast<EncodingSums*>(sums.data()));
      const Sums seen = fetch(sums);
      EXPECT_EQ(seen.total.broken != 0, each.broken) << name << " " << each.value;
      EXPECT_EQ(seen.total.nonzero != 0, each.nonzero) << name << " " << each.value;
    }
  }
}

TEST(CodeTasks, ManyBlocksAreDivided) {
  struct Collected : CodeSink {
    void add(const CodeTask& task) override { tasks.push_back(task); }
    std::vector<CodeTask> tasks;
  } sink;
  // Nothing is touched: 2^30 + 2 blocks in one line with a gap, 3 x 2^31 in short lines.
  const BlockFormat format = *make_codec("bfp:14", {Precision::f64, false})->format();
  const BlockShape shape(format, false);
  const Index length = (Index{1} << 36) + 70;
  const Box line{{3}, {3 + length}};
  CodedPart part = coded_part(format, false, line, {0}, line, {nullptr, {1}}, nullptr);
  part.gap_at = 1000;
  part.gap = 5;
  make_tasks(part, shape, 8, sink);
  std::uint64_t blocks = 0;
  for (const CodeTask& task : sink.tasks) blocks += task.blocks;
  EXPECT_EQ(blocks, (std::uint64_t{1} << 30) + 2);
  const CodeTask& last = sink.tasks.back();
  const BlockPlace place = locate(last, shape, last.blocks - 1);
  const Index last_begin = (length + 3 - 1) / 64 * 64;
  EXPECT_EQ(reinterpret_cast<Index>(place.numbers), (last_begin - 3 + 5) * 8);
  EXPECT_EQ(reinterpret_cast<Index>(place.message),
            format.bytes(61) + (last_begin / 64 - 1) * format.bytes(64));
  EXPECT_EQ(place.elements, length + 3 - last_begin);

  sink.tasks.clear();
  const Box lines{{0, 0}, {Index{1} << 31, 130}};
  make_tasks(coded_part(format, false, lines, {0, 1}, lines, {nullptr, {130, 1}}, nullptr), shape,
             8, sink);
  blocks = 0;
  for (const CodeTask& task : sink.tasks) blocks += task.blocks;
  EXPECT_EQ(blocks, std::uint64_t{3} << 31);
  const BlockPlace end = locate(sink.tasks.back(), shape, sink.tasks.back().blocks - 1);
  EXPECT_EQ(reinterpret_cast<Index>(end.numbers), ((Index{1} << 31) * 130 - 2) * 8);
}

TEST_P(CodeBlocks, LargeArraysFillTheDevice) {
  if (GetParam() == "emulated") GTEST_SKIP() << "one block after another there";
  // Contiguous and transposed lines, with more blocks than lanes have turns for.
  const Box region{{0, 0}, {3000, 5003}};
  const AxisList order{0, 1};
  const CopyElement element{Precision::f64, false};
  Random random(76);
  const auto count = static_cast<std::size_t>(region.count());
  const auto sample = test::sample<double>(Data::gaussian, count, random);
  Bytes values(count * 8);
  std::memcpy(values.data(), sample.data(), values.size());
  const auto codec = make_codec("bfp:21", {Precision::f64, false});
  const EncodedMessage message(*codec, region, order);
  const Buffer numbers(*device, values.size());
  const Buffer encoded(*device, static_cast<std::size_t>(message.bytes() + 4));
  const Buffer sums(*device, encoding_sums * sizeof(EncodingSums));
  for (const Strides& stride : {Strides{5003, 1}, Strides{1, 3000}}) {
    Bytes expected(static_cast<std::size_t>(message.bytes())), decoded(values.size());
    Bytes buffer(EncodedMessage::buffer_bytes);
    EncodingMeasure measure;
    message.write(region, {values.data(), stride}, expected.data(), element, 0.5, buffer.data(),
                  measure);
    message.read(region, {decoded.data(), stride}, expected.data(), element, buffer.data());
    put(numbers.data(), values);
    stream->clear(sums.data(), sums.size());
    const CodedPart part = coded_part(*codec->format(), false, region, order, region,
                                      {numbers.data(), stride}, encoded.data());
    stream->encode(std::span(&part, 1), *codec->format(), element, 0.5,
                   reinterpret_cast<EncodingSums*>(sums.data()));
    EXPECT_TRUE(get(encoded.data(), expected.size()) == expected);
    const Sums seen = fetch(sums);
    EXPECT_NEAR(seen.total.squared_error, measure.squared_error, 1e-10 * measure.squared_error);
    EXPECT_NEAR(seen.total.squared_norm, measure.squared_norm, 1e-10 * measure.squared_norm);
    stream->clear(numbers.data(), values.size());
    stream->decode(std::span(&part, 1), *codec->format(), element);
    EXPECT_TRUE(get(numbers.data(), values.size()) == decoded);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CodeBlocks, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
