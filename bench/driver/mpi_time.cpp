#include "driver/mpi_time.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include "weft/error.hpp"

namespace weft::bench {

namespace {

thread_local double total = 0;
thread_local int depth = 0;  // MPI libraries call themselves

class Timer {
 public:
  Timer() : begin_(depth++ == 0 ? PMPI_Wtime() : 0) {}
  ~Timer() {
    if (--depth == 0) total += PMPI_Wtime() - begin_;
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double begin_;
};

template <class Function>
Function* loaded(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) throw Error(dlerror());
  return reinterpret_cast<Function*>(found);
}

}  // namespace

double seconds_in_mpi() {
  return total;
}

}  // namespace weft::bench

// A function of a given name and type can only be spelled out.
// NOLINTBEGIN(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)
#define TIMED(name, parameters, arguments) \
  extern "C" int MPI_##name parameters {   \
    const weft::bench::Timer timer;        \
    return PMPI_##name arguments;          \
  }

// Between two ranks.
TIMED(Send, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f), (a, b, c, d, e, f))
TIMED(Ssend, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f), (a, b, c, d, e, f))
TIMED(Recv, (void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Status* g),
      (a, b, c, d, e, f, g))
TIMED(Sendrecv,
      (const void* a, int b, MPI_Datatype c, int d, int e, void* f, int g, MPI_Datatype h, int i,
       int j, MPI_Comm k, MPI_Status* l),
      (a, b, c, d, e, f, g, h, i, j, k, l))
TIMED(Isend, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
      (a, b, c, d, e, f, g))
TIMED(Issend, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
      (a, b, c, d, e, f, g))
