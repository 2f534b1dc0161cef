#include "plan/channel.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

std::size_t Channel::after_failure(std::size_t rung, double error, bool broken) const {
  const std::size_t last = rungs.size() - 1;
  if (broken) return last;
  // Rungs are a bit apart, and a bit halves the error.
  const double bits = std::ceil(std::log2(error / allowed));
  const double step = std::clamp(bits, 1.0, static_cast<double>(rungs.size()));
  return std::min(rung + static_cast<std::size_t>(step), last);
}

void Channel::learn(std::size_t rung, double error, bool broken) {
  if (broken) return;  // the next data may be sound
  // A margin, lest data near the limit are sent twice every other time.
  constexpr double margin = 0.9;
  const bool too_good = rung + 1 < rungs.size() && 2 * error <= margin * allowed;
  preferred = too_good && rung > 0 ? rung - 1 : rung;
}

}  // namespace weft
