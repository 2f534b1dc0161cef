#include "planner_threads.hpp"

#include <atomic>
#include <cstdlib>

#include "genuine.hpp"

namespace weft::fftw_mpi {

namespace {

/// What the program told the planner of a precision.
struct Told {
  std::atomic<bool> of_threads{false};
  std::atomic<int> threads{1};
};

Told& told(Precision precision) {
  static Told f32, f64;
  return precision == Precision::f32 ? f32 : f64;
}

thread_local bool calls_are_of_weft = false;

}  // namespace

int init_threads(Precision precision) {
  if (calls_are_of_weft) return 1;
  told(precision).of_threads = true;
  return genuine_threads(precision).init_threads();
}

void plan_with_nthreads(Precision precision, int threads) {
  Told& mine = told(precision);
  if (!calls_are_of_weft) {
    mine.of_threads = true;
    mine.threads = threads;
  }
  if (mine.of_threads) genuine_threads(precision).plan_with_nthreads(threads);
}

void cleanup_threads(Precision precision) {
  told(precision).of_threads = false;
  told(precision).threads = 1;
  genuine_threads(precision).cleanup_threads();
}

PlanningOfWeft::PlanningOfWeft(Precision precision) : precision_(precision) {
  calls_are_of_weft = true;
}

PlanningOfWeft::~PlanningOfWeft() {
  plan_with_nthreads(precision_, told(precision_).threads);
  calls_are_of_weft = false;
}

int PlanningOfWeft::threads() const {
  return std::getenv("WEFT_THREADS") != nullptr ? 0 : told(precision_).threads.load();
}

}  // namespace weft::fftw_mpi
