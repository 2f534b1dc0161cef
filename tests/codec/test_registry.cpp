#include <gtest/gtest.h>

#include <limits>

#include "codec/codec.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

constexpr CodecElement f64{Precision::f64, true};
constexpr CodecElement f32{Precision::f32, true};

/// Text of the error; empty when there is none.
std::string error_of(const std::string& name, CodecElement element) {
  try {
    make_codec(name, element);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Codecs, AreFoundByName) {
  EXPECT_EQ(make_codec("none", f64), nullptr);
  for (const char* const name : {"bfp:16", "trim:20", "cast:fp32", "cast:fp16", "cast:bf16"}) {
    EXPECT_EQ(make_codec(name, f64)->name(), name);
  }
  EXPECT_EQ(make_codec("cast:fp32", f32), nullptr);
}

TEST(Codecs, BytesOfMessages) {
  EXPECT_EQ(make_codec("bfp:16", f64)->block_elements(), 32);
  EXPECT_EQ(make_codec("bfp:16", {Precision::f64, false})->block_elements(), 64);
  EXPECT_EQ(make_codec("bfp:16", f64)->bytes(0), 0);
  EXPECT_EQ(make_codec("bfp:16", f64)->bytes(32), 2 + 128);
  EXPECT_EQ(make_codec("bfp:13", f64)->bytes(33), 2 + 104 + 2 + 4);
  EXPECT_EQ(make_codec("trim:20", f64)->bytes(3), 24);
  EXPECT_EQ(make_codec("trim:14", f32)->bytes(3), (6 * 23 + 7) / 8);
  EXPECT_EQ(make_codec("cast:fp32", f64)->bytes(1000), 8000);
  EXPECT_EQ(make_codec("cast:fp16", f64)->bytes(40), 2 * 2 + 160);
}

TEST(Codecs, BadNamesAndParameters) {
  EXPECT_EQ(error_of("bfp:99", f64), "codec 'bfp:99': bits must be between 2 and 62 for f64");
  EXPECT_EQ(error_of("bfp:1", f32), "codec 'bfp:1': bits must be between 2 and 31 for f32");
  EXPECT_EQ(error_of("trim:52", f64),
            "codec 'trim:52': mantissa bits must be between 1 and 51 for f64");
  EXPECT_EQ(error_of("trim:23", f32),
            "codec 'trim:23': mantissa bits must be between 1 and 22 for f32");
  EXPECT_EQ(error_of("cast:fp8", f64), "codec 'cast:fp8': the format must be bf16, fp16 or fp32");
  EXPECT_EQ(error_of("bfp", f64), "codec 'bfp': bits must follow, as in 'bfp:62'");
  EXPECT_NE(error_of("quantum:3", f64)
                .find("codec 'quantum:3' is unknown; known: auto, none, lossless, bfp, trim"),
            std::string::npos);
  for (const char* const name :
       {"bfp:", "bfp:1x", "bfp: 16", "bfp:16:2", "bfp:-4", "bfp:16.0", "bfp:99999999999999999999",
        "trim:", "cast:", "none:1", "", ":16"}) {
    EXPECT_NE(error_of(name, f64), "") << name;
  }
}

TEST(Ladder, BeginsWhereTheModelSufficesAndKeepsOneBitMoreEachTime) {
  for (const char* const family : {"auto", "bfp", "trim"}) {
    for (const CodecElement element : {f64, f32}) {
      for (double error = 0.1; error > 1e-5; error /= 7) {
        const auto ladder = codecs_within(error, family, element);
        ASSERT_EQ(ladder.size(), 5u) << family << " " << error;
        const std::string first = ladder[0]->name();
        const std::size_t colon = first.find(':') + 1;
        const int parameter = std::stoi(first.substr(colon));
        for (std::size_t i = 0; i < ladder.size(); ++i) {
          EXPECT_LE(ladder[i]->predicted_error(), error);
          EXPECT_EQ(ladder[i]->name(),
                    first.substr(0, colon) + std::to_string(parameter + static_cast<int>(i)));
        }
        if (ladder[0]->name() == "bfp:2" || ladder[0]->name() == "trim:1") continue;
        const auto coarser =
            make_codec(first.substr(0, colon) + std::to_string(parameter - 1), element);
        EXPECT_GT(coarser->predicted_error(), error) << first;
      }
    }
  }
}

TEST(Ladder, OfFormatsHasThoseThatSuffice) {
  const auto names = [](double error, CodecElement element) {
    std::string all;
    for (const auto& codec : codecs_within(error, "cast", element)) all += codec->name() + " ";
    return all;
  };
  EXPECT_EQ(names(1e-2, f64), "cast:bf16 cast:fp16 cast:fp32 ");
  EXPECT_EQ(names(1e-3, f64), "cast:fp16 cast:fp32 ");
  EXPECT_EQ(names(1e-7, f64), "cast:fp32 ");
  EXPECT_EQ(names(1e-8, f64), "");
  EXPECT_EQ(names(1e-2, f32), "cast:bf16 cast:fp16 ");
  EXPECT_EQ(names(1e-7, f32), "");
}

TEST(Ladder, EndsWhereNumbersThemselvesAreNeeded) {
  EXPECT_TRUE(codecs_within(0, "auto", f64).empty());
  EXPECT_TRUE(codecs_within(1e-20, "auto", f64).empty());
  EXPECT_TRUE(codecs_within(1e-10, "auto", f32).empty());
  EXPECT_LT(codecs_within(2e-8, "trim", f32).size(), 5u);
  EXPECT_THROW(codecs_within(-1, "auto", f64), Error);
  EXPECT_THROW(codecs_within(std::numeric_limits<double>::quiet_NaN(), "auto", f64), Error);
  EXPECT_THROW(codecs_within(1e-3, "bfp:16", f64), Error);
  EXPECT_THROW(codecs_within(1e-3, "none", f64), Error);
}

}  // namespace
}  // namespace weft
