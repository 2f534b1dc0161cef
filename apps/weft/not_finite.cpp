#include "not_finite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {

struct Counts {
  Index nan = 0;
  Index infinite = 0;
  Index first = std::numeric_limits<Index>::max();  ///< element of the file
};

template <class Real>
Counts count(std::span<const std::byte> part, Index begin, Index parts_of_element) {
  const auto* number = reinterpret_cast<const Real*>(part.data());
  const Index elements = static_cast<Index>(part.size() / sizeof(Real)) / parts_of_element;
  Counts counts;
  for (Index i = 0; i < elements; ++i, number += parts_of_element) {
    const Real& last = number[parts_of_element - 1];
    if (std::isfinite(*number) && std::isfinite(last)) continue;
    ++(std::isnan(*number) || std::isnan(last) ? counts.nan : counts.infinite);
    counts.first = std::min(counts.first, begin + i);
  }
  return counts;
}

/// "[3, 4]"
std::string index_text(const NpyHeader& header, Index element) {
  const AxisList order = header.order();
  Extents index = header.shape;
  for (int i = order.size() - 1; i >= 0; --i) {
    index[order[i]] = element % header.shape[order[i]];
    element /= header.shape[order[i]];
  }
  std::string text;
  for (Index at : index) text += (text.empty() ? "[" : ", ") + std::to_string(at);
  return text + "]";
}

}  // namespace

std::string not_finite(const Communicator& comm, const NpyHeader& header, Index begin,
                       std::span<const std::byte> part) {
  const Index parts = header.complex ? 2 : 1;
  const Counts mine = header.precision == Precision::f32 ? count<float>(part, begin, parts)
                                                         : count<double>(part, begin, parts);
  Index sums[2] = {mine.nan, mine.infinite};
  Index first = mine.first;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, comm.get()),
            "MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT64_T, MPI_MIN, comm.get()),
            "MPI_Allreduce");
  if (sums[0] + sums[1] == 0) return {};
  return std::to_string(sums[0]) + " NaN and " + std::to_string(sums[1]) +
         " infinite, the first at " + index_text(header, first);
}

}  // namespace weft
