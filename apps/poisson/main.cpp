// The program `poisson`: solves equations with known solutions and prints errors and orders.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "report.hpp"

namespace poisson {

namespace {

std::optional<double> order_between(const Trial& before, const Result& coarse, const Trial& trial,
                                    const Result& fine) {
  if (!(coarse.error > 0 && fine.error > 0)) return {};
  return std::log(coarse.error / fine.error) /
         std::log(before.equation.axes[0].spacing() / trial.equation.axes[0].spacing());
}

/// Throws weft::Error, with the same text on every rank, for what is wrong with the arguments or
/// with the results.
void solve_all(const CommandLine& given) {
  const std::vector<Series> all = given.series();
  Report report(given, MPI_COMM_WORLD);
  std::string wrong;
  for (const Series& series : all) {
    const Trial* before = nullptr;
    Result coarse;
    std::optional<double> order;
    for (const Trial& trial : series) {
      const Result result = run(trial, MPI_COMM_WORLD);
      if (before != nullptr) order = order_between(*before, coarse, trial, result);
      report.add(trial, result, order);
      if (result.bound && !(result.error <= *result.bound)) {
        wrong += to_string(trial.equation.points()) + " " + boundary_of(trial.equation) +
                 ": the error is above its bound; ";
      }
      before = &trial;
      coarse = result;
    }
    if (given.minimal_order > 0 && !(order && *order >= given.minimal_order)) {
      wrong += boundary_of(series.back().equation) + ": the order of convergence is too low; ";
    }
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
    if (rank == 0) {
      std::fprintf(stderr, "poisson: error: %s\n", weft::printable(error.what()).c_str());
    }
    return EXIT_FAILURE;
  } catch (const std::exception& error) {  // of this rank alone: the others wait for it
    std::fprintf(stderr, "poisson: error: %s\n", weft::printable(error.what()).c_str());
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
