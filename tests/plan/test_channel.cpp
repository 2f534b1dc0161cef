// Which codec a channel takes next: after one that failed, and for the next data.
#include "plan/channel.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr std::size_t exact = 5;  // the rung without a codec

/// bfp:12 to bfp:16, then the numbers themselves; `allowed` is just what the codec with 15 bits,
/// rung 3, does to white data.
Channel channel() {
  Channel result;
  for (int bits = 12; bits <= 16; ++bits) {
    result.rungs.push_back({make_codec("bfp:" + std::to_string(bits), {}), nullptr});
  }
  result.rungs.push_back({nullptr, nullptr});
  result.expect_white_data();
  result.allowed = 1.01 * result.rungs[3].codec->predicted_error();
  return result;
}

double white_error(const Channel& channel, std::size_t rung) {
  return channel.rungs[rung].codec->predicted_error();
}

TEST(Channel, AfterAFailureTakesWhatWhiteDataNeed) {
  const Channel white = channel();
  EXPECT_EQ(white.after_failure(0, white_error(white, 0), false), 3u);
  EXPECT_EQ(white.after_failure(2, white_error(white, 2), false), 3u);
  // Half as hard, four times as hard, hopeless.
  EXPECT_EQ(white.after_failure(0, white_error(white, 1), false), 2u);
  EXPECT_EQ(white.after_failure(0, 4 * white_error(white, 0), false), exact);
  EXPECT_EQ(white.after_failure(0, 1, false), exact);
  EXPECT_EQ(white.after_failure(4, 1, false), exact);
}

TEST(Channel, AfterOverflowTakesTheNumbersThemselves) {
  EXPECT_EQ(channel().after_failure(0, 0, true), exact);
  EXPECT_EQ(channel().after_failure(4, 0, true), exact);
}

TEST(Channel, LearnsToTakeFewerBitsWhereTheyWillDo) {
  Channel learning = channel();
  learning.learn(3, white_error(learning, 3), false);
  EXPECT_EQ(learning.preferred, 3u);
  learning.learn(4, white_error(learning, 4), false);
  EXPECT_EQ(learning.preferred, 4u) << "within a tenth of what is allowed";
  learning.learn(4, 0.8 * white_error(learning, 4), false);
  EXPECT_EQ(learning.preferred, 3u);
  learning.learn(0, 0.01 * white_error(learning, 4), false);
  EXPECT_EQ(learning.preferred, 0u) << "there is nothing coarser";
}

TEST(Channel, LearnsNothingOfDataThatOverflow) {
  Channel learning = channel();
  learning.preferred = 2;
  learning.learn(exact, 0, true);
  EXPECT_EQ(learning.preferred, 2u);
}

TEST(Channel, RemembersDataThatAreHarderThanWhiteNoise) {
  Channel learning = channel();
  const double error = white_error(learning, 3);
  learning.remember_failure(2, 40 * error, 3, error);
  EXPECT_DOUBLE_EQ(learning.rises[2], 40);
  // 0.8 of the error would allow one bit less if the data were white.
  learning.learn(3, 0.1 * error, false);
  EXPECT_EQ(learning.preferred, 3u);
  // What is easier than thought changes nothing, nor does what the numbers themselves tell.
  const std::vector<double> rises = learning.rises;
  learning.remember_failure(0, 1.01 * white_error(learning, 1), 1, white_error(learning, 1));
  learning.remember_failure(0, 1, exact, 0);
  EXPECT_EQ(learning.rises, rises);
}

TEST(Channel, NumbersWithFewDigitsNeedOneCodecThatIsExact) {
  Channel learning = channel();
  learning.learn(3, 0, false);
  EXPECT_EQ(learning.preferred, 2u) << "a coarser one may be exact too";
  learning.remember_failure(2, 1e-3, 3, 0);
  learning.learn(3, 0, false);
  EXPECT_EQ(learning.preferred, 3u);
}

}  // namespace
}  // namespace weft
