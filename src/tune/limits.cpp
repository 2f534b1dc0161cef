#include "tune/limits.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "device/buffer.hpp"
#include "device/cpu.hpp"
#include "geometry/human_units.hpp"
#include "geometry/unknown_name.hpp"
#include "local/local_transform.hpp"

namespace weft {

namespace {

constexpr double seconds_per_figure = 0.03;
constexpr int most_repetitions = 1000;

/// Seconds of the slowest rank, best of as many repetitions as fit; `work` is collective.
template <class Work>
double best_time(const Communicator& comm, const Work& work) {
  const auto once = [&] {
    check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
    const double begin = MPI_Wtime();
    work();
    // Where ranks share cores, one works while others wait.
    check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
    double seconds = MPI_Wtime() - begin;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm.get()),
              "MPI_Allreduce");
    return seconds;
  };
  once();  // touches memory and opens connections
  double best = once();
  const double fitting = seconds_per_figure / std::max(best, 1e-9);
  const int repetitions = static_cast<int>(std::clamp(fitting, 3.0, double(most_repetitions)));
  for (int i = 0; i < repetitions; ++i) best = std::min(best, once());
  return best;
}

/// Calls work(thread) in each of the threads that a rank of a plan has.
template <class Work>
void in_threads(int threads, const Work& work) {
#pragma omp parallel num_threads(threads)
  work(static_cast<std::size_t>(omp_get_thread_num()));
}

/// Of all ranks, copying so many bytes each.
double copy_bandwidth(const Communicator& comm, int threads, std::size_t bytes) {
  const Buffer from(bytes), to(bytes);
  std::memset(from.data(), 1, bytes);
  const std::size_t part = bytes / static_cast<std::size_t>(threads);
  // Long enough to be timed.
  const std::size_t times = std::max<std::size_t>((64u << 20) / bytes, 1);
  const double seconds = best_time(comm, [&] {
    in_threads(threads, [&](std::size_t thread) {
      for (std::size_t i = 0; i < times; ++i) {
        std::memcpy(to.data() + thread * part, from.data() + thread * part, part);
      }
    });
  });
  return 2.0 * static_cast<double>(bytes * times) * comm.size() / seconds;
}

std::vector<MessageTime> pair_times(const Communicator& comm) {
  std::vector<MessageTime> times;
  constexpr Index most = Index{16} << 20;
  const int other = comm.rank() == 0 ? comm.size() - 1 : 0;
  const bool takes_part = comm.rank() == 0 || comm.rank() == comm.size() - 1;
  const Buffer buffer(static_cast<std::size_t>(most));
  std::memset(buffer.data(), 1, buffer.size());
  for (Index bytes = 8; bytes <= most && comm.size() > 1; bytes *= 4) {
    const int count = static_cast<int>(bytes);
    const double both_ways = best_time(comm, [&] {
      if (!takes_part) return;
      if (comm.rank() == 0) {
        check_mpi(MPI_Send(buffer.data(), count, MPI_BYTE, other, 0, comm.get()), "MPI_Send");
      }
      check_mpi(MPI_Recv(buffer.data(), count, MPI_BYTE, other, 0, comm.get(), MPI_STATUS_IGNORE),
                "MPI_Recv");
      if (comm.rank() != 0) {
        check_mpi(MPI_Send(buffer.data(), count, MPI_BYTE, other, 0, comm.get()), "MPI_Send");
      }
    });
    times.push_back({bytes, both_ways / 2});
  }
  return times;
}

std::vector<MessageTime> alltoall_times(const Communicator& comm) {
  std::vector<MessageTime> times;
  constexpr Index most = Index{64} << 20;
  const Buffer send(static_cast<std::size_t>(most)), receive(static_cast<std::size_t>(most));
  std::memset(send.data(), 1, send.size());
  for (Index bytes = 1024; bytes <= most && comm.size() > 1; bytes *= 4) {
    const int count = static_cast<int>(bytes / comm.size());
    if (count == 0) continue;
    const double seconds = best_time(comm, [&] {
      check_mpi(
          MPI_Alltoall(send.data(), count, MPI_BYTE, receive.data(), count, MPI_BYTE, comm.get()),
          "MPI_Alltoall");
    });
    times.push_back({Index{count} * comm.size(), seconds});
  }
  return times;
}

