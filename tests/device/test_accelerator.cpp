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
  EXPECT_FALSE(device->description().empty());
  EXPECT_FALSE(device->identity().empty());
  EXPECT_EQ(find_device_method(GetParam()).open(0)->identity(), device->identity());
  if (GetParam() != "cuda") return;
  const std::regex uuid("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");  // as NVML asks for
  EXPECT_TRUE(std::regex_match(device->identity(), uuid)) << device->identity();
}

TEST_P(Accelerator, TooMuchMemoryIsAnErrorWithTheNumberOfBytes) {
  constexpr std::size_t absurd = std::size_t{1} << 60;
  const std::string bytes = std::to_string(absurd) + " bytes";
  for (int again = 0; again < 2; ++again) {
    EXPECT_NE(error_of([&] { device->allocate(absurd); }).find(bytes), std::string::npos);
    EXPECT_NE(error_of([&] { device->allocate_shared(absurd); }).find(bytes), std::string::npos);
  }
  // The error is not found again by later calls.
  const DeviceBuffer memory(*device, 1000);
  put(memory.data(), numbered(1000));
}

TEST_P(Accelerator, MemoryIsAligned) {
  const DeviceBuffer first(*device, 1), second(*device, 1001);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 256, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % 256, 0U);
}

TEST_P(Accelerator, CopiesThereAndBack) {
  for (const std::size_t bytes : {1U, 17U, 4096U, 1234567U}) {
    const DeviceBuffer first(*device, bytes), second(*device, bytes);
    const std::vector<std::byte> data = numbered(bytes);
    std::byte* const staging = device->allocate_staging(bytes);
    std::memcpy(staging, data.data(), bytes);
    device->copy(*queue, first.data(), staging, bytes);
    device->copy(*queue, second.data(), first.data(), bytes);
    device->clear(*queue, first.data(), bytes);
    EXPECT_EQ(get(second.data(), bytes), data);
    EXPECT_EQ(get(first.data(), bytes), std::vector<std::byte>(bytes));
    device->free_staging(staging);
  }
  device->copy(*queue, nullptr, nullptr, 0);
  device->clear(*queue, nullptr, 0);
}

TEST_P(Accelerator, TellsItsMemoryFromTheHosts) {
  const DeviceBuffer memory(*device, 1000);
  std::byte* const shared = device->allocate_shared(1000);
  std::byte* const staging = device->allocate_staging(1000);
  std::vector<std::byte> host(1000);
  std::byte on_stack{};
  for (const std::byte* reached : {memory.data(), memory.data() + 999, shared, shared + 999}) {
    EXPECT_TRUE(device->reaches(reached));
    EXPECT_EQ(device->find_error(reached), std::nullopt);
  }
  for (const std::byte* other : {host.data(), host.data() + 999, &on_stack, staging}) {
    EXPECT_FALSE(device->reaches(other));
    EXPECT_EQ(device->find_error(other), std::nullopt);
  }
  const auto another = find_device_method(GetParam()).open(0);
  EXPECT_TRUE(another->reaches(memory.data()));
  device->free_staging(staging);
  device->free(shared);
}

TEST_P(Accelerator, SharedMemoryIsZeroAndHasAName) {
  constexpr std::size_t bytes = 100000;
  std::byte* const shared = device->allocate_shared(bytes);
  EXPECT_EQ(get(shared, bytes), std::vector<std::byte>(bytes));
  const SharedName name = device->share(shared);
  EXPECT_EQ(name, device->share(shared));
  // Whoever maps memory of its own process sees the same.
  std::byte* const mapped = device->map(name);
  EXPECT_TRUE(device->reaches(mapped));
  put(mapped, numbered(bytes));
  EXPECT_EQ(get(shared, bytes), numbered(bytes));
  device->unmap(mapped);
  device->free(shared);
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
  std::byte* const shared = device->allocate_shared(10000);
  const SharedName name = device->share(shared);
  std::byte* const mapped = device->map(name);
  EXPECT_GT(shared_mappings(), 0);
  device->unmap(mapped);
  EXPECT_FALSE(device->reaches(mapped));
  device->free(shared);
  EXPECT_FALSE(device->reaches(shared));
  EXPECT_EQ(shared_mappings(), 0);
  EXPECT_THROW(device->map(name), Error);
}

TEST(Devices, EmulatedMemoryIsFromItsFirstByteToItsLast) {
  const auto device = find_device_method("emulated").open(0);
  const DeviceBuffer memory(*device, 1000);
  EXPECT_FALSE(device->reaches(memory.data() - 1));
  EXPECT_TRUE(device->reaches(memory.data()));
  EXPECT_TRUE(device->reaches(memory.data() + 999));
  EXPECT_FALSE(device->reaches(memory.data() + 1000));
}

