#include <gtest/gtest.h>

#include <cstdint>

#include "device/alignment.hpp"
#include "device/buffer.hpp"
#include "device/cpu.hpp"
#include "geometry/human_units.hpp"
#include "weft/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
// So that a request that cannot be met fails as it does without the sanitizer.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
#endif

namespace weft {
namespace {

TEST(Buffer, IsAlignedAndWritable) {
  for (const std::size_t bytes : {1ul, 63ul, 64ul, 65ul, 100000ul, 9ul << 20}) {
    const Buffer buffer(bytes);
    ASSERT_NE(buffer.data(), nullptr);
    EXPECT_EQ(buffer.size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % buffer_alignment, 0u);
    buffer.data()[0] = buffer.data()[bytes - 1] = std::byte{1};
  }
}

TEST(Buffer, OfNothingHoldsNothing) {
  EXPECT_EQ(Buffer(0).data(), nullptr);
  EXPECT_EQ(Buffer().size(), 0u);
}

TEST(Buffer, SaysHowMuchCouldNotBeAllocated) {
  for (const std::size_t bytes : {std::size_t{1} << 62, SIZE_MAX - 7, SIZE_MAX}) {
    try {
      const Buffer buffer(bytes);
      FAIL() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                "cannot allocate " + human_bytes(static_cast<double>(bytes)) + " of host memory");
    }
  }
}

TEST(Buffer, MovesItsMemory) {
  Buffer a(100);
  std::byte* const memory = a.data();
  const Buffer b = std::move(a);
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(b.size(), 100u);
}

TEST(AlignedUp, RoundsToWholeLines) {
  EXPECT_EQ(aligned_up(0), 0);
  EXPECT_EQ(aligned_up(1), 64);
  EXPECT_EQ(aligned_up(64), 64);
  EXPECT_EQ(aligned_up(65), 128);
}

TEST(Machine, HasCoresAndCache) {
  EXPECT_GE(cores(), 1);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), cores());
  EXPECT_GE(second_level_cache_bytes(), 16384u);
  const std::size_t cache = third_level_cache_share(1);
  EXPECT_TRUE(cache == 0 || (cache >= 65536 && cache < (std::size_t{1} << 32))) << cache;
  EXPECT_LE(third_level_cache_share(2), cache);
  EXPECT_LE(2 * third_level_cache_share(2 * cores()), cache);
}

}  // namespace
}  // namespace weft
