#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "codec/codec_run.hpp"
#include "codec/methods.hpp"
#include "codec/reference.hpp"
#include "codec/sample_data.hpp"
#include "support/heap_count.hpp"

namespace weft {
namespace {

using test::CodecRun;
using test::Data;
using test::Random;
using test::run_codec;

/// Every codec of a family.
struct Case {
  std::string family;
  CodecElement element;
};

std::vector<std::string> names_of(const Case& given) {
  std::vector<std::string> names;
  for (const CodecMethod& method : codec_methods()) {
    if (method.name != given.family) continue;
    for (const std::string& parameter : method.parameters(given.element)) {
      const std::string name = given.family + ":" + parameter;
      if (make_codec(name, given.element) != nullptr) names.push_back(name);
    }
  }
  return names;
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const CodecMethod& method : codec_methods()) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const bool complex : {false, true}) cases.push_back({method.name, {precision, complex}});
    }
  }
  return cases;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

template <class Real>
bool all_finite(const std::vector<Real>& values) {
  for (Real value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

/// To 1e-12, as far as squares are in the range of double precision.
void expect_close(double sum, long double expected, const std::string& what) {
  if (expected > 1e300L || (expected < 1e-280L && expected > 0)) return;
  EXPECT_NEAR(sum, static_cast<double>(expected), 1e-12 * static_cast<double>(expected)) << what;
}

template <class Real>
void check_measure(const CodecRun<Real>& run, const std::vector<Real>& values,
                   const std::string& what) {
  const bool usable = all_finite(values) && all_finite(run.decoded);
  EXPECT_EQ(run.measure.broken, !usable) << what;
  if (!usable) return;
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double difference = static_cast<long double>(values[i]) - run.decoded[i];
    error += difference * difference;
    norm += static_cast<long double>(values[i]) * values[i];
  }
  expect_close(run.measure.squared_error, error, what + ", error");
  expect_close(run.measure.squared_norm, norm, what + ", norm");
}

template <class Real>
class Check {
 public:
  explicit Check(const Case& given) : given_(given), random_(51) {}

  void everything() {
    for (const std::string& name : names_of(given_)) {
      const auto codec = make_codec(name, given_.element);
      EXPECT_EQ(codec->name(), name);
      for (std::size_t elements = 0; elements <= 200; elements += step(name)) {
        for (const Data data : test::every_data()) {
          if (!random_.chance(30)) continue;
          one_run(*codec, data, elements);
          if (testing::Test::HasFailure()) return;
        }
      }
      one_run(*codec, Data::gaussian, static_cast<std::size_t>(1000 + random_.below(3000)));
      parts(*codec);
      not_finite(*codec);
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  std::size_t reals() const { return given_.element.complex ? 2 : 1; }
  std::size_t step(const std::string& name) {
    return name.starts_with("zfp") ? static_cast<std::size_t>(1 + random_.below(5)) : 1;
  }

  void one_run(const Codec& codec, Data data, std::size_t elements) {
    const std::string what =
        codec.name() + ", " + std::to_string(elements) + " elements, " + test::to_string(data);
    const auto values = test::sample<Real>(data, elements * reals(), random_);
    const auto shift = static_cast<std::size_t>(random_.below(16));
    const CodecRun<Real> run = run_codec(codec, values, given_.element.complex, shift);
    EXPECT_EQ(run.fault, "") << what;
    check_measure(run, values, what);
    if (given_.family == "zfp") return;
    const auto expected = test::reference_decoded(codec.name(), values);
    if (!all_finite(expected)) {
      EXPECT_FALSE(all_finite(run.decoded)) << what;
      return;
    }
    EXPECT_TRUE(same_bits(run.decoded, expected))
        << what << first_difference(run, values, expected);
  }

  static std::string first_difference(const CodecRun<Real>& run, const std::vector<Real>& values,
                                      const std::vector<Real>& expected) {
    char text[200] = "";
    for (std::size_t i = 0; i < values.size() && text[0] == '\0'; ++i) {
      if (std::memcmp(&expected[i], &run.decoded[i], sizeof(Real)) == 0) continue;
      std::snprintf(text, sizeof text, ": number %zu, %a, became %a instead of %a", i,
                    static_cast<double>(values[i]), static_cast<double>(run.decoded[i]),
                    static_cast<double>(expected[i]));
    }
    return text;
  }

  /// A run in parts that begin at blocks has the same bytes.
  void parts(const Codec& codec) {
    const Index block = codec.block_elements();
    const Index elements = 5 * block + block / 3;
    const auto count = static_cast<std::size_t>(elements) * reals();
    const auto values = test::sample<Real>(Data::gaussian, count, random_);
    const auto whole = run_codec(codec, values, given_.element.complex, 0);
    std::vector<std::byte> message(whole.message.size());
    std::vector<Real> decoded(count);
    EncodingMeasure measure;
    for (Index at = 0; at < elements;) {
      const Index part = std::min(elements - at, block * (1 + random_.below(2)));
      const auto number = static_cast<std::size_t>(at) * reals();
      codec.encode(reinterpret_cast<const std::byte*>(values.data() + number), part,
                   message.data() + codec.bytes(at), measure);
      codec.decode(message.data() + codec.bytes(at), part,
                   reinterpret_cast<std::byte*>(decoded.data() + number));
      at += part;
    }
    EXPECT_EQ(message, whole.message) << codec.name();
    EXPECT_TRUE(same_bits(decoded, whole.decoded)) << codec.name();
    EXPECT_NEAR(measure.squared_error, whole.measure.squared_error,
                1e-14 * whole.measure.squared_error);
  }

  void not_finite(const Codec& codec) {
    using Limits = std::numeric_limits<Real>;
    for (const Real bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                           -Limits::quiet_NaN(), Limits::signaling_NaN()}) {
      auto values = test::sample<Real>(Data::gaussian, 100 * reals(), random_);
      values[static_cast<std::size_t>(random_.below(static_cast<Index>(values.size())))] = bad;
      const auto run = run_codec(codec, values, given_.element.complex, 0);
      EXPECT_TRUE(run.measure.broken) << codec.name() << " of " << bad;
      EXPECT_EQ(run.fault, "");
    }
  }

  Case given_;
  Random random_;
};

class EveryCodec : public testing::TestWithParam<Case> {};

TEST_P(EveryCodec, DoesWhatItsDefinitionSays) {
  if (GetParam().element.precision == Precision::f32) {
    Check<float>(GetParam()).everything();
  } else {
    Check<double>(GetParam()).everything();
  }
}

TEST_P(EveryCodec, AllocatesNothing) {
  const CodecElement element = GetParam().element;
  const std::size_t reals = element.complex ? 2 : 1;
  const std::vector<double> numbers(1000 * reals, 1.5);  // a run of floats fits as well
  std::vector<double> decoded(numbers.size());
  std::vector<std::byte> message(numbers.size() * 8 + 1000);
  for (const std::string& name : names_of(GetParam())) {
    const auto codec = make_codec(name, element);
    EncodingMeasure measure;
    test::reset_heap_count();
    codec->encode(reinterpret_cast<const std::byte*>(numbers.data()), 999, message.data(), measure);
    codec->decode(message.data(), 999, reinterpret_cast<std::byte*>(decoded.data()));
    EXPECT_EQ(test::heap_count().allocations, 0) << name;
  }
}

/// Threads that share a codec, each with a part of a run, write the bytes of the whole.
template <class Real>
void share_among_threads(const Codec& codec, bool complex) {
  constexpr Index threads = 4;
  const Index part = 20 * codec.block_elements();
  const std::size_t reals = complex ? 2 : 1;
  Random random(53);
  const auto count = static_cast<std::size_t>(threads * part) * reals;
  const auto values = test::sample<Real>(Data::gaussian, count, random);
  const auto whole = run_codec(codec, values, complex, 0);
  std::vector<std::byte> message(whole.message.size());
  std::vector<Real> decoded(count);
  std::vector<std::thread> workers;
  for (Index at = 0; at < threads * part; at += part) {
    workers.emplace_back([&, at] {
      const std::size_t number = static_cast<std::size_t>(at) * reals;
      EncodingMeasure measure;
      codec.encode(reinterpret_cast<const std::byte*>(values.data() + number), part,
                   message.data() + codec.bytes(at), measure);
      codec.decode(message.data() + codec.bytes(at), part,
                   reinterpret_cast<std::byte*>(decoded.data() + number));
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(message, whole.message) << codec.name();
  EXPECT_TRUE(same_bits(decoded, whole.decoded)) << codec.name();
}

TEST_P(EveryCodec, MayBeSharedAmongThreads) {
  const CodecElement element = GetParam().element;
  const auto codec = make_codec(names_of(GetParam()).back(), element);
  if (element.precision == Precision::f32) {
    share_among_threads<float>(*codec, element.complex);
  } else {
    share_among_threads<double>(*codec, element.complex);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EveryCodec, testing::ValuesIn(every_case()),
                         [](const auto& info) {
                           const Case& given = info.param;
                           return given.family + "_" + to_string(given.element.precision) +
                                  (given.element.complex ? "_complex" : "_real");
                         });

using MakeFor = std::unique_ptr<Codec> (*)(const std::string&, CodecElement, InstructionSet);

template <class Real>
void compare_instruction_sets(const std::string& name, MakeFor make, CodecElement element) {
  Random random(52);
  const std::string parameter = name.substr(name.find(':') + 1);
  const auto portable = make(parameter, element, InstructionSet::portable);
  if (portable == nullptr) return;
  for (const InstructionSet set : usable_instruction_sets()) {
    if (set == InstructionSet::portable) continue;
    const auto codec = make(parameter, element, set);
    for (const Data data : test::every_data()) {
      const auto values = test::sample<Real>(data, 2 * 333, random);
      const auto expected = run_codec(*portable, values, element.complex, 0);
      const auto run = run_codec(*codec, values, element.complex, 0);
      EXPECT_EQ(run.message, expected.message) << name << ", " << test::to_string(data);
      EXPECT_TRUE(same_bits(run.decoded, expected.decoded)) << name << test::to_string(data);
      EXPECT_EQ(run.measure.squared_error, expected.measure.squared_error) << name;
      EXPECT_EQ(run.measure.squared_norm, expected.measure.squared_norm) << name;
      EXPECT_EQ(run.measure.broken, expected.measure.broken) << name;
    }
  }
}

TEST(InstructionSets, GiveTheSameBits) {
  const std::vector<std::pair<std::string, MakeFor>> families{
      {"bfp", make_bfp}, {"trim", make_trim}, {"cast", make_cast}};
  for (const auto& [family, make] : families) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const CodecElement element{precision, true};
      for (const std::string& name : names_of({family, element})) {
        if (precision == Precision::f32) {
          compare_instruction_sets<float>(name, make, element);
        } else {
          compare_instruction_sets<double>(name, make, element);
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft
