#pragma once

#include <memory>
#include <string>

#include "abi.hpp"
#include "weft/plan.hpp"

namespace weft::fftw_mpi {

/// What weft made for a program that asked FFTW-MPI for a plan.
struct LivePlan {
  std::shared_ptr<Plan> plan;  ///< also that of other directions
  Direction direction;
  void* in;  ///< arrays of fftw_execute
  void* out;
  std::string name;  ///< in words

  /// Numbers that this rank reads and writes, and the work as FFTW counts it.
  double cost() const;
  void flops(double* additions, double* products, double* fused) const;
  void run(void* from, void* to) const;
  std::string text() const;  ///< what was planned and chosen
};

// Functions of libfftw3 are given plans of FFTW and of weft. A plan of weft is the address of a
// slot in a table of fixed size, so they are told apart by their addresses alone: nothing that may
// belong to another library is read.

/// Null where the table is full.
ClientPlan enter(std::unique_ptr<LivePlan> plan);
/// Whether weft made this plan, also if it is destroyed.
bool is_ours(ClientPlan plan);
/// Ends the program where the plan is destroyed.
const LivePlan& live_plan(ClientPlan plan);
/// Null where it is destroyed already.
std::unique_ptr<LivePlan> remove(ClientPlan plan);

}  // namespace weft::fftw_mpi
