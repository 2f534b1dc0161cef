#include "settings.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "whole_number.hpp"

namespace weft::navier_stokes {

namespace {

void check_range(const std::string& name, double value, bool good, const std::string& range) {
  if (good) return;
  char text[32];
  std::snprintf(text, sizeof text, " %.10g", value);
  throw Error(name + text + ": must be " + range);
}

void check_positive(const std::string& name, double value) {
  check_range(name, value, std::isfinite(value) && value > 0, "positive");
}

void check_not_negative(const std::string& name, Index value) {
  check_range(name, static_cast<double>(value), value >= 0, "0 or more");
}

bool is_known_initial(const std::string& name) {
  return name == "taylor-green" || name == "random";
}

/// Slabs travel once in each transform, pencils twice; but slabs are no more than points.
bool slabs_do(const Grid& grid, int ranks) {
  return ranks <= std::min(grid.points[0], grid.modes[1]);
}

}  // namespace

Grid Settings::grid() const {
  Extents lengths;
  for (int axis = 0; axis < 3; ++axis) {
    lengths.push_back(mesh[mesh.size() == 1 ? 0 : static_cast<std::size_t>(axis)]);
  }
  return make_grid(lengths, parse_dealias(dealias));
}

void add_settings(CLI::App& app, Settings& settings) {
  const auto whole = [](CLI::Option* option) { option->check(check_whole_number); };
  auto* flow = app.add_option_group("Flow");
  whole(flow->add_option("N", settings.mesh, "Mesh: one length, or three")->required());
  flow->add_option("--form", settings.form,
                   "Form of the nonlinear term: rotational (u x w) or advective (u grad u)")
      ->capture_default_str();
  flow->add_option(
          "--dealias", settings.dealias,
          "Dealiasing rule: 2/3 (keep 2/3 of the modes), 3/2 (3/2 as many points as modes) or none")
      ->capture_default_str();
  flow->add_option("--initial", settings.initial, "Initial field: taylor-green or random")
      ->capture_default_str();
  flow->add_option("--energy", settings.energy, "Energy u*u/2 of the random field")
      ->capture_default_str();
  flow->add_option("--peak", settings.peak,
                   "Peak wavenumber of its spectrum, k^4 exp(-2 (k/peak)^2)")
      ->capture_default_str();
  flow->add_option("--seed", settings.seed, "Seed of the random field")->capture_default_str();
  whole(flow->add_option("--force-shells", settings.force_shells,
                         "Number of shells, |k| = 1 ... N, whose energies are held constant")
            ->capture_default_str());
  auto* reynolds = flow->add_option("--re", settings.reynolds, "Reynolds number, 1 / viscosity")
                       ->capture_default_str();
  flow->add_option("--nu", settings.viscosity, "Viscosity")->excludes(reynolds);

  auto* time = app.add_option_group("Time");
  auto* dt = time->add_option("--dt", settings.dt, "Time step");
  time->add_option("--cfl", settings.cfl,
                   "Courant number that determines time steps if there is no --dt")
      ->capture_default_str()
      ->excludes(dt);
  time->add_option("--end", settings.end, "Time at the end")->capture_default_str();
  whole(time->add_option("--steps", settings.steps,
                         "End the run after this many steps, if that is sooner"));

  auto* files = app.add_option_group("Output");
  whole(files->add_option("--every", settings.every, "Steps between lines of progress")
            ->capture_default_str());
  files->add_option("--history", settings.history,
                    "File for energy and dissipation after each step");
  files->add_option("--spectrum", settings.spectrum,
                    "File for energy spectra, a line of JSON each; always written at the end");
  whole(files->add_option("--spectrum-every", settings.spectrum_every,
                          "Steps between energy spectra"));
  files->add_option(
      "--save", settings.save,
      "Prefix of restart files, PREFIX-STEP.json and .npy; always written at the end");
  whole(files->add_option("--save-every", settings.save_every, "Steps between restart files"));
  files->add_option("--restart", settings.restart, "Restart file (.json) to continue from");
  files->add_option("--json", settings.json, "File to which a line of JSON on the run is appended");

  auto* transforms = app.add_option_group("Transforms");
  whole(transforms
            ->add_option("--batch", settings.batch,
                         "Number of fields in a batch: 1, 3, or with --form advective "
                         "9 (for derivatives; 3 for everything else)")
            ->capture_default_str());
  whole(transforms
            ->add_option("--fields-in-flight", settings.fields_in_flight,
                         "Number of batches in flight: some travel while others are transformed")
            ->capture_default_str());
  transforms->add_option("--precision", settings.precision, "Precision: f32 or f64")
      ->capture_default_str();
  transforms->add_option("--input", settings.in,
                         "Layout in physical space: slab:AXIS, pencil:AXIS, brick or grid:PxQxR "
                         "[slab:0, or pencil:2 where there are more ranks than slabs]");
  transforms->add_option("--output", settings.out,
                         "Layout in spectral space [slab:1, or pencil:0]");
  transforms
      ->add_option("--device", settings.device,
                   "Where fields are stored and computed: host, or a device of `weft list`")
      ->capture_default_str();
  transforms->add_option("--exchange", settings.exchange, "A name of `weft list`")
      ->capture_default_str();
  transforms->add_option("--local", settings.local, "A name of `weft list`")->capture_default_str();
  transforms->add_option("--tolerance", settings.tolerance,
                         "Relative error, less than 1, that each transform may have; messages are "
                         "compressed");
  whole(transforms
            ->add_option("--threads", settings.threads,
                         "Threads of each rank, at most 4096; 0: OMP_NUM_THREADS, else cores "
                         "divided by ranks")
            ->capture_default_str());
}

void check(const Settings& settings) {
  if (settings.mesh.size() != 1 && settings.mesh.size() != 3) {
    throw Error("mesh of " + std::to_string(settings.mesh.size()) +
                " lengths: one or three are needed");
  }
  const Index highest = highest_shell(settings.grid());
  if (!is_known_initial(settings.initial)) {
    throw Error("initial field '" + settings.initial + "' is unknown; known: taylor-green, random");
  }
  if (settings.initial == "random") {
    check_positive("energy", settings.energy);
    check_range("peak", settings.peak,
                settings.peak >= 1 && settings.peak <= static_cast<double>(highest),
                "1 to " + std::to_string(highest) + ", the highest shell that is kept");
  }
  check_range("force shells", static_cast<double>(settings.force_shells),
              settings.force_shells >= 0 && settings.force_shells <= highest,
              "0 to " + std::to_string(highest) + ", the highest shell that is kept");
  check_positive("Reynolds number", settings.reynolds);
  const double viscosity = settings.viscosity_or_default();
  check_range("viscosity", viscosity, std::isfinite(viscosity) && viscosity >= 0, "0 or more");
  check_positive("time step", settings.dt.value_or(1));
  check_positive("CFL", settings.cfl);
  check_range("end", settings.end, std::isfinite(settings.end) && settings.end >= 0, "0 or more");
  check_not_negative("steps", settings.steps.value_or(0));
  check_range("every", static_cast<double>(settings.every), settings.every > 0, "positive");
  check_not_negative("spectrum every", settings.spectrum_every);
  check_not_negative("save every", settings.save_every);
  if (settings.spectrum_every > 0 && settings.spectrum.empty()) {
    throw Error("--spectrum-every needs --spectrum");
  }
  if (settings.save_every > 0 && settings.save.empty()) throw Error("--save-every needs --save");
  const Form form = form_of(settings);
  check_range("batch", static_cast<double>(settings.batch),
              settings.batch == 1 || settings.batch == 3 ||
                  (settings.batch == 9 && form == Form::advective),
              "1, 3, or with --form advective 9");
}

Problem transform_of(const Settings& settings, int ranks) {
  const Grid grid = settings.grid();
  const bool slabs = slabs_do(grid, ranks);
  const auto layout = [](const std::string& given, const LayoutSpec& usual) {
    return given.empty() ? usual : parse_layout(given);
  };
  return {.shape = grid.points,
          .kinds = r2c,
          .input = layout(settings.in, slabs ? slab_split(0) : pencil_along(2)),
          .output = layout(settings.out, slabs ? slab_split(1) : pencil_along(0)),
          .precision = parse_precision(settings.precision),
          .norm = Norm::forward,  // coefficients are then amplitudes
          .modes = grid.modes};
}

Options options_of(const Settings& settings) {
  Options options;
  options.device = settings.device;
  options.exchange = settings.exchange;
  options.local = settings.local;
  options.tolerance = settings.tolerance;
  options.threads = settings.threads;
  options.fields_in_flight = settings.fields_in_flight;
  return options;
}

Form form_of(const Settings& settings) {
  if (settings.form == "rotational") return Form::rotational;
  if (settings.form == "advective") return Form::advective;
  throw Error("form '" + settings.form + "' is unknown; known: rotational, advective");
}

}  // namespace weft::navier_stokes
