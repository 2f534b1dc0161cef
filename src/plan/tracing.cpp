#include "plan/tracing.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "exchange/agreement.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr int round_trips = 32;

/// A span as it is sent to rank 0; its texts are places in one text of all.
struct SentSpan {
  double begin, end;
  Index run, field, chunk;
  int place, lane, direction;
  int name_bytes, detail_bytes;
};

/// Bytes of all ranks one after another, on rank 0. Collective.
std::vector<char> gather(const Communicator& comm, const void* data, std::size_t bytes,
                         std::vector<int>& counts) {
  auto mine = static_cast<Index>(bytes);
  std::vector<Index> sizes(static_cast<std::size_t>(comm.size()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm.get()),
            "MPI_Allgather");
  std::vector<int> places;
  counts.clear();
  Index sum = 0;
  for (const Index size : sizes) {
    places.push_back(static_cast<int>(std::min<Index>(sum, std::numeric_limits<int>::max())));
    counts.push_back(static_cast<int>(size));
    sum += size;
  }
  if (sum > std::numeric_limits<int>::max()) {
    throw Error("a trace of " + std::to_string(sum) + " bytes is too large: record fewer runs");
  }
  std::vector<char> all(comm.rank() == 0 ? static_cast<std::size_t>(sum) : 0);
  check_mpi(MPI_Gatherv(data, static_cast<int>(bytes), MPI_BYTE, all.data(), counts.data(),
                        places.data(), MPI_BYTE, 0, comm.get()),
            "MPI_Gatherv");
  return all;
}

/// Collective.
std::vector<TraceSpan> gather(const Communicator& comm, const std::vector<TraceSpan>& mine) {
  std::vector<SentSpan> sent;
  std::string texts;
  for (const TraceSpan& span : mine) {
    sent.push_back({span.begin, span.end, span.run, span.field, span.chunk, span.place,
                    static_cast<int>(span.lane), static_cast<int>(span.direction),
                    static_cast<int>(span.name.size()), static_cast<int>(span.detail.size())});
    texts += span.name + span.detail;
  }
  std::vector<int> counts;
  const std::vector<char> all_texts = gather(comm, texts.data(), texts.size(), counts);
  const std::vector<char> all = gather(comm, sent.data(), sent.size() * sizeof(SentSpan), counts);
  std::vector<TraceSpan> spans;
  if (comm.rank() != 0) return spans;
  const auto* next = reinterpret_cast<const SentSpan*>(all.data());
  const char* text = all_texts.data();
  const auto take = [&](int bytes) {
    const std::string taken(text, static_cast<std::size_t>(bytes));
    text += bytes;
    return taken;
  };
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int count = counts[static_cast<std::size_t>(rank)] / static_cast<int>(sizeof(SentSpan));
    for (int i = 0; i < count; ++i, ++next) {
      const std::string name = take(next->name_bytes), detail = take(next->detail_bytes);
      spans.push_back({rank, next->place, static_cast<TraceLane>(next->lane), name, detail,
                       static_cast<Direction>(next->direction), next->run, next->field, next->chunk,
                       next->begin, next->end});
    }
  }
  return spans;
}

double largest_of(const Communicator& comm, double value) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  return value;
}

}  // namespace

Tracing::ClockDifference find_clock_difference(const Communicator& comm) {
  Tracing::ClockDifference found;
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

void Tracing::start(const Communicator& comm,
                    std::span<const std::unique_ptr<FieldPipeline>> pipelines) {
  if (is_on_) throw Error("a trace is being recorded already");
  clock_ = find_clock_difference(comm);
  double uncertainty = 0;
  collectively(comm, [&] {
    for (const auto& pipeline : pipelines) {
      pipeline->streams().recorder().start();
      uncertainty = std::max(uncertainty, pipeline->streams().recorder().uncertainty());
    }
  });
  clock_.uncertainty += largest_of(comm, uncertainty);
  call_ = -1;
  is_on_ = true;
  begin_ = MPI_Wtime();
  check_mpi(MPI_Bcast(&begin_, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
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
    span.begin -= clock_.seconds + begin_;
    span.end -= clock_.seconds + begin_;
  }
  // What lies in another one comes after it.
  std::sort(mine.begin(), mine.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
  });
  return {comm.size(), clock_.uncertainty, gather(comm, mine)};
}

}  // namespace weft
