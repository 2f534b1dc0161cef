#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "heffte.h"

/// Transforms by direct sums, of arrays that every rank has whole.
namespace reference {

using Number = std::complex<long double>;
using Line = std::vector<Number>;

/// An array of three dimensions, the first one fastest.
struct Array {
  long long size[3];
  std::vector<Number> numbers;

  Array(long long n0, long long n1, long long n2)
      : size{n0, n1, n2}, numbers(static_cast<std::size_t>(n0 * n1 * n2)) {}
  Number& at(long long i, long long j, long long k) {
    return numbers[static_cast<std::size_t>(i + size[0] * (j + size[1] * k))];
  }
};

/// What the number at j counts in the coefficient k of n.
using Weight = Number (*)(int j, int k, int n);

/// The array with each line along a dimension replaced by sums of its numbers.
inline Array along(Array array, int dimension, Weight weight) {
  const auto n = static_cast<int>(array.size[dimension]);
  Line weights;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) weights.push_back(weight(j, k, n));
  }
  std::size_t stride = 1;
  for (int d = 0; d < dimension; ++d) stride *= static_cast<std::size_t>(array.size[d]);
  Line line(n);
  for (std::size_t first = 0; first < array.numbers.size(); ++first) {
    if (first / stride % n != 0) continue;
    for (int j = 0; j < n; ++j) line[j] = array.numbers[first + j * stride];
    for (int k = 0; k < n; ++k) {
      array.numbers[first + k * stride] =
          std::inner_product(line.begin(), line.end(), weights.begin() + k * n, Number(0));
    }
  }
  return array;
}

/// Along all dimensions.
inline Array transform(Array array, Weight weight) {
  for (int d = 0; d < 3; ++d) array = along(std::move(array), d, weight);
  return array;
}

inline const long double pi = std::acos(-1.0L);

// Discrete Fourier transforms.
inline Number forward(int j, int k, int n) {
  return std::polar(1.0L, -2 * pi * (j * k % n) / n);
}
inline Number backward(int j, int k, int n) {
  return std::polar(1.0L, 2 * pi * (j * k % n) / n);
}

// What FFTW's manual defines: REDFT10, REDFT01, RODFT10, RODFT01, REDFT00, RODFT00.
inline Number redft10(int j, int k, int n) {
  return 2 * std::cos(pi * (j + 0.5L) * k / n);
}
inline Number redft01(int j, int k, int n) {
  return (j > 0 ? 2 : 1) * std::cos(pi * j * (k + 0.5L) / n);
}
inline Number rodft10(int j, int k, int n) {
  return 2 * std::sin(pi * (j + 0.5L) * (k + 1) / n);
}
inline Number rodft01(int j, int k, int n) {
  return (j < n - 1 ? 2 : 1) * std::sin(pi * (j + 1) * (k + 0.5L) / n);
}
inline Number redft00(int j, int k, int n) {
  return (j > 0 && j < n - 1 ? 2 : 1) * std::cos(pi * j * k / (n - 1));
}
inline Number rodft00(int j, int k, int n) {
  return 2 * std::sin(pi * (j + 1) * (k + 1) / (n + 1));
}

/// Numbers that look random, different ones for each seed.
inline Array field(heffte::box3d<> const& world, int seed, bool real) {
  Array array(world.size[0], world.size[1], world.size[2]);
  unsigned state = 12345u + 977u * static_cast<unsigned>(seed);
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / (1 << 24) - 0.5F;  // of few bits: exact as a float
  };
  for (Number& number : array.numbers) {
    const float re = next(), im = next();
    number = Number(re, real ? 0 : im);
  }
  return array;
}

/// The numbers of a box, as they lie in memory.
template <class T>
std::vector<T> part(Array array, heffte::box3d<> const& box) {
  std::vector<T> result(static_cast<std::size_t>(box.count()));
  std::size_t place = 0;
  const auto& order = box.order;
  int i[3];
  if (box.empty()) return result;
  for (i[order[2]] = box.low[order[2]]; i[order[2]] <= box.high[order[2]]; ++i[order[2]]) {
    for (i[order[1]] = box.low[order[1]]; i[order[1]] <= box.high[order[1]]; ++i[order[1]]) {
      for (i[order[0]] = box.low[order[0]]; i[order[0]] <= box.high[order[0]]; ++i[order[0]]) {
        const Number number = array.at(i[0], i[1], i[2]);
        if constexpr (std::is_floating_point<T>::value) {
          result[place++] = static_cast<T>(number.real());
        } else {
          result[place++] = T(number);
        }
      }
    }
  }
  return result;
}

/// The largest difference, as a share of the largest number of `expected`, and the smallest share
/// that the precision allows for; over all ranks.
template <class T>
double worst(std::vector<T> const& values, std::vector<T> const& expected) {
  double both[2] = {0, 0};  // difference, size
  for (std::size_t i = 0; i < expected.size(); ++i) {
    both[0] = std::max(both[0], static_cast<double>(std::abs(values[i] - expected[i])));
    both[1] = std::max(both[1], static_cast<double>(std::abs(expected[i])));
  }
  if (values.size() < expected.size()) both[0] = INFINITY;
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return both[0] / both[1];
}
/// What rounding may make of it.
template <class T>
double bound() {
  return sizeof(decltype(std::abs(T()))) == 4 ? 2e-6 : 4e-15;
}

}  // namespace reference
