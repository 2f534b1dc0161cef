#include "support/largest_count.hpp"

#include <mpi.h>

#include <algorithm>

namespace weft::test {

namespace {

std::int64_t largest = 0;

void note(std::int64_t count) {
  largest = std::max(largest, count);
}

void note_all(const int* counts, MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  for (int rank = 0; rank < ranks; ++rank) note(counts[rank]);
}

}  // namespace

void reset_largest_count() {
  largest = 0;
}
std::int64_t largest_count() {
  return largest;
}

}  // namespace weft::test

using weft::test::note;
using weft::test::note_all;

extern "C" {

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  note(send_count);
  note(receive_count);
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_places,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
  for (const int* list : {send_counts, send_places, receive_counts, receive_places}) {
    note_all(list, comm);
  }
  return PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                        receive_places, receive_type, comm);
}

int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_places,
                   MPI_Datatype send_type, void* receive, const int* receive_counts,
                   const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request* request) {
  for (const int* list : {send_counts, send_places, receive_counts, receive_places}) {
    note_all(list, comm);
  }
  return PMPI_Ialltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                         receive_places, receive_type, comm, request);
}

int MPI_Rput(const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
             int target_count, MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  note(count);
  note(target_count);
  return PMPI_Rput(data, count, type, target, place, target_count, target_type, window, request);
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  note(count);
  return PMPI_Send_init(data, count, type, to, tag, comm, request);
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  note(count);
  return PMPI_Recv_init(data, count, type, from, tag, comm, request);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  note(count);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  note(count);
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* result) {
  note(count);
  return PMPI_Type_create_hvector(count, length, stride, type, result);
}

}  // extern "C"
