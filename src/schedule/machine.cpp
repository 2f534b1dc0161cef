#include "schedule/machine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "geometry/unknown_name.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

/// Of a rank: how many others of its group are on its node, as a share of all others. Rank 0 stands
/// for all.
double share_on_node(const Group& group, Index ranks, Index ranks_per_node) {
  if (ranks_per_node >= ranks) return 1;
  Index members = ranks, near = 0;
  for (const GridFactor& factor : group.fixed) members /= factor.parts;
  for (Index rank = 1; rank < ranks_per_node; ++rank) {
    if (group.color(rank) == group.color(0)) ++near;
  }
  return members > 1 ? static_cast<double>(near) / static_cast<double>(members - 1) : 1;
}

/// Of what a rank has, of a few that keep little. Where blocks are only dealt anew, the first rank
/// keeps all that it has.
double share_kept(const ArrayState& before, const ArrayState& after) {
  const Index ranks = before.layout.distribution.ranks();
  double least = 1;
  for (const Index rank : {Index{0}, std::min<Index>(1, ranks - 1), ranks / 2, ranks - 1}) {
    const Box mine = before.box(rank);
    if (mine.empty()) continue;
    const Index kept = intersection(mine, after.box(rank)).count();
    least = std::min(least, static_cast<double>(kept) / static_cast<double>(mine.count()));
  }
  return least;
}

/// Elements of a rank of the first node, on average: balanced splits give the first ranks most. The
/// ranks of a node share its link, so it does not matter which of them has how much.
double mean_count_on_node(const ArrayState& state, Index ranks_per_node) {
  const Index ranks = std::min(ranks_per_node, state.layout.distribution.ranks());
  double count = 0;
  for (Index rank = 0; rank < ranks; ++rank) count += static_cast<double>(state.box(rank).count());
  return count / static_cast<double>(ranks);
}

/// Of what a node sends to the others, as far as they are many.
double share_beyond_island(Index ranks, const Machine& machine) {
  const double nodes =
      std::ceil(static_cast<double>(ranks) / static_cast<double>(machine.ranks_per_node));
  return std::max(0.0, 1 - machine.island_nodes / nodes);
}

/// Number of parts that rank 0 sends, its own included, where rules give the parts.
double parts_sent(const Distribution& before, const Distribution& after, const Extents& shape) {
  double count = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    const GridAxis& from = before.grid()[axis];
    const GridAxis& to = after.grid()[axis];
    if (from == to) continue;
    const Index spanned = to.parts / from.parts + (to.parts % from.parts == 0 ? 0 : 1);
    count *= static_cast<double>(std::min({spanned, to.parts, shape[axis]}));
  }
  return count;
}

double bytes_of(const ArrayState& state, Precision precision) {
  return static_cast<double>(state.layout.distribution.largest_count(state.shape)) *
         static_cast<double>(element_bytes(state.complex, precision));
}

/// Reads the array and writes it.
double memory_seconds(const ArrayState& before, const ArrayState& after, Precision precision,
                      const Machine& machine) {
  const double bytes = bytes_of(before, precision) + bytes_of(after, precision);
  if (bytes <= machine.cache_bytes) return bytes / machine.cache_bandwidth;
  const double beyond = std::max(bytes - machine.memory_reach, 0.0);
  return (bytes + beyond * (machine.memory_taper - 1)) / machine.memory_bandwidth;
}

/// Libraries have no kernels for large prime factors; they make other lengths of such ones. Small
/// odd factors took 1.2 to 1.4 times as long as powers of two with Stockham's algorithm and with
/// FFTW.
double flops_of_length(Index n, const Machine& machine) {
  constexpr Index largest_factor = 13;
  constexpr double odd_factors = 1.3;
  const bool is_power_of_two = n > 0 && (n & (n - 1)) == 0;
  for (Index factor = 2; factor <= largest_factor; ++factor) {
    while (n > 0 && n % factor == 0) n /= factor;
  }
  return n > 1             ? machine.prime_flops
         : is_power_of_two ? machine.flops
                           : machine.flops / odd_factors;
}

}  // namespace

std::vector<std::pair<std::string_view, double*>> figures(Machine& machine) {
  return {{"memory_bandwidth", &machine.memory_bandwidth},
          {"memory_reach", &machine.memory_reach},
          {"memory_taper", &machine.memory_taper},
          {"cache_bytes", &machine.cache_bytes},
          {"cache_bandwidth", &machine.cache_bandwidth},
          {"flops", &machine.flops},
          {"prime_flops", &machine.prime_flops},
          {"node.bandwidth", &machine.node.bandwidth},
          {"node.latency", &machine.node.latency},
          {"network.bandwidth", &machine.network.bandwidth},
          {"network.latency", &machine.network.latency},
          {"network.island_nodes", &machine.island_nodes},
          {"network.taper", &machine.taper}};
}

void set_figure(Machine& machine, const std::string& name, const std::string& value) {
  const auto fields = figures(machine);
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& one) { return one.first == name; });
  if (field == fields.end()) {
    std::vector<std::string_view> known;
    for (const auto& [one, target] : fields) known.push_back(one);
    throw unknown_name("figure", name, known);
  }
  const bool is_factor = value.ends_with('x');
  const char* const end = value.data() + value.size() - (is_factor ? 1 : 0);
  double number = 0;
  const auto [next, status] = std::from_chars(value.data(), end, number);
  if (status != std::errc{} || next != end || !std::isfinite(number) || number <= 0) {
    throw Error("figure " + name + " '" + printable(value, printable_excerpt) +
                "': give a positive number or a factor, such as " + name + "=2e9 or " + name +
                "=4x");
  }
  *field->second = is_factor ? *field->second * number : number;
}

