#include "tune/block_transfer.hpp"

#include <complex>
#include <cstring>

#include "exchange/agreement.hpp"
#include "exchange/node_map.hpp"
#include "geometry/human_units.hpp"
#include "plan/choose.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

using Number = std::complex<double>;

/// The numbers of one block: each tells its place, the ranks and the run.
class Block {
 public:
  Block(Index ranks, Index from, Index to, Index seed)
      : label_(static_cast<double>((seed * ranks + from) * ranks + to)) {}
  Number operator[](Index place) const { return {static_cast<double>(place), label_}; }

 private:
  double label_;
};

std::string text_of(const Number& number) {
  std::string text(1, '(');
  text.append(exact_text(number.real())).append(", ").append(exact_text(number.imag()));
  return text.append(")");
}

}  // namespace

BlockSite::BlockSite(const Communicator& everybody, const std::string& device, Index block)
    : context(Communicator::duplicate(everybody.get())),
      streams([&]() -> FieldStreams {
        const Communicator node = Communicator::split_by_node(comm());
        context.node = number_of_node(comm(), node);
        context.options.device = device;
        open_device(context, node);
        return {0, *context.caller};
      }()),
      bytes(block) {
  collectively(comm(), [&] {
    scratch = Buffer(*context.device, static_cast<std::size_t>(bytes), MemoryKind::pinned);
  });
}

bool BlockSite::mpi_reaches_device() const {
  return context.on_host() || find_exchange("mpi").method->why_not(info()).empty();
}

void BlockTransfer::run() {
  move();
  if (site_.context.on_host()) read_lines();
  release();
}

void BlockTransfer::read_lines() {
  constexpr Index line = 64;
  std::uint64_t seen = 0, number = 0;
  for (int peer = 0; peer < site_.comm().size(); ++peer) {
    const std::byte* const block = incoming(peer);
    if (block == nullptr || peer == site_.comm().rank()) continue;
    for (Index at = 0; at < site_.bytes; at += line) {
      std::memcpy(&number, block + at, sizeof number);
      seen ^= number;
    }
  }
  seen_ = seen;
}

void BlockTransfer::check(Index seed) {
  collectively(site_.comm(), [&] { write_blocks(seed); });
  // Nobody may write to memory that is still to be poisoned.
  check_mpi(MPI_Barrier(site_.comm().get()), "MPI_Barrier");
  run();
  synchronize();
  collectively(site_.comm(), [&] { compare_blocks(seed); });
}

void BlockTransfer::write_blocks(Index seed) {
  constexpr int poison = 0xff;  // not a number
  const int rank = site_.comm().rank();
  auto* const numbers = reinterpret_cast<Number*>(site_.scratch.data());
  const auto copy = [&](std::byte* to) {
    site_.stream().copy(to, site_.scratch.data(), site_.scratch.size());
    site_.stream().synchronize();
  };
  for (int peer = 0; peer < site_.comm().size(); ++peer) {
    if (std::byte* const memory = outgoing(peer)) {
      const Block block(site_.comm().size(), rank, peer, seed);
      for (Index i = 0; i < site_.bytes / Index{sizeof(Number)}; ++i) numbers[i] = block[i];
      copy(memory);
    }
    if (std::byte* const memory = incoming(peer)) {
      std::memset(site_.scratch.data(), poison, site_.scratch.size());
      copy(memory);
    }
  }
}

void BlockTransfer::compare_blocks(Index seed) {
  const int rank = site_.comm().rank();
  const auto* const numbers = reinterpret_cast<const Number*>(site_.scratch.data());
  for (int peer = 0; peer < site_.comm().size(); ++peer) {
    const std::byte* const memory = incoming(peer);
    if (memory == nullptr) continue;
    site_.stream().copy(site_.scratch.data(), memory, site_.scratch.size());
    site_.stream().synchronize();
    const Block sent(site_.comm().size(), peer, rank, seed);
    for (Index i = 0; i < site_.bytes / Index{sizeof(Number)}; ++i) {
      if (numbers[i] == sent[i]) continue;
      throw Error(name_ + ": wrong result: number " + std::to_string(i) + " from rank " +
                      std::to_string(peer) + " is " + text_of(numbers[i]) + ", not " +
                      text_of(sent[i]),
                  ErrorCode::mpi);
    }
  }
}

}  // namespace weft
