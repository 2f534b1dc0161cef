#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "files/first_rank.hpp"
#include "files/parallel_file.hpp"
#include "replacement_file.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// Files in a folder that all ranks share and that is removed at the end.
class ParallelFile : public testing::Test {
 protected:
  ParallelFile() : comm_(Communicator::duplicate(MPI_COMM_WORLD)) {
    folder_ = on_first_rank(comm_, [] {
      std::string name = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a folder");
      return name;
    });
  }
  ~ParallelFile() override {
    MPI_Barrier(comm_.get());
    if (comm_.rank() == 0) std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// Parts of uneven sizes, none at all on rank 1. Byte i of the file is i * 7 modulo 251.
  Index begin_of(int rank) const {
    Index begin = 13;
    for (int r = 0; r < rank; ++r) begin += bytes_of(r);
    return begin;
  }
  static Index bytes_of(int rank) { return rank == 1 ? 0 : 1000 + 37 * rank; }
  std::vector<std::byte> part() const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of(comm_.rank())));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = expected(begin() + static_cast<Index>(i));
    return bytes;
  }
  static std::byte expected(Index at) { return static_cast<std::byte>(at * 7 % 251); }
  Index begin() const { return begin_of(comm_.rank()); }

  void create(const std::string& name) const {
    on_first_rank(comm_, [&] {
      std::ofstream(path(name)) << "header bytes:";
      return std::string();
    });
  }

  int files_in_folder() const {
    MPI_Barrier(comm_.get());
    const auto count = std::distance(std::filesystem::directory_iterator(folder_), {});
    MPI_Barrier(comm_.get());
    return static_cast<int>(count);
  }
  Communicator comm_;
  std::string folder_;
};

TEST_F(ParallelFile, AnySizeOfChunksGivesTheSameFile) {
  for (const Index chunk : {Index{1}, Index{7}, Index{1000}, Index{1001}, largest_chunk_bytes}) {
    create("data");
    const auto written = part();
    double last = -1;
    write_parallel(
        comm_, path("data"), begin(), written,
        [&](double done) {
          EXPECT_GT(done, last);
          last = done;
        },
        chunk);
    EXPECT_EQ(last, 1);
    auto read = std::vector<std::byte>(written.size());
    read_parallel(comm_, path("data"), begin(), read, {}, chunk);
    EXPECT_EQ(read, written) << "chunks of " << chunk;
  }
}

TEST_F(ParallelFile, FileHoldsEveryPartAtItsPlace) {
  create("data");
  write_parallel(comm_, path("data"), begin(), part(), {}, 64);
  MPI_Barrier(comm_.get());
  std::ifstream file(path("data"), std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  ASSERT_EQ(static_cast<Index>(content.size()), begin_of(comm_.size()));
  EXPECT_EQ(content.substr(0, 13), "header bytes:");
  for (std::size_t i = 13; i < content.size(); ++i) {
    ASSERT_EQ(static_cast<std::byte>(content[i]), expected(static_cast<Index>(i))) << i;
  }
}

TEST_F(ParallelFile, RepeatedReadsFromOtherRanks) {
  create("data");
  write_parallel(comm_, path("data"), begin(), part());
  const int other = (comm_.rank() + 1) % comm_.size();
  std::vector<std::byte> read(static_cast<std::size_t>(bytes_of(other)));
  read_parallel(comm_, path("data"), begin_of(other), read, {}, 10);
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read[i], expected(begin_of(other) + static_cast<Index>(i)));
  }
}

TEST_F(ParallelFile, OneRankBeyondTheEndFailsOnAll) {
  create("data");
  write_parallel(comm_, path("data"), begin(), part());
  std::vector<std::byte> read(500);
  const bool last = comm_.rank() + 1 == comm_.size();
  const Index at = last ? begin_of(comm_.size()) - 450 : 0;
  EXPECT_THROW(read_parallel(comm_, path("data"), at, read, {}, 100), Error);
}

TEST_F(ParallelFile, MissingFileFailsOnAll) {
  std::vector<std::byte> read(comm_.rank() == 0 ? 10 : 0);
  EXPECT_THROW(read_parallel(comm_, path("none"), 0, read), Error);
  EXPECT_THROW(write_parallel(comm_, path("none"), 0, read), Error);
}

TEST_F(ParallelFile, ChunksMustFitMpi) {
  std::vector<std::byte> read(1);
  EXPECT_THROW(read_parallel(comm_, path("none"), 0, read, {}, 0), Error);
  EXPECT_THROW(read_parallel(comm_, path("none"), 0, read, {}, largest_chunk_bytes + 1), Error);
}

TEST_F(ParallelFile, ReplacementAppearsOnlyWhenCommitted) {
  create("data");
  {
    const ReplacementFile abandoned(comm_, path("data"), 100);
    EXPECT_EQ(files_in_folder(), 2);
  }
  EXPECT_EQ(files_in_folder(), 1);
  ReplacementFile file(comm_, path("data"), begin_of(comm_.size()));
  write_parallel(comm_, file.path(), begin(), part());
  EXPECT_EQ(std::filesystem::file_size(path("data")), 13u);
  MPI_Barrier(comm_.get());
  file.commit();
  EXPECT_EQ(static_cast<Index>(std::filesystem::file_size(path("data"))), begin_of(comm_.size()));
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(ParallelFile, ReplacementThatCannotBe) {
  EXPECT_THROW(ReplacementFile(comm_, path("none/data"), 1), Error);
  EXPECT_THROW(ReplacementFile(comm_, folder_, 1), Error);
  EXPECT_THROW(ReplacementFile(comm_, "/dev/null", 1), Error);
  EXPECT_EQ(files_in_folder(), 0);
}

TEST_F(ParallelFile, FirstRankSpeaksForAll) {
  const int rank = comm_.rank();
  EXPECT_EQ(on_first_rank(comm_, [&] { return "from " + std::to_string(rank); }), "from 0");
  try {
    on_first_rank(comm_, [&]() -> std::string { throw Error("no " + std::to_string(rank)); });
    FAIL() << "no error on rank " << rank;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no 0");
  }
}

}  // namespace
}  // namespace weft
