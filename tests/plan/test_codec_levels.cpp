// Which codec a redistribution takes next: after one that failed, and for the next data.
#include "redistribution/codec_levels.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft {
namespace {

constexpr std::size_t exact = 5;  // the level without a codec

std::vector<std::shared_ptr<const Codec>> codecs() {
  std::vector<std::shared_ptr<const Codec>> result;
  for (int bits = 12; bits <= 16; ++bits) {
    result.push_back(make_codec("bfp:" + std::to_string(bits), {}));
  }
  return result;
}

/// What the codec of a level does to white data.
double white_error(std::size_t level) {
  return codecs()[level]->predicted_error();
}

/// Just what the codec with 15 bits, level 3, does.
double allowed() {
  return 1.01 * white_error(3);
}

/// bfp:12 to bfp:16, then the numbers themselves.
CodecLevels levels() {
  return {codecs(), allowed(), 1};
}

TEST(CodecLevels, BeginWhereWhiteDataKeepTheTolerance) {
  EXPECT_EQ(levels().count(), exact + 1);
  EXPECT_EQ(levels().preferred(), 3u);
  EXPECT_EQ(levels().codec(exact), nullptr);
  // What stays has no error, so fewer bits will do; the finest codec is tried in any case.
  EXPECT_EQ(CodecLevels(codecs(), allowed(), 0.2).preferred(), 2u);
  EXPECT_EQ(CodecLevels(codecs(), 1e-12, 1).preferred(), 4u);
  const CodecLevels none({}, allowed(), 1);
  EXPECT_FALSE(none.compresses());
  EXPECT_EQ(none.preferred(), 0u);
  EXPECT_EQ(none.codec(0), nullptr);
}

TEST(CodecLevels, AfterAFailureTakeWhatWhiteDataNeed) {
  const CodecLevels white = levels();
  EXPECT_EQ(white.after_failure(0, white_error(0), false), 3u);
  EXPECT_EQ(white.after_failure(2, white_error(2), false), 3u);
  // Half as hard, four times as hard, hopeless.
  EXPECT_EQ(white.after_failure(0, white_error(1), false), 2u);
  EXPECT_EQ(white.after_failure(0, 4 * white_error(0), false), exact);
  EXPECT_EQ(white.after_failure(0, 1, false), exact);
  EXPECT_EQ(white.after_failure(4, 1, false), exact);
}

TEST(CodecLevels, AfterOverflowTakeTheNumbersThemselves) {
  EXPECT_EQ(levels().after_failure(0, 0, true), exact);
  EXPECT_EQ(levels().after_failure(4, 0, true), exact);
}

TEST(CodecLevels, LearnToTakeFewerBitsWhereTheyWillDo) {
  CodecLevels learning = levels();
  learning.learn(3, white_error(3), false);
  EXPECT_EQ(learning.preferred(), 3u);
  learning.learn(4, white_error(4), false);
  EXPECT_EQ(learning.preferred(), 4u) << "within a tenth of what is allowed";
  learning.learn(4, 0.8 * white_error(4), false);
  EXPECT_EQ(learning.preferred(), 3u);
  learning.learn(0, 0.01 * white_error(4), false);
  EXPECT_EQ(learning.preferred(), 0u) << "there is nothing coarser";
}

TEST(CodecLevels, LearnNothingOfDataThatOverflow) {
  CodecLevels learning = levels();
  learning.learn(4, white_error(4), false);
  learning.learn(exact, 0, true);
  EXPECT_EQ(learning.preferred(), 4u);
}

TEST(CodecLevels, RememberDataThatAreHarderThanWhiteNoise) {
  CodecLevels learning = levels();
  const double error = white_error(3);
  learning.remember_failure(2, 40 * error, 3, error);
  EXPECT_EQ(learning.after_failure(2, 39.9 * allowed(), false), 3u);
  EXPECT_GT(learning.after_failure(2, 40.1 * allowed(), false), 3u);
  // 0.1 of the error would allow one bit less if the data were white.
  learning.learn(3, 0.1 * error, false);
  EXPECT_EQ(learning.preferred(), 3u);
  // What is easier than thought changes nothing, nor does what the numbers themselves tell.
  learning.remember_failure(2, 2 * error, 3, error);
  learning.remember_failure(2, 1, exact, 0);
  EXPECT_EQ(learning.after_failure(2, 39.9 * allowed(), false), 3u);
  EXPECT_GT(learning.after_failure(2, 40.1 * allowed(), false), 3u);
}

TEST(CodecLevels, NumbersWithFewDigitsNeedOneCodecThatIsExact) {
  CodecLevels learning = levels();
  learning.learn(3, 0, false);
  EXPECT_EQ(learning.preferred(), 2u) << "a coarser one may be exact too";
  learning.remember_failure(2, 1e-3, 3, 0);
  learning.learn(3, 0, false);
  EXPECT_EQ(learning.preferred(), 3u);
}

}  // namespace
}  // namespace weft