TEST_P(Accelerator, MemoryThatIsNotSharedHasNoName) {
  const DeviceBuffer memory(*device, 1000);
  EXPECT_THROW(device->share(memory.data()), Error);
}

TEST_P(Accelerator, QueuesWaitForEventsOfOthers) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  constexpr int copies = 20;
  const DeviceBuffer first(*device, bytes), second(*device, bytes), third(*device, 8);
  const auto other = device->make_queue();
  const auto begin = device->make_event(), end = device->make_event();
  const std::vector<std::byte> data = numbered(8);
  device->clear(*queue, first.data(), bytes);
  put(first.data() + bytes - 8, data);
  device->record(*begin, *queue);
  for (int i = 0; i < copies; ++i) device->copy(*queue, second.data(), first.data(), bytes);
  device->record(*end, *queue);
  device->wait(*other, *end);
  device->copy(*other, third.data(), second.data() + bytes - 8, 8);
  device->synchronize(*other);
  EXPECT_EQ(get(third.data(), 8), data);
  device->synchronize(*end);
  const double seconds = device->seconds_between(*begin, *end);
  EXPECT_GT(seconds, 2 * copies * double(bytes) / 100e12);
  EXPECT_LT(seconds, 60);
}

TEST_P(Accelerator, QueuesOfCallersAreUsed) {
  const DeviceBuffer memory(*device, 100);
  const std::vector<std::byte> data = numbered(100);
  const auto by_default = device->adopt_queue(nullptr);
  device->copy(*by_default, memory.data(), data.data(), 100);
  device->synchronize(*by_default);
  EXPECT_EQ(get(memory.data(), 100), data);
  const auto adopted = device->adopt_queue(queue->native());
  EXPECT_EQ(adopted->native(), queue->native());
  device->clear(*adopted, memory.data(), 100);
  EXPECT_EQ(get(memory.data(), 100), std::vector<std::byte>(100));
}

TEST_P(Accelerator, StepsOfLinesHaveNoMoreThreadsThanItCanCount) {
  LineStep step;
  step.pairs.count = 1U << 30;
  step.entry_count = 32;
  EXPECT_EQ(error_of([&] { device->run(*queue, step); }),
            "a step of 4294967296 threads; at most 2^31 - 1 are possible");
}

TEST_P(Accelerator, FlagsTellTheEpoch) {
  constexpr std::size_t most = 600;
  std::byte* const shared = device->allocate_shared((most + 1) * sizeof(std::uint64_t));
  auto* const counters = reinterpret_cast<std::uint64_t*>(shared);
  const auto other = device->make_queue();
  std::uint64_t epoch = 0;
  for (const std::size_t peers : {0U, 1U, 2U, 256U, 257U, 600U}) {
    Flags flags{counters, {}};
    for (std::size_t i = 0; i < peers; ++i) flags.peers.push_back(counters + 1 + i);
    for (int again = 0; again < 3; ++again) {
      device->raise(*queue, flags, true);
      ++epoch;
      device->raise(*queue, flags, false);
      device->await(*queue, flags);
      device->synchronize(*queue);
      // All are at this epoch, so another queue goes on too.
      device->await(*other, flags);
      device->synchronize(*other);
      std::vector<std::uint64_t> values(peers + 1);
      device->copy(*queue, reinterpret_cast<std::byte*>(values.data()), shared,
                   values.size() * sizeof(std::uint64_t));
      device->synchronize(*queue);
      EXPECT_EQ(values, std::vector<std::uint64_t>(peers + 1, epoch));
    }
  }
  device->free(shared);
}

TEST_P(Accelerator, QueuesWaitForFlags) {
  if (GetParam() == "emulated") GTEST_SKIP() << "its queues do what is put into them at once";
  std::byte* const shared = device->allocate_shared(64);
  auto* const counters = reinterpret_cast<std::uint64_t*>(shared);
  const DeviceBuffer from(*device, 1000), to(*device, 1000);
  put(from.data(), std::vector<std::byte>(1000));
  const auto other = device->make_queue();
  // `other` waits for the epoch 1, which its own counter has, of the counter that `queue` raises.
  const std::uint64_t one = 1;
  device->copy(*other, shared, reinterpret_cast<const std::byte*>(&one), sizeof one);
  device->await(*other, {counters, {counters + 2}});
  device->copy(*other, to.data(), from.data(), 1000);
  const std::vector<std::byte> data = numbered(1000);
  device->copy(*queue, from.data(), data.data(), 1000);
  device->raise(*queue, {counters + 1, {counters + 2}}, true);
  device->synchronize(*other);
  EXPECT_EQ(get(to.data(), 1000), data);
  device->free(shared);
}

INSTANTIATE_TEST_SUITE_P(All, Accelerator, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
