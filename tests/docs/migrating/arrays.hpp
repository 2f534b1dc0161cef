#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>
#include <weft/weft.hpp>

/// Numbers for points of the global array, which look random.
inline std::complex<double> number_at(weft::Index i, weft::Index j, weft::Index k) {
  return {std::sin(1.0 + 3 * i + 5 * j + 7 * k + i * j * k), std::cos(2.0 + 11 * i + j - 2 * k)};
}
/// Writes those of this rank's box, or their real parts.
template <class T>
void fill(const weft::LocalArray& mine, T* array) {
  const weft::Box& box = mine.box;
  for (auto i = box.lower[0]; i < box.upper[0]; ++i) {
    for (auto j = box.lower[1]; j < box.upper[1]; ++j) {
      for (auto k = box.lower[2]; k < box.upper[2]; ++k) {
        const auto number = number_at(i, j, k);
        if constexpr (std::is_floating_point_v<T>) {
          array[mine.position(i, j, k)] = static_cast<T>(number.real());
        } else {
          array[mine.position(i, j, k)] = T(number);
        }
      }
    }
  }
}
template <class T>
std::vector<T> filled(const weft::LocalArray& mine) {
  std::vector<T> array(static_cast<std::size_t>(mine.allocation_size));
  fill(mine, array.data());
  return array;
}

/// The largest difference between so many numbers.
template <class A, class B>
double difference(const A* a, const B* b, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
  }
  return most;
}
template <class A, class B>
double difference(const A& a, const B& b) {
  EXPECT_EQ(a.size(), b.size());
  return difference(a.data(), b.data(), std::min(a.size(), b.size()));
}
