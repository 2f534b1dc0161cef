#pragma once

#include <string>
#include <vector>

#include "lengths.hpp"
#include "plan_options.hpp"
#include "weft/problem.hpp"

namespace CLI {
class App;
}

namespace weft {

/// A transform and how to carry it out, as `weft bench` and `weft plan` are told on the command
/// line.
struct CaseOptions {
  std::vector<Index> shape;
  std::string kinds = "c2c";
  std::string precision = "f64";
  std::string numbers = "automatic";
  std::string input = "slab:0";
  std::string output;        ///< empty: slab:1, or slab:0 for a single axis
  std::string input_points;  ///< "128x128x128"; empty: all
  std::string modes;
  Index batch = 1;
  bool interleaved = false;
  std::string norm = "backward";
  Index fields = 1;  ///< separate ones, transformed by forward_many
  bool in_place = false;
  OptionTexts plan;

  /// "r2c f64 of 2048x2048x2048"
  std::string title() const;
  std::string output_or_default() const;
  /// A line for people, where the output layout was left to the command: plans have another
  /// default.
  std::string output_note() const;
};

void add_case_options(CLI::App& app, CaseOptions& options);

/// Checks names and numbers. Throws Error, also for what the contract of the command line names but
/// this version does not have.
Options plan_options(const CaseOptions& given);

/// Throws Error for unknown names.
inline Problem problem_of(const CaseOptions& given) {
  Problem problem;
  for (Index length : given.shape) problem.shape.push_back(length);
  problem.kinds = parse_kinds(given.kinds);
  problem.input = parse_layout(given.input);
  problem.output = parse_layout(given.output_or_default());
  problem.precision = parse_precision(given.precision);
  problem.batch = given.batch;
  problem.interleaved = given.interleaved;
  problem.numbers = parse_numbers(given.numbers);
  problem.norm = parse_norm(given.norm);
  if (!given.input_points.empty())
    problem.input_points = parse_lengths(given.input_points, "input_points");
  if (!given.modes.empty()) problem.modes = parse_lengths(given.modes, "modes");
  if (given.in_place && problem.kinds.resolve(problem.shape.size()).contains(Kind::r2c)) {
    problem.input = problem.input.padded_for_r2c();
  }
  return problem;
}

}  // namespace weft
