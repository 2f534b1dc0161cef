// Errors of codecs on white data: as the model predicts, and without bias.
#include <gtest/gtest.h>

#include <cmath>

#include "codec/codec_run.hpp"
#include "codec/sample_data.hpp"

namespace weft {
namespace {

using test::Data;
using test::Random;
using test::run_codec;

constexpr std::size_t numbers = 40000;

template <class Real>
double measured_error(const Codec& codec, const std::vector<Real>& values) {
  const EncodingMeasure measure = run_codec(codec, values, true, 0).measure;
  return std::sqrt(measure.squared_error / measure.squared_norm);
}

template <class Real>
void compare_with_model(const std::string& family, int from, int to) {
  Random random(61);
  const auto values = test::sample<Real>(Data::gaussian, numbers, random);
  const CodecElement element{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, true};
  for (int parameter = from; parameter <= to; ++parameter) {
    const auto codec = make_codec(family + ":" + std::to_string(parameter), element);
    EXPECT_NEAR(measured_error(*codec, values) / codec->predicted_error(), 1, 0.15)
        << codec->name() << " of " << to_string(element.precision);
  }
}

TEST(WhiteData, ErrorsAreThosePredicted) {
  compare_with_model<double>("bfp", 4, 51);
  compare_with_model<double>("trim", 2, 50);
  // Up to the precision of the numbers themselves.
  compare_with_model<float>("bfp", 4, 25);
  compare_with_model<float>("trim", 2, 21);
  for (const CodecMethod& method : codec_methods()) {
    if (std::string(method.name) != "zfp") continue;
    compare_with_model<double>("zfp", 6, 40);
    compare_with_model<float>("zfp", 6, 20);
  }
}

TEST(WhiteData, ErrorsOfShorterFormatsAreThosePredicted) {
  Random random(62);
  const auto doubles = test::sample<double>(Data::gaussian, numbers, random);
  const auto floats = test::sample<float>(Data::gaussian, numbers, random);
  for (const char* const name : {"cast:fp32", "cast:fp16", "cast:bf16"}) {
    const auto codec = make_codec(name, {Precision::f64, true});
    EXPECT_NEAR(measured_error(*codec, doubles) / codec->predicted_error(), 1, 0.05) << name;
    const auto single = make_codec(name, {Precision::f32, true});
    if (single == nullptr) continue;
    EXPECT_NEAR(measured_error(*single, floats) / single->predicted_error(), 1, 0.05) << name;
  }
}

TEST(WhiteData, NoLessThanTheErrorAskedFor) {
  Random random(63);
  const auto values = test::sample<double>(Data::gaussian, numbers, random);
  for (double error = 1e-1; error > 1e-14; error /= 3) {
    const auto ladder = codecs_within(error, "auto", {Precision::f64, true});
    ASSERT_FALSE(ladder.empty());
    EXPECT_LE(measured_error(*ladder.front(), values), 1.05 * error) << ladder.front()->name();
  }
}

/// Mean of the errors in standard deviations of a mean of independent errors, and the same of their
/// correlation with the numbers. All numbers are positive.
template <class Real>
void expect_no_bias(const std::string& name) {
  Random random(64);
  const auto values = test::sample<Real>(Data::positive, numbers, random);
  const CodecElement element{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, true};
  const auto codec = make_codec(name, element);
  const auto run = run_codec(*codec, values, true, 0);
  double sum = 0, correlation = 0, squares = 0;
  for (std::size_t i = 0; i < numbers; ++i) {
    const double error = static_cast<double>(run.decoded[i]) - static_cast<double>(values[i]);
    sum += error;
    correlation += error * static_cast<double>(values[i]);
    squares += error * error * static_cast<double>(values[i] * values[i]);
  }
  EXPECT_LT(std::abs(sum) / std::sqrt(run.measure.squared_error), 4.5) << name;
  EXPECT_LT(std::abs(correlation) / std::sqrt(squares), 4.5) << name;
}

TEST(WhiteData, ErrorsHaveNoBias) {
  for (const char* const name : {"bfp:6", "bfp:12", "bfp:16", "bfp:24", "trim:4", "trim:7",
                                 "trim:12", "cast:fp16", "cast:bf16"}) {
    expect_no_bias<double>(name);
    expect_no_bias<float>(name);
  }
  for (const char* const name : {"bfp:40", "bfp:50", "trim:40", "cast:fp32"}) {
    expect_no_bias<double>(name);
  }
}

}  // namespace
}  // namespace weft
