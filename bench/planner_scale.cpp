// Time and memory of planning for one rank of very many: the planner is a pure function that looks
// at neighbors only. Exits with 1 when a rank of 1,048,576 takes more than 50 ms or 10 MB.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "schedule/planner.hpp"
#include "support/heap_count.hpp"

namespace weft::bench {

namespace {

constexpr double most_seconds = 0.050;
constexpr double most_bytes = 10e6;
constexpr Index tile_bytes = 1 << 20;

struct Cost {
  double seconds = 0;  ///< median
  double bytes = 0;    ///< largest use of the heap
  std::size_t stages = 0;
  std::size_t peers = 0;  ///< messages sent in all redistributions
};

/// Resolves the problem, plans, and lists the messages of one rank.
Cost plan_once(const Problem& given, Index ranks) {
  const Index rank = ranks * 2 / 3;
  test::reset_heap_count();
  const auto begin = std::chrono::steady_clock::now();
  const ResolvedProblem problem = resolve(given, ranks, rank);
  const Schedule schedule = plan_schedule(problem, {}, {.caches = tile_bytes});
  Cost cost;
  for (const Stage& stage : schedule.stages) {
    ++cost.stages;
    if (const auto* move = std::get_if<RedistributeStage>(&stage)) {
      cost.peers += messages(*move, rank).sends.size();
    }
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  cost.seconds = time.count();
  cost.bytes = static_cast<double>(test::heap_count().peak);
  return cost;
}

Cost median_of(int repeat, const Problem& given, Index ranks) {
  std::vector<double> seconds;
  Cost cost;
  for (int i = 0; i < repeat; ++i) {
    cost = plan_once(given, ranks);
    seconds.push_back(cost.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  cost.seconds = seconds[seconds.size() / 2];
  return cost;
}

int run() {
  struct Case {
    const char* name;
    LayoutSpec in, out;
    Kinds kinds;
  };
  const Case cases[] = {{"pencil:2 -> pencil:0, c2c", pencil_along(2), pencil_along(0), c2c},
                        {"pencil:2 -> pencil:0, r2c", pencil_along(2), pencil_along(0), r2c},
                        {"pencil:2 -> pencil:2, c2c", pencil_along(2), pencil_along(2), c2c},
                        {"brick -> brick, c2c", brick(), brick(), c2c}};
  bool good = true;
  std::printf("planning 32768^3 for one rank, median of 11\n%-26s %9s %7s %7s %10s %10s\n",
              "layouts", "ranks", "stages", "peers", "ms", "heap kB");
  for (const Case& each : cases) {
    for (const Index ranks : {Index{64}, Index{4096}, Index{65536}, Index{1048576}}) {
      const Cost cost = median_of(11,
                                  {.shape = {32768, 32768, 32768},
                                   .kinds = each.kinds,
                                   .input = each.in,
                                   .output = each.out},
                                  ranks);
      std::printf("%-26s %9lld %7zu %7zu %10.3f %10.1f\n", each.name, static_cast<long long>(ranks),
                  cost.stages, cost.peers, cost.seconds * 1e3, cost.bytes * 1e-3);
      good = good && cost.seconds <= most_seconds && cost.bytes <= most_bytes;
    }
  }
  std::printf("limits %.0f ms, %.0f MB: %s\n", most_seconds * 1e3, most_bytes * 1e-6,
              good ? "kept" : "NOT KEPT");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace weft::bench

int main() {
  return weft::bench::run();
}