/// Each rank of `peers` sends `bytes` to each of the others, all of `everybody` at a time, as the
/// exchange p2p does: seconds of all.
double seconds_of_exchange(const Communicator& everybody, const Communicator& peers, Index bytes) {
  const auto size = static_cast<std::size_t>(peers.size()), block = static_cast<std::size_t>(bytes);
  const int count = static_cast<int>(bytes);
  const Buffer out(size * block), in(size * block);
  std::memset(out.data(), 1, out.size());
  std::vector<MPI_Request> requests;
  return best_time(everybody, [&] {
    requests.clear();
    for (int step = 1; step < peers.size(); ++step) {
      const int rank = (peers.rank() + step) % peers.size();
      const std::size_t place = static_cast<std::size_t>(rank) * block;
      check_mpi(MPI_Irecv(in.data() + place, count, MPI_BYTE, rank, 0, peers.get(),
                          &requests.emplace_back()),
                "MPI_Irecv");
      check_mpi(MPI_Isend(out.data() + place, count, MPI_BYTE, rank, 0, peers.get(),
                          &requests.emplace_back()),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  });
}

/// Collective: what a rank of `peers` sends to the others, of which one rank at least has some;
/// otherwise none. Messages are long and past all caches, but for the latency.
std::optional<Link> link_of(const Communicator& everybody, const Communicator& peers) {
  constexpr Index most = Index{64} << 20;  // of a rank
  constexpr double long_enough = 0.2;
  int others = peers.size() - 1;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &others, 1, MPI_INT, MPI_MAX, everybody.get()),
            "MPI_Allreduce");
  if (others == 0) return std::nullopt;
  Link link{0, seconds_of_exchange(everybody, peers, 8) / others};
  for (Index bytes = most / 64; bytes <= most; bytes *= 4) {
    const Index block = std::max<Index>(bytes / others, 1);
    const double seconds = seconds_of_exchange(everybody, peers, block);
    link.bandwidth = static_cast<double>(block) * others / seconds;
    if (seconds > long_enough) break;
  }
  return link;
}

double fft_rate(const Communicator& comm, int threads, Index points) {
  constexpr Index batch = 16;  // 64 KiB with 256 points: in the second-level cache
  LocalProblem problem;
  problem.transform = {{points, 1, 1}};
  problem.kinds = {Kind::c2c};
  problem.batch = {{batch, points, points}};
  const LocalBackend& chosen = find_local_backend("auto");
  const auto transform = (chosen.supports(problem) ? chosen : fallback_backend()).make(problem);
  const auto bytes = static_cast<std::size_t>(points * batch) * sizeof(std::complex<double>);
  struct Room {
    Buffer in, out, work;
  };
  std::vector<Room> rooms;
  for (int thread = 0; thread < threads; ++thread) {
    rooms.push_back({Buffer(bytes), Buffer(bytes), Buffer(transform->work_bytes())});
    auto* const numbers = reinterpret_cast<double*>(rooms.back().in.data());
    for (Index i = 0; i < 2 * points * batch; ++i) numbers[i] = 1 / static_cast<double>(i + 1);
  }
  const int rounds = points == 256 ? 64 : 8;
  const double seconds = best_time(comm, [&] {
    in_threads(threads, [&](std::size_t thread) {
      Room& room = rooms[thread];
      for (int i = 0; i < rounds; ++i) {
        transform->execute(room.in.data(), room.out.data(), room.work.data());
      }
    });
  });
  const double operations = 5.0 * static_cast<double>(points * batch) * rounds * threads *
                            std::log2(static_cast<double>(points));
  return operations * comm.size() / seconds;
}

}  // namespace

Limits measure_limits(const Communicator& comm) {
  Limits limits;
  limits.ranks = comm.size();
  const Communicator node = Communicator::split_by_node(comm);
  const int threads = threads_of_rank({}, node.size());
  const std::size_t second = second_level_cache_bytes();
  // Several times what a rank may find in any cache.
  limits.memory_bytes_per_second =
      copy_bandwidth(comm, threads, std::max<std::size_t>(64u << 20, 16 * second));
  const std::size_t cached =
      (second * static_cast<std::size_t>(threads) + third_level_cache_share(node.size()) / 2) / 3;
  limits.cache_bytes_per_second = copy_bandwidth(comm, threads, cached);
  limits.cache_bytes = 2.0 * static_cast<double>(cached);
  limits.pair = pair_times(comm);
  limits.alltoall = alltoall_times(comm);
  limits.fft_flops = fft_rate(comm, threads, 256);
  limits.prime_fft_flops = fft_rate(comm, threads, 139);
  limits.ranks_per_node = node.size();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &limits.ranks_per_node, 1, MPI_INT, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  const Communicator across = Communicator::split(comm.get(), node.rank(), comm.rank());
  limits.node = link_of(comm, node);
  limits.network = link_of(comm, across);
  if (limits.network) limits.network->bandwidth *= limits.ranks_per_node;
  return limits;
}

Machine machine_of(const Limits& limits) {
  Machine machine;
  machine.memory_bandwidth = limits.memory_bytes_per_second / limits.ranks;
  machine.cache_bytes = limits.cache_bytes;
  machine.cache_bandwidth = limits.cache_bytes_per_second / limits.ranks;
  machine.flops = limits.fft_flops / limits.ranks;
  machine.prime_flops = limits.prime_fft_flops / limits.ranks;
  machine.node = limits.node.value_or(machine.node);
  machine.network = limits.network.value_or(machine.network);
  if (limits.network) machine.ranks_per_node = limits.ranks_per_node;
  return machine;
}

std::string measured_figures(const Limits& limits) {
  Machine machine = machine_of(limits);
  std::vector<std::string> pairs;
  for (const auto& [name, value] : figures(machine)) {
    if ((name.starts_with("node.") && !limits.node) ||
        (name.starts_with("network.") && !limits.network)) {
      continue;
    }
    std::string pair(name);
    pairs.push_back(pair.append("=").append(exact_text(*value)));
  }
  return comma_list(pairs);
}

}  // namespace weft
