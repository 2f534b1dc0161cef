// Rows of the tables for heFFTe, for 2DECOMP&FFT and for cuFFTMp: docs/guide/from-heffte.md,
// from-pencils.md and migrating.md. heFFTe's side is weft's interface of it, which has tests of its
// own; instead of a GPU there is the device `emulated`.
#include <algorithm>
#include <weft/heffte.hpp>

#include "docs/migrating/arrays.hpp"

namespace other_rows {

using Complex = std::complex<double>;
const MPI_Comm comm = MPI_COMM_WORLD;

int ranks() {
  return heffte::mpi::comm_size(comm);
}
int rank() {
  return heffte::mpi::comm_rank(comm);
}

/// What heFFTe and weft call this rank's box.
struct Boxes {
  heffte::box3d<> theirs;
  weft::Box ours;
};
Boxes slab(std::array<int, 3> n, int dimension) {
  std::array<int, 3> grid = {1, 1, 1};
  grid[dimension] = ranks();
  const heffte::box3d<> box =
      heffte::split_world(heffte::box3d<>({0, 0, 0}, {n[0] - 1, n[1] - 1, n[2] - 1}), grid)[rank()];
  return {box, weft::Box{{box.low[2], box.low[1], box.low[0]},
                         {box.high[2] + 1, box.high[1] + 1, box.high[0] + 1}}};
}

constexpr int n0 = 10, n1 = 9, n2 = 12;

TEST(HeffteRows, BoxesBeginAndEnd) {
  const heffte::box3d<> theirs({0, 0, 0}, {9, 9, 9});
  const auto ours = weft::Box{{0, 0, 0}, {10, 10, 10}};
  EXPECT_EQ(theirs.count(), ours.count());
}

TEST(HeffteRows, GridsGiveTheSameBoxesToTheSameRanks) {
  for (const auto& grid : heffte::get_factors(ranks())) {
    const int g0 = grid[0], g1 = 1, g2 = grid[1];
    const heffte::box3d<> box = heffte::split_world(
        heffte::box3d<>({0, 0, 0}, {n0 - 1, n1 - 1, n2 - 1}), {g0, g1, g2})[rank()];
    weft::Plan plan(comm, {.shape = {n2, n1, n0}, .input = weft::grid({g2, g1, g0})});
    const weft::Box& mine = plan.input().box;
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(mine.lower[2 - d], box.low[d]);
      EXPECT_EQ(mine.upper[2 - d], box.high[d] + 1);
    }
  }
  weft::Plan bricks(comm, {.shape = {n2, n1, n0}, .input = weft::brick()});
  EXPECT_GT(bricks.input().box.count(), 0);
}

