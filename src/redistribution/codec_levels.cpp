#include "redistribution/codec_levels.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Lest data near the limit are sent twice every other time.
constexpr double coarser_margin = 0.9;

}  // namespace

CodecLevels::CodecLevels(std::vector<std::shared_ptr<const Codec>> codecs, double allowed,
                         double moved)
    : codecs_(std::move(codecs)), allowed_(allowed), moved_(moved) {
  while (preferred_ + 1 < codecs_.size() && predicted_error(preferred_) > allowed_) ++preferred_;
  // As long as nothing else is known, data are like white noise.
  for (std::size_t level = 0; level + 1 < codecs_.size(); ++level) {
    rises_.push_back(codecs_[level]->predicted_error() / codecs_[level + 1]->predicted_error());
  }
}

double CodecLevels::predicted_error(std::size_t level) const {
  return codecs_[level]->predicted_error() * std::sqrt(moved_);
}

double CodecLevels::rise(std::size_t coarser, std::size_t finer) const {
  double product = 1;
  for (std::size_t level = coarser; level < finer; ++level) product *= rises_[level];
  return product;
}

std::size_t CodecLevels::after_failure(std::size_t level, double error, bool broken) const {
  const std::size_t last = count() - 1;
  if (broken) return last;
  std::size_t next = level + 1;
  while (next < last && error / rise(level, next) > allowed_) ++next;
  return next;
}

void CodecLevels::remember_failure(std::size_t failed, double failed_error, std::size_t level,
                                   double error) {
  if (level + 1 >= count()) return;
  if (error == 0) {
    too_coarse_if_exact_ = level;
    return;
  }
  const double seen = failed_error / error, thought = rise(failed, level);
  // These data may be harder for the coarser codec than white noise is.
  if (seen > thought) rises_[failed] *= seen / thought;
}

void CodecLevels::learn(std::size_t level, double error, bool broken) {
  if (broken) return;  // the next data may be sound
  const bool may_be_coarser = level > 0 && level + 1 < count();
  // Numbers with few digits have no error at all down to some number of bits.
  if (error == 0 && level <= too_coarse_if_exact_) {
    preferred_ = level;
    return;
  }
  const bool too_good =
      may_be_coarser && error * rise(level - 1, level) <= coarser_margin * allowed_;
  preferred_ = too_good ? level - 1 : level;
}

}  // namespace weft
