#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grid.hpp"
#include "solver.hpp"

namespace CLI {
class App;
}

namespace weft::navier_stokes {

/// A run, as the command line tells of it.
struct Settings {
  std::vector<Index> mesh;
  std::string form = "rotational";
  std::string dealias = "2/3";
  std::string initial = "taylor-green";
  double energy = 0.5;
  double peak = 4;
  std::uint64_t seed = 1;
  Index force_shells = 0;
  std::optional<double> viscosity;
  double reynolds = 1600;
  std::optional<double> dt;
  double cfl = 0.5;
  double end = 1;
  std::optional<Index> steps;

  Index every = 10;
  std::string history;
  std::string spectrum;
  Index spectrum_every = 0;
  std::string save;
  Index save_every = 0;
  std::string restart;
  std::string json;

  Index batch = 1;
  int fields_in_flight = 1;
  std::string precision = "f64";
  std::string in;
  std::string out;
  std::string device = "host";
  std::string exchange = "auto";
  std::string local = "auto";
  std::optional<double> tolerance;
  int threads = 0;

  Grid grid() const;
  double viscosity_or_default() const { return viscosity.value_or(1 / reynolds); }
};

void add_settings(CLI::App& app, Settings& settings);

/// Throws Error for numbers and names that no run can have.
void check(const Settings& settings);

Problem transform_of(const Settings& settings, int ranks);
Options options_of(const Settings& settings);
Form form_of(const Settings& settings);

}  // namespace weft::navier_stokes
