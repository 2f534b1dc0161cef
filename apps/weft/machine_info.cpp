#include "machine_info.hpp"

#include <unistd.h>

#include <climits>

#include "device/cpu.hpp"

namespace weft {

namespace {

int count_nodes(const Communicator& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node),
      "MPI_Comm_split_type");
  int rank_on_node = 0;
  MPI_Comm_rank(node, &rank_on_node);
  MPI_Comm_free(&node);
  int nodes = rank_on_node == 0 ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, comm.get()), "MPI_Allreduce");
  return nodes;
}

}  // namespace

MachineInfo machine_info(const Communicator& comm) {
  MachineInfo info;
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, sizeof name - 1);
  info.hostname = name;
  info.cpu = cpu_model();
  info.cores = cores();
  info.nodes = count_nodes(comm);
  info.mpi = mpi_library();
#ifdef __clang__
  info.compiler = "clang " __clang_version__;
#else
  info.compiler = "g++ " __VERSION__;
#endif
  return info;
}

}  // namespace weft
