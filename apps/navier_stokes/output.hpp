#pragma once

#include <string>
#include <vector>

#include "energy.hpp"
#include "exchange/communicator.hpp"

namespace weft::navier_stokes {

/// A moment of the flow.
struct Moment {
  double time;
  Balance balance;
};

/// The file of energy and dissipation over time. -dE/dt is the slope of the parabola through three
/// moments, so that a line is written once the next moment is known.
class History {
 public:
  /// Collective. `path` empty: nothing is written. A file that is continued has the first moment.
  History(const Communicator& comm, const std::string& path, double viscosity, bool continued);

  /// Collective.
  void add(const Moment& moment);
  void finish();

 private:
  void write(const Moment& moment, double dissipation);

  const Communicator& comm_;
  std::string path_;
  double viscosity_;
  bool first_written_;
  std::vector<Moment> last_;  ///< at most three
};

}  // namespace weft::navier_stokes
