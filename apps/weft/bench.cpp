// `weft bench`: measures and verifies one transform of random data.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "bench_arrays.hpp"
#include "bench_measure.hpp"
#include "bench_report.hpp"
#include "case_options.hpp"
#include "command.hpp"
#include "exchange/agreement.hpp"
#include "exchange/exchange.hpp"
#include "execute.hpp"
#include "files/first_rank.hpp"
#include "kind/kind.hpp"
#include "machine_file.hpp"
#include "memory_needs.hpp"
#include "progress.hpp"
#include "result_check.hpp"
#include "text_file.hpp"
#include "timeline.hpp"
#include "verify/exact_samples.hpp"
#include "verify/random_field.hpp"
#include "weft/verify.hpp"
#include "weft/wisdom.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

constexpr std::uint64_t random_seed = 1;
constexpr std::uint64_t sample_seed = 1;

struct BenchCommand {
  CaseOptions given;
  int repeat = 10;
  std::string json;
  std::string wisdom;
  std::string timeline;
  std::string machine;
  Verbosity verbosity = Verbosity::normal;
};

/// The first run in each direction. Numbers stay where the plan works on them.
void verify(const Communicator& comm, Plan& plan, BenchArrays& arrays, BenchFigures& figures) {
  const PlanInfo& info = plan.info();
  const RandomField field(plan.input(), info.input_points, info.batch, random_seed);
  const auto exact = [&](Direction direction, std::span<std::byte> in) {
    return ExactSamples(description(plan), direction, in.data(), sample_count(plan), sample_seed,
                        arrays.stream());
  };
  collectively(comm, [&] {
    arrays.poison(arrays.out());
    arrays.poison(arrays.in());
    field.fill(arrays.in().data(), arrays.stream());
  });
  const ExactSamples spectrum = exact(Direction::forward, arrays.in());
  execute(plan, Direction::forward, arrays.in(), arrays.out());
  figures.report = plan.report();
  figures.forward_error = spectrum.error_of(arrays.out().data()).relative_l2;

  figures.has_no_roundtrip = !(info.modes == info.shape) || info.norm == Norm::none;
  std::optional<ExactSamples> result;
  if (figures.has_no_roundtrip) result.emplace(exact(Direction::backward, arrays.out()));
  if (!arrays.in_place()) arrays.poison(arrays.in());
  execute(plan, Direction::backward, arrays.out(), arrays.in());
  figures.roundtrip_error =
      result ? result->error_of(arrays.in().data()).relative_l2
             : field.relative_difference(arrays.in().data(), arrays.stream(), comm, info.threads);
  figures.error_bound = error_bound(plan, figures.report);
  figures.roundtrip_bound = figures.error_bound + error_bound(plan, plan.report());
}

/// 5 N log2 N operations of the usual count, half of it for real data, over the seconds.
double gflops_of(const Plan& plan, double seconds) {
  const double transformed =
      static_cast<double>(transformed_points(plan.info().shape, plan.info().kinds));
  const double points =
      static_cast<double>(product(plan.info().shape)) * static_cast<double>(plan.info().batch);
  const double operations = 5 * points * std::log2(transformed);
  return (plan.input().type.complex ? operations : operations / 2) / seconds / 1e9;
}

void import_wisdom(const Communicator& comm, const std::string& path, Precision precision) {
  if (path.empty()) return;
  collectively(comm, [&] {
    if (std::filesystem::exists(path)) import_fftw_wisdom(path, precision);
  });
}

MemoryNeeds memory_needs(const BenchCommand& command, const Problem& problem,
                         const Communicator& comm) {
  const auto& given = command.given;
  const ArrayBytes bytes(problem, comm);
  // Memory of devices is not that of the machine, and nothing is copied from there.
  const bool on_host = !given.plan.contains("device") || given.plan.at("device") == "host";
  const double field =
      given.in_place ? std::max(bytes.input, bytes.output) : bytes.input + bytes.output;
  return {on_host ? "input and output" : "",
          on_host ? static_cast<double>(given.fields) * field : 0};
}

