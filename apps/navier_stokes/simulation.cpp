#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "abandoned_files.hpp"
#include "energy.hpp"
#include "initial_fields.hpp"
#include "output.hpp"
#include "restart.hpp"
#include "text_file.hpp"

namespace weft::navier_stokes {

namespace {

using Json = nlohmann::ordered_json;

/// Explicit friction is stable up to dt nu k^2 = 2.78.
constexpr double friction_limit = 2;
/// Part of a time step that does not matter: times are sums and carry rounding errors.
constexpr double time_slack = 1e-9;

template <class Real>
class Simulation {
 public:
  Simulation(const Settings& settings, const Communicator& comm)
      : settings_(settings),
        comm_(comm),
        solver_(comm.get(), transform_of(settings, comm.size()), options_of(settings),
                form_of(settings), settings.batch, settings.viscosity_or_default()),
        history_(comm, settings.history, solver_.viscosity(), !settings.restart.empty()) {
    for (const std::string* path : {&settings_.spectrum, &settings_.json}) {
      append_to_file(comm_, *path, "");  // what cannot be written is better noticed now
    }
    if (comm_.rank() == 0 && !settings_.save.empty()) {
      warn_of_abandoned_files("navier_stokes", settings_.save + ".json");
    }
    begin();
  }

  void run() {
    while (!finished()) {
      const double dt = step();
      const bool last = finished();
      const bool shown = last || (progress_.step - first_step_) % settings_.every == 0;
      if (shown || !settings_.history.empty()) examine();
      if (shown) report(dt);
      if (!last) write_files(false);
    }
    history_.finish();
    write_files(true);
    const PhaseSummary times(solver_.times().mean_over_ranks(comm_.get()));
    if (comm_.rank() == 0) std::fputs(times.table().c_str(), stdout);
    // Names of files may be any bytes.
    const std::string line = summary(times).dump(-1, ' ', false, Json::error_handler_t::replace);
    append_to_file(comm_, settings_.json, line + "\n");
  }

 private:
  void begin() {
    if (!settings_.restart.empty()) {
      progress_ = load(comm_, settings_.restart, solver_);
    } else if (settings_.initial == "random") {
      const Index highest = highest_shell(settings_.grid());
      set_random(solver_, model_spectrum(highest, settings_.peak, settings_.energy),
                 settings_.seed);
    } else {
      set_taylor_green(solver_);
    }
    const auto shells = static_cast<std::size_t>(settings_.force_shells) + 1;
    if (settings_.force_shells == 0) {
      progress_.held_energies.clear();
    } else if (progress_.held_energies.size() != shells) {
      progress_.held_energies = shell_energies(solver_, shells);
    }
    first_step_ = progress_.step;
    examine();
    report(0);
  }

  bool finished() const {
    if (settings_.steps && progress_.step - first_step_ >= *settings_.steps) return true;
    return settings_.end - progress_.time <= time_slack * settings_.dt.value_or(settings_.end);
  }

  double step() {
    solver_.times().begin_step();
    solver_.evaluate();
    double dt = settings_.dt.value_or(0);
    if (!settings_.dt) {
      const double friction = solver_.viscosity() * highest_k2();
      dt = std::min(settings_.cfl / solver_.courant_rate(), friction_limit / friction);
    }
    const double rest = settings_.end - progress_.time;
    if (rest < dt * (1 - time_slack)) dt = rest;
    solver_.step(dt);
    set_shell_energies(solver_, progress_.held_energies);
    solver_.sweeps().wait();
    solver_.times().end(Phase::other);
    ++progress_.step;
    progress_.time += dt;
    return dt;
  }

  double highest_k2() const {
    double sum = 0;
    for (Index modes : solver_.plan().info().modes) {
      const Index highest = modes / 2;
      sum += static_cast<double>(highest * highest);
    }
    return sum;
  }

  void examine() {
    balance_ = balance_of(solver_);
    if (!std::isfinite(balance_.energy)) {
      throw Error("the energy is no longer finite at step " + std::to_string(progress_.step) +
                  ", time " + std::to_string(progress_.time) + ": take a shorter time step");
    }
    history_.add({progress_.time, balance_});
  }

