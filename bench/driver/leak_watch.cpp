#include "driver/leak_watch.hpp"

#include <algorithm>

namespace weft::bench {

namespace {

bool on_any_rank(bool condition, MPI_Comm comm) {
  int any = condition ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

}  // namespace

LeakWatch::LeakWatch(MPI_Comm comm, std::int64_t array_bytes)
    : comm_(comm),
      allowed_((std::int64_t{64} << 20) + array_bytes / 4),
      limit_(std::max(allowed_, available_memory() / 8)) {}

bool LeakWatch::too_much_after_pair() {
  const MemoryUse use = memory_use();
  const std::int64_t data = use.data - before_.data;
  resident_ += use.resident - before_.resident;
  data_ += data;
  smallest_ = std::min(pairs_ == 0 ? data : smallest_, data);
  largest_ = std::max(pairs_ == 0 ? data : largest_, data);
  ++pairs_;
  return on_any_rank(growth() > limit_, comm_);
}

bool LeakWatch::leaks() const {
  return on_any_rank(growth() > allowed_, comm_);
}

std::int64_t LeakWatch::growth_per_pair() const {
  if (pairs_ < 3 || leaks_pages()) return growth() / pairs_;
  return (data_ - largest_ - smallest_) / (pairs_ - 2);
}

}  // namespace weft::bench