TIMED(Irecv, (void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
      (a, b, c, d, e, f, g))
TIMED(Probe, (int a, int b, MPI_Comm c, MPI_Status* d), (a, b, c, d))
TIMED(Iprobe, (int a, int b, MPI_Comm c, int* d, MPI_Status* e), (a, b, c, d, e))
TIMED(Start, (MPI_Request * a), (a))
TIMED(Startall, (int a, MPI_Request* b), (a, b))

// Waiting.
TIMED(Wait, (MPI_Request * a, MPI_Status* b), (a, b))
TIMED(Waitall, (int a, MPI_Request* b, MPI_Status* c), (a, b, c))
TIMED(Waitany, (int a, MPI_Request* b, int* c, MPI_Status* d), (a, b, c, d))
TIMED(Waitsome, (int a, MPI_Request* b, int* c, int* d, MPI_Status* e), (a, b, c, d, e))
TIMED(Test, (MPI_Request * a, int* b, MPI_Status* c), (a, b, c))
TIMED(Testall, (int a, MPI_Request* b, int* c, MPI_Status* d), (a, b, c, d))
TIMED(Testany, (int a, MPI_Request* b, int* c, int* d, MPI_Status* e), (a, b, c, d, e))
TIMED(Testsome, (int a, MPI_Request* b, int* c, int* d, MPI_Status* e), (a, b, c, d, e))
TIMED(Barrier, (MPI_Comm a), (a))
TIMED(Ibarrier, (MPI_Comm a, MPI_Request* b), (a, b))

// Among all ranks of a communicator.
TIMED(Bcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
TIMED(Reduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Allreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
      (a, b, c, d, e, f))
TIMED(Gather,
      (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Gatherv,
      (const void* a, int b, MPI_Datatype c, void* d, const int* e, const int* f, MPI_Datatype g,
       int h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Scatter,
      (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Scatterv,
      (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, int f, MPI_Datatype g,
       int h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Allgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Allgatherv,
      (const void* a, int b, MPI_Datatype c, void* d, const int* e, const int* f, MPI_Datatype g,
       MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Alltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Alltoallv,
      (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, const int* f,
       const int* g, MPI_Datatype h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Alltoallw,
      (const void* a, const int* b, const int* c, const MPI_Datatype* d, void* e, const int* f,
       const int* g, const MPI_Datatype* h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Iallgatherv,
      (const void* a, int b, MPI_Datatype c, void* d, const int* e, const int* f, MPI_Datatype g,
       MPI_Comm h, MPI_Request* i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Ialltoall,
      (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g,
       MPI_Request* h),
      (a, b, c, d, e, f, g, h))
TIMED(Ialltoallv,
      (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, const int* f,
       const int* g, MPI_Datatype h, MPI_Comm i, MPI_Request* j),
      (a, b, c, d, e, f, g, h, i, j))
TIMED(Ialltoallw,
      (const void* a, const int* b, const int* c, const MPI_Datatype* d, void* e, const int* f,
       const int* g, const MPI_Datatype* h, MPI_Comm i, MPI_Request* j),
      (a, b, c, d, e, f, g, h, i, j))
TIMED(Neighbor_alltoall,
      (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Neighbor_alltoallv,
      (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, const int* f,
       const int* g, MPI_Datatype h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Neighbor_alltoallw,
      (const void* a, const int* b, const MPI_Aint* c, const MPI_Datatype* d, void* e, const int* f,
       const MPI_Aint* g, const MPI_Datatype* h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Ineighbor_alltoallv,
      (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, const int* f,
       const int* g, MPI_Datatype h, MPI_Comm i, MPI_Request* j),
      (a, b, c, d, e, f, g, h, i, j))
TIMED(Ineighbor_alltoallw,
      (const void* a, const int* b, const MPI_Aint* c, const MPI_Datatype* d, void* e, const int* f,
       const MPI_Aint* g, const MPI_Datatype* h, MPI_Comm i, MPI_Request* j),
      (a, b, c, d, e, f, g, h, i, j))

// One-sided.
TIMED(Put,
      (const void* a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h),
      (a, b, c, d, e, f, g, h))
TIMED(Get, (void* a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h),
      (a, b, c, d, e, f, g, h))
TIMED(Rput,
      (const void* a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h,
       MPI_Request* i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Rget,
      (void* a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g, MPI_Win h,
       MPI_Request* i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Win_fence, (int a, MPI_Win b), (a, b))
TIMED(Win_start, (MPI_Group a, int b, MPI_Win c), (a, b, c))
TIMED(Win_complete, (MPI_Win a), (a))
TIMED(Win_post, (MPI_Group a, int b, MPI_Win c), (a, b, c))
TIMED(Win_wait, (MPI_Win a), (a))
TIMED(Win_test, (MPI_Win a, int* b), (a, b))
TIMED(Win_lock, (int a, int b, int c, MPI_Win d), (a, b, c, d))
TIMED(Win_unlock, (int a, MPI_Win b), (a, b))
TIMED(Win_lock_all, (int a, MPI_Win b), (a, b))
TIMED(Win_unlock_all, (MPI_Win a), (a))
TIMED(Win_flush, (int a, MPI_Win b), (a, b))
TIMED(Win_flush_all, (MPI_Win a), (a))
TIMED(Win_flush_local_all, (MPI_Win a), (a))
TIMED(Win_sync, (MPI_Win a), (a))

// Those of Fortran hand over addresses only; of the module mpi_f08 these are Open MPI's. They are
// looked for when they are called, as they may come with a library that is opened at run time.
#define TIMED_FORTRAN(name, parameters, arguments)                            \
  extern "C" void name parameters {                                           \
    static const auto next = weft::bench::loaded<void parameters>("p" #name); \
    const weft::bench::Timer timer;                                           \
    next arguments;                                                           \
  }

using Address = void*;
TIMED_FORTRAN(mpi_sendrecv_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j, Address k, Address l, Address m),
              (a, b, c, d, e, f, g, h, i, j, k, l, m))
TIMED_FORTRAN(mpi_sendrecv_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j, Address k, Address l, Address m),
              (a, b, c, d, e, f, g, h, i, j, k, l, m))
TIMED_FORTRAN(mpi_send_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g),
              (a, b, c, d, e, f, g))
TIMED_FORTRAN(mpi_send_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g),
              (a, b, c, d, e, f, g))
TIMED_FORTRAN(mpi_recv_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_recv_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_isend_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_isend_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_irecv_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_irecv_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_wait_, (Address a, Address b, Address c), (a, b, c))
TIMED_FORTRAN(mpi_wait_f08_, (Address a, Address b, Address c), (a, b, c))
TIMED_FORTRAN(mpi_waitall_, (Address a, Address b, Address c, Address d), (a, b, c, d))
TIMED_FORTRAN(mpi_waitall_f08_, (Address a, Address b, Address c, Address d), (a, b, c, d))
TIMED_FORTRAN(mpi_barrier_, (Address a, Address b), (a, b))
TIMED_FORTRAN(mpi_barrier_f08_, (Address a, Address b), (a, b))
TIMED_FORTRAN(mpi_alltoall_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_alltoall_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h),
              (a, b, c, d, e, f, g, h))
TIMED_FORTRAN(mpi_alltoallv_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j),
              (a, b, c, d, e, f, g, h, i, j))
TIMED_FORTRAN(mpi_alltoallv_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j),
              (a, b, c, d, e, f, g, h, i, j))
TIMED_FORTRAN(mpi_alltoallw_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j),
              (a, b, c, d, e, f, g, h, i, j))
TIMED_FORTRAN(mpi_alltoallw_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j),
              (a, b, c, d, e, f, g, h, i, j))
TIMED_FORTRAN(mpi_ialltoall_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i),
              (a, b, c, d, e, f, g, h, i))
TIMED_FORTRAN(mpi_ialltoall_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i),
              (a, b, c, d, e, f, g, h, i))
TIMED_FORTRAN(mpi_ialltoallv_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j, Address k),
              (a, b, c, d, e, f, g, h, i, j, k))
TIMED_FORTRAN(mpi_ialltoallv_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g,
               Address h, Address i, Address j, Address k),
              (a, b, c, d, e, f, g, h, i, j, k))
TIMED_FORTRAN(mpi_allreduce_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g),
              (a, b, c, d, e, f, g))
TIMED_FORTRAN(mpi_allreduce_f08_,
              (Address a, Address b, Address c, Address d, Address e, Address f, Address g),
              (a, b, c, d, e, f, g))
TIMED_FORTRAN(mpi_start_, (Address a, Address b), (a, b))
TIMED_FORTRAN(mpi_start_f08_, (Address a, Address b), (a, b))
TIMED_FORTRAN(mpi_startall_, (Address a, Address b, Address c), (a, b, c))
TIMED_FORTRAN(mpi_startall_f08_, (Address a, Address b, Address c), (a, b, c))
TIMED_FORTRAN(mpi_win_fence_, (Address a, Address b, Address c), (a, b, c))
TIMED_FORTRAN(mpi_win_fence_f08_, (Address a, Address b, Address c), (a, b, c))
// NOLINTEND(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)
