// Transforms a plane wave and checks that the result is one coefficient. Prints "ok" on rank 0.
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/weft.hpp>

namespace {

constexpr weft::Index n0 = 8, n1 = 6, n2 = 10;
constexpr weft::Index k0 = 3, k1 = 5, k2 = 2;

template <class Value>
std::vector<std::complex<double>> field(const weft::LocalArray& array, Value value) {
  std::vector<std::complex<double>> data(static_cast<std::size_t>(array.allocation_size));
  const weft::Box& box = array.box;
  for (weft::Index i = box.lower[0]; i < box.upper[0]; ++i) {
    for (weft::Index j = box.lower[1]; j < box.upper[1]; ++j) {
      for (weft::Index k = box.lower[2]; k < box.upper[2]; ++k) {
        const weft::Index at = (i - box.lower[0]) * array.strides[0] +
                               (j - box.lower[1]) * array.strides[1] +
                               (k - box.lower[2]) * array.strides[2];
        data[static_cast<std::size_t>(array.offset + at)] = value(i, j, k);
      }
    }
  }
  return data;
}

std::complex<double> wave(weft::Index i, weft::Index j, weft::Index k) {
  const auto turn = [](weft::Index m, weft::Index x, weft::Index n) {
    return static_cast<double>(m * x) / static_cast<double>(n);
  };
  return std::polar(1.0,
                    2 * std::numbers::pi * (turn(k0, i, n0) + turn(k1, j, n1) + turn(k2, k, n2)));
}

std::complex<double> coefficient(weft::Index i, weft::Index j, weft::Index k) {
  return i == k0 && j == k1 && k == k2 ? static_cast<double>(n0 * n1 * n2) : 0.0;
}

double distance(const std::vector<std::complex<double>>& a,
                const std::vector<std::complex<double>>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

bool transforms_are_right() {
  weft::Plan plan(
      MPI_COMM_WORLD,
      {.shape = {n0, n1, n2}, .input = weft::slab_split(0), .output = weft::pencil_along(2)});
  const auto u = field(plan.input(), wave);
  const auto exact = field(plan.output(), coefficient);
  auto uh = exact;
  auto back = u;
  plan.forward(u, uh);
  plan.backward(uh, back);
  double errors[2] = {distance(uh, exact), distance(back, u)};
  MPI_Allreduce(MPI_IN_PLACE, errors, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return errors[0] < 1e-11 && errors[1] < 1e-14;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool right = transforms_are_right();
  if (rank == 0) std::puts(right ? "ok" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
