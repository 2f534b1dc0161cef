// The program `poisson`: solves equations with known solutions and prints errors and orders.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "command_line.hpp"

namespace poisson {

namespace {

/// Without two different errors above rounding there is none.
std::optional<double> order_between(const Trial& before, const Result& coarse, const Trial& trial,
                                    const Result& fine) {
  if (!(coarse.error > 0 && fine.error > 0)) return {};
  return std::log(coarse.error / fine.error) /
         std::log(before.equation.axes[0].spacing() / trial.equation.axes[0].spacing());
}

nlohmann::json record(const CommandLine& given, const Trial& trial, const Result& result,
                      std::optional<double> order, int ranks) {
  nlohmann::json shape;
  for (const Axis& axis : trial.equation.axes) shape.push_back(axis.points);
  nlohmann::json object{{"shape", shape},
                        {"boundary", given.boundary},
                        {"points", given.centring},
                        {"lengths", given.lengths},
                        {"lambda", given.lambda},
                        {"stencil", given.stencil},
                        {"precision", given.precision},
                        {"exchange", given.exchange},
                        {"ranks", ranks},
                        {"threads", result.threads},
                        {"error_l2", result.error},
                        {"error_max", result.largest_error},
                        {"removed_mean", result.removed_mean},
                        {"seconds", result.seconds},
                        {"bytes", result.bytes}};
  if (trial.equation.unbounded_axes() > 0) object["kernel"] = given.kernel;
  if (trial.options.tolerance) object["tolerance"] = *trial.options.tolerance;
  if (result.bound) object["bound"] = *result.bound;
  if (order) object["order"] = *order;
  return object;
}

/// Throws on every rank if the first one cannot write.
std::ofstream open_json(const std::string& path, int rank) {
  std::ofstream file;
  if (rank == 0) file.open(path, std::ios::app);
  int good = file.good() ? 1 : 0;
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (good == 0) throw weft::Error("'" + path + "' cannot be written");
  return file;
}

void print_line(const Trial& trial, const Result& result, std::optional<double> order) {
  const std::string shape = to_string(trial.equation.points());
  std::printf("%15s  %10.3e  %10.3e  %6s  %9.3e  %9.3f", shape.c_str(), result.error,
              result.largest_error, order ? std::to_string(*order).substr(0, 5).c_str() : "",
              result.seconds, static_cast<double>(result.bytes) / 1e6);
  if (result.bound) std::printf("  bound %.1e", *result.bound);
  if (result.mean_counts) {
    std::printf("  mean of f removed: %.6g", result.removed_mean);
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Throws Error, with the same text on every rank, for what is wrong with the arguments or with the
/// results.
void solve_all(const CommandLine& given) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<Trial> trials = given.trials();
  std::ofstream json;
  if (!given.json.empty()) json = open_json(given.json, rank);
  if (rank == 0) {
    std::printf("(%g - laplacian) u = f, %s, %d ranks\n%15s  %10s  %10s  %6s  %9s  %9s\n",
                given.lambda, given.describe().c_str(), ranks, "points", "L2 error", "max error",
                "order", "seconds", "MB sent");
  }
  std::string wrong;
  std::optional<Result> before;
  std::optional<double> order;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Result result = run(trials[i], MPI_COMM_WORLD);
    if (before) order = order_between(trials[i - 1], *before, trials[i], result);
    if (rank == 0) print_line(trials[i], result, order);
    if (json.is_open()) json << record(given, trials[i], result, order, ranks).dump() << std::endl;
    if (result.bound && !(result.error <= *result.bound)) {
      wrong += to_string(trials[i].equation.points()) + ": the error is above its bound; ";
    }
    before = result;
  }
  if (given.minimal_order > 0 && !(order && *order >= given.minimal_order)) {
    wrong += "the order of convergence is below " + std::to_string(given.minimal_order) + "; ";
  }
  if (!wrong.empty()) throw weft::Error(wrong.substr(0, wrong.size() - 2));
}

int command(int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    const CommandLine given = parse(argc, argv);
    if (given.help.empty()) {
      solve_all(given);
    } else if (rank == 0) {
      std::printf("%s", given.help.c_str());
    }
    return EXIT_SUCCESS;
  } catch (const weft::Error& error) {
    if (rank == 0) std::fprintf(stderr, "poisson: error: %s\n", error.what());
    return EXIT_FAILURE;
  } catch (const std::exception& error) {  // of this rank alone: the others wait for it
    std::fprintf(stderr, "poisson: error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    throw;
  }
}

}  // namespace

}  // namespace poisson

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const int status = poisson::command(argc, argv);
  // Launchers end all ranks when one of them exits with an error; the message must be out by then.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
