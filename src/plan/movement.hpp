#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exchange/progress_engine.hpp"
#include "plan/channel.hpp"
#include "plan/device_sums.hpp"
#include "plan/pass.hpp"

namespace weft {

/// The memory of a movement.
struct MessageBuffers {
  BufferId send = -1;  ///< of packed messages, or the array
  BufferId receive = -1;
  BufferId work = -1;        ///< that the exchange works in
  BufferId array_from = -1;  ///< arrays that a packer works on
  BufferId array_to = -1;
  std::vector<BufferId> sends;  ///< each message by itself
  std::vector<BufferId> receives;
};

/// One redistribution, or one block of it, as a program carries it out: sends what the passes
/// before have packed, and when it has arrived, sees to it that the promised error is kept.
class Movement : public Pending {
 public:
  /// `everybody` is the plan's communicator, over which errors are summed up. The stream is
  /// that of passes.
  Movement(Channel& channel, MessageBuffers buffers, const Communicator& everybody,
           CopyElement element, Stream& stream);
  ~Movement() override;

  /// Begins a run: messages are packed as for the preferred rung.
  void prepare(AddressTable& addresses);
  bool ready();
  void release() { exchange().release(); }
  void start(AddressTable& addresses);
  bool test() override;
  /// Waits until the messages have arrived.
  void wait();
  /// After they have arrived: whether they may be unpacked. Where encoding them did more harm than
  /// allowed they set out again instead; `pack` packs them anew. All ranks do the same.
  template <class Pack>
  bool settle(AddressTable& addresses, Pack&& pack) {
    if (is_kept()) {
      accept();
      return true;
    }
    climb(addresses);
    pack();
    start(addresses);
    return false;
  }
  /// Whether start waits for other ranks.
  bool blocks() const;

  void set_packer(std::unique_ptr<Packer> packer, Index scratch_bytes) {
    packer_ = std::move(packer);
    scratch_bytes_ = scratch_bytes;
  }
  /// Of its packer.
  Index scratch_bytes() const { return scratch_bytes_; }
  Channel& channel() { return channel_; }
  const Channel& channel() const { return channel_; }
  /// Any rung's: all have the same messages.
  const Exchange& messages() const { return *channel_.rungs.back().exchange; }
  const MessageBuffers& buffers() const { return buffers_; }
  MessageCodec& sends() { return sends_; }
  MessageCodec& receives() { return receives_; }
  bool may_repeat() const { return channel_.compresses(); }

 private:
  Exchange& exchange() { return *channel_.rungs[rung_].exchange; }
  void use_rung(std::size_t rung, AddressTable& addresses);
  /// Whether the error is within what is allowed; known once all have arrived.
  bool is_kept() const;
  /// Whether the numbers cannot be encoded, or the error cannot be measured.
  bool is_broken() const;
  double error() const;
  void climb(AddressTable& addresses);
  void accept();
  void certify();

  Channel& channel_;
  MessageBuffers buffers_;
  MPI_Comm everybody_;
  CopyElement element_;
  std::size_t rung_ = 0;
  std::size_t failed_rung_ = 0;  // the last of this run that did too much harm
  double failed_error_ = 0;      // 0: none
  MessageCodec sends_;
  MessageCodec receives_;
  std::unique_ptr<DeviceSums> sums_;  // null on the host, and where nothing is encoded
  std::unique_ptr<Packer> packer_;
  Index scratch_bytes_ = 0;
  MPI_Request certificate_ = MPI_REQUEST_NULL;
  double mine_[4] = {0, 0, 0, 0};  // squared error, squared norm, whether broken, whether faint
  double all_[4] = {0, 0, 0, 0};
};

}  // namespace weft
