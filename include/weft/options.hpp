#pragma once

#include <optional>
#include <string>

#include "weft/axes.hpp"

namespace weft {

/// Which intermediate layouts the planner may use.
enum class Algorithm {
  automatic,  ///< the cheapest by the cost model
  slab,       ///< intermediate layouts split one axis
  pencil,     ///< intermediate layouts split two axes
};

/// How much time a local FFT library may spend on planning.
enum class Rigor { estimate, measure, patient };

/// How to carry out a transform. None of these changes the result beyond rounding.
struct Options {
  Algorithm algorithm = Algorithm::automatic;
  Extents grid;                   ///< process grid {p0, p1} of pencils; empty: near-square
  std::string exchange = "auto";  ///< a name of `weft list`
  /// A name of `weft list`; "auto" is MKL, where built in, on Intel's processors, else weft's own
  /// "stockham" on processors with AVX2 and FFTW on others. FFTW stands in for what the chosen one
  /// does not offer or not accurately enough (MKL, stockham: lengths with prime factors above 13;
  /// stockham: lines of more than 8192 complex points).
  std::string local = "auto";
  /// Tiles are transposed so that transformed lines are contiguous; otherwise lines stay strided as
  /// they lie in memory.
  bool reorder = false;
  /// Allows forward and backward to overwrite their input.
  bool overwrite_input = false;
  Rigor rigor = Rigor::estimate;
  int threads = 0;       ///< of this rank; 0: OMP_NUM_THREADS, else the cores divided by the ranks
  Index tile_bytes = 0;  ///< size of cache-resident tiles; 0: from the cache of this machine
  Index stream_bytes = -1;  ///< arrays larger than this are written past the cache; -1: by machine
  /// Relative error the user accepts. Data is never compressed at present, so every valid
  /// tolerance is met at rounding level.
  std::optional<double> tolerance;
  /// Largest count handed to MPI in one argument. Larger buffers are sent in larger units.
  Index mpi_count_limit = 2147483647;
};

Algorithm parse_algorithm(const std::string& text);
Rigor parse_rigor(const std::string& text);
std::string to_string(Algorithm algorithm);
std::string to_string(Rigor rigor);

}  // namespace weft
