#include "plan/channel.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Lest data near the limit are sent twice every other time.
constexpr double margin = 0.9;

}  // namespace

void Channel::expect_white_data() {
  rises.clear();
  for (std::size_t rung = 0; rung + 2 < rungs.size(); ++rung) {
    rises.push_back(rungs[rung].codec->predicted_error() /
                    rungs[rung + 1].codec->predicted_error());
  }
}

double Channel::rise(std::size_t coarser, std::size_t finer) const {
  double product = 1;
  for (std::size_t rung = coarser; rung < finer; ++rung) product *= rises[rung];
  return product;
}

std::size_t Channel::after_failure(std::size_t rung, double error, bool broken) const {
  const std::size_t last = rungs.size() - 1;
  if (broken) return last;
  std::size_t next = rung + 1;
  while (next < last && error / rise(rung, next) > allowed) ++next;
  return next;
}

void Channel::remember_failure(std::size_t failed, double failed_error, std::size_t rung,
                               double error) {
  if (rung + 1 >= rungs.size()) return;
  if (error == 0) {
    too_coarse_if_exact = rung;
    return;
  }
  const double seen = failed_error / error, thought = rise(failed, rung);
  // These data may be harder for the coarser codec than white noise is.
  if (seen > thought) rises[failed] *= seen / thought;
}

void Channel::learn(std::size_t rung, double error, bool broken) {
  if (broken) return;  // the next data may be sound
  const bool may_be_coarser = rung > 0 && rung + 1 < rungs.size();
  // Numbers with few digits have no error at all down to some number of bits.
  if (error == 0 && rung <= too_coarse_if_exact) {
    preferred = rung;
    return;
  }
  const bool too_good = may_be_coarser && error * rise(rung - 1, rung) <= margin * allowed;
  preferred = too_good ? rung - 1 : rung;
}

}  // namespace weft
