#include <cstring>
#include <fstream>
#include <regex>

#include "device/accelerator_test.hpp"

namespace weft {
namespace {

using Accelerator = test::AcceleratorTest;

std::vector<std::byte> numbered(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 256);
  return data;
}

std::string error_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Devices, UnknownOnesAreErrors) {
  const std::string text = error_of([] { find_device_method("abacus"); });
  EXPECT_EQ(text.find("device 'abacus' is unknown; known: host, emulated"), 0U) << text;
}

TEST(Devices, TheErrorTellsHowToBuildOthersIn) {
  for (const auto& [name, option] :
       {std::pair{"cuda", "WEFT_WITH_CUDA"}, {"hip", "WEFT_WITH_HIP"}}) {
    bool built_in = false;
    for (const DeviceMethod& method : device_methods())
      built_in |= name == std::string(method.name);
    const std::string text = error_of([&] { find_device_method(name); });
    EXPECT_EQ(text, built_in ? ""
                             : std::string("device '") + name +
                                   "' is not built in: build weft with " + option + "=ON");
  }
}

TEST_P(Accelerator, TellsWhatItIs) {
  EXPECT_FALSE(device->info().model.empty());
  EXPECT_FALSE(device->info().identity.empty());
  EXPECT_EQ(find_device_method(GetParam()).open(0)->info().identity, device->info().identity);
  if (GetParam() != "cuda") return;
  const std::regex uuid("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");  // as NVML asks for
  EXPECT_TRUE(std::regex_match(device->info().identity, uuid)) << device->info().identity;
}

TEST_P(Accelerator, TooMuchMemoryIsAnErrorWithTheNumberOfBytes) {
  constexpr std::size_t absurd = std::size_t{1} << 60;
  const std::string bytes = "1 EiB";
  for (int again = 0; again < 2; ++again) {
    EXPECT_NE(error_of([&] { device->allocate(absurd); }).find(bytes), std::string::npos);
    EXPECT_NE(error_of([&] { device->allocate(absurd, MemoryKind::shared); }).find(bytes),
              std::string::npos);
  }
  // The error is not found again by later calls.
  const Buffer memory(*device, 1000);
  put(memory.data(), numbered(1000));
}

TEST_P(Accelerator, MemoryIsAligned) {
  const Buffer first(*device, 1), second(*device, 1001);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 256, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % 256, 0U);
}

TEST_P(Accelerator, CopiesThereAndBack) {
  for (const std::size_t bytes : {1U, 17U, 4096U, 1234567U}) {
    const Buffer first(*device, bytes), second(*device, bytes);
    const std::vector<std::byte> data = numbered(bytes);
    const Buffer pinned(*device, bytes, MemoryKind::pinned);
    std::memcpy(pinned.data(), data.data(), bytes);
    stream->copy(first.data(), pinned.data(), bytes);
    stream->copy(second.data(), first.data(), bytes);
    stream->clear(first.data(), bytes);
    EXPECT_EQ(get(second.data(), bytes), data);
    EXPECT_EQ(get(first.data(), bytes), std::vector<std::byte>(bytes));
  }
  stream->copy(nullptr, nullptr, 0);
  stream->clear(nullptr, 0);
}

TEST_P(Accelerator, TellsItsMemoryFromTheHosts) {
  const Buffer memory(*device, 1000);
  const Buffer shared(*device, 1000, MemoryKind::shared);
  const Buffer pinned(*device, 1000, MemoryKind::pinned);
  std::vector<std::byte> host(1000);
  std::byte on_stack{};
  for (const std::byte* own :
       {memory.data(), memory.data() + 999, shared.data(), shared.data() + 999}) {
    EXPECT_EQ(device->owner_of(own).who, Owner::device);
  }
  for (const std::byte* other : {host.data(), host.data() + 999, &on_stack, pinned.data()}) {
    EXPECT_EQ(device->owner_of(other).who, Owner::host);
  }
  const auto another = find_device_method(GetParam()).open(0);
  EXPECT_EQ(another->owner_of(memory.data()).who, Owner::device);
}

TEST_P(Accelerator, SharedMemoryIsZeroAndHasAName) {
  constexpr std::size_t bytes = 100000;
  std::byte* const shared = device->allocate(bytes, MemoryKind::shared);
  EXPECT_EQ(get(shared, bytes), std::vector<std::byte>(bytes));
  const SharedName name = device->share(shared);
  EXPECT_EQ(name, device->share(shared));
  // Whoever maps memory of its own process sees the same.
  std::byte* const mapped = device->map(name);
  EXPECT_TRUE(reaches(*device, mapped));
  put(mapped, numbered(bytes));
  EXPECT_EQ(get(shared, bytes), numbered(bytes));
  device->unmap(mapped);
  device->free(shared, MemoryKind::shared);
}

/// Lines of /proc/self/maps with memory that emulated devices share.
int shared_mappings() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find("/dev/shm/weft-") != line.npos ? 1 : 0;
  }
  return count;
}

