#pragma once

#include <array>
#include <random>
#include <utility>

#include "heffte.h"

// Whether there may be boxes without points: heFFTe itself does not take them.
#ifndef EMPTY_BOXES
#define EMPTY_BOXES 1
#endif

inline int ranks() {
  return heffte::mpi::comm_size(MPI_COMM_WORLD);
}
inline int rank() {
  return heffte::mpi::comm_rank(MPI_COMM_WORLD);
}

/// Grids of all ranks, orders and shapes, the same on all ranks.
class RandomBoxes {
 public:
  explicit RandomBoxes(unsigned seed) : engine_(seed) {}

  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  std::array<int, 3> order() {
    std::array<int, 3> result = {0, 1, 2};
    for (int i = 2; i > 0; --i) std::swap(result[i], result[below(i + 1)]);
    return result;
  }
  std::array<int, 3> grid() {
    const auto outer = heffte::get_factors(ranks());
    const auto first = outer[below(static_cast<int>(outer.size()))];
    const auto inner = heffte::get_factors(first[1]);
    const auto rest = inner[below(static_cast<int>(inner.size()))];
    return {first[0], rest[0], rest[1]};
  }
  /// Long enough for every grid to have no empty box, or not.
  heffte::box3d<> world(bool any_length) {
    const int least = EMPTY_BOXES != 0 && any_length ? 1 : ranks() + 1;
    std::array<int, 3> high;
    for (int& h : high) h = least + below(6) - 1;
    return {{0, 0, 0}, high};
  }
  /// The box of this rank; if it is empty, in an odd way.
  heffte::box3d<> box(heffte::box3d<> const& world) {
    const heffte::box3d<> mine = heffte::split_world(world, grid())[rank()];
    const auto memory = order();
    if (mine.empty()) return {{2, 0, 0}, {0, 0, 0}, memory};
    return {mine.low, mine.high, memory};
  }

 private:
  std::mt19937 engine_;
};
