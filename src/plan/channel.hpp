#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "codec/codec.hpp"
#include "exchange/exchange.hpp"

namespace weft {

/// One way for the messages of a channel to travel.
struct Rung {
  std::shared_ptr<const Codec> codec;  ///< null: uncompressed
  std::unique_ptr<Exchange> exchange;
};

/// What the last use of a channel did, over all ranks; the same on all of them.
struct ChannelUse {
  double squared_error = 0;
  double squared_norm = 0;
  Index bytes = 0;        ///< sent by this rank to others
  Index plain_bytes = 0;  ///< what they would have been uncompressed
  std::string codec;      ///< empty: uncompressed
  double predicted = 0;   ///< relative error by the model
  bool broken = false;    ///< Inf, NaN or overflow
  int repeated = 0;       ///< times that the messages were sent again with more bits
};

/// The exchanges that carry one redistribution, or one block of it, in one direction: a ladder of
/// codecs that keep more and more bits, and at its end the numbers themselves. Shared by the
/// programs of a plan that never run at the same time.
struct Channel {
  MPI_Comm group = MPI_COMM_NULL;  ///< of the exchanges
  std::vector<Rung> rungs;
  std::size_t preferred = 0;  ///< rung to begin with
  /// Largest relative error of this channel.
  double allowed = std::numeric_limits<double>::infinity();
  double moved = 1;       ///< share of the numbers that is encoded; what stays has no error
  bool lossless = false;  ///< messages are compressed as a whole, to a length that varies
  ChannelUse use;

  /// By what the error grows from the next finer rung to this one; of all but the last two.
  std::vector<double> rises;

  /// Below this rung, data that it encodes without any error were too hard.
  std::size_t too_coarse_if_exact = 0;

  bool compresses() const { return rungs.size() > 1; }
  /// Sets `rises` by the model, when all rungs are there.
  void expect_white_data();
  /// The rung to try after this one failed with relative error `error`; the last always works.
  std::size_t after_failure(std::size_t rung, double error, bool broken) const;
  /// Remembers what will do for data like this.
  void learn(std::size_t rung, double error, bool broken);
  /// Remembers that a rung failed where `rung` did with relative error `error`.
  void remember_failure(std::size_t failed, double failed_error, std::size_t rung, double error);

 private:
  double rise(std::size_t coarser, std::size_t finer) const;
};

/// The channels of all redistributions of a schedule: by redistribution, then by block.
using Channels = std::vector<std::vector<std::unique_ptr<Channel>>>;

}  // namespace weft
