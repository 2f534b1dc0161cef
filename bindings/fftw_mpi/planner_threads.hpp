#pragma once

#include "weft/kinds.hpp"

/// weft plans with FFTW too, whose planner it tells how many threads its own plans have. A program
/// must not notice: wisdom of a planner that knows of threads is not understood by one that does
/// not. So calls of fftw_init_threads and the like come by here, the program's and weft's.
namespace weft::fftw_mpi {

int init_threads(Precision precision);
void plan_with_nthreads(Precision precision, int threads);
void cleanup_threads(Precision precision);

/// While it lives, such calls of this thread are weft's.
class PlanningOfWeft {
 public:
  explicit PlanningOfWeft(Precision precision);
  /// Tells the planner again what the program has told it.
  ~PlanningOfWeft();
  PlanningOfWeft(const PlanningOfWeft&) = delete;
  PlanningOfWeft& operator=(const PlanningOfWeft&) = delete;

  /// Of weft's plans: as many as the program asks of FFTW's, so one if it does not ask. The
  /// variable WEFT_THREADS counts more: 0, so that it does.
  int threads() const;

 private:
  Precision precision_;
};

}  // namespace weft::fftw_mpi
