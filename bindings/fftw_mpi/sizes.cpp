#include "sizes.hpp"

#include <algorithm>

namespace weft::fftw_mpi {

Blocks::Blocks(Size axis_length, Size asked, int rank_count)
    : length(axis_length), size(asked), ranks(rank_count) {
  if (asked == 0) size = (length + ranks - 1) / ranks;
}

bool Blocks::is_default() const {
  return size == (length + ranks - 1) / ranks;
}

Size Blocks::count(int rank) const {
  return std::clamp<Size>(length - rank * size, 0, size);
}

Size Blocks::start(int rank) const {
  return count(rank) > 0 ? rank * size : 0;
}

LocalSize local_size(const std::vector<Size>& shape, Size howmany, Size block0, Size block1,
                     int ranks, int rank) {
  LocalSize result;
  Size rest = howmany;
  for (std::size_t axis = 2; axis < shape.size(); ++axis) rest *= shape[axis];
  const Blocks rows(shape[0], block0, ranks);
  result.n0 = rows.count(rank);
  result.start0 = rows.start(rank);
  const Size n1 = shape.size() > 1 ? shape[1] : 1;
  const Blocks columns(n1, block1, ranks);
  result.n1 = columns.count(rank);
  result.start1 = columns.start(rank);
  // To FFTW a block of all columns means that there is no transposed array: rows have all of them.
  if (block1 >= n1) {
    result.n1 = result.n0 > 0 ? n1 : 0;
    result.start1 = 0;
  }
  // Programs allocate so many elements, and some take 0 for an error.
  result.allocation =
      std::max({result.n0 * n1 * rest, columns.count(rank) * shape[0] * rest, Size{1}});
  return result;
}

}  // namespace weft::fftw_mpi
