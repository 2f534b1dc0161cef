#include "plan/choose.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "device/cpu.hpp"
#include "exchange/agreement.hpp"
#include "exchange/node_map.hpp"
#include "plan/arguments.hpp"
#include "schedule/option_table.hpp"
#include "schedule/path.hpp"
#include "schedule/planner.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

/// Input and output of a tile on a device: enough work to fill an H200. (Tiles that stay in its
/// cache do not: planes of 512 x 512 took half as long again in tiles of 16 MiB.)
constexpr Index device_tile_bytes = Index{512} << 20;

/// What the second level does not hold is fetched, from the third level too, which other programs
/// use: while these were busy, 64^3 c2c on two ranks took 0.77 to 0.93 of the time and r2c 0.88 to
/// 1.07 (2 and 1 MiB each, 0.5 of second level); while they were not, 0.98 and 1.02, and smaller
/// arrays 1.03.
Index choose_fetch_bytes(Index stream_bytes) {
  return std::min(stream_bytes, static_cast<Index>(second_level_cache_bytes()));
}

/// Input, output and what lies between them share the caches with those of other ranks, and the
/// third level with other programs. Past them 256^3 on 8 to 32 ranks took 0.78 to 0.86 of the time
/// (8 to 32 MiB each, 2 MiB of second level and 9 to 37 of third), 72^3 on two at most 0.85 (3 MiB,
/// 0.5 and 16); 64^3 on two 1.5 times as long (2 MiB), 128^3 on 32 ranks 1.3 (1 MiB), on 8 as long
/// (4 MiB).
Index choose_stream_bytes(const Options& options, int ranks_on_node) {
  // On a device all memory is alike, so the output serves as workspace whatever its size.
  if (options.device != "host") return std::numeric_limits<Index>::max();
  if (options.stream_bytes >= 0) return options.stream_bytes;
  constexpr Index arrays = 3;
  const auto second = static_cast<Index>(second_level_cache_bytes());
  const auto third = static_cast<Index>(third_level_cache_share(ranks_on_node));
  return third > 0 ? (second + third / 2) / arrays : 16 * second;
}

/// Input and output of a rank, if all have equal parts.
Index bytes_of_array(const ResolvedProblem& problem) {
  Extents largest = problem.shape;
  for (int axis = 0; axis < largest.size(); ++axis) {
    largest[axis] = std::max(largest[axis], problem.spectral[axis]);
  }
  return product(largest) / problem.ranks * 2 *
         element_bytes(problem.complex_output(), problem.precision);
}

/// What carries messages between devices, of several machines too.
ExchangeChoice between_machines(const Context& context) {
  for (const ExchangeMethod& method : exchange_methods()) {
    if (method.name == std::string("nccl") && context.why_not(method).empty()) return {&method, ""};
  }
  return find_exchange("staged");
}

/// The smallest of all ranks.
CacheSizes agreed(const CacheSizes& own, const Communicator& comm) {
  Index bytes[2] = {own.tile, own.group};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_MIN, comm.get()),
            "MPI_Allreduce");
  return {bytes[0], bytes[1]};
}

