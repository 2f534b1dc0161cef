// `weft limits`: the ceilings of this machine or of its devices, and what exchanges reach.
#include "tune/limits.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "exchange_report.hpp"
#include "files/first_rank.hpp"
#include "geometry/human_units.hpp"
#include "trace/whole_file.hpp"
#include "tune/device_limits.hpp"
#include "tune/exchange_rates.hpp"
#include "weft/printable.hpp"
#include "whole_number.hpp"
#include "wisdom/known.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct LimitsCommand {
  std::string device = "host";
  Index bytes = Index{256} << 20;
  std::string machine;
  bool exchanges = false;
  Index message = ExchangeSizes{}.message;
  Index rounds = ExchangeSizes{}.rounds;
  std::string json;
};

Json curve(const std::vector<MessageTime>& times) {
  Json points = Json::array();
  for (const MessageTime& time : times) {
    points.push_back({{"bytes", time.bytes}, {"seconds", time.seconds}});
  }
  return points;
}

Json json_of(const std::optional<Link>& link) {
  if (!link) return nullptr;
  return {{"bandwidth", link->bandwidth}, {"latency", link->latency}};
}

Json json_of(const Limits& limits) {
  return {{"ranks", limits.ranks},
          {"memory_bytes_per_second", limits.memory_bytes_per_second},
          {"cache_bytes_per_second", limits.cache_bytes_per_second},
          {"cache_bytes", limits.cache_bytes},
          {"pair_bandwidth", curve(limits.pair)},
          {"alltoall", curve(limits.alltoall)},
          {"fft_flops", limits.fft_flops},
          {"prime_fft_flops", limits.prime_fft_flops},
          {"ranks_per_node", limits.ranks_per_node},
          {"node", json_of(limits.node)},
          {"network", json_of(limits.network)}};
}

Json json_of(const MoverRates& rates) {
  return {{"engine", rates.engine}, {"kernel", rates.kernel}};
}

Json json_of(const DeviceLimits& limits) {
  Json links = Json::array(), transforms = Json::array();
  for (const LinkRates& link : limits.links) {
    links.push_back({{"from", link.from},
                     {"to", link.to},
                     {"one_way", json_of(link.one_way)},
                     {"both_ways", json_of(link.both_ways)}});
  }
  for (const TransformRate& rate : limits.transforms) {
    transforms.push_back({{"precision", to_string(rate.precision)},
                          {"strided", rate.strided},
                          {"points", rate.points},
                          {"bytes_per_second", rate.bytes_per_second},
                          {"flops", rate.flops}});
  }
  return {{"ranks", limits.ranks},
          {"device", limits.device},
          {"description", limits.description},
          {"bytes", limits.bytes},
          {"memory_bytes_per_second", limits.memory_bytes_per_second},
          {"links", links},
          {"alltoall", json_of(limits.alltoall)},
          {"flag_seconds", limits.flag_seconds},
          {"to_device", limits.to_device},
          {"from_device", limits.from_device},
          {"both_directions", limits.both_directions},
          {"transforms", transforms}};
}

void print_curve(const char* title, const std::vector<MessageTime>& times) {
  if (times.empty()) return;
  std::printf("%s\n", title);
  for (const MessageTime& time : times) {
    std::printf("  %12s %12s %10.3f GB/s\n", human_bytes(static_cast<double>(time.bytes)).c_str(),
                human_seconds(time.seconds).c_str(),
                static_cast<double>(time.bytes) / time.seconds / 1e9);
  }
}

void print_link(const char* name, const std::optional<Link>& link, const char* of,
                const char* why_not) {
  if (link) {
    std::printf("%-9s %10.2f GB/s sent by %s, %s for a message\n", name, link->bandwidth / 1e9, of,
                human_seconds(link->latency).c_str());
  } else {
    std::printf("%-9s not measured: %s\n", name, why_not);
  }
}

void print(const Limits& limits) {
  std::printf("%d rank%s\n", limits.ranks, limits.ranks == 1 ? "" : "s");
  std::printf("memory    %10.2f GB/s read and written by all ranks together\n",
              limits.memory_bytes_per_second / 1e9);
  std::printf("caches    %10.2f GB/s read and written by all ranks together, up to %s each\n",
              limits.cache_bytes_per_second / 1e9, human_bytes(limits.cache_bytes).c_str());
  std::printf("transform %10.2f GFLOP/s in cache by all ranks together, %.2f of prime lengths\n",
              limits.fft_flops / 1e9, limits.prime_fft_flops / 1e9);
  print_link("node", limits.node, "a rank to others of its node, all at a time",
             "no two ranks share a node");
  print_link("network", limits.network, "a node to the others, all at a time",
             "all ranks are on one node");
  print_curve("message from the first to the last rank, one way", limits.pair);
  print_curve("MPI_Alltoall, bytes sent by each rank", limits.alltoall);
}

