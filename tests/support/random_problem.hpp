#pragma once

#include <mpi.h>

#include <random>
#include <string>

#include "weft/plan.hpp"

namespace weft::test {

/// How a transform is run.
enum class Manner {
  run,
  wait,  ///< start and wait
  test,  ///< start, and test until it is done
  many,  ///< three fields with forward_many
};

/// Anything that a plan may be asked for, drawn from a seed; the same on all ranks but for strides
/// and own boxes.
struct RandomProblem {
  MPI_Comm comm = MPI_COMM_NULL;
  Problem problem;
  Options options;
  bool in_place = false;
  Manner manner = Manner::run;
  bool on_input = false;          ///< with functions of the numbers read, with `run` and `many`
  bool on_output = false;         ///< of those written
  bool fused = false;             ///< functions on devices are fused_functions
  bool arrays_on_device = false;  ///< the plan's; with functions only
  bool own_workspace = false;     ///< the caller hands in the workspace
  std::string text;               ///< what it is, for messages
};

RandomProblem random_problem(std::uint64_t seed, MPI_Comm comm);

/// Any layout of an array; the same on all ranks but for strides and own boxes.
LayoutSpec random_layout(std::mt19937_64& random, const Extents& shape, Index batch, int ranks,
                         int rank);
/// Nested strides in a random order with gaps, for a box that lies in memory of its own.
Strides random_strides(std::mt19937_64& random, const Box& box, Index batch);

}  // namespace weft::test
