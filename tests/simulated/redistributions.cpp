// Writes the messages of a plan's redistributions, and what the cost model says of each:
//
//     redistributions SHAPE c2c|r2c slab|pencil RANKS RANKS_PER_NODE
//                     NETWORK_BANDWIDTH NETWORK_LATENCY NODE_BANDWIDTH NODE_LATENCY
//
// A line "redistribution SECONDS" with the number of each rank's group, then one "FROM TO BYTES"
// for each message.
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

#include "schedule/planner.hpp"

namespace {

using namespace weft;

Extents shape_of(const std::string& text) {
  std::istringstream in(text);
  Extents shape = Extents::filled(3, 0);
  for (int axis = 0; axis < 3; ++axis) {
    in >> shape[axis];
    in.ignore();
  }
  return shape;
}

void write(const RedistributeStage& stage, Index ranks, const Machine& machine) {
  const Index element = element_bytes(stage.before.complex, Precision::f64);
  const Traffic sent = traffic(stage.before, stage.after, stage.group, element, machine);
  std::printf("redistribution %.9e", seconds(sent, machine));
  for (Index rank = 0; rank < ranks; ++rank) {
    std::printf(" %lld", static_cast<long long>(stage.group.color(rank)));
  }
  std::printf("\n");
  for (Index rank = 0; rank < ranks; ++rank) {
    for (const MessageRegion& message : messages(stage, rank).sends) {
      if (message.peer == rank || message.region.empty()) continue;
      std::printf("%lld %lld %lld\n", static_cast<long long>(rank),
                  static_cast<long long>(message.peer),
                  static_cast<long long>(message.region.count() * element));
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 10) throw std::invalid_argument("nine arguments are needed");
  const bool slab = std::string(argv[3]) == "slab";
  const Index ranks = std::stoll(argv[4]);
  Machine machine;
  machine.ranks_per_node = std::stoll(argv[5]);
  machine.network = {std::stod(argv[6]), std::stod(argv[7])};
  machine.node = {std::stod(argv[8]), std::stod(argv[9])};
  Problem problem{.shape = shape_of(argv[1]),
                  .input = slab ? slab_split(0) : pencil_along(2),
                  .output = slab ? slab_split(1) : pencil_along(0)};
  if (std::string(argv[2]) == "r2c") problem.kinds = r2c;
  const Schedule schedule = plan_schedule(resolve(problem, ranks, 0), {}, machine);
  for (const Stage& stage : schedule.stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move != nullptr) write(*move, ranks, machine);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "redistributions: %s\n", error.what());
  return 1;
}