void print(const DeviceLimits& limits) {
  std::printf("%d x %s (%s), %s at a time\n", limits.ranks, limits.description.c_str(),
              limits.device.c_str(), human_bytes(static_cast<double>(limits.bytes)).c_str());
  std::printf("memory       %10.2f GB/s read and written by a kernel that copies\n",
              limits.memory_bytes_per_second / 1e9);
  std::printf("host link    %10.2f GB/s to the device, %.2f back, %.2f each way at the same time\n",
              limits.to_device / 1e9, limits.from_device / 1e9, limits.both_directions / 1e9);
  for (const TransformRate& rate : limits.transforms) {
    std::printf("transform    %10.2f GFLOP/s, %.2f GB/s read and written, %s, %lld %s points\n",
                rate.flops / 1e9, rate.bytes_per_second / 1e9, to_string(rate.precision).c_str(),
                static_cast<long long>(rate.points), rate.strided ? "strided" : "contiguous");
  }
  if (limits.links.empty()) return;
  std::printf("flag         %10s until a stream of another device goes on\n",
              human_seconds(limits.flag_seconds).c_str());
  std::printf("all to all   %10.2f GB/s out of each device by engines, %.2f by kernels\n",
              limits.alltoall.engine / 1e9, limits.alltoall.kernel / 1e9);
  std::printf("links, GB/s:   one way engine     kernel  both ways engine     kernel\n");
  for (const LinkRates& link : limits.links) {
    std::printf("  %3d -> %-3d %16.2f %10.2f %17.2f %10.2f\n", link.from, link.to,
                link.one_way.engine / 1e9, link.one_way.kernel / 1e9, link.both_ways.engine / 1e9,
                link.both_ways.kernel / 1e9);
  }
}

void write(const std::string& path, Machine machine, const Json& limits) {
  Json content;
  for (const auto& [name, value] : figures(machine)) content[std::string(name)] = *value;
  if (machine.ranks_per_node != Machine{}.ranks_per_node) {
    content["ranks_per_node"] = machine.ranks_per_node;
  }
  content["limits"] = limits;
  write_whole_file(path, content.dump() + "\n");
}

/// Plans find the figures there.
void remember(const Limits& limits) {
  if (wisdom_path().empty()) return;
  add_wisdom({{.machine = wisdom_node(limits.ranks_per_node),
               .settings = measured_figures(limits),
               .date = date_of_today()}});
  std::printf("remembered in %s\n", printable(wisdom_path()).c_str());
}
void remember(const DeviceLimits&) {}

template <class Measured>
void report(const Communicator& comm, const LimitsCommand& command, const Measured& limits) {
  on_first_rank(comm, [&] {
    print(limits);
    remember(limits);
    std::fflush(stdout);
    if (!command.machine.empty()) write(command.machine, machine_of(limits), json_of(limits));
    return std::string();
  });
}

void report_exchanges(const Communicator& comm, const LimitsCommand& command) {
  on_first_rank(comm, [&] {
    if (!command.json.empty()) check_whole_file(command.json);
    return std::string();
  });
  const ExchangeRates rates =
      measure_exchange_rates(comm, {command.device, command.message, command.rounds});
  const MachineInfo machine = machine_info(comm);
  on_first_rank(comm, [&] {
    std::fputs(exchange_table(rates, machine).c_str(), stdout);
    std::fflush(stdout);
    if (!command.json.empty()) write_whole_file(command.json, exchange_json(rates, machine));
    return std::string();
  });
}

void add_exchange_options(CLI::App& parser, LimitsCommand& command) {
  CLI::Option* exchanges = parser.add_flag("--exchanges", command.exchanges,
                                           "Instead measure the node bandwidth of every exchange, "
                                           "without transforms, beside MPI_Alltoall");
  parser
      .add_option("--message", command.message,
                  "Bytes that each rank sends to each other rank, with --exchanges")
      ->check(check_whole_number)
      ->capture_default_str()
      ->needs(exchanges);
  parser
      .add_option("--rounds", command.rounds,
                  "Number of rounds, in each of which all exchanges run in turn")
      ->check(check_whole_number)
      ->capture_default_str()
      ->needs(exchanges);
  parser.add_option("--json", command.json, "File to write, with --exchanges")
      ->type_name("FILE")
      ->needs(exchanges);
  for (const char* other : {"--bytes", "--machine"}) exchanges->excludes(other);
}

}  // namespace

void add_limits(CLI::App& app, Task& task) {
  auto command = std::make_shared<LimitsCommand>();
  CLI::App* parser = app.add_subcommand(
      "limits", "Measure the limits of this machine: memory, messages, exchange, transforms");
  parser
      ->add_option(
          "--device", command->device,
          "What to measure: the host, or a device of `weft list` with its links and FFT library")
      ->capture_default_str();
  parser
      ->add_option("--bytes", command->bytes,
                   "Size in bytes of the arrays that are copied, with a device")
      ->check(check_whole_number)
      ->capture_default_str();
  parser
      ->add_option("--machine", command->machine,
                   "Machine file to write, for `weft plan --machine` and `weft bench --machine`")
      ->type_name("FILE");
  add_exchange_options(*parser, *command);
  parser->footer(
      "From then on plans use the measured limits of the host (`weft wisdom`).\n"
      "Examples:\n"
      "  mpirun -n 16 weft limits --machine here.json\n"
      "  mpirun -n 4 weft limits --device cuda --machine gpus.json\n"
      "  mpirun -n 16 weft limits --exchanges --json exchanges.json");
  parser->callback([command, &task] {
    task = {true, [command](const Communicator& comm) {
              if (command->exchanges) {
                report_exchanges(comm, *command);
              } else if (command->device == "host") {
                report(comm, *command, measure_limits(comm));
              } else {
                report(comm, *command,
                       measure_device_limits(comm, command->device, command->bytes));
              }
              return 0;
            }};
  });
}

}  // namespace weft
