#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/progress_engine.hpp"
#include "pass/array_view.hpp"
#include "redistribution/codec_levels.hpp"
#include "redistribution/error_sums.hpp"

namespace weft {

/// One chunk of one redistribution in one direction: sends what the passes before have packed, and
/// when it has arrived, sees to it that the promised error is kept.
class Redistribution : public Pending {
 public:
  /// Its memory.
  struct Buffers {
    BufferId send = no_buffer;  ///< of packed messages, or the array
    BufferId receive = no_buffer;
    BufferId work = no_buffer;        ///< that the exchange works in
    BufferId array_from = no_buffer;  ///< arrays that a packer works on
    BufferId array_to = no_buffer;
    std::vector<BufferId> sends = {};  ///< each message by itself
    std::vector<BufferId> receives = {};
  };

  /// What the last run did, over all ranks; the same on all of them.
  struct Use {
    double squared_error = 0;
    double squared_norm = 0;
    Index bytes = 0;        ///< sent by this rank to others
    Index plain_bytes = 0;  ///< what they would have been uncompressed
    std::string codec;      ///< empty: uncompressed
    double predicted = 0;   ///< relative error by the model
    bool broken = false;    ///< Inf, NaN or overflow
    int repeated = 0;       ///< times that the messages were sent again with more bits
  };

  /// Of the exchanges there is one for each level. `everybody` is the plan's communicator, over
  /// which errors are summed up; `compressor` the name of what compresses the numbers themselves,
  /// if anything does. The stream is that of passes.
  Redistribution(std::vector<std::unique_ptr<Exchange>> exchanges, CodecLevels levels,
                 std::string compressor, const Communicator& everybody, Stream& stream);

  // --- while a plan is made

  /// Collective, when shared memory has been allocated.
  void bind();
  /// Those of any exchange: all have the same messages.
  const Exchange& messages() const { return *exchanges_.back(); }
  /// Of the larger ones that any exchange needs.
  Index send_bytes() const { return largest(&Exchange::send_bytes); }
  Index receive_bytes() const { return largest(&Exchange::receive_bytes); }
  Index work_bytes() const { return largest(&Exchange::work_bytes); }
  const CodecLevels& levels() const { return levels_; }
  bool may_repeat() const { return levels_.compresses(); }
  void set_buffers(Buffers buffers) { buffers_ = std::move(buffers); }
  const Buffers& buffers() const { return buffers_; }
  void set_packer(std::unique_ptr<Packer> packer, Index scratch_bytes) {
    packer_ = std::move(packer);
    scratch_bytes_ = scratch_bytes;
  }
  /// Of its packer.
  Index scratch_bytes() const { return scratch_bytes_; }
  MessageCodec& sends() { return sends_; }
  MessageCodec& receives() { return receives_; }

  // --- in a run

  /// Begins one: messages are packed as for the preferred level.
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

  const Use& use() const { return use_; }
  /// Sent by this rank to others in the last run, or in the first one as planned.
  Index bytes_sent() const;

 private:
  Exchange& exchange() { return *exchanges_[level_]; }
  Index largest(Index (Exchange::*bytes)() const) const;
  void use_level(std::size_t level, AddressTable& addresses);
  /// Whether the error is within what is allowed; known once all have arrived.
  bool is_kept() const;
  void climb(AddressTable& addresses);
  void accept();

  std::vector<std::unique_ptr<Exchange>> exchanges_;
  CodecLevels levels_;
  std::string compressor_;
  Buffers buffers_;
  std::size_t level_ = 0;
  std::size_t failed_level_ = 0;  // the last of this run that did too much harm
  double failed_error_ = 0;       // 0: none
  MessageCodec sends_;
  MessageCodec receives_;
  ErrorSums errors_;
  std::unique_ptr<Packer> packer_;
  Index scratch_bytes_ = 0;
  Use use_;
};

/// Those of a schedule: by redistribution, then by chunk.
using Redistributions = std::vector<std::vector<std::unique_ptr<Redistribution>>>;

}  // namespace weft
