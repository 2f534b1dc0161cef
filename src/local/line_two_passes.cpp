#include "local/line_two_passes.hpp"

#include "device/alignment.hpp"

namespace weft {

TwoPasses::TwoPasses(const LineRunner& runner, const LocalProblem& problem, Index points)
    : runner_(runner), problem_(problem), to_work_(problem), from_work_(problem) {
  Index numbers = points;
  for (int i = problem.batch.size() - 1; i >= 0; --i) {
    to_work_.batch[i].out_stride = from_work_.batch[i].in_stride = numbers;
    numbers *= problem.batch[i].length;
  }
  to_work_.scale = 1;
  work_bytes_ = aligned_up(static_cast<std::size_t>(numbers * bytes_of({problem.precision, true})));
}

}  // namespace weft
