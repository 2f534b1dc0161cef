#include "command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>
#include <sstream>
#include <utility>

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

/// What one word for the ends of an axis stands for.
std::vector<std::string> choices(const std::string& ends) {
  if (ends == "any") return {"p", "dd", "dn", "nd", "nn"};
  return {ends};
}

/// So many points along the first axis, the others in proportion.
Series of_sizes(const Trial& trial, const std::vector<Index>& sizes) {
  Series series;
  const double first = static_cast<double>(trial.equation.axes[0].points);
  for (Index size : sizes) {
    require(series.empty() || size > series.back().equation.axes[0].points,
            "convergence: sizes must grow");
    series.push_back(trial);
    for (Axis& axis : series.back().equation.axes) {
      const double ratio = static_cast<double>(axis.points) / first;
      axis.points = std::llround(static_cast<double>(size) * ratio);
      require(axis.points >= 2, "at least 2 points are needed along every axis");
    }
  }
  return series;
}

}  // namespace

std::vector<Series> CommandLine::series() const {
  const std::size_t axes = points.size();
  require(axes <= 3, std::to_string(axes) + " axes: 1 to 3 can be solved");
  require(points.front() >= 1, "N: must be positive");
  require(lambda >= 0 && std::isfinite(lambda), "helmholtz: must not be negative");
  require(smoothness == 0 || (smoothness > 3 && smoothness != std::floor(smoothness)),
          "smoothness: must be more than 3, and no integer");
  require(std::isfinite(offset), "offset: must be finite");
  require(repeat >= 1, "repeat: must be positive");
  require(minimal_order == 0 || convergence.size() > 1,
          "order: needs --convergence with two sizes at least");
  const auto ends = per_axis(boundary, axes, "boundary");
  const auto centrings = per_axis(centring, axes, "points");
  const auto sides = per_axis(lengths, axes, "lengths");

  Trial common;
  common.equation.lambda = lambda;
  common.equation.stencil = parse_stencil(stencil);
  common.equation.kernel = parse_kernel(kernel);
  common.precision = weft::parse_precision(precision);
  common.in = weft::parse_layout(in);
  common.out = weft::parse_layout(!out.empty() ? out : axes > 1 ? "slab:1" : "slab:0");
  common.options.exchange = exchange;
  common.options.threads = threads;
  common.smoothness = smoothness;
  common.automatic_tolerance = tolerance == "auto";
  if (!tolerance.empty()) weft::set_option(common.options, "tolerance", tolerance);
  common.offset = offset;
  common.repeat = repeat;
  std::vector<Trial> trials{common};
  for (std::size_t i = 0; i < axes; ++i) {
    require(sides[i] > 0 && std::isfinite(sides[i]), "lengths: must be positive");
    Axis axis{.centring = parse_centring(centrings[i]), .points = points[i], .length = sides[i]};
    std::vector<Trial> longer;
    for (const Trial& trial : trials) {
      for (const std::string& text : choices(ends[i])) {
        set_ends(axis, text);
        longer.push_back(trial);
        longer.back().equation.axes.push_back(axis);
      }
    }
    trials = std::move(longer);
  }
  require(smoothness == 0 || trials.back().equation.unbounded_axes() < static_cast<int>(axes),
          "smoothness: only of axes that are not unbounded");
  std::vector<Series> result;
  for (const Trial& trial : trials) {
    result.push_back(
        of_sizes(trial, convergence.empty() ? std::vector<Index>{points.front()} : convergence));
  }
  return result;
}

std::string CommandLine::describe() const {
  std::ostringstream text;
  text << "(" << lambda << " - laplacian) u = f, " << points.size() << "-D, points "
       << join(centring) << ", lengths " << join(lengths) << ", stencil " << stencil << ", kernel "
       << kernel << ", " << precision;
  if (smoothness > 0) text << ", smoothness " << smoothness;
  if (!tolerance.empty()) text << ", tolerance " << tolerance;
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
    app.add_option(name, target, text)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
  };
  add_list("--boundary", given.boundary,
           "Of all axes, or of each: p (periodic), u (unbounded), or d (Dirichlet) and n (Neumann) "
           "for both ends: p,dn,u; any: all but u, one after another");
  add_list("--points", given.centring, "Of all axes, or of each: node or cell");
  add_list("--lengths", given.lengths, "Of all axes, or of each");
  app.add_option("--helmholtz", given.lambda, "lambda")->capture_default_str();
  app.add_option("--stencil", given.stencil, "Eigenvalues: spectral, or 2 (three-point difference)")
      ->capture_default_str();
  app.add_option("--kernel", given.kernel, "Kernel for unbounded axes: chat2, hej4, hej6 or hej0")
      ->capture_default_str();
  add_list(
      "--convergence", given.convergence,
      "Solve for each of these numbers of points along the first axis, the others in proportion");
  app.add_option("--order", given.minimal_order,
                 "Fail if the order of convergence between the last two sizes is lower");
  app.add_option("--json", given.json, "File to which a JSON object is appended for each size");
  app.add_option("--precision", given.precision, "Precision: f32 or f64")->capture_default_str();
  app.add_option("--smoothness", given.smoothness,
                 "Exponent A of a solution that behaves like |x|^A at x = 0; A > 3, not an integer "
                 "[analytic]");
  app.add_option(
      "--tolerance", given.tolerance,
      "Relative error that each transform may have; auto: half of the discretization error, which "
      "is estimated from solutions on it and on a coarser one");
  app.add_option("--exchange", given.exchange, "Exchange, a name of `weft list`")
      ->capture_default_str();
  app.add_option("--input", given.in,
                 "Layout of f and u: slab:AXIS, pencil:AXIS, brick, grid:PxQ...")
      ->capture_default_str();
  app.add_option("--output", given.out, "Layout of their transforms [slab:1; slab:0 for one axis]");
  app.add_option("--threads", given.threads, "Threads of each rank")->capture_default_str();
  app.add_option("--offset", given.offset,
                 "Constant to add to f; if it has no solution, the mean is removed");
  app.add_option("--repeat", given.repeat, "Number of solutions; the fastest one is reported")
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
