#include "trace/part_times.hpp"

#include <mpi.h>

namespace weft {

void PartTimes::begin() {
  sum_ = {};
  used_marks_ = 0;
}

StageParts PartTimes::seconds() const {
  StageParts result = sum_;
  for (std::size_t i = 1; i < used_marks_; ++i) {
    if (marks_[i].part == nullptr) continue;
    result.*marks_[i].part +=
        stream_.device().seconds_between(*marks_[i - 1].event, *marks_[i].event);
  }
  return result;
}

void PartTimes::record(StagePart part) {
  if (used_marks_ == marks_.size()) marks_.push_back({stream_.device().make_event(), nullptr});
  stream_.record(*marks_[used_marks_].event);
  marks_[used_marks_++].part = part;
}

PartTimes::Watch::Watch(PartTimes* times, int threads) : times_(times), threads_(threads) {
  if (times_ == nullptr) return;
  if (times_->on_host_) {
    last_ = MPI_Wtime();
  } else {
    times_->record(nullptr);
  }
}

void PartTimes::Watch::take(StagePart part) {
  if (!times_->on_host_) return times_->record(part);
  const double now = MPI_Wtime();
  mine_.*part += now - last_;
  last_ = now;
}

PartTimes::Watch::~Watch() {
  if (times_ == nullptr || !times_->on_host_) return;
#pragma omp critical(weft_part_times)
  add_parts(times_->sum_, mine_, 1.0 / threads_);
}

}  // namespace weft