TEST(Devices, EmulatedOnesGiveSharedMemoryBack) {
  const auto device = find_device_method("emulated").open(0);
  ASSERT_EQ(shared_mappings(), 0);
  std::byte* const shared = device->allocate(10000, MemoryKind::shared);
  const SharedName name = device->share(shared);
  std::byte* const mapped = device->map(name);
  EXPECT_GT(shared_mappings(), 0);
  device->unmap(mapped);
  EXPECT_FALSE(reaches(*device, mapped));
  device->free(shared, MemoryKind::shared);
  EXPECT_FALSE(reaches(*device, shared));
  EXPECT_EQ(shared_mappings(), 0);
  EXPECT_THROW(device->map(name), Error);
}

TEST(Devices, EmulatedMemoryIsFromItsFirstByteToItsLast) {
  const auto device = find_device_method("emulated").open(0);
  const Buffer memory(*device, 1000);
  EXPECT_FALSE(reaches(*device, memory.data() - 1));
  EXPECT_TRUE(reaches(*device, memory.data()));
  EXPECT_TRUE(reaches(*device, memory.data() + 999));
  EXPECT_FALSE(reaches(*device, memory.data() + 1000));
}

TEST_P(Accelerator, MemoryThatIsNotSharedHasNoName) {
  const Buffer memory(*device, 1000);
  EXPECT_THROW(device->share(memory.data()), Error);
}

TEST_P(Accelerator, StreamsWaitForEventsOfOthers) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  constexpr int copies = 20;
  const Buffer first(*device, bytes), second(*device, bytes), third(*device, 8);
  const auto other = device->make_stream();
  const auto begin = device->make_event(), end = device->make_event();
  const std::vector<std::byte> data = numbered(8);
  stream->clear(first.data(), bytes);
  put(first.data() + bytes - 8, data);
  stream->record(*begin);
  for (int i = 0; i < copies; ++i) stream->copy(second.data(), first.data(), bytes);
  stream->record(*end);
  other->wait(*end);
  other->copy(third.data(), second.data() + bytes - 8, 8);
  other->synchronize();
  EXPECT_EQ(get(third.data(), 8), data);
  end->synchronize();
  const double seconds = device->seconds_between(*begin, *end);
  EXPECT_GT(seconds, 2 * copies * double(bytes) / 100e12);
  EXPECT_LT(seconds, 60);
}

TEST_P(Accelerator, StreamsOfCallersAreUsed) {
  const Buffer memory(*device, 100);
  const std::vector<std::byte> data = numbered(100);
  const auto by_default = device->adopt_stream(nullptr);
  by_default->copy(memory.data(), data.data(), 100);
  by_default->synchronize();
  EXPECT_EQ(get(memory.data(), 100), data);
  const auto adopted = device->adopt_stream(stream->native());
  EXPECT_EQ(adopted->native(), stream->native());
  adopted->clear(memory.data(), 100);
  EXPECT_EQ(get(memory.data(), 100), std::vector<std::byte>(100));
}

TEST_P(Accelerator, StepsOfLinesHaveNoMoreThreadsThanItCanCount) {
  LineStep step;
  step.pairs.count = 1U << 30;
  step.entry_count = 32;
  EXPECT_EQ(error_of([&] { stream->run(step); }),
            "a step of 4294967296 threads; at most 2^31 - 1 are possible");
}

TEST_P(Accelerator, FlagsAreRaisedAndLowered) {
  constexpr std::size_t most = 600;
  using Values = std::vector<std::uint64_t>;
  std::byte* const shared = device->allocate(most * sizeof(std::uint64_t), MemoryKind::shared);
  auto* const all = reinterpret_cast<std::uint64_t*>(shared);
  const auto other = device->make_stream();
  const auto values = [&] {
    Values result(most);
    stream->copy(reinterpret_cast<std::byte*>(result.data()), shared, most * sizeof(std::uint64_t));
    stream->synchronize();
    return result;
  };
  for (const bool is_shared : {false, true}) {
    device->set_shared(is_shared);
    for (const std::size_t count : {0U, 1U, 2U, 127U, 128U, 256U, 257U, 600U}) {
      SCOPED_TRACE(count);
      Flags flags;
      for (std::size_t i = 0; i < count; ++i) flags.push_back(all + i);
      Values raised(most);
      std::fill_n(raised.begin(), count, 1);
      for (int again = 0; again < 3; ++again) {
        stream->signal(flags);
        EXPECT_EQ(values(), raised);
        other->await(flags);
        other->synchronize();
        EXPECT_EQ(values(), Values(most));
      }
    }
  }
  device->free(shared, MemoryKind::shared);
}

TEST_P(Accelerator, StreamsWaitForFlags) {
  if (GetParam() == "emulated") GTEST_SKIP() << "its streams do what is submitted at once";
  std::byte* const shared = device->allocate(64, MemoryKind::shared);
  const Flags flags{reinterpret_cast<std::uint64_t*>(shared)};
  const Buffer from(*device, 1000), to(*device, 1000);
  const auto other = device->make_stream();
  const std::vector<std::byte> data = numbered(1000);
  for (const bool is_shared : {false, true}) {
    device->set_shared(is_shared);
    put(from.data(), std::vector<std::byte>(1000));
    other->await(flags);
    other->copy(to.data(), from.data(), 1000);
    stream->copy(from.data(), data.data(), 1000);
    stream->signal(flags);
    other->synchronize();
    EXPECT_EQ(get(to.data(), 1000), data);
  }
  device->free(shared, MemoryKind::shared);
}

INSTANTIATE_TEST_SUITE_P(All, Accelerator, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
