#pragma once

#include <mpi.h>

#include <complex>
#include <string>
#include <vector>

#include "weft/heffte/box.hpp"

namespace heffte {

/// The boxes of all ranks.
template <typename index = int>
struct ioboxes {
  std::vector<box3d<index>> in;   ///< in physical space
  std::vector<box3d<index>> out;  ///< in spectral space
};

/// Functions of MPI that return what they find.
namespace mpi {

/// The rank of this process.
inline int comm_rank(MPI_Comm const comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
/// The number of ranks.
inline int comm_size(MPI_Comm const comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
/// The rank of this process in MPI_COMM_WORLD.
inline int world_rank() {
  return comm_rank(MPI_COMM_WORLD);
}
/// Whether that is this one.
inline bool world_rank(int rank) {
  return world_rank() == rank;
}
/// A communicator of these ranks of another. Collective over that; MPI_COMM_NULL for others.
inline MPI_Comm new_comm_from_group(std::vector<int> const& ranks, MPI_Comm const comm) {
  MPI_Group all, some;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Comm_create(comm, some, &result);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  return result;
}
/// Frees a communicator. Collective.
inline void comm_free(MPI_Comm comm) {
  MPI_Comm_free(&comm);
}

/// The type of MPI for numbers of type T.
template <typename T>
MPI_Datatype type_from();
template <>
inline MPI_Datatype type_from<int>() {
  return MPI_INT;
}
template <>
inline MPI_Datatype type_from<float>() {
  return MPI_FLOAT;
}
template <>
inline MPI_Datatype type_from<double>() {
  return MPI_DOUBLE;
}
template <>
inline MPI_Datatype type_from<std::complex<float>>() {
  return MPI_C_FLOAT_COMPLEX;
}
template <>
inline MPI_Datatype type_from<std::complex<double>>() {
  return MPI_C_DOUBLE_COMPLEX;
}

/// The boxes of all ranks, on each of them. Collective.
template <typename index>
ioboxes<index> gather_boxes(box3d<index> const& inbox, box3d<index> const& outbox,
                            MPI_Comm const comm) {
  std::vector<long long> mine;
  for (box3d<index> const* box : {&inbox, &outbox}) {
    mine.insert(mine.end(), box->low.begin(), box->low.end());
    mine.insert(mine.end(), box->high.begin(), box->high.end());
    mine.insert(mine.end(), box->order.begin(), box->order.end());
  }
  int const count = static_cast<int>(mine.size()), ranks = comm_size(comm);
  std::vector<long long> all(mine.size() * ranks);
  MPI_Allgather(mine.data(), count, MPI_LONG_LONG, all.data(), count, MPI_LONG_LONG, comm);
  ioboxes<index> result;
  const auto box_at = [](long long const* p) {
    const auto at = [p](int i) { return static_cast<index>(p[i]); };
    return box3d<index>({{at(0), at(1), at(2)}}, {{at(3), at(4), at(5)}},
                        {{static_cast<int>(p[6]), static_cast<int>(p[7]), static_cast<int>(p[8])}});
  };
  for (int rank = 0; rank < ranks; ++rank) {
    long long const* const theirs = all.data() + static_cast<std::size_t>(rank) * count;
    result.in.push_back(box_at(theirs));
    result.out.push_back(box_at(theirs + count / 2));
  }
  return result;
}

}  // namespace mpi

/// Programs may ask for heFFTe's trace; there is none. weft's own is weft::Plan::start_trace.
inline void init_tracing(std::string const& /*file*/) {}
inline void finalize_tracing() {}  ///< does nothing

}  // namespace heffte
