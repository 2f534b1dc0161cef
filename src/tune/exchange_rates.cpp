#include "tune/exchange_rates.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "exchange/agreement.hpp"
#include "exchange/node_map.hpp"
#include "tune/block_transfer.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr Index whole_number = 16;  // bytes of a complex double
constexpr double seconds_of_sample = 0.005;
constexpr int most_runs = 1000;
constexpr int most_exchange_rounds = 10000;

void check_sizes(const ExchangeSizes& sizes, int ranks) {
  if (ranks < 2) throw Error("exchanges need at least 2 ranks, here is 1: start them with mpirun");
  // The calls of MPI count with 32 bits.
  const Index most = std::numeric_limits<int>::max() / ranks * whole_number;
  if (sizes.message < whole_number || sizes.message > most || sizes.message % whole_number != 0) {
    throw Error("message " + std::to_string(sizes.message) + ": must be a multiple of " +
                std::to_string(whole_number) + " up to " + std::to_string(most));
  }
  if (sizes.rounds < 1 || sizes.rounds > most_exchange_rounds) {
    throw Error("rounds " + std::to_string(sizes.rounds) + ": must be 1 to " +
                std::to_string(most_exchange_rounds));
  }
}

/// A way to move blocks, and how long it took in each round.
struct TimedExchange {
  std::unique_ptr<BlockTransfer> transfer;
  int repetitions = 1;
  std::vector<double> seconds;
};

/// Seconds of one exchange, as the slowest rank has it.
double sample(const Communicator& comm, BlockTransfer& transfer, int runs) {
  check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
  const double begin = MPI_Wtime();
  for (int i = 0; i < runs; ++i) transfer.run();
  transfer.synchronize();
  double seconds = (MPI_Wtime() - begin) / runs;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  return std::max(seconds, 1e-9);  // no clock sees less
}

/// Checked, warm, and with repetitions that fill a sample.
void prepare(const Communicator& comm, TimedExchange& contestant, Index place) {
  // The second time what was left of the first would be noticed.
  contestant.transfer->check(2 * place);
  contestant.transfer->check(2 * place + 1);
  double fastest = seconds_of_sample;
  for (int i = 0; i < 3; ++i) fastest = std::min(fastest, sample(comm, *contestant.transfer, 1));
  const double fitting = seconds_of_sample / fastest;
  contestant.repetitions = static_cast<int>(std::clamp(fitting, 1.0, double(most_runs)));
}

/// Collective: all that can be used, and why others cannot.
std::vector<TimedExchange> contestants(BlockSite& site, std::vector<ExchangeRates::LeftOut>& left) {
  std::vector<TimedExchange> result;
  for (const Collective call : {Collective::alltoall, Collective::alltoallv}) {
    result.push_back({make_collective_transfer(site, call), 1, {}});
  }
  const bool on_host = site.context.on_host();
  for (const ExchangeMethod& method : exchange_methods()) {
    if ((method.traits.memory == ExchangeTraits::host) != on_host) continue;
    std::string why = site.context.why_not(method);
    std::unique_ptr<BlockTransfer> transfer;
    if (why.empty()) {
      try {
        collectively(site.comm(), [&] { transfer = make_exchange_transfer(site, {&method, ""}); });
      } catch (const Error& error) {
        why = error.what();
      }
    }
    if (why.empty()) {
      result.push_back({std::move(transfer), 1, {}});
    } else {
      left.push_back({method.name, why});
    }
  }
  return result;
}

/// Between the values next to it.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

ExchangeRate rate_of(const TimedExchange& contestant, const TimedExchange& alltoall, Index bytes) {
  std::vector<double> rates, ratios;
  for (std::size_t round = 0; round < contestant.seconds.size(); ++round) {
    rates.push_back(static_cast<double>(bytes) / contestant.seconds[round]);
    ratios.push_back(alltoall.seconds[round] / contestant.seconds[round]);
  }
  return {contestant.transfer->name(), quartiles(contestant.seconds), quartiles(rates),
          quartiles(ratios).median};
}

/// Ranks on each node, and what leaves a node.
void describe_nodes(const BlockSite& site, ExchangeRates& result) {
  const NodeMap map(site.comm(), site.context.node);
  result.ranks = site.comm().size();
  result.nodes = map.nodes();
  for (int node = 0; node < map.nodes(); ++node) {
    const Index own = std::ssize(map.ranks(node));
    const Index others = result.ranks - (map.nodes() == 1 ? 1 : own);
    result.ranks_per_node = std::max(result.ranks_per_node, static_cast<int>(own));
    result.node_bytes = std::max(result.node_bytes, own * others * site.bytes);
  }
}

}  // namespace

ExchangeRates measure_exchange_rates(const Communicator& comm, const ExchangeSizes& sizes) {
  check_sizes(sizes, comm.size());
  BlockSite site(comm, sizes.device, sizes.message);
  ExchangeRates result;
  result.sizes = sizes;
  if (!site.context.on_host()) result.description = site.info().model;
  result.mpi_reaches_device = site.mpi_reaches_device();
  describe_nodes(site, result);
  std::vector<TimedExchange> all = contestants(site, result.left_out);
  for (std::size_t i = 0; i < all.size(); ++i) {
    prepare(site.comm(), all[i], static_cast<Index>(i));
  }
  for (Index round = 0; round < sizes.rounds; ++round) {
    for (TimedExchange& one : all) {
      one.seconds.push_back(sample(site.comm(), *one.transfer, one.repetitions));
    }
  }
  for (const TimedExchange& one : all) {
    result.rates.push_back(rate_of(one, all.front(), result.node_bytes));
  }
  return result;
}

}  // namespace weft
