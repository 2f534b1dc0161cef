#pragma once

#include <string>
#include <vector>

#include "trial.hpp"

namespace poisson {

/// Trials that differ in the size of the grid only.
using Series = std::vector<Trial>;

/// What the command line asks for.
struct CommandLine {
  std::vector<weft::Index> points;
  std::vector<std::string> boundary{"p"};
  std::vector<std::string> centring{"node"};
  std::vector<double> lengths{1};
  double lambda = 0;
  double smoothness = 0;  ///< 0: analytic
  std::string stencil = "spectral";
  std::string kernel = "chat2";
  std::vector<weft::Index> convergence;  ///< points along the first axis
  double minimal_order = 0;              ///< 0: none
  std::string json;

  std::string precision = "f64";
  std::string tolerance;  ///< empty: none; or "auto"
  std::string exchange = "auto";
  std::string in = "slab:0";
  std::string out;  ///< empty: slab:1, or slab:0 for a single axis
  int threads = 1;
  double offset = 0;
  int repeat = 1;

  std::string help;  ///< that was asked for instead

  /// Throws weft::Error for what cannot be solved.
  std::vector<Series> series() const;
  /// "(1 - laplacian) u = f, 3-D, ..."
  std::string describe() const;
};

/// Throws weft::Error.
CommandLine parse(int argc, char** argv);

}  // namespace poisson
