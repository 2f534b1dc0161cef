// Cosine and sine transforms through the interface of heFFTe, against direct sums.
#include <gtest/gtest.h>

#include "reference.hpp"

namespace {

using heffte::box3d;
using heffte::scale;
using reference::Array;
using reference::Weight;

template <class Backend, class Real>
void check(Weight forward, Weight backward, double points, int batch, double backward_factor = 1) {
  const box3d<> world({0, 0, 0}, {7, 10, 8});
  const int ranks = heffte::mpi::comm_size(MPI_COMM_WORLD);
  const int rank = heffte::mpi::comm_rank(MPI_COMM_WORLD);
  const box3d<> in = heffte::split_world(world, {1, ranks, 1})[rank];
  const box3d<> slab = heffte::split_world(world, {1, 1, ranks})[rank];
  const box3d<> out(slab.low, slab.high, {2, 0, 1});
  heffte::rtransform<Backend> transform(in, out, MPI_COMM_WORLD);
  EXPECT_NEAR(transform.get_scale_factor(scale::full) * points, 1, 1e-14);
  std::vector<Real> u, uh, back, scaled_there, scaled_back;
  for (int b = 0; b < batch; ++b) {
    const Array field = reference::field(world, 20 + b, true);
    const auto append = [](std::vector<Real>& all, Array const& array, box3d<> const& box,
                           double by) {
      for (Real value : reference::part<Real>(array, box)) {
        all.push_back(static_cast<Real>(value * by));
      }
    };
    append(u, field, in, 1);
    append(uh, reference::transform(field, forward), out, 1);
    append(scaled_there, reference::transform(field, forward), out, 1 / std::sqrt(points));
    append(scaled_back, field, in, std::sqrt(points));
    append(back, reference::transform(reference::transform(field, forward), backward), in,
           backward_factor);
  }
  const auto expect_equal = [](std::vector<Real> const& values, std::vector<Real> const& expected) {
    EXPECT_LT(reference::worst(values, expected), reference::bound<Real>());
  };
  std::vector<Real> modes(uh.size()), again(u.size());
  transform.forward(batch, u.data(), modes.data());
  expect_equal(modes, uh);
  transform.backward(batch, modes.data(), again.data());
  expect_equal(again, back);
  transform.backward(batch, modes.data(), again.data(), scale::full);
  expect_equal(again, u);
  transform.backward(batch, modes.data(), again.data(), scale::symmetric);
  expect_equal(again, scaled_back);
  transform.forward(batch, u.data(), modes.data(), scale::symmetric);
  expect_equal(modes, scaled_there);
  transform.backward(batch, modes.data(), again.data(), scale::symmetric);
  expect_equal(again, u);
  transform.forward(batch, u.data(), modes.data(), scale::full);
  transform.backward(batch, modes.data(), again.data());
  expect_equal(again, u);
  if (batch == 1) {
    expect_equal(transform.forward(u), uh);
    expect_equal(transform.backward(uh, scale::full), u);
  }
}

TEST(HeffteRealToReal, CosinesAndSines) {
  using namespace heffte::backend;
  const double n = 8 * 8 * 11 * 9, with_ends = 8 * 7 * 10 * 8, without_ends = 8 * 9 * 12 * 10;
  for (int batch : {1, 2}) {
    check<fftw_cos, double>(reference::redft10, reference::redft01, n, batch);
    check<fftw_cos, float>(reference::redft10, reference::redft01, n, batch);
    check<fftw_sin, double>(reference::rodft10, reference::rodft01, n, batch);
    check<fftw_sin, float>(reference::rodft10, reference::rodft01, n, batch);
    check<fftw_cos1, double>(reference::redft00, reference::redft00, with_ends, batch);
    check<fftw_cos1, float>(reference::redft00, reference::redft00, with_ends, batch);
    check<fftw_sin1, double>(reference::rodft00, reference::rodft00, without_ends, batch);
    check<fftw_sin1, float>(reference::rodft00, reference::rodft00, without_ends, batch);
    check<stock_cos, double>(reference::redft10, reference::redft01, 8 * n, batch, 8);
    check<stock_cos, float>(reference::redft10, reference::redft01, 8 * n, batch, 8);
    check<stock_sin, double>(reference::rodft10, reference::rodft01, 8 * n, batch, 8);
    check<stock_cos1, double>(reference::redft00, reference::redft00, 8 * with_ends, batch, 8);
  }
}

}  // namespace
