// Fourier transforms through the interface of heFFTe, against direct sums. It uses nothing but that
// interface, so that it can be compiled with heFFTe itself, with EMPTY_BOXES=0.
#include <gtest/gtest.h>

#include <array>

#include "random_boxes.hpp"
#include "reference.hpp"

namespace {
int communicators = 0;
}
/// Called by plans when they are made.
extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* duplicate) {
  ++communicators;
  return PMPI_Comm_dup(comm, duplicate);
}

namespace {

using heffte::box3d;
using heffte::scale;
using reference::Array;
using Fft = heffte::fft3d<heffte::backend::fftw>;
using FftR2c = heffte::fft3d_r2c<heffte::backend::fftw>;
template <class Real>
using Complex = std::complex<Real>;

int ranks() {
  return heffte::mpi::comm_size(MPI_COMM_WORLD);
}
int rank() {
  return heffte::mpi::comm_rank(MPI_COMM_WORLD);
}

double factor(scale scaling, double points) {
  return scaling == scale::none        ? 1
         : scaling == scale::symmetric ? 1 / std::sqrt(points)
                                       : 1 / points;
}
Array scaled(Array array, double by) {
  for (auto& number : array.numbers) number *= by;
  return array;
}

template <class T>
void append(std::vector<T>& all, std::vector<T> const& one) {
  all.insert(all.end(), one.begin(), one.end());
}

template <class T>
void expect_equal(std::vector<T> const& values, std::vector<T> const& expected) {
  EXPECT_LT(reference::worst(values, expected), reference::bound<T>());
}

/// Complex, or real, data to complex coefficients and back.
template <class Real, class Physical>
void check_complex(box3d<> const& world, box3d<> const& in, box3d<> const& out, scale scaling,
                   int seed) {
  constexpr bool real = std::is_floating_point<Physical>::value;
  using Spectral = Complex<Real>;
  const Fft fft(in, out, MPI_COMM_WORLD);
  ASSERT_EQ(fft.size_inbox(), in.count());
  ASSERT_EQ(fft.size_outbox(), out.count());
  const double points = static_cast<double>(world.count()), by = factor(scaling, points);
  const Array u = reference::field(world, seed, real);
  const auto mine = reference::part<Physical>(u, in);
  const auto uh =
      reference::part<Spectral>(scaled(reference::transform(u, reference::forward), by), out);

  std::vector<Spectral> result(fft.size_outbox()), workspace(fft.size_workspace());
  fft.forward(mine.data(), result.data(), workspace.data(), scaling);
  expect_equal(result, uh);
  EXPECT_EQ(mine, reference::part<Physical>(u, in)) << "the input has changed";
  std::fill(result.begin(), result.end(), 0);
  fft.forward(mine.data(), result.data(), scaling);
  expect_equal(result, uh);

  const auto there = reference::part<Physical>(
      scaled(reference::transform(reference::field(world, seed + 1, false), reference::backward),
             by),
      in);
  const auto modes = reference::part<Spectral>(reference::field(world, seed + 1, false), out);
  std::vector<Physical> back(fft.size_inbox());
  fft.backward(modes.data(), back.data(), workspace.data(), scaling);
  expect_equal(back, there);
  EXPECT_EQ(modes, (reference::part<Spectral>(reference::field(world, seed + 1, false), out)));
  std::fill(back.begin(), back.end(), 0);
  fft.backward(modes.data(), back.data(), scaling);
  expect_equal(back, there);
}

TEST(HeffteFourier, ComplexAndRealDataInAnyBoxes) {
  for (int trial = 0; trial < 12; ++trial) {
    RandomBoxes random(100 + trial);
    const box3d<> world = random.world(trial % 2 == 0);
    const box3d<> in = random.box(world), out = random.box(world);
    const scale scaling =
        std::array<scale, 3>{scale::none, scale::full, scale::symmetric}[random.below(3)];
    SCOPED_TRACE(::testing::Message() << "trial " << trial << ", in " << in << "out " << out);
    check_complex<double, Complex<double>>(world, in, out, scaling, trial);
    check_complex<float, Complex<float>>(world, in, out, scaling, trial);
    check_complex<double, double>(world, in, out, scaling, trial);
    check_complex<float, float>(world, in, out, scaling, trial);
  }
}

/// Every pair of scales of the two directions, of one transform. Then all plans are there.
TEST(HeffteFourier, ScalesMayChangeFromCallToCall) {
  RandomBoxes random(1);
  const box3d<> world({0, 0, 0}, {6, 7, 8});
  const box3d<> in = random.box(world), out = random.box(world);
  const Fft fft(in, out, MPI_COMM_WORLD);
  const Array u = reference::field(world, 7, false);
  const auto mine = reference::part<Complex<double>>(u, in);
  const Array uh = reference::transform(u, reference::forward);
  const double points = 7 * 8 * 9;
  EXPECT_DOUBLE_EQ(fft.get_scale_factor(scale::full), 1 / points);
  EXPECT_DOUBLE_EQ(fft.get_scale_factor(scale::symmetric), 1 / std::sqrt(points));
  for (int pass = 0; pass < 2; ++pass) {
    communicators = 0;
    for (scale there : {scale::none, scale::full, scale::symmetric}) {
      for (scale back : {scale::full, scale::none, scale::symmetric}) {
        std::vector<Complex<double>> modes(fft.size_outbox()), again(fft.size_inbox());
        fft.forward(mine.data(), modes.data(), there);
        expect_equal(modes,
                     reference::part<Complex<double>>(scaled(uh, factor(there, points)), out));
        fft.backward(modes.data(), again.data(), back);
        expect_equal(again,
                     reference::part<Complex<double>>(
                         scaled(u, points * factor(there, points) * factor(back, points)), in));
      }
    }
  }
  EXPECT_EQ(communicators, 0) << "made in the second pass";
}

/// Batches of one object come and go, too.
TEST(HeffteFourier, InPlaceInArraysForTheLargerBox) {
  for (int trial = 0; trial < 8; ++trial) {
    RandomBoxes random(200 + trial);
    const box3d<> world = random.world(trial % 2 == 0), in = random.box(world),
                  out = trial < 4 ? in : random.box(world);
    SCOPED_TRACE(::testing::Message() << "trial " << trial << ", in " << in << "out " << out);
    const Fft fft(in, out, MPI_COMM_WORLD);
    for (int batch : {1, 3, 1}) {
      std::vector<Complex<double>> mine, modes;
      for (int b = 0; b < batch; ++b) {
        const Array u = reference::field(world, 10 * trial + b, false);
        append(mine, reference::part<Complex<double>>(u, in));
        append(modes,
               reference::part<Complex<double>>(reference::transform(u, reference::forward), out));
      }
      auto data = mine;
      data.resize(std::max(mine.size(), modes.size()));
      fft.forward(batch, data.data(), data.data());
      expect_equal(data, modes);
      fft.backward(batch, data.data(), data.data(), scale::full);
      expect_equal(data, mine);
    }
  }
}

TEST(HeffteFourier, BatchesOfFields) {
  for (int trial = 0; trial < 6; ++trial) {
    RandomBoxes random(300 + trial);
    const box3d<> world = random.world(trial % 2 == 0), in = random.box(world),
                  out = random.box(world);
    const Fft fft(in, out, MPI_COMM_WORLD);
    const int batch = 1 + trial % 4;
    std::vector<Complex<double>> u, uh;
    std::vector<float> real;
    std::vector<Complex<float>> real_h;
    for (int b = 0; b < batch; ++b) {
      const Array field = reference::field(world, 10 * trial + b, false);
      const Array real_field = reference::field(world, 10 * trial + b, true);
      append(u, reference::part<Complex<double>>(field, in));
      append(uh, reference::part<Complex<double>>(reference::transform(field, reference::forward),
                                                  out));
      append(real, reference::part<float>(real_field, in));
      append(real_h, reference::part<Complex<float>>(
                         reference::transform(real_field, reference::forward), out));
    }
    std::vector<Complex<double>> modes(uh.size()), back(u.size()),
        workspace(batch * fft.size_workspace());
    fft.forward(batch, u.data(), modes.data(), workspace.data());
    expect_equal(modes, uh);
    fft.backward(batch, modes.data(), back.data(), workspace.data(), scale::full);
    expect_equal(back, u);
    std::vector<Complex<float>> float_modes(real_h.size());
    std::vector<float> real_back(real.size());
    fft.forward(batch, real.data(), float_modes.data());
    expect_equal(float_modes, real_h);
    fft.backward(batch, float_modes.data(), real_back.data(), scale::full);
    expect_equal(real_back, real);
  }
}

template <class Real>
void check_r2c(box3d<> const& world, box3d<> const& in, box3d<> const& out, int direction,
               int batch) {
  FftR2c fft(in, out, direction, MPI_COMM_WORLD);
  ASSERT_EQ(fft.size_inbox(), in.count());
  ASSERT_EQ(fft.size_outbox(), out.count());
  std::vector<Real> u;
  std::vector<Complex<Real>> uh;
  for (int b = 0; b < batch; ++b) {
    const Array field = reference::field(world, b, true);
    append(u, reference::part<Real>(field, in));
    append(uh,
           reference::part<Complex<Real>>(reference::transform(field, reference::forward), out));
  }
  std::vector<Complex<Real>> modes(uh.size()), workspace(batch * fft.size_workspace());
  std::vector<Real> back(u.size());
  if (batch == 1) {
    fft.forward(u.data(), modes.data(), workspace.data());
    expect_equal(modes, uh);
    fft.backward(modes.data(), back.data(), scale::full);
    expect_equal(fft.forward(u), uh);
    expect_equal(fft.backward(uh, scale::full), u);
  } else {
    fft.forward(batch, u.data(), modes.data());
    expect_equal(modes, uh);
    fft.backward(batch, modes.data(), back.data(), workspace.data(), scale::full);
  }
  expect_equal(back, u);
  expect_equal(modes, uh);
}

TEST(HeffteFourier, RealDataHalvedInEveryDirection) {
  for (int trial = 0; trial < 12; ++trial) {
    RandomBoxes random(400 + trial);
    const int direction = trial % 3;
    const int half = trial % 2 == 0 ? 1 : 2;  // of coefficients, too, no box must be empty
    const box3d<> some = random.world(trial % 2 == 0);
    const box3d<> world({0, 0, 0}, {half * some.high[0], half * some.high[1], half * some.high[2]});
    const box3d<> in = random.box(world), out = random.box(world.r2c(direction));
    SCOPED_TRACE(::testing::Message() << "trial " << trial << ", in " << in << "out " << out);
    check_r2c<double>(world, in, out, direction, 1);
    check_r2c<float>(world, in, out, direction, 1);
    check_r2c<double>(world, in, out, direction, 3);
  }
}

TEST(HeffteFourier, VectorsOfNumbers) {
  RandomBoxes random(5);
  const box3d<> world({0, 0, 0}, {8, 6, 7});
  const box3d<> in = random.box(world), out = random.box(world);
  auto fft = heffte::make_fft3d<heffte::backend::stock>(in, out, MPI_COMM_WORLD);
  const Array u = reference::field(world, 3, true);
  const auto mine = reference::part<double>(u, in);
  const auto uh =
      reference::part<Complex<double>>(reference::transform(u, reference::forward), out);
  const std::vector<Complex<double>> modes = fft.forward(mine);
  expect_equal(modes, uh);
  expect_equal(fft.backward_real(modes, scale::full), mine);
  expect_equal(fft.backward(modes, scale::full), reference::part<Complex<double>>(u, in));
  auto moved = std::move(fft);
  expect_equal(moved.forward(mine, scale::symmetric),
               reference::part<Complex<double>>(
                   scaled(reference::transform(u, reference::forward), 1 / std::sqrt(504.0)), out));
  EXPECT_THROW(moved.forward(std::vector<double>(mine.size() - 1)), std::invalid_argument);
  EXPECT_THROW(moved.backward(std::vector<Complex<double>>(uh.size() - 1)), std::invalid_argument);
}

TEST(HeffteFourier, TwoDimensionsAndLongIndices) {
  const heffte::box2d<long long> world(std::array<long long, 2>{0, 0},
                                       std::array<long long, 2>{12, 9});
  const int n = ranks();
  const auto in = heffte::split_world(world, {1, n, 1})[rank()];
  const auto out = heffte::split_world(world, {n, 1, 1})[rank()];
  const auto narrow = [](heffte::box2d<long long> const& box) {
    return box3d<>({int(box.low[0]), int(box.low[1]), 0}, {int(box.high[0]), int(box.high[1]), 0});
  };
  heffte::fft2d<heffte::backend::fftw, long long> fft(in, out, MPI_COMM_WORLD);
  const Array u = reference::field(narrow(world), 9, false);
  const auto mine = reference::part<Complex<double>>(u, narrow(in));
  const auto uh = fft.forward(mine);
  expect_equal(uh, reference::part<Complex<double>>(reference::transform(u, reference::forward),
                                                    narrow(out)));
  expect_equal(fft.backward(uh, scale::full), mine);

  const auto half = heffte::split_world(world.r2c(1), {n, 1, 1})[rank()];
  heffte::fft2d_r2c<heffte::backend::fftw, long long> r2c(in, half, 1, MPI_COMM_WORLD);
  const Array real = reference::field(narrow(world), 9, true);
  const auto real_h = r2c.forward(reference::part<double>(real, narrow(in)));
  expect_equal(real_h, reference::part<Complex<double>>(
                           reference::transform(real, reference::forward), narrow(half)));
}

TEST(HeffteFourier, SomeRanksInReverse) {
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
  {
    const box3d<> world({0, 0, 0}, {5, 7, 6});
    const auto boxes = heffte::split_world(world, heffte::proc_setup_min_surface(world, ranks()));
    const box3d<> mine = boxes[heffte::mpi::comm_rank(reversed)];
    const Fft fft(mine, mine, reversed);
    const Array u = reference::field(world, 2, false);
    auto data = reference::part<Complex<double>>(u, mine);
    fft.forward(data.data(), data.data());
    expect_equal(
        data, reference::part<Complex<double>>(reference::transform(u, reference::forward), mine));
  }
  MPI_Comm_free(&reversed);
}

}  // namespace
