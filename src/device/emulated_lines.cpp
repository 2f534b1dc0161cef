#include "device/emulated_lines.hpp"

#include "device/line_work.hpp"

namespace weft {

namespace {

template <class Operation>
void run_threads(const LineWork& work) {
  for (std::uint32_t thread = 0; thread < work.threads; ++thread) {
    Operation::run(work, locate(work, thread));
  }
}

template <class Real>
void run_threads_of(const LineWork& work) {
  switch (work.step.operation) {
    case LineOperation::prepare_plain:
      return run_threads<PreparePlain<Real>>(work);
    case LineOperation::prepare_pairs:
      return run_threads<PreparePairs<Real>>(work);
    case LineOperation::finish_plain:
      return run_threads<FinishPlain<Real>>(work);
    case LineOperation::finish_parts:
      return run_threads<FinishParts<Real>>(work);
  }
}

}  // namespace

void run_lines(const LineStep& step) {
  const LineWork work = make_line_work(step);
  if (step.precision == Precision::f32) {
    run_threads_of<float>(work);
  } else {
    run_threads_of<double>(work);
  }
}

}  // namespace weft
