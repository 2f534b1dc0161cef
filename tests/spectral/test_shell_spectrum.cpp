// Energies of shells against sums over all modes of full complex transforms, and against fields.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "kind/kind.hpp"
#include "support/plan_run.hpp"
#include "support/random_problem.hpp"
#include "support/same_error.hpp"
#include "support/trials.hpp"
#include "weft/plan_array.hpp"
#include "weft/shell_spectrum.hpp"

namespace weft::test {
namespace {

constexpr double pi = std::numbers::pi;

/// A transform of complex and real fields, drawn from a seed.
struct Case {
  Problem problem;
  Options options;
  std::vector<double> lengths;
  double width = 0;
  std::size_t fields = 1;
};

Case random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](Index from, Index to) {
    return from + static_cast<Index>(random() % static_cast<std::uint64_t>(to - from + 1));
  };
  Case result;
  Problem& problem = result.problem;
  const int axes = static_cast<int>(draw(1, 3));
  const int halved = static_cast<int>(draw(-1, axes - 1));
  Axes<Kind> kinds;
  bool drops = draw(0, 2) == 0;
  for (int axis = 0; axis < axes; ++axis) {
    const Index n = draw(axis == halved ? 2 : 1, 9);
    problem.shape.push_back(n);
    kinds.push_back(axis == halved ? r2c : draw(0, 4) == 0 ? none : c2c);
    // The highest of an even number of modes would stand alone.
    const Index odd = 2 * draw(0, (n - 1) / 2) + 1;
    problem.modes.push_back(drops && kinds[axis] != none ? odd : n);
    result.lengths.push_back(std::array{2 * pi, pi, 3.7}[random() % 3]);
  }
  problem.kinds = kinds;
  problem.norm = static_cast<Norm>(draw(0, 3));
  problem.precision = static_cast<Precision>(draw(0, 1));
  problem.batch = draw(1, 2);
  problem.interleaved = draw(0, 1) == 1;
  problem.input = random_layout(random, problem.shape, problem.batch, world_size(), world_rank());
  problem.output = random_layout(random, spectral_shape(problem.shape, kinds, problem.modes),
                                 problem.batch, world_size(), world_rank());
  result.options.threads = static_cast<int>(draw(1, 3));
  result.options.device = draw(0, 3) == 0 ? "emulated" : "host";
  result.width = draw(0, 1) == 0 ? 0 : 1.3;
  result.fields = static_cast<std::size_t>(draw(1, 3));
  return result;
}

/// Adds the energies of all modes of a field, by a complex transform of all of it.
void add_energies(GlobalArray field, const PlanInfo& info, const Case& given, double width,
                  std::vector<double>& energies) {
  Axes<Kind> kinds;
  for (const Kind kind : info.kinds) kinds.push_back(kind == none ? none : c2c);
  GlobalArray modes = exact_transform(field, info.shape, kinds, Direction::forward, Norm::forward);
  Extents at = Extents::filled(kinds.size(), 0);
  double points = 1;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    if (kinds[axis] == none) points *= static_cast<double>(info.shape[axis]);
  }
  for (Index number = 0; number < product(info.shape); ++number) {
    Index rest = number;
    double square = 0;
    bool is_kept = true;
    for (int axis = kinds.size() - 1; axis >= 0; --axis) {
      const Index n = info.shape[axis];
      at[axis] = rest % n;
      rest /= n;
      if (kinds[axis] == none) continue;
      const Index frequency = 2 * at[axis] <= n - 1 ? at[axis] : at[axis] - n;
      is_kept = is_kept && (info.modes[axis] == n || 2 * std::abs(frequency) < info.modes[axis]);
      const double k =
          2 * pi * static_cast<double>(frequency) / given.lengths[static_cast<std::size_t>(axis)];
      square += k * k;
    }
    if (!is_kept) continue;
    const auto shell = static_cast<std::size_t>(std::sqrt(square) / width + 0.5);
    ASSERT_LT(shell, energies.size());
    for (Index member = 0; member < info.batch; ++member) {
      energies[shell] += std::norm(modes.at(at, member)) / points / 2;
    }
  }
}