int run(const BenchCommand& command, const Communicator& comm) {
  if (command.repeat < 1) {
    throw Error("repeat " + std::to_string(command.repeat) + ": must be positive");
  }
  const auto problem = problem_of(command.given);
  const Options options = plan_options(command.given);
  append_to_file(comm, command.json, "");
  if (!command.timeline.empty()) check_timeline(comm, command.timeline);
  std::optional<Machine> ceilings;
  if (!command.machine.empty()) {
    collectively(comm, [&] { ceilings = read_machine(command.machine); });
  }
  import_wisdom(comm, command.wisdom, problem.precision);

  std::vector<double> plan_seconds(1);
  Progress progress(comm.rank() == 0, command.verbosity);
  progress.begin("planning");
  const MemoryNeeds needs = memory_needs(command, problem, comm);
  std::optional<Plan> made;
  with_memory(comm, needs, [&] {
    check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
    const double start = MPI_Wtime();
    made.emplace(comm.get(), problem, options);
    plan_seconds[0] = MPI_Wtime() - start;
  });
  Plan& plan = *made;
  reduce_max(comm, plan_seconds);

  BenchFigures figures;
  figures.shape = plan.info().shape;
  figures.kinds = to_string(plan.info().kinds);
  figures.ranks = comm.size();
  figures.threads = plan.info().threads;
  figures.exchange = plan.info().exchange;
  figures.local = plan.info().local;
  figures.chunks = plan.info().chunks;
  figures.receive_chunks = plan.info().receive_chunks;
  figures.overlaps =
      std::max(plan.info().chunks, plan.info().receive_chunks) > 1 ||
      options.fields_in_flight > 1 ||
      find_exchange(plan.info().exchange).method->traits.window == ExchangeTraits::node;
  figures.plan_seconds = plan_seconds[0];
  figures.workspace_bytes = largest_of(comm, static_cast<Index>(plan.info().workspace_bytes));
  figures.shared_bytes = largest_of(comm, static_cast<Index>(plan.info().shared_bytes));
  figures.machine = machine_info(comm);
  figures.ceilings = ceilings;
  with_memory(comm, needs, [&] {
    BenchArrays arrays(comm, plan, options, command.given.fields, command.given.in_place);
    progress.begin("verifying");
    verify(comm, plan, arrays, figures);
    figures.bytes_sent = largest_of(comm, plan.info().bytes_sent);
    progress.begin("measuring");
    measure(comm, plan, arrays, command.repeat, figures, progress);
    if (!command.timeline.empty()) {
      progress.begin("tracing");
      figures.hidden = record_timeline(comm, plan, arrays, command.timeline);
    }
  });
  progress.end();
  figures.gflops =
      gflops_of(plan, figures.forward.median) * static_cast<double>(command.given.fields);

  if (comm.rank() == 0 && command.verbosity != Verbosity::quiet) {
    std::cout << bench_table(command.given, figures) << std::flush;
  }
  append_to_file(comm, command.json,
                 bench_json(command.given, options, command.repeat, figures) + "\n");
  if (!command.wisdom.empty()) {
    on_first_rank(comm, [&] {
      export_fftw_wisdom(command.wisdom, problem.precision);
      return std::string();
    });
  }
  const auto check = [&](const char* name, double error, double bound) {
    if (error <= bound) return;  // false for NaN
    char text[160];
    std::snprintf(text, sizeof text, "%s error %.3g is above the bound %.3g", name, std::abs(error),
                  bound);  // of NaN, which may have a sign
    throw Error(text);
  };
  check("forward", figures.forward_error, figures.error_bound);
  check("roundtrip", figures.roundtrip_error, figures.roundtrip_bound);
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Task& task) {
  auto command = std::make_shared<BenchCommand>();
  CLI::App* parser = app.add_subcommand(
      "bench", "Measure a transform of random data and verify it against an exact one");
  add_case_options(*parser, command->given);
  parser->add_option("--repeat", command->repeat, "Number of repetitions that are measured")
      ->check(check_whole_number)
      ->capture_default_str();
  parser->add_option("--json", command->json, "File to which a line of JSON is appended")
      ->type_name("FILE");
  parser
      ->add_option("--wisdom", command->wisdom,
                   "FFTW wisdom, read if it exists and written afterwards; one file for each "
                   "precision")
      ->type_name("FILE");
  parser
      ->add_option("--timeline", command->timeline,
                   "JSON file for ui.perfetto.dev: what every rank does when, in one run of each "
                   "direction")
      ->type_name("FILE");
  parser
      ->add_option("--machine", command->machine,
                   "File of `weft limits --machine`: show steps as fractions of these limits")
      ->type_name("FILE");
  add_verbosity(*parser, command->verbosity);
  parser->footer(
      "Examples:\n"
      "  mpirun -n 4 weft bench 256x256x256 --kinds r2c\n"
      "  mpirun -n 8 weft bench 512 512 512 --input pencil:0 --output pencil:2 --grid 2x4\n"
      "  mpirun -n 2 weft bench 128 128 128 --rigor measure --wisdom f64.wisdom --json out.json");
  parser->callback([command, &task] {
    task = {
        true, [command](const Communicator& comm) { return run(*command, comm); },
        command->given.plan.contains("progress") && command->given.plan.at("progress") == "thread"};
  });
}

}  // namespace weft