Traffic traffic(const ArrayState& before, const ArrayState& after, const Group& group,
                Index bytes_per_element, const Machine& machine) {
  const Distribution &from = before.layout.distribution, &to = after.layout.distribution;
  const double largest = static_cast<double>(
      std::max(from.largest_count(before.shape), to.largest_count(before.shape)));
  const double own = share_kept(before, after);
  const double sent_bytes = (1 - own) * static_cast<double>(bytes_per_element);
  double parts = 0;
  if (from.is_grid() && to.is_grid()) {
    parts = parts_sent(from, to, before.shape);
  } else {
    to.for_each_overlap(before.shape, before.box(0), [&](Index, const Box&) { ++parts; });
  }
  const double messages = std::max(parts - (own > 0 ? 1 : 0), 0.0);
  const double near = share_on_node(group, from.ranks(), machine.ranks_per_node);
  const double of_node = near < 1 ? std::max(mean_count_on_node(before, machine.ranks_per_node),
                                             mean_count_on_node(after, machine.ranks_per_node))
                                  : 0;
  return {.node_bytes = largest * sent_bytes * near,
          .network_bytes = of_node * sent_bytes * (1 - near),
          .node_messages = messages * near,
          .network_messages = messages * (1 - near),
          .far = share_beyond_island(from.ranks(), machine)};
}

double seconds(const Traffic& traffic, const Machine& machine) {
  const double within = traffic.node_bytes / machine.node.bandwidth;
  const double slower = 1 + traffic.far * (machine.taper - 1);
  const double between = traffic.network_bytes > 0
                             ? slower * traffic.network_bytes *
                                   static_cast<double>(machine.ranks_per_node) /
                                   machine.network.bandwidth
                             : 0;
  return std::max(within, between) + traffic.node_messages * machine.node.latency +
         traffic.network_messages * machine.network.latency;
}

double sent_per_second(const Machine& machine, Index ranks) {
  if (machine.ranks_per_node >= ranks) return machine.node.bandwidth;
  return machine.network.bandwidth / static_cast<double>(machine.ranks_per_node);
}

double predicted_seconds(const Stage& stage, Precision precision, const Machine& machine) {
  if (const auto* move = std::get_if<RedistributeStage>(&stage)) {
    Traffic sent = traffic(move->before, move->after, move->group,
                           element_bytes(move->before.complex, precision), machine);
    const auto chunks = static_cast<double>(move->chunks().size());
    sent.node_messages *= chunks;
    sent.network_messages *= chunks;
    return seconds(sent, machine);
  }
  const auto& local = std::get<LocalStage>(stage);
  // Twice as many numbers of single precision are in a vector; cosine and sine transforms are made
  // of others, with work before and after.
  const bool keeps_real = !local.before.complex && !local.after.complex;
  const double effort = (precision == Precision::f32 ? 0.5 : 1) * (keeps_real ? 2.5 : 1);
  double seconds = memory_seconds(local.before, local.after, precision, machine);
  for (int axis : local.axes) {
    const Index n = std::max(local.before.shape[axis], local.after.shape[axis]);
    const double points = bytes_of(local.after, precision) / element_bytes(true, precision);
    seconds += effort * 5 * points * std::log2(std::max(static_cast<double>(n), 2.0)) /
               flops_of_length(n, machine);
  }
  return seconds;
}

double predicted_seconds(const Schedule& schedule, Precision precision, const Machine& machine) {
  const std::size_t stages = schedule.stages.size();
  // Entry i + 1 is that of stage i. Messages are packed and unpacked by a pass on either side; one
  // that transforms nothing is no stage.
  std::vector<double> passes(stages + 2, 0);
  std::vector<double> moves(stages, 0);
  for (std::size_t i = 0; i < stages; ++i) {
    const double predicted = predicted_seconds(schedule.stages[i], precision, machine);
    const auto* move = std::get_if<RedistributeStage>(&schedule.stages[i]);
    (move != nullptr ? moves[i] : passes[i + 1]) = predicted;
    if (move == nullptr) continue;
    if (i == 0) passes[0] = memory_seconds(move->before, move->before, precision, machine);
    const bool last = i + 1 == stages;
    if (last || std::holds_alternative<RedistributeStage>(schedule.stages[i + 1])) {
      passes[i + 2] += memory_seconds(move->after, move->after, precision, machine);
    }
  }
  double total = 0;
  for (const double pass : passes) total += pass;
  for (std::size_t i = 0; i < stages; ++i) {
    total += moves[i];
    const auto* move = std::get_if<RedistributeStage>(&schedule.stages[i]);
    const auto chunks = move == nullptr ? 1.0 : static_cast<double>(move->chunks().size());
    const double under_way = (chunks - 1) / chunks;
    double hidden = 0;
    for (double* pass : {&passes[i], &passes[i + 2]}) {
      const double part = std::min(*pass * under_way, moves[i] * under_way - hidden);
      *pass -= part;
      hidden += part;
    }
    total -= hidden;
  }
  return total;
}

}  // namespace weft