TEST(ShellSpectrum, OfRandomFieldsIsTheSumOverAllModes) {
  for (unsigned seed = 0; seed < trials(120); ++seed) {
    const Case given = random_case(seed);
    Plan plan(MPI_COMM_WORLD, given.problem, given.options);
    std::vector<Bytes> spectra;
    std::vector<detail::AnyArray> arrays;
    for (std::size_t field = 0; field < given.fields; ++field) {
      const Bytes in = given_bytes(plan, Direction::forward, seed + field);
      Bytes& out = spectra.emplace_back(poisoned(plan.output()));
      execute(plan, Direction::forward, in.data(), out.data());
      arrays.push_back({out.data(), detail::AnyArray::unknown_size, plan.output().type});
    }
    const ShellSpectrum spectrum = shell_spectrum(plan, arrays, given.lengths, given.width);
    if (given.width > 0) EXPECT_EQ(spectrum.width, given.width);

    std::vector<double> expected(spectrum.energy.size());
    for (std::size_t field = 0; field < given.fields; ++field) {
      add_energies(given_array(plan, Direction::forward, seed + field), plan.info(), given,
                   spectrum.width, expected);
    }
    double total = 0;
    for (const double energy : expected) total += energy;
    for (std::size_t shell = 0; shell < expected.size(); ++shell) {
      EXPECT_NEAR(spectrum.energy[shell], expected[shell], 4 * total * error_bound(plan))
          << "seed " << seed << ", shell " << shell << " of " << to_string(plan.info().shape) << ' '
          << to_string(plan.info().kinds);
    }
    // The same on all ranks, to the last bit.
    std::vector<double> of_first = spectrum.energy;
    MPI_Bcast(of_first.data(), static_cast<int>(of_first.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(spectrum.energy, of_first);
  }
}

TEST(ShellSpectrum, OfKnownWaves) {
  for (const std::string& device : tested_devices()) {
    Options options;
    options.device = device;
    Plan plan(MPI_COMM_WORLD, {.shape = {16, 12, 9}, .kinds = r2c, .output = pencil_along(0)},
              options);
    const LocalArray& mine = plan.input();
    std::vector<double> u(static_cast<std::size_t>(mine.allocation_size)), v = u;
    for (Index i = mine.box.lower[0]; i < mine.box.upper[0]; ++i) {
      for (Index j = mine.box.lower[1]; j < mine.box.upper[1]; ++j) {
        for (Index k = mine.box.lower[2]; k < mine.box.upper[2]; ++k) {
          const double x = 2 * pi * static_cast<double>(i) / 16;
          const double y = 2 * pi * static_cast<double>(j) / 12;
          const double z = 2 * pi * static_cast<double>(k) / 9;
          const auto at = static_cast<std::size_t>(mine.position(i, j, k));
          u[at] = 2 + 3 * std::cos(2 * x) + std::cos(8 * x);  // the last one is the Nyquist mode
          v[at] = 4 * std::sin(3 * y + 4 * z);
        }
      }
    }
    const auto size = static_cast<std::size_t>(plan.output().allocation_size);
    std::array<std::vector<std::complex<double>>, 2> modes;
    for (auto& one : modes) one.resize(size);
    plan.forward(u, modes[0]);
    plan.forward(v, modes[1]);
    const std::array lengths{2 * pi, 2 * pi, 2 * pi};
    const ShellSpectrum both = shell_spectrum(plan, modes, lengths);
    EXPECT_EQ(both.width, 1);
    ASSERT_EQ(both.energy.size(), 12u);  // |k| of (8, 6, 4) is 10.8
    for (std::size_t shell = 0; shell < 12; ++shell) {
      const double expected = shell == 0   ? 2
                              : shell == 2 ? 9.0 / 4
                              : shell == 8 ? 0.5
                              : shell == 5 ? 4
                                           : 0;
      EXPECT_NEAR(both.energy[shell], expected, 1e-13) << device << ", shell " << shell;
    }
    EXPECT_NEAR(shell_spectrum(plan, modes[1], lengths).energy[5], 4, 1e-13);
    EXPECT_NEAR(shell_spectrum(plan, modes[1].data(), lengths, 2.5).energy[2], 4, 1e-13);
    PlanArray<std::complex<double>> there(plan, plan.output().allocation_size);
    there.copy_from(modes[1]);
    EXPECT_EQ(shell_spectrum(plan, there, lengths).energy,
              shell_spectrum(plan, modes[1], lengths).energy);
    // A box that is twice as long along x has shells half as wide; k = (1, 0, 0) is in shell 2.
    const ShellSpectrum longer = shell_spectrum(plan, modes[0], std::array{4 * pi, 2 * pi, 1.0});
    EXPECT_EQ(longer.width, 0.5);
    EXPECT_NEAR(longer.energy[2], 9.0 / 4, 1e-13);
  }
}

/// Half of the mean of u^2 by the trapezoidal rule between the borders that a kind has; `u` is zero
/// at those that are no points.
double half_mean(Kind kind, const std::vector<std::complex<double>>& u) {
  const std::size_t n = u.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool at_border = (i == 0 && (kind == Kind::dct1 || kind == Kind::dct3)) ||
                           (i == n - 1 && (kind == Kind::dct1 || kind == Kind::dst3));
    sum += std::norm(u[i]) * (at_border ? 0.5 : 1);
  }
  const double steps = kind == Kind::dct1 ? -1 : kind == Kind::dst1 ? 1 : 0;
  return sum / (static_cast<double>(n) + steps) / 2;
}

TEST(ShellSpectrum, OfEachCoefficientIsTheMeanOfItsWave) {
  for (const KindTraits& of : kind_table()) {
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none}) {
      for (const Index n : {5, 6}) {
        const bool has_borders =
            of.kind == Kind::dct1 || of.kind == Kind::dct3 || of.kind == Kind::dst3;
        for (const bool orthogonal : {false, true}) {
          if (orthogonal && has_borders) continue;
          Plan plan(MPI_COMM_WORLD, {.shape = {n},
                                     .kinds = of.kind,
                                     .numbers = of.kind == r2c ? Numbers::real : Numbers::complex,
                                     .norm = norm,
                                     .orthogonalize = orthogonal});
          const std::array lengths{3.0};
          const double step = (of.keeps_real ? pi : 2 * pi) / 3;
          for (Index i = 0; i < of.output_length(n); ++i) {
            std::vector<std::complex<double>> modes(
                static_cast<std::size_t>(plan.output().allocation_size));
            const Box& box = plan.output().box;
            if (i >= box.lower[0] && i < box.upper[0]) {
              modes[static_cast<std::size_t>(plan.output().position(i))] = 2;
            }
            const ShellSpectrum spectrum = shell_spectrum(plan, modes, lengths);

            // All of the wave, on every rank: the field whose forward transform the mode is.
            const Norm inverse = norm == Norm::none ? Norm::backward : norm;
            GlobalArray mode{{of.output_length(n)}, 1, {}};
            mode.values.resize(static_cast<std::size_t>(of.output_length(n)));
            mode.values[static_cast<std::size_t>(i)] = 2;
            const GlobalArray wave = exact_transform(mode, {n}, {of.kind}, Direction::backward,
                                                     inverse, plan.info().orthogonal);
            const double expected = half_mean(of.kind, wave.values);
            const double k = angular_wavenumber(of.kind, i, n, 3);
            const auto shell = static_cast<std::size_t>(std::lround(std::abs(k) / step));
            ASSERT_LT(shell, spectrum.energy.size());
            for (std::size_t s = 0; s < spectrum.energy.size(); ++s) {
              EXPECT_NEAR(spectrum.energy[s], s == shell ? expected : 0, 1e-13 * expected)
                  << of.name << ' ' << to_string(norm) << ", n " << n << ", coefficient " << i
                  << (orthogonal ? ", orthogonal" : "");
            }
          }
        }
      }
    }
  }
}