  void report(double dt) const {
    if (comm_.rank() != 0) return;
    std::printf("step %lld  t %.6g  dt %.4g  energy %.12g  2 nu Z %.10g",
                static_cast<long long>(progress_.step), progress_.time, dt, balance_.energy,
                2 * solver_.viscosity() * balance_.enstrophy);
    if (solver_.times().steps() > 0) {
      const double mean = solver_.times().mean_of_last(static_cast<std::size_t>(settings_.every));
      std::printf("  %.3g s/step  to go %.3g s", mean, mean * steps_to_go(dt));
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  double steps_to_go(double dt) const {
    if (finished()) return 0;
    double count = std::ceil((settings_.end - progress_.time) / dt);
    if (settings_.steps) {
      const Index rest = *settings_.steps - (progress_.step - first_step_);
      count = std::min(count, static_cast<double>(rest));
    }
    return count;
  }

  void write_files(bool last) {
    const auto due = [&](Index every) {
      return last || (every > 0 && progress_.step % every == 0);
    };
    if (!settings_.spectrum.empty() && due(settings_.spectrum_every)) {
      const Json line{{"step", progress_.step},
                      {"time", progress_.time},
                      {"energies", shell_energies(solver_, solver_.modes().shells())}};
      append_to_file(comm_, settings_.spectrum, line.dump() + "\n");
    }
    if (!settings_.save.empty() && due(settings_.save_every)) {
      save(comm_, settings_.save, solver_, progress_);
    }
  }

  Json summary(const PhaseSummary& times) const {
    const Plan& plan = solver_.plan();
    Json phases;
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
      phases[phase_names[phase]] = {{"median", times.median[phase]}, {"mean", times.mean[phase]}};
    }
    const double nu = solver_.viscosity(), dissipation = 2 * nu * balance_.enstrophy;
    // Scales of isotropic turbulence: u' is the root mean square of one component.
    const double u2 = 2 * balance_.energy / 3;
    const double kolmogorov = std::pow(nu * nu * nu / dissipation, 0.25);
    const auto list = [](const Extents& values) {
      return std::vector<Index>(values.begin(), values.end());
    };
    return {{"program", "navier_stokes"},
            {"mesh", settings_.mesh},
            {"form", settings_.form},
            {"dealias", settings_.dealias},
            {"points", list(plan.info().input_points)},
            {"modes", list(plan.info().modes)},
            {"viscosity", nu},
            {"initial", settings_.restart.empty() ? settings_.initial : settings_.restart},
            {"force_shells", settings_.force_shells},
            {"step", progress_.step},
            {"time", progress_.time},
            {"energy", balance_.energy},
            {"enstrophy", balance_.enstrophy},
            {"dissipation", dissipation},
            {"taylor_reynolds", u2 * std::sqrt(15 / (nu * dissipation))},
            {"kmax_eta", static_cast<double>(highest_shell(settings_.grid())) * kolmogorov},
            {"ranks", comm_.size()},
            {"threads", plan.info().threads},
            {"precision", settings_.precision},
            {"batch", settings_.batch},
            {"fields_in_flight", settings_.fields_in_flight},
            {"device", plan.info().device},
            {"exchange", plan.info().exchange},
            {"local", plan.info().local},
            {"tolerance", settings_.tolerance ? Json(*settings_.tolerance) : Json(nullptr)},
            {"steps_made", solver_.times().steps()},
            {"step_seconds",
             {{"min", times.step.min},
              {"median", times.step.median},
              {"mean", times.step.mean},
              {"max", times.step.max}}},
            {"phase_seconds", phases}};
  }

  const Settings& settings_;
  const Communicator& comm_;
  Solver<Real> solver_;
  History history_;
  Progress progress_;
  Index first_step_ = 0;
  Balance balance_{};
};

}  // namespace

int simulate(const Settings& settings, const Communicator& comm) {
  check(settings);
  if (parse_precision(settings.precision) == Precision::f32) {
    Simulation<float>(settings, comm).run();
  } else {
    Simulation<double>(settings, comm).run();
  }
  return 0;
}

}  // namespace weft::navier_stokes
