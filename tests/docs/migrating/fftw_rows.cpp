// The rows of the table for FFTW-MPI in docs/guide/migrating.md, both sides where FFTW-MPI is
// there. Numbers of ranks divide the lengths of split axes, so blocks are balanced.
#include "docs/migrating/arrays.hpp"

#ifdef WEFT_HAVE_FFTW_MPI
#include <fftw3-mpi.h>
#endif

namespace fftw_rows {

using Complex = std::complex<double>;
constexpr weft::Index n0 = 12, n1 = 18, n2 = 7;
const MPI_Comm comm = MPI_COMM_WORLD;

#ifdef WEFT_HAVE_FFTW_MPI
fftw_complex* as_fftw(Complex* numbers) {
  return reinterpret_cast<fftw_complex*>(numbers);
}

/// What a plan of FFTW makes of an array, in place.
template <class T, class Make>
std::vector<T> by_fftw(const std::vector<T>& in, Make make) {
  fftw_mpi_init();
  std::vector<T> result(in.size());
  const fftw_plan plan = make(result.data());
  EXPECT_NE(plan, nullptr);
  result = in;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return result;
}
#endif

TEST(FftwRows, ComplexArraysInSlabs) {
  weft::Plan plan(comm, {.shape = {n0, n1, n2},
                         .input = weft::slab_split(0).with_split(weft::Split::block),
                         .output = weft::slab_split(1).with_order({1, 0, 2}),
                         .norm = weft::Norm::none});
  const auto local_n0 = plan.input().box.extent(0), local_0_start = plan.input().box.lower[0];
  EXPECT_EQ(plan.input().allocation_size, local_n0 * n1 * n2);
  const auto u = filled<Complex>(plan.input());
  std::vector<Complex> uh(plan.output().allocation_size), again(u.size());
  plan.forward(u, uh);
  plan.backward(uh, again);
  for (Complex& number : again) number /= n0 * n1 * n2;
  EXPECT_LT(difference(again, u), 1e-14);
  std::vector<Complex> natural(uh.size());
  {
    weft::Plan plan(comm, {.shape = {n0, n1, n2}});
    plan.forward(u, natural);
    plan.backward(natural, again);
    EXPECT_LT(difference(again, u), 1e-14);
  }
#ifdef WEFT_HAVE_FFTW_MPI
  ptrdiff_t rows = 0, first = 0, out_rows = 0, out_first = 0;
  EXPECT_EQ(
      fftw_mpi_local_size_3d_transposed(n0, n1, n2, comm, &rows, &first, &out_rows, &out_first),
      plan.input().allocation_size);
  EXPECT_EQ(rows, local_n0);
  EXPECT_EQ(first, local_0_start);
  EXPECT_EQ(out_first, plan.output().box.lower[1]);
  EXPECT_LT(difference(uh, by_fftw(u,
                                   [](Complex* a) {
                                     return fftw_mpi_plan_dft_3d(
                                         n0, n1, n2, as_fftw(a), as_fftw(a), comm, FFTW_FORWARD,
                                         FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
                                   })),
            1e-11);
  EXPECT_LT(difference(natural, by_fftw(u,
                                        [](Complex* a) {
                                          return fftw_mpi_plan_dft_3d(n0, n1, n2, as_fftw(a),
                                                                      as_fftw(a), comm,
                                                                      FFTW_FORWARD, FFTW_ESTIMATE);
                                        })),
            1e-11);
#endif
}

TEST(FftwRows, RealArraysWithPaddedRows) {
  weft::Plan plan(comm, {.shape = {n0, n1, n2},
                         .kinds = weft::r2c,
                         .input = weft::slab_split(0).padded_for_r2c(),
                         .norm = weft::Norm::none});
  EXPECT_EQ(plan.input().strides[1], 2 * (n2 / 2 + 1));
  const auto u = filled<double>(plan.input());
  auto uh = u;
  const std::span numbers(reinterpret_cast<Complex*>(uh.data()), uh.size() / 2);
  plan.forward(uh, numbers);
#ifdef WEFT_HAVE_FFTW_MPI
  EXPECT_LT(difference(uh, by_fftw(u,
                                   [](double* a) {
                                     return fftw_mpi_plan_dft_r2c_3d(
                                         n0, n1, n2, a, reinterpret_cast<fftw_complex*>(a), comm,
                                         FFTW_ESTIMATE);
                                   })),
            1e-11);
#endif
  plan.backward(numbers, uh);
  double worst = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (static_cast<weft::Index>(i) % (2 * (n2 / 2 + 1)) >= n2) continue;  // padding
    worst = std::max(worst, std::abs(uh[i] / (n0 * n1 * n2) - u[i]));
  }
  EXPECT_LT(worst, 1e-14);
}

#ifdef WEFT_HAVE_FFTW_MPI
using FftwKind = fftw_r2r_kind;
#else
using FftwKind = int;
constexpr int FFTW_REDFT00 = 0, FFTW_REDFT10 = 0, FFTW_REDFT01 = 0, FFTW_REDFT11 = 0;
constexpr int FFTW_RODFT00 = 0, FFTW_RODFT10 = 0, FFTW_RODFT01 = 0, FFTW_RODFT11 = 0;
#endif

void check_real([[maybe_unused]] FftwKind theirs, weft::Problem problem) {
  problem.shape = {n0, n1, n2};
  problem.norm = weft::Norm::none;
  weft::Plan plan(comm, problem);
  const auto u = filled<double>(plan.input());
  std::vector<double> uh(u.size());
  plan.forward(u, uh);
#ifdef WEFT_HAVE_FFTW_MPI
  EXPECT_LT(difference(uh, by_fftw(u,
                                   [theirs](double* a) {
                                     return fftw_mpi_plan_r2r_3d(n0, n1, n2, a, a, comm, theirs,
                                                                 theirs, theirs, FFTW_ESTIMATE);
                                   })),
            1e-10);
#endif
}

TEST(FftwRows, CosinesAndSines) {
  check_real(FFTW_REDFT00, {.kinds = weft::Kind::dct1});
  check_real(FFTW_REDFT10, {.kinds = weft::Kind::dct2});
  check_real(FFTW_REDFT01, {.kinds = weft::Kind::dct3});
  check_real(FFTW_REDFT11, {.kinds = weft::Kind::dct4});
  check_real(FFTW_RODFT00, {.kinds = weft::Kind::dst1});
  check_real(FFTW_RODFT10, {.kinds = weft::Kind::dst2});
  check_real(FFTW_RODFT01, {.kinds = weft::Kind::dst3});
  check_real(FFTW_RODFT11, {.kinds = weft::Kind::dst4});
}

TEST(FftwRows, SeveralFieldsInterleaved) {
  const weft::Index howmany = 3;
  weft::Plan plan(
      comm,
      {.shape = {n0, n1, n2}, .batch = howmany, .interleaved = true, .norm = weft::Norm::none});
  std::vector<Complex> u(plan.input().allocation_size), uh(plan.output().allocation_size);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = number_at(i, 3, plan.input().box.lower[0]);
  plan.forward(u, uh);
#ifdef WEFT_HAVE_FFTW_MPI
  EXPECT_LT(difference(uh, by_fftw(u,
                                   [howmany](Complex* a) {
                                     const ptrdiff_t n[] = {n0, n1, n2};
                                     return fftw_mpi_plan_many_dft(
                                         3, n, howmany, FFTW_MPI_DEFAULT_BLOCK,
                                         FFTW_MPI_DEFAULT_BLOCK, as_fftw(a), as_fftw(a), comm,
                                         FFTW_FORWARD, FFTW_ESTIMATE);
                                   })),
            1e-11);
#endif
}

TEST(FftwRows, TransposesOfRealMatrices) {
  weft::Plan plan(comm, {.shape = {n0, n1},
                         .kinds = weft::none,
                         .output = weft::slab_split(1).with_order({1, 0}),
                         .numbers = weft::Numbers::real});
  std::vector<double> u(plan.input().allocation_size), uh(plan.output().allocation_size);
  const auto first = static_cast<double>(plan.input().box.lower[0] * n1);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = first + static_cast<double>(i);
  plan.forward(u, uh);
  const weft::Box& out = plan.output().box;
  for (auto j = out.lower[1]; j < out.upper[1]; ++j) {
    for (weft::Index i = 0; i < n0; ++i) {
      ASSERT_EQ(uh[(j - out.lower[1]) * n0 + i], static_cast<double>(i * n1 + j));
    }
  }
#ifdef WEFT_HAVE_FFTW_MPI
  EXPECT_EQ(uh, by_fftw(u, [](double* a) {
              return fftw_mpi_plan_transpose(n0, n1, a, a, comm, FFTW_ESTIMATE);
            }));
#endif
}

TEST(FftwRows, LongVectors) {
  weft::LongTransform transform(comm, {.length = 360, .order = weft::LongOrder::transposed});
  std::vector<Complex> x(transform.size()), spectrum(transform.spectrum_size());
  for (std::size_t j = 0; j < x.size(); ++j) {  // one wave
    const double angle = 2 * std::acos(-1.0) * 7 * static_cast<double>(transform.begin() + j) / 360;
    x[j] = std::polar(1.0, angle);
  }
  transform.forward(x, spectrum);
  for (weft::Index position = 0; position < transform.spectrum_size(); ++position) {
    const double expected = transform.frequency(position) == 7 ? 360 : 0;
    ASSERT_LT(std::abs(spectrum[position] - expected), 1e-11);
  }
}

TEST(FftwRows, Options) {
  weft::Options options;
  const int t = 2;
  options.threads = t;
  options.overwrite_input = true;
  options.local = "fftw";
  for (const auto rigor : {weft::Rigor::measure, weft::Rigor::patient}) {
    options.rigor = rigor;
    weft::Plan plan(comm, {.shape = {n0, n1, n2}, .precision = weft::Precision::f32}, options);
    EXPECT_EQ(plan.info().threads, t);
    auto u = filled<std::complex<float>>(plan.input());
    std::vector<std::complex<float>> uh(plan.output().allocation_size);
    plan.forward(u, uh);
    plan.backward(uh, u);
    EXPECT_LT(difference(u, filled<std::complex<float>>(plan.input())), 1e-5);
  }
  options.rigor = weft::Rigor::measure;
  EXPECT_THROW(weft::import_fftw_wisdom("/no/such/file", weft::Precision::f64), weft::Error);
}

}  // namespace fftw_rows
