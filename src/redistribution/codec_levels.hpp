#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "codec/codec.hpp"

namespace weft {

/// The codecs that the messages of a redistribution may have, each keeping more bits than the one
/// before, and at the end the numbers themselves: at which of these levels to begin, where to go on
/// after one whose error was too large, and what the data so far have taught.
class CodecLevels {
 public:
  /// `allowed` is the largest relative error, `moved` the share of the numbers that is encoded;
  /// what stays has no error.
  CodecLevels(std::vector<std::shared_ptr<const Codec>> codecs, double allowed, double moved);

  std::size_t count() const { return codecs_.size() + 1; }
  /// Whether there are any but the numbers themselves.
  bool compresses() const { return !codecs_.empty(); }
  /// Null at the last one.
  const Codec* codec(std::size_t level) const {
    return level < codecs_.size() ? codecs_[level].get() : nullptr;
  }
  /// To begin with.
  std::size_t preferred() const { return preferred_; }
  double allowed() const { return allowed_; }
  double moved() const { return moved_; }
  /// Relative error of one that has a codec, by the model.
  double predicted_error(std::size_t level) const;

  /// The one to try after this one failed with relative error `error`; the last always works.
  std::size_t after_failure(std::size_t level, double error, bool broken) const;
  /// Remembers what will do for data like this.
  void learn(std::size_t level, double error, bool broken);
  /// Remembers that a level failed where `level` did with relative error `error`.
  void remember_failure(std::size_t failed, double failed_error, std::size_t level, double error);

 private:
  double rise(std::size_t coarser, std::size_t finer) const;

  std::vector<std::shared_ptr<const Codec>> codecs_;
  double allowed_;
  double moved_;
  std::size_t preferred_ = 0;
  /// By what the error grows from the next finer level to this one; of all but the last two.
  std::vector<double> rises_;
  /// Below this level, data that it encodes without any error were too hard.
  std::size_t too_coarse_if_exact_ = 0;
};

}  // namespace weft
