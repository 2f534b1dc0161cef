// Two processes that share memory of accelerators: of the same one or, where there are several, of
// two.
#include <mpi.h>

#include <cstring>

#include "device/accelerator_test.hpp"

namespace weft {
namespace {

class Peers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const DeviceMethod& method = find_device_method(GetParam());
    if (method.count() == 0) GTEST_SKIP() << "no GPU here";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    device = method.open(rank % method.count());
    stream = device->make_stream();
    mine = device->allocate(bytes, MemoryKind::shared);
    const SharedName name = device->share(mine);
    SharedName other{};
    MPI_Sendrecv(name.data(), sizeof name, MPI_BYTE, 1 - rank, 0, other.data(), sizeof other,
                 MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    theirs = device->map(other);
  }
  void TearDown() override {
    if (device == nullptr) return;
    stream->synchronize();
    device->unmap(theirs);
    MPI_Barrier(MPI_COMM_WORLD);
    device->free(mine, MemoryKind::shared);
  }

  /// Counters at the begin of shared memory: my epoch, what the other one tells me, and what I tell
  /// that I have read.
  std::uint64_t* counter(std::byte* memory, int number) const {
    return reinterpret_cast<std::uint64_t*>(memory) + number;
  }
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
  int rank = 0;
  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::byte* mine = nullptr;
  std::byte* theirs = nullptr;
};

TEST_P(Peers, MappedMemoryIsReached) {
  EXPECT_TRUE(reaches(*device, theirs));
  EXPECT_TRUE(reaches(*device, theirs + bytes - 1));
}

TEST_P(Peers, MemoryIsMappedAgain) {
  const SharedName name = device->share(mine);
  SharedName other{};
  MPI_Sendrecv(name.data(), sizeof name, MPI_BYTE, 1 - rank, 0, other.data(), sizeof other,
               MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::byte* const again = device->map(other);
  EXPECT_TRUE(reaches(*device, again));
  device->unmap(again);
  EXPECT_TRUE(reaches(*device, theirs));
}

/// Each rank moves a transposed block to the other one, round by round, with nothing but flags
/// between; nobody may overwrite what has not been read.
TEST_P(Peers, ExchangeByFlags) {
  constexpr int rounds = 50;
  constexpr Index rows = 200, columns = 200;
  static_assert(rows * columns == Index{count});
  const Flags arrived{counter(mine, 0), {counter(theirs, 1)}};
  const Flags wait_arrived{counter(mine, 0), {counter(mine, 1)}};
  const Flags read{counter(mine, 0), {counter(theirs, 2)}};
  const Flags wait_read{counter(mine, 0), {counter(mine, 2)}};
  const Buffer out(*device, count * sizeof(double)), in(*device, count * sizeof(double));
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> sent = values(rank, round);
    stream->copy(out.data(), reinterpret_cast<const std::byte*>(sent.data()), out.size());
    // The first time there is nothing to be read; later this is the epoch of the last round.
    stream->await(wait_read);
    const BlockMove block{
        {rows, columns}, {out.data(), {1, rows}}, {theirs + header, {columns, 1}}};
    const Mover mover = round % 2 == 0 ? Mover::kernel : Mover::automatic;
    stream->move(std::span(&block, 1), {Precision::f64, false}, 1, mover);
    stream->signal(arrived, true);
    stream->await(wait_arrived);
    stream->copy(in.data(), mine + header, in.size());
    stream->signal(read, false);
    std::vector<double> received(count);
    stream->copy(reinterpret_cast<std::byte*>(received.data()), in.data(), in.size());
    stream->synchronize();
    const std::vector<double> from = values(1 - rank, round);
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column) {
        ASSERT_EQ(received[static_cast<std::size_t>(row * columns + column)],
                  from[static_cast<std::size_t>(column * rows + row)]);
      }
    }
  }
}

TEST_P(Peers, CopyEnginesReachTheOther) {
  constexpr Index half = count / 2;
  const std::vector<double> sent = values(rank, 0), expected = values(1 - rank, 0);
  const Buffer out(*device, count * sizeof(double));
  stream->copy(out.data(), reinterpret_cast<const std::byte*>(sent.data()), out.size());
  const BlockMove blocks[] = {
      {{half}, {out.data(), {1}}, {theirs + header, {1}}},
      {{half - 1}, {out.data() + half * 8, {1}}, {theirs + header + half * 8, {1}}},
      {{1}, {out.data() + (count - 1) * 8, {1}}, {theirs + header + (count - 1) * 8, {1}}}};
  stream->move(blocks, {Precision::f64, false}, 1, Mover::engine);
  stream->signal({counter(mine, 0), {counter(theirs, 1)}}, true);
  stream->await({counter(mine, 0), {counter(mine, 1)}});
  std::vector<double> received(count);
  stream->copy(reinterpret_cast<std::byte*>(received.data()), mine + header, bytes - header);
  stream->synchronize();
  EXPECT_EQ(received, expected);
}

INSTANTIATE_TEST_SUITE_P(All, Peers, testing::ValuesIn(test::accelerators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
