#include "plan/tracing.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

#include "exchange/agreement.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr int round_trips = 32;

/// How far the clock of this rank is ahead of that of rank 0.
struct ClockDifference {
  double seconds = 0;
  double uncertainty = 0;  // the largest of all ranks
};

/// What a span has beside its texts.
template <class Span>
auto numbers_of(Span& span) {
  return std::tie(span.rank, span.place, span.lane, span.direction, span.run, span.field,
                  span.chunk, span.begin, span.end);
}

/// Bytes of all ranks one after another, on rank 0. Collective.
std::string gather(const Communicator& comm, const std::string& mine) {
  const auto size = static_cast<Index>(mine.size());
  std::vector<Index> sizes(static_cast<std::size_t>(comm.size()));
  check_mpi(MPI_Allgather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm.get()),
            "MPI_Allgather");
  const Index sum = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  if (sum > std::numeric_limits<int>::max()) {
    throw Error("a trace of " + std::to_string(sum) + " bytes is too large: record fewer runs");
  }
  const std::vector<int> counts(sizes.begin(), sizes.end());
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::string all(comm.rank() == 0 ? static_cast<std::size_t>(sum) : 0, ' ');
  check_mpi(MPI_Gatherv(mine.data(), static_cast<int>(size), MPI_BYTE, all.data(), counts.data(),
                        places.data(), MPI_BYTE, 0, comm.get()),
            "MPI_Gatherv");
  return all;
}

/// Collective. The texts of a span follow its numbers, each with a zero at its end.
std::vector<TraceSpan> gather(const Communicator& comm, const std::vector<TraceSpan>& mine) {
  std::string bytes;
  const auto append = [&](const auto&... number) {
    (bytes.append(reinterpret_cast<const char*>(&number), sizeof number), ...);
  };
  for (const TraceSpan& span : mine) {
    std::apply(append, numbers_of(span));
    for (const auto& text : {span.name, span.detail}) bytes.append(text.c_str(), text.size() + 1);
  }
  const std::string all = gather(comm, bytes);
  std::vector<TraceSpan> spans;
  const char* next = all.data();
  const auto take = [&](auto&... number) {
    ((std::memcpy(&number, next, sizeof number), next += sizeof number), ...);
  };
  while (next != all.data() + all.size()) {
    TraceSpan& span = spans.emplace_back();
    std::apply(take, numbers_of(span));
    for (std::string* text : {&span.name, &span.detail}) {
      *text = next;
      next += text->size() + 1;
    }
  }
  return spans;
}

double largest_of(const Communicator& comm, double value) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  return value;
}

/// Collective: by the shortest of several messages there and back between rank 0 and each other
/// rank, half of which is the uncertainty.
ClockDifference find_clock_difference(const Communicator& comm) {
  ClockDifference found;
  const auto send = [&](double value, int to) {
    check_mpi(MPI_Send(&value, 1, MPI_DOUBLE, to, 0, comm.get()), "MPI_Send");
  };
  const auto receive = [&](int from) {
    double value = 0;
    check_mpi(MPI_Recv(&value, 1, MPI_DOUBLE, from, 0, comm.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    return value;
  };
  check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
  for (int other = 1; other < comm.size(); ++other) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < round_trips; ++i) {
      if (comm.rank() == 0) {
        receive(other);
        send(MPI_Wtime(), other);
      } else if (comm.rank() == other) {
        const double before = MPI_Wtime();
        send(before, 0);
        const double of_first = receive(0);
        const double after = MPI_Wtime();
        if (after - before >= shortest) continue;
        shortest = after - before;
        found = {before + shortest / 2 - of_first, shortest / 2};
      }
    }
  }
  found.uncertainty = largest_of(comm, found.uncertainty);
  return found;
}

}  // namespace

void Tracing::start(const Communicator& comm,
                    std::span<const std::unique_ptr<FieldPipeline>> pipelines) {
  if (is_on_) throw Error("a trace is being recorded already");
  const ClockDifference clock = find_clock_difference(comm);
  double uncertainty = 0;
  collectively(comm, [&] {
    for (const auto& pipeline : pipelines) {
      pipeline->streams().recorder().start();
      uncertainty = std::max(uncertainty, pipeline->streams().recorder().uncertainty());
    }
  });
  uncertainty_ = clock.uncertainty + largest_of(comm, uncertainty);
  call_ = -1;
  is_on_ = true;
  double begin = MPI_Wtime();
  check_mpi(MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
  begin_ = begin + clock.seconds;
}

Trace Tracing::stop(const Communicator& comm,
                    std::span<const std::unique_ptr<FieldPipeline>> pipelines) {
  if (!is_on_) throw Error("no trace is being recorded");
  is_on_ = false;
  std::vector<TraceSpan> mine;
  collectively(comm, [&] {
    for (const auto& pipeline : pipelines) pipeline->streams().synchronize();
    for (const auto& pipeline : pipelines) {
      for (TraceSpan& span : pipeline->streams().recorder().stop()) mine.push_back(std::move(span));
    }
  });
  for (TraceSpan& span : mine) {
    span.rank = comm.rank();
    span.begin -= begin_;
    span.end -= begin_;
  }
  // What lies in another one comes after it.
  std::sort(mine.begin(), mine.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
  });
  return {comm.size(), uncertainty_, gather(comm, mine)};
}

}  // namespace weft