template <class Theirs, class T, class C>
void check(const Theirs& fft, const weft::Problem& problem, heffte::scale there,
           heffte::scale back) {
  weft::Plan plan(comm, problem);
  EXPECT_EQ(fft.size_inbox() * problem.batch, plan.input().allocation_size);
  EXPECT_EQ(fft.size_outbox() * problem.batch, plan.output().allocation_size);
  std::vector<T> u(plan.input().allocation_size), again(u.size()), theirs_again(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<T>(std::sin(3.0 * i * i + rank()));
  std::vector<C> uh(plan.output().allocation_size), theirs(uh.size());
  plan.forward(u, uh);
  plan.backward(uh, again);
  const int batch = static_cast<int>(problem.batch);
  fft.forward(batch, u.data(), theirs.data(), there);
  fft.backward(batch, theirs.data(), theirs_again.data(), back);
  EXPECT_LT(difference(uh, theirs), 1e-10);
  EXPECT_LT(difference(again, theirs_again), 1e-8);
}

TEST(HeffteRows, Transforms) {
  using heffte::scale;
  using namespace heffte::backend;
  const Boxes inbox = slab({n0, n1, n2}, 1), outbox = slab({n0, n1, n2}, 2);
  const weft::Box &in = inbox.ours, &out = outbox.ours;
  const weft::Index batch = 2;
  const heffte::fft3d<fftw> fft(inbox.theirs, outbox.theirs, comm);
  const weft::Problem problem = {
      .shape = {n2, n1, n0}, .input = weft::box(in), .output = weft::box(out)};
  const auto with = [&](weft::Norm norm) {
    weft::Problem one = problem;
    one.norm = norm;
    return one;
  };
  using weft::Norm;
  using C = Complex;
  check<heffte::fft3d<fftw>, C, C>(fft, with(Norm::forward), scale::full, scale::none);
  check<heffte::fft3d<fftw>, C, C>(fft, with(Norm::backward), scale::none, scale::full);
  check<heffte::fft3d<fftw>, C, C>(fft, with(Norm::ortho), scale::symmetric, scale::symmetric);
  check<heffte::fft3d<fftw>, C, C>(fft,
                                   {.shape = {n2, n1, n0},
                                    .input = weft::box(in),
                                    .output = weft::box(out),
                                    .batch = batch,
                                    .norm = weft::Norm::none},
                                   scale::none, scale::none);

  const auto halved = slab({n0 / 2 + 1, n1, n2}, 2), halved_1 = slab({n0, n1 / 2 + 1, n2}, 2);
  const heffte::fft3d_r2c<fftw> r2c(inbox.theirs, halved.theirs, 0, comm);
  weft::Problem real = {.shape = {n2, n1, n0},
                        .kinds = weft::r2c,
                        .input = weft::box(in),
                        .output = weft::box(halved.ours)};
  check<heffte::fft3d_r2c<fftw>, double, C>(r2c, real, scale::none, scale::full);
  using weft::c2c;
  {
    using weft::r2c;
    real.kinds = {c2c, r2c, c2c};
  }
  real.output = weft::box(halved_1.ours);
  const heffte::fft3d_r2c<fftw> r2c_1(inbox.theirs, halved_1.theirs, 1, comm);
  check<heffte::fft3d_r2c<fftw>, double, C>(r2c_1, real, scale::none, scale::full);

  // two axes
  const auto flat = slab({n0, n1, 1}, 1);
  const heffte::fft2d<fftw> flat_fft(flat.theirs, flat.theirs, comm);
  check<heffte::fft2d<fftw>, C, C>(
      flat_fft,
      {.shape = {n1, n0}, .input = weft::box({{flat.ours.lower[1], 0}, {flat.ours.upper[1], n0}})},
      scale::none, scale::full);
}

template <class Tag>
void check_real(weft::Kind kind) {
  const Boxes in = slab({n0, n1, n2}, 1);
  const heffte::box3d<> order({in.theirs.low}, {in.theirs.high}, {2, 0, 1});
  const heffte::rtransform<Tag> transform(in.theirs, order, comm);
  check<heffte::rtransform<Tag>, double, double>(
      transform,
      {.shape = {n2, n1, n0},
       .kinds = kind,
       .input = weft::box(in.ours),
       .output = weft::box(in.ours).with_order({1, 2, 0})},
      heffte::scale::none, heffte::scale::full);
}

TEST(HeffteRows, CosinesSinesAndOrdersInMemory) {
  using namespace heffte::backend;
  check_real<fftw_cos>(weft::Kind::dct2);
  check_real<fftw_sin>(weft::Kind::dst2);
  check_real<fftw_cos1>(weft::Kind::dct1);
  check_real<fftw_sin1>(weft::Kind::dst1);
}

void check_options(const weft::Options& options) {
  weft::Plan plan(comm, {.shape = {n2, n1, n0}}, options);
  EXPECT_EQ(plan.info().local, options.local);
  const auto u = filled<Complex>(plan.input());
  std::vector<Complex> uh(plan.output().allocation_size), again(u.size());
  plan.forward(u, uh);
  plan.backward(uh, again);
  EXPECT_LT(difference(again, u), 1e-14);
}

TEST(HeffteRows, Options) {
  weft::Options options;
  options.algorithm = weft::Algorithm::slab;
  options.reorder = true;
  options.local = "fftw";
  options.exchange = "alltoallv";
  check_options(options);
  options.exchange = "alltoall";
  check_options(options);
  options.local = "stockham";
  for (const char* exchange : {"p2p", "p2p_pipelined"}) {
    options.exchange = exchange;
    check_options(options);
  }
}

TEST(DecompRows, PencilsOfAGrid) {
  const int p_row = heffte::make_procgrid(ranks())[0], p_col = ranks() / p_row;
  const weft::Index nx = 12, ny = 10, nz = 8;
  const int row = rank() / p_col, column = rank() % p_col;
  const weft::LayoutSpec x = weft::grid({1, p_row, p_col}).with_order({2, 1, 0});
  const weft::LayoutSpec y = weft::grid({p_row, 1, p_col}).with_order({2, 1, 0});
  const weft::LayoutSpec z = weft::grid({p_row, p_col, 1}).with_order({2, 1, 0});
  weft::Plan plan(comm, {.shape = {nx, ny, nz},
                         .kinds = {weft::r2c, weft::c2c, weft::c2c},
                         .input = x,
                         .output = z,
                         .norm = weft::Norm::none});
  const auto part = [](weft::Index n, int parts, int i) {
    return n / parts * i + std::min<weft::Index>(n % parts, i);
  };
  const weft::Box& mine = plan.input().box;
  EXPECT_EQ(mine.lower, (weft::Extents{0, part(ny, p_row, row), part(nz, p_col, column)}));
  EXPECT_EQ(plan.output().box.lower,
            (weft::Extents{part(nx / 2 + 1, p_row, row), part(ny, p_col, column), 0}));
  EXPECT_EQ(plan.input().strides[0], 1);
  EXPECT_EQ(plan.output().box.extents()[2], nz);
  auto u = filled<double>(plan.input());
  std::vector<Complex> uh(plan.output().allocation_size);
  plan.forward(u, uh);
  plan.backward(uh, u);
  for (double& number : u) number /= nx * ny * nz;
  EXPECT_LT(difference(u, filled<double>(plan.input())), 1e-14);

  // The box as the other library counts it.
  const auto xs = mine.lower[0] + 1, ys = mine.lower[1] + 1, zs = mine.lower[2] + 1;
  const auto xe = mine.upper[0], ye = mine.upper[1], ze = mine.upper[2];
  weft::Plan own(comm, {.shape = {nx, ny, nz},
                        .kinds = weft::c2c,
                        .input = weft::box({{xs - 1, ys - 1, zs - 1}, {xe, ye, ze}})});
  EXPECT_EQ(own.input().box, mine);

  weft::Plan transpose(comm, {.shape = {nx, ny, nz},
                              .kinds = weft::none,
                              .input = x,
                              .output = y,
                              .numbers = weft::Numbers::real});
  const auto a = filled<double>(transpose.input());
  std::vector<double> b(transpose.output().allocation_size);
  transpose.forward(a, b);
  EXPECT_EQ(b, filled<double>(transpose.output()));
  weft::Plan near_square(comm, {.shape = {nx, ny, nz},
                                .input = weft::pencil_along(0),
                                .output = weft::pencil_along(1),
                                .norm = weft::Norm::forward});
  EXPECT_EQ(near_square.input().box.extent(0), nx);
  EXPECT_EQ(near_square.output().box.extent(1), ny);
  const std::vector<Complex> ones(near_square.input().allocation_size, 1);
  std::vector<Complex> mean(near_square.output().allocation_size);
  near_square.forward(ones, mean);
  if (rank() == 0) EXPECT_LT(std::abs(mean[0] - 1.0), 1e-14);
  weft::Plan to_z(comm, {.shape = {nx, ny, nz}, .output = weft::pencil_along(2)});
  EXPECT_EQ(to_z.output().box.extent(2), nz);
}

TEST(CufftMpRows, ArraysOfADevice) {
  weft::Options options;
  options.device = "emulated";
  void* const stream = nullptr;
  options.stream = stream;
  const weft::Index n0 = 12, n1 = 12, n2 = 5;
  const weft::Problem problem = {.shape = {n0, n1, n2},
                                 .input = weft::slab_split(0),
                                 .output = weft::slab_split(1),
                                 .precision = weft::Precision::f64,
                                 .norm = weft::Norm::none};
  weft::Plan plan(comm, problem, options);
  weft::PlanArray<std::complex<double>> u(plan, plan.input().allocation_size);
  const auto host = filled<Complex>(plan.input());
  u.copy_from(host);
  plan.forward(u, u);
  plan.backward(u, u);
  std::vector<Complex> again(host.size());
  {
    const std::span host(again);
    u.copy_to(host);
  }
  for (Complex& number : again) number /= n0 * n1 * n2;
  EXPECT_LT(difference(again, host), 1e-14);
  weft::Plan real(comm,
                  {.shape = {n0, n1, n2},
                   .kinds = weft::r2c,
                   .input = weft::slab_split(0).padded_for_r2c(),
                   .precision = weft::Precision::f32},
                  options);
  EXPECT_EQ(real.info().device, "emulated");
}

}  // namespace other_rows
