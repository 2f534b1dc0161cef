#include "command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>
#include <sstream>

namespace poisson {

namespace {

using weft::Error;
using weft::Index;

/// One value for every axis; a single one stands for all.
template <class T>
std::vector<T> per_axis(const std::vector<T>& values, std::size_t axes, const std::string& what) {
  if (values.size() == 1) return std::vector<T>(axes, values.front());
  if (values.size() == axes) return values;
  throw Error(what + ": " + std::to_string(values.size()) + " values are given, the grid has " +
              std::to_string(axes) + " axes");
}

Stencil parse_stencil(const std::string& text) {
  if (text == "spectral") return Stencil::spectral;
  if (text == "2") return Stencil::second_order;
  throw Error("stencil '" + text + "' is unknown; known: spectral, 2");
}

template <class T>
std::string join(const std::vector<T>& values) {
  std::ostringstream text;
  for (const T& value : values) text << (text.tellp() > 0 ? "," : "") << value;
  return text.str();
}

void require(bool good, const std::string& what) {
  if (!good) throw Error(what);
}

}  // namespace

std::vector<Trial> CommandLine::trials() const {
  const std::size_t axes = points.size();
  require(axes <= 3, std::to_string(axes) + " axes: 1 to 3 can be solved");
  require(lambda >= 0 && std::isfinite(lambda), "helmholtz: must not be negative");
  require(tolerance >= 0 && std::isfinite(tolerance), "tolerance: must not be negative");
  require(std::isfinite(offset), "offset: must be finite");
  require(repeat >= 1, "repeat: must be positive");
  require(minimal_order == 0 || convergence.size() > 1,
          "order: needs --convergence with two sizes at least");
  require(points.front() >= 1, "N: must be positive");
  const auto ends = per_axis(boundary, axes, "boundary");
  const auto centrings = per_axis(centring, axes, "points");
  const auto sides = per_axis(lengths, axes, "lengths");

  Trial trial;
  trial.equation.lambda = lambda;
  trial.equation.stencil = parse_stencil(stencil);
  trial.equation.kernel = parse_kernel(kernel);
  trial.precision = weft::parse_precision(precision);
  trial.in = weft::parse_layout(in);
  trial.out = weft::parse_layout(!out.empty() ? out : axes > 1 ? "slab:1" : "slab:0");
  trial.options.exchange = exchange;
  trial.options.threads = threads;
  if (tolerance > 0) trial.options.tolerance = tolerance;
  trial.offset = offset;
  trial.repeat = repeat;
  for (std::size_t i = 0; i < axes; ++i) {
    require(sides[i] > 0 && std::isfinite(sides[i]), "lengths: must be positive");
    Axis axis{.centring = parse_centring(centrings[i]), .points = points[i], .length = sides[i]};
    set_ends(axis, ends[i]);
    trial.equation.axes.push_back(axis);
  }

  std::vector<Trial> result;
  for (Index size : convergence.empty() ? std::vector<Index>{points.front()} : convergence) {
    require(result.empty() || size > result.back().equation.axes[0].points,
            "convergence: sizes must grow");
    result.push_back(trial);
    for (Axis& axis : result.back().equation.axes) {
      const double ratio = static_cast<double>(axis.points) / static_cast<double>(points.front());
      axis.points = std::llround(static_cast<double>(size) * ratio);
      require(axis.points >= 2, "at least 2 points are needed along every axis");
    }
  }
  return result;
}

std::string CommandLine::describe() const {
  std::ostringstream text;
  text << points.size() << "-D, boundary " << join(boundary) << ", points " << join(centring)
       << ", lengths " << join(lengths) << ", stencil " << stencil;
  if (join(boundary).find('u') != std::string::npos) text << ", kernel " << kernel;
  if (tolerance > 0) text << ", tolerance " << tolerance;
  text << ", " << precision;
  return text.str();
}

CommandLine parse(int argc, char** argv) {
  CommandLine given;
  CLI::App app(
      "Solves (lambda - laplacian) u = f in a box, for a right-hand side whose solution is known, "
      "and tells the error.",
      "poisson");
  app.add_option("N", given.points, "Points along each of 1 to 3 axes")->required();
  const auto add_list = [&](const std::string& name, auto& target, const std::string& text) {
    app.add_option(name, target, text)->delimiter(',')->expected(1, 64)->capture_default_str();
  };
  add_list("--boundary", given.boundary,
           "Of all axes, or of each: p (periodic), u (unbounded), or d (Dirichlet) and n (Neumann) "
           "for both ends: p,dn,u");
  add_list("--points", given.centring, "Of all axes, or of each: node or cell");
  add_list("--lengths", given.lengths, "Of all axes, or of each");
  app.add_option("--helmholtz", given.lambda, "lambda")->capture_default_str();
  app.add_option("--stencil", given.stencil, "Eigenvalues: spectral, or 2 (three-point difference)")
      ->capture_default_str();
  app.add_option("--kernel", given.kernel, "Of unbounded axes: chat2, hej4, hej6 or hej0")
      ->capture_default_str();
  add_list("--convergence", given.convergence,
           "Solves for all these numbers of points along the first axis, the others in proportion");
  app.add_option("--order", given.minimal_order,
                 "Fails if the order of convergence between the last two sizes is lower");
  app.add_option("--json", given.json, "Appends an object for each size to this file");
  app.add_option("--precision", given.precision, "f32 or f64")->capture_default_str();
  app.add_option("--tolerance", given.tolerance, "Relative error that each transform may have");
  app.add_option("--exchange", given.exchange, "A name of `weft list`")->capture_default_str();
  app.add_option("--in", given.in, "Layout of f and u: slab:AXIS, pencil:AXIS, brick, grid:PxQ...")
      ->capture_default_str();
  app.add_option("--out", given.out, "Layout of their transforms [slab:1; slab:0 for one axis]");
  app.add_option("--threads", given.threads, "Threads of each rank")->capture_default_str();
  app.add_option("--offset", given.offset,
                 "Is added to f; where a constant has no solution, its mean is removed");
  app.add_option("--repeat", given.repeat, "Solutions, the fastest of which counts")
      ->capture_default_str();
  app.footer(
      "Examples:\n"
      "  mpirun -n 4 poisson 48 32 32 --boundary p,dn,nn --points cell\n"
      "  mpirun -n 4 poisson 1 1 1 --boundary u --kernel hej4 --convergence 16,32,64\n"
      "  mpirun -n 4 poisson 64 64 64 --helmholtz 1 --tolerance 1e-6");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    given.help = app.help();
  } catch (const CLI::ParseError& error) {
    throw Error(std::string(error.what()) + " (try: poisson --help)");
  }
  return given;
}

}  // namespace poisson
