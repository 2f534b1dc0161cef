#pragma once

#include <mpi.h>

#include <ostream>

#include "weft/heffte/types.hpp"

namespace heffte {

/// How heFFTe would send messages.
enum class reshape_algorithm {
  alltoallv = 0,   ///< MPI_Alltoallv
  p2p_plined = 1,  ///< MPI_Isend, packed one after another
  p2p = 2,         ///< MPI_Send
  alltoall = 3,    ///< MPI_Alltoall with padding
};

/// Settings of plans. They are accepted, but nothing follows from them: they are heFFTe's means of
/// being fast, and weft chooses its own, or what the environment says in WEFT_EXCHANGE and others.
struct plan_options {
  /// heFFTe's defaults for a tag.
  template <typename backend_tag>
  plan_options(backend_tag const /*tag*/)
      : plan_options(!std::is_same<backend_tag, backend::mkl>::value, reshape_algorithm::alltoallv,
                     true) {}
  /// These; what is left out as by default.
  plan_options(bool reorder, reshape_algorithm alg, bool pencils)
      : use_reorder(reorder), algorithm(alg), use_pencils(pencils) {}

  void use_num_subranks(int num_subranks) { subranks_ = num_subranks; }  ///< ranks between steps
  void use_subcomm(MPI_Comm /*comm*/) { subranks_ = 1; }                 ///< ranks between steps
  int get_subranks() const { return subranks_; }                         ///< as set; -1: all

  bool use_reorder;             ///< whether lines are made contiguous
  reshape_algorithm algorithm;  ///< how messages are sent
  bool use_pencils;             ///< pencils rather than slabs between steps
  bool use_gpu_aware = true;    ///< whether MPI is handed arrays of GPUs

 private:
  int subranks_ = -1;
};

/// heFFTe's defaults for a tag.
template <typename backend_tag>
plan_options default_options() {
  return plan_options(backend_tag());
}

/// Writes what the settings are.
inline std::ostream& operator<<(std::ostream& out, plan_options const options) {
  static constexpr char const* algorithms[] = {"mpi:alltoallv", "mpi:point-to-point-pipelined",
                                               "mpi:point-to-point", "mpi:alltoall"};
  return out << "options = (" << (options.use_reorder ? "fft1d:contiguous" : "fft1d:strided")
             << ", " << algorithms[static_cast<int>(options.algorithm)] << ", "
             << (options.use_pencils ? "decomposition:pencil" : "decomposition:slab") << ", "
             << (options.use_gpu_aware ? "mpi:from-gpu" : "mpi:from-cpu") << ")";
}

}  // namespace heffte
