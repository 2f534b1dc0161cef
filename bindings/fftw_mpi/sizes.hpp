#pragma once

#include <vector>

#include "abi.hpp"

namespace weft::fftw_mpi {

/// How FFTW divides an axis: `size` points on every rank, as long as there are any.
struct Blocks {
  Size length;
  Size size;
  int ranks;

  /// FFTW's default, ceil(length / ranks), where `asked` is 0.
  Blocks(Size axis_length, Size asked, int rank_count);

  bool is_default() const;
  /// Whether the ranks have all points.
  bool cover() const { return size > 0 && (length + size - 1) / size <= ranks; }
  Size count(int rank) const;  ///< points of a rank
  Size start(int rank) const;  ///< the first of them; 0 where there is none
};

/// What a rank is told about its parts of an array and of the transposed array.
struct LocalSize {
  Size n0 = 0, start0 = 0;
  Size n1 = 0, start1 = 0;
  Size allocation = 0;  ///< elements that hold either
};
LocalSize local_size(const std::vector<Size>& shape, Size howmany, Size block0, Size block1,
                     int ranks, int rank);

}  // namespace weft::fftw_mpi