TEST(ShellSpectrum, RefusesWhatMakesNoSense) {
  Plan plan(MPI_COMM_WORLD, {.shape = {8, 8}, .kinds = r2c});
  std::vector<std::complex<double>> modes(static_cast<std::size_t>(plan.output().allocation_size));
  const std::array lengths{1.0, 1.0};
  const bool is_last = world_rank() == world_size() - 1;
  expect_same_error([&] { shell_spectrum(plan, modes, std::array{1.0}); },
                    {"1 lengths of the box are given, the array has 2 axes"});
  expect_same_error(
      [&] {
        shell_spectrum(plan, modes, std::array{1.0, is_last ? -2.0 : 1.0});
      },
      {"length -2.0", "along axis 1: must be positive"});
  expect_same_error(
      [&] {
        shell_spectrum(plan, modes, std::array{1.0, HUGE_VAL});
      },
      {"length inf", "finite"});
  expect_same_error([&] { shell_spectrum(plan, modes, lengths, -1); },
                    {"width -1 of shells: must be positive"});
  expect_same_error([&] { shell_spectrum(plan, modes, lengths, std::nan("")); }, {"width"});
  expect_same_error([&] { shell_spectrum(plan, modes, lengths, 1e-12); }, {"shells, more than"});
  expect_same_error([&] { shell_spectrum(plan, std::span<const detail::AnyArray>(), lengths); },
                    {"no field"});
  expect_same_error([&] { shell_spectrum(plan, std::vector<double>(100), lengths); },
                    {"spectral array is real f64, the plan works on complex f64"});
  if (!is_last) modes.resize(1000);
  if (is_last) modes.resize(1);
  expect_same_error([&] { shell_spectrum(plan, modes, lengths); },
                    {"spectral array has 1 elements"});
  if (world_size() == 1) return;
  modes.resize(1000);
  expect_same_error([&] { shell_spectrum(plan, modes, lengths, is_last ? 2 : 3); },
                    {"shell spectrum differs between ranks", "width 2", "width 3"});
}

TEST(ShellSpectrum, RefusesOrthogonalMatricesWithOtherValuesAtBorders) {
  for (const Kind kind : {Kind::dct1, Kind::dct3, Kind::dst3}) {
    Plan plan(MPI_COMM_WORLD, {.shape = {8}, .kinds = kind, .norm = Norm::ortho});
    const std::vector<double> modes(static_cast<std::size_t>(plan.output().allocation_size));
    expect_same_error([&] { shell_spectrum(plan, modes, std::array{1.0}); },
                      {to_string(kind), "orthogonal"}, ErrorCode::unsupported);
  }
}

}  // namespace
}  // namespace weft::test
