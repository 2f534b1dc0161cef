#include "files/parallel_file.hpp"

#include <algorithm>
#include <memory>

#include "exchange/agreement.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// The name by which MPI finds a file. ROMIO, the MPI-IO of MPICH and its kin, takes what stands
/// before a colon for a type of file system; Open MPI takes names as they are.
std::string mpi_name(const std::string& path) {
#ifdef OPEN_MPI
  return path;
#else
  return path.find(':') == path.npos ? path : "ufs:" + path;
#endif
}

/// A file that this rank has open on its own. Every rank's part is contiguous, so collective
/// buffering would only copy it once more; and an MPI library that fails inside a collective file
/// operation on one rank leaves the others waiting. Ranks meet in agree() instead.
class File {
 public:
  File(const std::string& path, int mode) : path_(path) {
    const std::string name = mpi_name(path);
    check(MPI_File_open(MPI_COMM_SELF, name.c_str(), mode, MPI_INFO_NULL, &file_), "open");
  }
  ~File() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void read(Index offset, std::byte* data, Index bytes) {
    MPI_Status status;
    check(MPI_File_read_at(file_, offset, data, static_cast<int>(bytes), MPI_BYTE, &status),
          "read");
    check_count(status, offset, bytes, "read");
  }

  void write(Index offset, const std::byte* data, Index bytes) {
    MPI_Status status;
    check(MPI_File_write_at(file_, offset, data, static_cast<int>(bytes), MPI_BYTE, &status),
          "write");
    check_count(status, offset, bytes, "write");
  }

  /// After this the data is on its way to the disk, as far as the file system tells.
  void flush_and_close() {
    check(MPI_File_sync(file_), "flush");
    check(MPI_File_close(&file_), "close");
  }

 private:
  void check(int code, const char* what) const {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    std::string reason = text;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw Error(std::string("cannot ") + what + " '" + path_ + "': " + reason, ErrorCode::file);
  }

  void check_count(MPI_Status& status, Index offset, Index bytes, const char* what) const {
    int done = 0;
    MPI_Get_count(&status, MPI_BYTE, &done);
    if (done == bytes) return;
    throw Error(std::string("cannot ") + what + " '" + path_ + "': " + std::to_string(done) +
                    " of " + std::to_string(bytes) + " bytes at " + std::to_string(offset),
                ErrorCode::file);
  }

  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

/// Calls transfer(begin, bytes) for the chunks of `bytes`, each in a round that all ranks take part
/// in, also those that have nothing left to do.
template <class Transfer>
void in_rounds(const Communicator& comm, Index bytes, Index chunk_bytes,
               const ProgressCallback& progress, const Transfer& transfer) {
  Index rounds = (bytes + chunk_bytes - 1) / chunk_bytes;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT64_T, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  for (Index round = 0; round < rounds; ++round) {
    collectively(comm, [&] {
      const Index begin = std::min(round * chunk_bytes, bytes);
      const Index length = std::min(chunk_bytes, bytes - begin);
      if (length > 0) transfer(begin, length);
    });
    if (progress) progress(static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
}

void check_chunk(Index chunk_bytes) {
  if (chunk_bytes < 1 || chunk_bytes > largest_chunk_bytes) {
    throw Error("chunks of " + std::to_string(chunk_bytes) + " bytes: must be 1 to " +
                std::to_string(largest_chunk_bytes));
  }
}

}  // namespace

void read_parallel(const Communicator& comm, const std::string& path, Index offset,
                   std::span<std::byte> data, const ProgressCallback& progress, Index chunk_bytes) {
  check_chunk(chunk_bytes);
  std::unique_ptr<File> file;
  collectively(comm, [&] {
    if (!data.empty()) file = std::make_unique<File>(path, MPI_MODE_RDONLY);
  });
  in_rounds(
      comm, static_cast<Index>(data.size()), chunk_bytes, progress,
      [&](Index begin, Index bytes) { file->read(offset + begin, data.data() + begin, bytes); });
}

void write_parallel(const Communicator& comm, const std::string& path, Index offset,
                    std::span<const std::byte> data, const ProgressCallback& progress,
                    Index chunk_bytes) {
  check_chunk(chunk_bytes);
  std::unique_ptr<File> file;
  collectively(comm, [&] {
    if (!data.empty()) file = std::make_unique<File>(path, MPI_MODE_WRONLY);
  });
  in_rounds(
      comm, static_cast<Index>(data.size()), chunk_bytes, progress,
      [&](Index begin, Index bytes) { file->write(offset + begin, data.data() + begin, bytes); });
  collectively(comm, [&] {
    if (file) file->flush_and_close();
  });
}

}  // namespace weft
