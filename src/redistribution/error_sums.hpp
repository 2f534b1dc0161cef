#pragma once

#include <mpi.h>

#include <memory>

#include "device/buffer.hpp"
#include "exchange/communicator.hpp"
#include "pass/array_view.hpp"

namespace weft {

/// The errors that encoding messages made, summed up over all ranks while the messages are under
/// way. On a device kernels sum up those of this rank, which are then brought to the host.
class ErrorSums {
 public:
  /// Where messages are `encoded` at all. `everybody` outlives it, and so does the stream of
  /// passes.
  ErrorSums(const Communicator& everybody, Stream& stream, bool encoded);
  ~ErrorSums();
  ErrorSums(const ErrorSums&) = delete;
  ErrorSums& operator=(const ErrorSums&) = delete;

  /// Before messages are packed: everything becomes zero.
  void clear(MessageCodec& messages);
  /// When passes have been submitted: brings the sums of the device to the host.
  void fetch();
  /// Begins to sum up, on all ranks in the same order. On a device it waits for the passes.
  void start(MessageCodec& messages);
  /// Whether the sums are known, or none was begun.
  bool test();
  void wait();

  /// Of all ranks, in the last run: whether the numbers cannot be encoded, or the error cannot be
  /// measured ...
  bool is_broken() const;
  /// ... and otherwise the relative error.
  double error() const;
  double squared_error() const { return all_[0]; }
  double squared_norm() const { return all_[1]; }

 private:
  void read(MessageCodec& messages);

  MPI_Comm everybody_;
  Stream& stream_;
  Buffer on_device_;  // empty on the host
  Buffer on_host_;
  std::unique_ptr<Event> fetched_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  double mine_[4] = {0, 0, 0, 0};  // squared error, squared norm, whether broken, whether faint
  double all_[4] = {0, 0, 0, 0};
};

}  // namespace weft
