// `weft limits`: the ceilings of this machine.
#include "tune/limits.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "first_rank.hpp"
#include "schedule/describe.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

Json curve(const std::vector<MessageTime>& times) {
  Json points = Json::array();
  for (const MessageTime& time : times) {
    points.push_back({{"bytes", time.bytes}, {"seconds", time.seconds}});
  }
  return points;
}

Json limits_json(const Limits& limits) {
  return {{"ranks", limits.ranks},
          {"memory_bytes_per_second", limits.memory_bytes_per_second},
          {"pair_bandwidth", curve(limits.pair)},
          {"alltoall", curve(limits.alltoall)},
          {"fft_flops", limits.fft_flops}};
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

void print(const Limits& limits) {
  std::printf("%d rank%s\n", limits.ranks, limits.ranks == 1 ? "" : "s");
  std::printf("memory    %10.2f GB/s read and written by all ranks together\n",
              limits.memory_bytes_per_second / 1e9);
  std::printf("transform %10.2f GFLOP/s in cache by all ranks together\n", limits.fft_flops / 1e9);
  print_curve("message from the first to the last rank, one way", limits.pair);
  print_curve("MPI_Alltoall, bytes sent by each rank", limits.alltoall);
  std::fflush(stdout);
}

void write(const std::string& path, const Limits& limits) {
  const Machine machine = machine_of(limits);
  const Json content{{"memory_bandwidth", machine.memory_bandwidth},
                     {"exchange_bandwidth", machine.exchange_bandwidth},
                     {"message_latency", machine.message_latency},
                     {"flops", machine.flops},
                     {"limits", limits_json(limits)}};
  std::ofstream file(path);
  file << content.dump() << "\n" << std::flush;
  if (!file) throw Error("cannot write '" + path + "'");
}

}  // namespace

void add_limits(CLI::App& app, Task& task) {
  auto machine = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand(
      "limits", "Measure the ceilings of this machine: memory, messages, exchange, transforms");
  parser->add_option("--machine", *machine, "Machine file to write, for `weft plan --machine`");
  parser->footer("Example:\n  mpirun -n 16 weft limits --machine here.json");
  parser->callback([machine, &task] {
    task = {true, [machine](const Communicator& comm) {
              const Limits limits = measure_limits(comm);
              on_first_rank(comm, [&] {
                print(limits);
                if (!machine->empty()) write(*machine, limits);
                return std::string();
              });
              return 0;
            }};
  });
}

}  // namespace weft
