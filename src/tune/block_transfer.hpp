#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device/buffer.hpp"
#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"
#include "pass/context.hpp"

namespace weft {

/// The ranks that send blocks to each other, and the devices in whose memory these lie.
struct BlockSite {
  /// Collective. Blocks are of so many bytes, whole complex doubles.
  BlockSite(const Communicator& comm, const std::string& device, Index bytes);

  const Communicator& comm() const { return context.comm; }
  Stream& stream() const { return streams.compute(); }
  const DeviceInfo& info() const { return context.device->info(); }
  /// Whether this MPI library can be given memory of the device.
  bool mpi_reaches_device() const;

  Context context;
  FieldStreams streams;
  Index bytes;
  Buffer scratch;  ///< of the host, for one block
};

/// Moves a block of equal size from every rank to every other, again and again. Making and
/// destroying one is collective.
class BlockTransfer {
 public:
  virtual ~BlockTransfer() = default;
  const std::string& name() const { return name_; }
  /// Moves all blocks once. On the host the receiver also reads a number of each cache line: what
  /// others wrote to memory that it shares might otherwise never leave their caches. On a device it
  /// may return earlier: see synchronize().
  void run();
  void synchronize() { site_.streams.synchronize(); }
  /// Collective: poisons the memory where blocks arrive, moves new blocks, and throws Error on all
  /// ranks unless each number arrives as it was sent. The numbers depend on `seed`.
  void check(Index seed);

 protected:
  BlockTransfer(BlockSite& site, std::string name) : site_(site), name_(std::move(name)) {}

  BlockSite& site_;

 private:
  virtual void move() = 0;
  /// What has arrived was read.
  virtual void release() {}
  /// Where the block for a rank lies before a run, and where that from a rank lies afterwards; null
  /// for the own rank if its block stays where it is.
  virtual std::byte* outgoing(int peer) = 0;
  virtual std::byte* incoming(int peer) = 0;

  void read_lines();
  void write_blocks(Index seed);
  void compare_blocks(Index seed);

  std::string name_;
  std::uint64_t seen_ = 0;  // keeps reads from being left out
};

/// By an exchange, without packing. Where a pass would write messages to memory that the receiver
/// shares, copying a block there is a part of the run.
std::unique_ptr<BlockTransfer> make_exchange_transfer(BlockSite& site,
                                                      const ExchangeChoice& choice);

enum class Collective { alltoall, alltoallv };
/// By a call of MPI, own block included. Blocks on a device go through memory of the host where MPI
/// does not reach them.
std::unique_ptr<BlockTransfer> make_collective_transfer(BlockSite& site, Collective call);

}  // namespace weft