/// Collective: ranks on different machines must build the same schedule.
CacheSizes agreed_caches(const Options& options, const ResolvedProblem& problem,
                         const Communicator& comm, int ranks_on_node) {
  if (options.device != "host") {
    // All axes that are whole are transformed in one call.
    const Index tile = options.tile_bytes > 0 ? options.tile_bytes : device_tile_bytes;
    return {tile, std::numeric_limits<Index>::max() / 4};
  }
  if (options.tile_bytes > 0) return agreed(CacheSizes(options.tile_bytes), comm);
  const auto second = static_cast<Index>(second_level_cache_bytes());
  const auto third = static_cast<Index>(third_level_cache_share(ranks_on_node));
  // A tile is read, transformed and written beside the data that streams through: half the
  // second-level cache took 0.8 to 1 of the time of a quarter from memory, and 0.95 to 1.02 for
  // arrays of 64^3 to 128^3 that stay in the third level. These are best worked on by planes and
  // then lines: with 32 MiB of third level whole arrays of 48^3 to 96^3 took half as long again
  // where other data had been used in between, and as long where not.
  const Index arrays = bytes_of_array(problem);
  if (arrays <= second + third) return agreed({second / 2, second}, comm);
  // Where arrays are far larger than the caches, rows as long as a page count for more than a tile
  // in the second level: with 0.5 MiB of it and 16 of third, tiles of 1.33 MiB took 0.7 to 0.96 of
  // the time for 160^3 to 512^3 and lines of 1000 to 2048 points (1.05 for 128^3).
  const Index in_third = third / threads_of_rank(options, ranks_on_node) / 12;
  const Index longer_rows = arrays > 2 * (second + third) ? std::min(3 * second, in_third) : 0;
  // Planes may fill twice that cache, or, input or output alone, two thirds of a rank's share of
  // both: for 256^3 that took a fifth to a third off with 1 MiB of second level, for 512^3 two
  // fifths with 2 MiB and 4.7 MiB of third.
  return agreed({std::max(second / 2, longer_rows), std::max(2 * second, (second + third) / 3 * 4)},
                comm);
}

/// Collective.
std::unique_ptr<ProgressEngine> make_progress_engine(const Options& options,
                                                     const Communicator& comm) {
  const bool thread = options.progress == ProgressBy::thread;
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  collectively(comm, [&] {
    if (!thread || provided == MPI_THREAD_MULTIPLE) return;
    throw Error("progress by a thread needs MPI_THREAD_MULTIPLE: call MPI_Init_thread with it",
                ErrorCode::unsupported);
  });
  return std::make_unique<ProgressEngine>(thread);
}

/// Collective.
Options with_environment(const Options& options, const Communicator& comm) {
  const std::string text = broadcast(comm, options_of_environment(), 0);
  try {
    return text.empty() ? options : with_defaults(options, text);
  } catch (const Error& error) {
    throw Error("WEFT_* of the environment: " + std::string(error.what()));
  }
}

/// Collective over `node`: whether another of its ranks works on a device of this identity.
bool is_shared(std::string identity, const Communicator& node) {
  constexpr std::size_t bytes = 128;
  identity.resize(bytes);
  std::string all(bytes * static_cast<std::size_t>(node.size()), '\0');
  check_mpi(
      MPI_Allgather(identity.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, node.get()),
      "MPI_Allgather");
  int found = 0;
  for (std::size_t at = 0; at < all.size(); at += bytes) {
    if (all.compare(at, bytes, identity) == 0) ++found;
  }
  return found > 1;
}

}  // namespace

void open_device(Context& context, const Communicator& node) {
  const Options& options = context.options;
  if (options.device == "host") {
    context.device = {&host_device(), [](Device*) {}};
    context.caller = {&host_stream(), [](Stream*) {}};
    return;
  }
  const Communicator& comm = context.comm;
  context.one_machine = node.size() == comm.size();
  collectively(comm, [&] {
    const DeviceMethod& method = find_device_that_is_here(options.device);
    const int count = method.count();
    const int number = options.device_number >= 0 ? options.device_number : node.rank() % count;
    if (number >= count) {
      throw Error("device " + std::to_string(number) + ": only " + std::to_string(count) +
                  " of kind '" + options.device + "' are visible to this process");
    }
    context.device_number = number;
    context.device = method.open(number);
    context.caller = context.device->adopt_stream(options.stream);
  });
  int shared = is_shared(context.device->info().identity, node) ? 1 : 0;
  context.device->set_shared(shared == 1);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, comm.get()), "MPI_Allreduce");
  context.own_devices = shared == 0;
}

