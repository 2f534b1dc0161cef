#include "wisdom/key.hpp"

#include <algorithm>
#include <sstream>

#include "device/cached_file.hpp"
#include "device/cpu.hpp"
#include "exchange/communicator.hpp"
#include "schedule/option_table.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

std::string text_of(const Layout& layout, const Extents& shape) {
  const Distribution& distribution = layout.distribution;
  std::string text = to_string(distribution);
  if (distribution.is_grid()) {
    bool is_block = false;
    Extents strides;
    for (const GridAxis& axis : distribution.grid()) {
      is_block = is_block || (axis.parts > 1 && axis.split == Split::block);
      strides.push_back(axis.parts > 1 ? axis.rank_stride : 0);
    }
    text += " ranks " + to_string(strides) + (is_block ? " in blocks" : "");
  } else {
    std::string boxes;  // there may be many
    for (Index rank = 0; rank < distribution.ranks(); ++rank) {
      boxes += to_string(distribution.box(shape, rank));
    }
    text += ' ';
    text += checksum(boxes);
  }
  const Memory& memory = layout.memory;
  if (!(memory.order == natural_order(shape.size()))) {
    text += " order ";
    text += to_string(memory.order);
  }
  for (const Extents* halo : {&memory.halo_lower, &memory.halo_upper}) {
    const bool is_there = std::any_of(halo->begin(), halo->end(), [](Index n) { return n > 0; });
    if (is_there) text += " halo " + to_string(*halo);
  }
  // They may differ between ranks, so that nobody can tell them all.
  if (!memory.strides.empty()) text += " strided";
  return text;
}

/// What a transform costs follows from that. A scale costs nothing.
std::string text_of(const ResolvedProblem& problem) {
  std::string text = to_string(problem.lengths) + " " + to_string(problem.kinds);
  if (problem.shape != problem.lengths) text += " of " + to_string(problem.shape);
  text += " to " + to_string(problem.spectral) + ", " + (problem.real ? "real " : "complex ") +
          to_string(problem.precision);
  return text + ", input " + text_of(problem.input, problem.shape) + ", output " +
         text_of(problem.output, problem.spectral);
}

}  // namespace

WisdomKey wisdom_key(const ResolvedProblem& problem, const Options& given, Index ranks_per_node,
                     int threads, const DeviceInfo& device, bool own_devices) {
  const std::string options = tuned_options(given);
  std::ostringstream what, machine;
  what << text_of(problem) << (options.empty() ? "" : "; ") << options;
  const std::string node = wisdom_node(std::min(ranks_per_node, problem.ranks));
  machine << node << ", " << problem.ranks << " ranks of " << threads
          << (threads == 1 ? " thread" : " threads");
  if (!device.is_host) machine << ", " << device.model << (own_devices ? "" : " that ranks share");
  machine << ", methods " << wisdom_version;
  return {what.str(), machine.str(), node};
}

std::string wisdom_node(Index ranks_per_node) {
  return cpu_model() + " x " + std::to_string(cores()) + ", " + std::to_string(ranks_per_node) +
         (ranks_per_node == 1 ? " rank" : " ranks") + " per node, " + mpi_library();
}

}  // namespace weft
