#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "adapters/shared_object.hpp"
#include "driver/mpi_time.hpp"

namespace weft::bench {
namespace {

constexpr double late = 0.2;  // seconds

int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Seconds in MPI of a collective operation to which the last rank comes late.
double seconds_of(const std::function<void()>& work) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = seconds_in_mpi();
  if (rank() == ranks - 1) std::this_thread::sleep_for(std::chrono::duration<double>(late));
  work();
  return seconds_in_mpi() - before;
}

/// All ranks but the last one wait for it, once: time within MPI's own calls is not told twice.
void expect_waiting(double seconds, double wall) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  EXPECT_LE(seconds, wall);
  if (rank() == ranks - 1) {
    EXPECT_LE(seconds, wall - 0.9 * late);
  } else {
    EXPECT_GE(seconds, 0.9 * late);
  }
}

void expect_waiting(const std::function<void()>& work) {
  double seconds = 0;
  const double begin = MPI_Wtime();
  seconds = seconds_of(work);
  expect_waiting(seconds, MPI_Wtime() - begin);
}

TEST(MpiTime, IsThatOfCollectiveCalls) {
  expect_waiting([] {
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  });
}

TEST(MpiTime, IsThatOfWaiting) {
  expect_waiting([] {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

/// A function of mpi_calls.f90.
std::function<void()> in_fortran(const char* name) {
  static const SharedObject object(MPI_CALLS);
  void (*function)() = nullptr;
  object.find(name, function);
  return function;
}

TEST(MpiTime, IsThatOfFortran) {
  expect_waiting(in_fortran("alltoall_in_fortran"));
}

#ifdef OPEN_MPI
TEST(MpiTime, IsThatOfModernFortran) {
  expect_waiting(in_fortran("alltoallv_in_modern_fortran"));
}
#endif

TEST(MpiTime, OfOtherThreadsDoesNotCount) {
  const double before = seconds_in_mpi();
  std::thread([] {
    int flag = 0;
    for (int i = 0; i < 1000; ++i) {
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    }
  }).join();
  EXPECT_EQ(seconds_in_mpi(), before);
}

TEST(MpiTime, StandsStillWhileARankComputes) {
  const double before = seconds_in_mpi();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(seconds_in_mpi(), before);
}

}  // namespace
}  // namespace weft::bench
