#pragma once

#include <string>
#include <vector>

#include "fit.hpp"
#include "weft/options.hpp"
#include "weft/problem.hpp"

namespace weft {

/// What is to be predicted.
struct PredictedCase {
  Problem problem;
  Options options;
  /// Whether the layouts are the command's: pencils of the last axis before and of the first one
  /// after, on the process grid; slabs for arrays of fewer than three axes.
  bool own_layouts = true;
};

/// A forward transform on so many nodes.
struct Prediction {
  Index nodes = 1;
  Index ranks = 1;
  Extents grid;          ///< process grid; empty where there is none
  Index chunks = 1;      ///< of the redistribution that has most
  std::string schedule;  ///< "2 > 1 > 0": axes that are transformed; > is a redistribution
  double seconds = 0;
  Bounds within{0, 0};       ///< what holds a measurement nine times of ten
  double communication = 0;  ///< share of the time that is not spent in passes
};

/// With the options as they are.
Prediction predict(const PredictedCase& given, const Fit& fit, Index nodes);

/// With all process grids, each with the number of chunks that suits it best, the fastest first.
std::vector<Prediction> predict_grids(const PredictedCase& given, const Fit& fit, Index nodes);

/// Of the first number of nodes the time of a node, over that of this one.
double efficiency(const Prediction& prediction, const Prediction& first);

}  // namespace weft
