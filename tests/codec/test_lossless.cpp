#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "codec/lossless.hpp"
#include "codec/sample_data.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

using test::Data;
using test::Random;

constexpr std::byte mark{0xa5};

/// Length of the message; checks that it expands to the bytes again and that nothing else changes.
Index roundtrip(const std::vector<std::byte>& bytes, Index real_bytes) {
  const auto size = static_cast<Index>(bytes.size());
  std::vector<std::byte> message(bytes.size() + 64, mark), expanded(bytes.size() + 64, mark);
  const Index length = lossless_compress(bytes.data(), size, real_bytes, message.data());
  EXPECT_LE(length, size);
  message.resize(static_cast<std::size_t>(std::max<Index>(length, 0)));
  lossless_expand(message.data(), length, size, real_bytes, expanded.data());
  for (std::size_t i = bytes.size(); i < expanded.size(); ++i) EXPECT_EQ(expanded[i], mark);
  expanded.resize(bytes.size());
  EXPECT_EQ(expanded, bytes);
  return length;
}

template <class Real>
std::vector<std::byte> bytes_of(const std::vector<Real>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(Real));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<double> smooth_numbers(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::round(1000 * std::sin(1e-3 * static_cast<double>(i)));
  }
  return values;
}

TEST(Lossless, EveryLengthAndKindOfData) {
  Random random(71);
  for (std::size_t count = 0; count <= 200; ++count) {
    for (const Data data : test::every_data()) {
      roundtrip(bytes_of(test::sample<double>(data, count, random)), 8);
      roundtrip(bytes_of(test::sample<float>(data, count, random)), 4);
    }
  }
  for (std::size_t bytes = 0; bytes < 50; ++bytes) {
    roundtrip(std::vector<std::byte>(bytes, std::byte{1}), 8);
  }
}

TEST(Lossless, DataThatDoesNotGetShorterIsCopied) {
  Random random(72);
  std::vector<std::byte> noise(100003);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(random.below(256));
  EXPECT_EQ(roundtrip(noise, 8), 100003);
}

TEST(Lossless, SmoothDataGetsShorter) {
  if (!lossless_compresses()) GTEST_SKIP() << "built without a library that compresses";
  const std::vector<std::byte> bytes = bytes_of(smooth_numbers(200000));
  EXPECT_LT(roundtrip(bytes, 8), static_cast<Index>(bytes.size() / 4));
}

TEST(Lossless, DamagedMessagesAreErrors) {
  if (!lossless_compresses()) GTEST_SKIP() << "built without a library that compresses";
  const std::vector<std::byte> bytes = bytes_of(smooth_numbers(10000));
  const auto size = static_cast<Index>(bytes.size());
  std::vector<std::byte> message(bytes.size()), expanded(bytes.size());
  const Index length = lossless_compress(bytes.data(), size, 8, message.data());
  EXPECT_THROW(lossless_expand(message.data(), length - 1, size, 8, expanded.data()), Error);
  EXPECT_THROW(lossless_expand(message.data(), 3, size, 8, expanded.data()), Error);
  EXPECT_THROW(lossless_expand(message.data(), length, size - 8, 8, expanded.data()), Error);
  std::fill_n(message.begin(), 16, std::byte{0});
  EXPECT_THROW(lossless_expand(message.data(), length, size, 8, expanded.data()), Error);
}

}  // namespace
}  // namespace weft
