// Processes in a ring that share memory of accelerators: of the same one or, where there are
// several, of different ones.
#include <mpi.h>

#include <cstring>

#include "device/accelerator_test.hpp"

namespace weft {
namespace {

/// How the ranks of a ring wait for flags.
enum class Waits { by_kernels, by_queues, by_both };

class Peers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const DeviceMethod& method = find_device_method(GetParam());
    if (method.count() == 0) GTEST_SKIP() << "no GPU here";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    device = method.open(rank % method.count());
    stream = device->make_stream();
    own = device->allocate(bytes, MemoryKind::shared);
    next = device->map(name_from(1));
    last = device->map(name_from(-1));
  }
  void TearDown() override {
    if (device == nullptr) return;
    stream->synchronize();
    device->unmap(next);
    device->unmap(last);
    MPI_Barrier(MPI_COMM_WORLD);
    device->free(own, MemoryKind::shared);
  }

  int rank_at(int distance) const { return (rank + distance + ranks) % ranks; }
  /// Of the memory of the rank so far along the ring.
  SharedName name_from(int distance) {
    const SharedName name = device->share(own);
    SharedName other{};
    MPI_Sendrecv(name.data(), sizeof name, MPI_BYTE, rank_at(-distance), 0, other.data(),
                 sizeof other, MPI_BYTE, rank_at(distance), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return other;
  }
  void set_waits(Waits waits) {
    device->set_shared(waits == Waits::by_queues || (waits == Waits::by_both && rank % 2 == 1));
  }

  /// Flags at the begin of shared memory: that values have arrived there, and that the next rank
  /// has read what it got.
  static std::uint64_t* arrived(std::byte* memory) {
    return reinterpret_cast<std::uint64_t*>(memory);
  }
  static std::uint64_t* was_read(std::byte* memory) { return arrived(memory) + 1; }
  std::vector<double> values(int from, int round) const {
    std::vector<double> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = static_cast<double>(i) + 1e6 * round + 1e9 * from;
    }
    return result;
  }

  static constexpr std::size_t count = 40000;
  static constexpr std::size_t header = 256;
  static constexpr std::size_t bytes = header + count * sizeof(double);
  int rank = 0, ranks = 1;
  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::byte* own = nullptr;   // that the last rank writes to
  std::byte* next = nullptr;  // of the next rank, mapped
  std::byte* last = nullptr;
};

TEST_P(Peers, MappedMemoryIsReached) {
  for (std::byte* mapped : {next, last}) {
    EXPECT_TRUE(reaches(*device, mapped));
    EXPECT_TRUE(reaches(*device, mapped + bytes - 1));
  }
}

TEST_P(Peers, MemoryIsMappedAgain) {
  std::byte* const again = device->map(name_from(1));
  EXPECT_TRUE(reaches(*device, again));
  device->unmap(again);
  EXPECT_TRUE(reaches(*device, next));
}

/// Each rank moves a transposed block to the next one, round by round, with nothing but flags
/// between; nobody may overwrite what has not been read.
TEST_P(Peers, ExchangeByFlags) {
  constexpr int rounds = 50;
  constexpr Index rows = 200, columns = 200;
  static_assert(rows * columns == Index{count});
  const Buffer out(*device, count * sizeof(double)), in(*device, count * sizeof(double));
  // There is nothing to be read yet.
  stream->signal({was_read(last)});
  for (const Waits waits : {Waits::by_kernels, Waits::by_queues, Waits::by_both}) {
    SCOPED_TRACE(static_cast<int>(waits));
    set_waits(waits);
    for (int round = 0; round < rounds; ++round) {
      const std::vector<double> sent = values(rank, round);
      stream->copy(out.data(), reinterpret_cast<const std::byte*>(sent.data()), out.size());
      stream->await({was_read(own)});
      const BlockMove block{
          {rows, columns}, {out.data(), {1, rows}}, {next + header, {columns, 1}}};
      const Mover mover = round % 2 == 0 ? Mover::kernel : Mover::automatic;
      stream->move(std::span(&block, 1), {Precision::f64, false}, 1, mover);
      stream->signal({arrived(next)});
      stream->await({arrived(own)});
      stream->copy(in.data(), own + header, in.size());
      stream->signal({was_read(last)});
      std::vector<double> received(count);
      stream->copy(reinterpret_cast<std::byte*>(received.data()), in.data(), in.size());
      stream->synchronize();
      const std::vector<double> from = values(rank_at(-1), round);
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          ASSERT_EQ(received[static_cast<std::size_t>(row * columns + column)],
                    from[static_cast<std::size_t>(column * rows + row)]);
        }
      }
    }
  }
  stream->await({was_read(own)});
}

TEST_P(Peers, CopyEnginesReachTheOther) {
  constexpr Index half = count / 2;
  const std::vector<double> sent = values(rank, 0), expected = values(rank_at(-1), 0);
  const Buffer out(*device, count * sizeof(double));
  stream->copy(out.data(), reinterpret_cast<const std::byte*>(sent.data()), out.size());
  const BlockMove blocks[] = {
      {{half}, {out.data(), {1}}, {next + header, {1}}},
      {{half - 1}, {out.data() + half * 8, {1}}, {next + header + half * 8, {1}}},
      {{1}, {out.data() + (count - 1) * 8, {1}}, {next + header + (count - 1) * 8, {1}}}};
  stream->move(blocks, {Precision::f64, false}, 1, Mover::engine);
  stream->signal({arrived(next)});
  stream->await({arrived(own)});
  std::vector<double> received(count);
  stream->copy(reinterpret_cast<std::byte*>(received.data()), own + header, bytes - header);
  stream->synchronize();
  EXPECT_EQ(received, expected);
}

INSTANTIATE_TEST_SUITE_P(All, Peers, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
