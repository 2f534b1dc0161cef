// Runs the tests on every rank; the program fails when a test fails on any rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>
#include <sstream>

namespace {

/// One report is enough; of the other ranks only failures are told.
class FailuresOfRank : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOfRank(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::ostringstream text;  // written at once, as other ranks write too
    text << "rank " << rank_ << ": "
         << (result.file_name() != nullptr ? result.file_name() : "unknown file") << ":"
         << result.line_number() << ": " << result.message() << "\n";
    std::cerr << text.str() << std::flush;
  }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfRank(rank));
  }
  int failed = RUN_ALL_TESTS();
  const int executed = testing::UnitTest::GetInstance()->test_to_run_count();
  if (executed == 0) failed = 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