std::unique_ptr<Context> choose(MPI_Comm comm_given, const Problem& given, const Options& asked,
                                const Known* known) {
  auto context = std::make_unique<Context>(Communicator::duplicate(comm_given));
  const Communicator& comm = context->comm;
  Options& options = context->options;
  options = with_environment(asked, comm);
  context->problem = resolve_collectively(given, options, comm);
  const Communicator node = Communicator::split_by_node(comm);
  context->machine.ranks_per_node = most_ranks_per_node(comm, node);
  context->node = number_of_node(comm, node);
  open_device(*context, node);
  context->given = options;
  context->key = wisdom_key(context->problem, options, context->machine.ranks_per_node,
                            threads_of_rank(options, node.size()), context->device->info(),
                            context->own_devices);
  context->known = known != nullptr ? *known : look_up(context->key, options.tune, comm);
  add_settings(context->known, options, comm,
               [&](const Options& added) { check_options(added, given.precision); });
  context->tunes = tries_settings(options.tune) && !context->known.has_settings();
  context->choices = choices(asked, context->given, options, context->known.why);
  set_figures(context->machine, context->known.figures);
  context->machine = machine_for(options, context->machine);
  // Only a network that was measured tells what there is to be hidden.
  if (options.chunks == 0 && context->known.figures.find("network.") != std::string::npos &&
      context->on_host() && context->machine.ranks_per_node < comm.size()) {
    options.chunks = predicted_chunks(context->problem, options, context->machine);
  }
  context->machine.caches = agreed_caches(options, context->problem, comm, node.size());
  context->threads = threads_of_rank(options, node.size());
  context->stream_bytes = choose_stream_bytes(options, node.size());
  context->fetch_bytes = choose_fetch_bytes(context->stream_bytes);
  context->backend = &find_local_backend(options.local, options.device);
  context->progress = make_progress_engine(options, comm);
  return context;
}

Machine machine_for(const Options& options, Machine machine) {
  const ExchangeMethod& method = *find_exchange(options.exchange).method;
  const bool stores = options.exchange == "auto"
                          ? machine.ranks_per_node > 1 && !compresses(options)
                          : method.traits.window == ExchangeTraits::node;
  if (stores && options.device == "host") {
    machine.node.bandwidth = std::numeric_limits<double>::infinity();
  }
  return machine;
}

std::vector<ExchangeChoice> exchanges_to_try(const Context& context) {
  const Options& options = context.options;
  const auto for_messages = [&](const ExchangeChoice& choice) -> ExchangeChoice {
    const char* twin = choice.method->packed_twin;
    if (twin == nullptr || !compresses(options)) return choice;
    return {find_exchange(twin).method, choice.parameter};
  };
  if (options.exchange != "auto") {
    const ExchangeChoice choice = find_exchange(options.exchange);
    const std::string why_not = context.why_not(*choice.method);
    if (!why_not.empty()) {
      throw Error("exchange '" + options.exchange + "': " + why_not + "; use '" +
                      (context.one_machine ? "peer" : between_machines(context).name()) +
                      "' or 'auto'",
                  ErrorCode::unsupported);
    }
    return {for_messages(choice)};
  }
  if (!context.on_host()) {
    if (!context.one_machine) return {between_machines(context)};
    return {for_messages(find_exchange("peer")), between_machines(context)};
  }
  // Where ranks share a node, nothing is faster than writing to the neighbor's memory; but what is
  // not packed cannot be compressed. Between nodes messages that set out together fill the links
  // that a collective exchange serves one after another, and leave the ranks to their work: 128^3
  // on four hosts of 400 Mbit/s took 0.65 to 0.98 of the time of alltoallv, at 1 Gbit/s as long.
  const std::string wire = "p2p";
  if (context.machine.ranks_per_node == 1 || compresses(options)) return {find_exchange(wire)};
  return {find_exchange("node_shared:" + wire), find_exchange(wire)};
}

}  // namespace weft
