#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace weft::navier_stokes {

/// What a step consists of.
enum class Phase {
  backward,  ///< transforms to physical space, with the callbacks that form derivatives
  products,  ///< in physical space
  forward,   ///< transforms of the products
  advance,   ///< projection, viscosity, sums of the stages
  other,     ///< forcing, the Courant number
};

inline constexpr std::array phase_names{"backward", "products", "forward", "advance", "other"};

/// Seconds of each phase, or statistics of them.
using PhaseSeconds = std::array<double, phase_names.size()>;

double total(const PhaseSeconds& phases);

/// Seconds of all steps on this rank: every moment of a step belongs to one phase.
class PhaseTimes {
 public:
  void begin_step();
  /// The phase has the time since the last call of either.
  void end(Phase phase);

  std::size_t steps() const { return steps_.size(); }
  /// Seconds per step of the last ones.
  double mean_of_last(std::size_t count) const;
  /// Collective: the mean over ranks of every phase of every step.
  std::vector<PhaseSeconds> mean_over_ranks(MPI_Comm comm) const;

 private:
  double last_ = 0;
  std::vector<PhaseSeconds> steps_;
};

/// Statistics over steps, not numbers where there are none. Means of phases add up to that of the
/// step, medians nearly.
struct PhaseSummary {
  explicit PhaseSummary(const std::vector<PhaseSeconds>& steps);

  /// Nothing without steps.
  std::string table() const;

  PhaseSeconds median{}, mean{};
  struct {
    double min = NAN, median = NAN, mean = NAN, max = NAN;
  } step;
};

}  // namespace weft::navier_stokes
