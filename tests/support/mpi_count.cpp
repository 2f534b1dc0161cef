#include "support/mpi_count.hpp"

#include <mpi.h>

#include <atomic>

namespace weft::test {

namespace {

struct {
  std::atomic<int> communicators_made{0}, communicators_freed{0};
  std::atomic<int> types_made{0}, types_committed{0}, types_freed{0};
  std::atomic<int> windows_made{0}, windows_freed{0};
  std::atomic<int> persistent_made{0}, persistent_freed{0};
} counts;

}  // namespace

void reset_mpi_count() {
  for (auto* count : {&counts.communicators_made, &counts.communicators_freed, &counts.types_made,
                      &counts.types_committed, &counts.types_freed, &counts.windows_made,
                      &counts.windows_freed, &counts.persistent_made, &counts.persistent_freed}) {
    *count = 0;
  }
}

MpiCount mpi_count() {
  return {counts.communicators_made, counts.communicators_freed, counts.types_made,
          counts.types_committed,    counts.types_freed,         counts.windows_made,
          counts.windows_freed,      counts.persistent_made,     counts.persistent_freed};
}

}  // namespace weft::test

using weft::test::counts;

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_dup(comm, result);
}
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_dup_with_info(comm, info, result);
}
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* result, MPI_Request* request) {
  ++counts.communicators_made;
  return PMPI_Comm_idup(comm, result, request);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_split(comm, color, key, result);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_split_type(comm, type, key, info, result);
}
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_create(comm, group, result);
}
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Comm_create_group(comm, group, tag, result);
}
int MPI_Cart_create(MPI_Comm comm, int axes, const int* lengths, const int* periods, int reorder,
                    MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Cart_create(comm, axes, lengths, periods, reorder, result);
}
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources, const int* source,
                                   const int* source_weight, int targets, const int* target,
                                   const int* target_weight, MPI_Info info, int reorder,
                                   MPI_Comm* result) {
  ++counts.communicators_made;
  return PMPI_Dist_graph_create_adjacent(comm, sources, source, source_weight, targets, target,
                                         target_weight, info, reorder, result);
}
int MPI_Comm_free(MPI_Comm* comm) {
  ++counts.communicators_freed;
  return PMPI_Comm_free(comm);
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_contiguous(count, type, result);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_create_hvector(count, length, stride, type, result);
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places,
                             MPI_Datatype type, MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_create_hindexed(count, lengths, places, type, result);
}
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places,
                           const MPI_Datatype* types, MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_create_struct(count, lengths, places, types, result);
}
int MPI_Type_create_subarray(int axes, const int* sizes, const int* lengths, const int* starts,
                             int order, MPI_Datatype type, MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_create_subarray(axes, sizes, lengths, starts, order, type, result);
}
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent,
                            MPI_Datatype* result) {
  ++counts.types_made;
  return PMPI_Type_create_resized(type, lower, extent, result);
}
int MPI_Type_commit(MPI_Datatype* type) {
  ++counts.types_committed;
  return PMPI_Type_commit(type);
}
int MPI_Type_free(MPI_Datatype* type) {
  ++counts.types_freed;
  return PMPI_Type_free(type);
}

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* window) {
  ++counts.windows_made;
  return PMPI_Win_create(base, size, unit, info, comm, window);
}
int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* window) {
  ++counts.windows_made;
  return PMPI_Win_allocate(size, unit, info, comm, base, window);
}
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
  ++counts.windows_made;
  return PMPI_Win_allocate_shared(size, unit, info, comm, base, window);
}
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  ++counts.windows_made;
  return PMPI_Win_create_dynamic(info, comm, window);
}

int MPI_Win_free(MPI_Win* window) {
  ++counts.windows_freed;
  return PMPI_Win_free(window);
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  ++counts.persistent_made;
  return PMPI_Send_init(data, count, type, to, tag, comm, request);
}
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  ++counts.persistent_made;
  return PMPI_Recv_init(data, count, type, from, tag, comm, request);
}
int MPI_Request_free(MPI_Request* request) {
  ++counts.persistent_freed;
  return PMPI_Request_free(request);
}

}  // extern "C"
