#include "output.hpp"

#include <cstdio>

#include "text_file.hpp"

namespace weft::navier_stokes {

namespace {

/// At t, of the parabola through the energies of three moments.
double slope(const std::vector<Moment>& at, double t) {
  const double first = at[1].time - at[0].time, second = at[2].time - at[1].time;
  const double before = (at[1].balance.energy - at[0].balance.energy) / first;
  const double after = (at[2].balance.energy - at[1].balance.energy) / second;
  return before + (after - before) * (2 * t - at[0].time - at[1].time) / (first + second);
}

double slope_of_two(const std::vector<Moment>& at) {
  return (at[1].balance.energy - at[0].balance.energy) / (at[1].time - at[0].time);
}

}  // namespace

History::History(const Communicator& comm, const std::string& path, double viscosity,
                 bool continued)
    : comm_(comm), path_(path), viscosity_(viscosity), first_written_(continued) {
  if (continued) {
    append_to_file(comm_, path_, "");
  } else {
    begin_file(comm_, path_);
    append_to_file(comm_, path_, "# time, kinetic energy, -dE/dt, 2 nu enstrophy\n");
  }
}

void History::add(const Moment& moment) {
  if (path_.empty()) return;
  if (last_.size() == 3) last_.erase(last_.begin());
  last_.push_back(moment);
  if (last_.size() < 3) return;
  // The first one is written when the third is known, and then together with the second.
  if (!first_written_) write(last_[0], -slope(last_, last_[0].time));
  first_written_ = true;
  write(last_[1], -slope(last_, last_[1].time));
}

void History::finish() {
  if (path_.empty()) return;
  switch (last_.size()) {
    case 1:
      if (!first_written_) write(last_[0], 0);
      break;
    case 2:
      if (!first_written_) write(last_[0], -slope_of_two(last_));
      write(last_[1], -slope_of_two(last_));
      break;
    case 3:
      write(last_[2], -slope(last_, last_[2].time));
      break;
    default:
      break;
  }
}

void History::write(const Moment& moment, double dissipation) {
  char line[160];
  std::snprintf(line, sizeof line, "%.12g %.16g %.12g %.12g\n", moment.time, moment.balance.energy,
                dissipation, 2 * viscosity_ * moment.balance.enstrophy);
  append_to_file(comm_, path_, line);
}

}  // namespace weft::navier_stokes
