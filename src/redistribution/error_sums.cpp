#include "redistribution/error_sums.hpp"

#include <cmath>

#include "pass/encoded_message.hpp"

namespace weft {

namespace {

constexpr std::size_t device_bytes = encoding_sums * sizeof(EncodingSums);

}  // namespace

ErrorSums::ErrorSums(const Communicator& everybody, Stream& stream, bool encoded)
    : everybody_(everybody.get()), stream_(stream) {
  if (on_host(stream) || !encoded) return;
  on_device_ = Buffer(stream.device(), device_bytes);
  on_host_ = Buffer(stream.device(), device_bytes, MemoryKind::pinned);
  fetched_ = stream.device().make_event();
}

ErrorSums::~ErrorSums() {
  // The plan ends only when nothing is under way, unless an error came between.
  if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
}

void ErrorSums::clear(MessageCodec& messages) {
  messages.measure = {};
  messages.faint = false;
  if (fetched_ == nullptr) return;
  messages.sums = reinterpret_cast<EncodingSums*>(on_device_.data());
  if (messages.codec != nullptr) stream_.clear(on_device_.data(), device_bytes);
}

void ErrorSums::fetch() {
  if (fetched_ == nullptr) return;
  stream_.copy(on_host_.data(), on_device_.data(), device_bytes);
  stream_.record(*fetched_);
}

void ErrorSums::read(MessageCodec& messages) {
  fetched_->synchronize();
  const auto* const sums = reinterpret_cast<const EncodingSums*>(on_host_.data());
  bool nonzero = false;
  for (std::size_t i = 0; i < encoding_sums; ++i) {
    messages.measure.squared_error += sums[i].squared_error;
    messages.measure.squared_norm += sums[i].squared_norm;
    messages.measure.broken = messages.measure.broken || sums[i].broken != 0;
    nonzero = nonzero || sums[i].nonzero != 0;
  }
  messages.faint = nonzero && messages.measure.squared_norm < least_squared_norm;
}

void ErrorSums::start(MessageCodec& messages) {
  if (fetched_ != nullptr) read(messages);
  mine_[0] = messages.measure.squared_error;
  mine_[1] = messages.measure.squared_norm;
  mine_[2] = messages.measure.broken ? 1 : 0;
  // Inf and NaN would spread to the sums of others, who need them.
  if (!std::isfinite(mine_[0]) || !std::isfinite(mine_[1])) mine_[0] = mine_[1] = 0, mine_[2] = 1;
  mine_[3] = messages.faint ? 1 : 0;
  check_mpi(MPI_Iallreduce(mine_, all_, 4, MPI_DOUBLE, MPI_SUM, everybody_, &request_),
            "MPI_Iallreduce");
}

bool ErrorSums::test() {
  if (request_ == MPI_REQUEST_NULL) return true;
  int arrived = 0;
  check_mpi(MPI_Test(&request_, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
  return arrived != 0;
}

void ErrorSums::wait() {
  if (request_ == MPI_REQUEST_NULL) return;
  check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
}

bool ErrorSums::is_broken() const {
  const bool measured = std::isfinite(all_[0]) && std::isfinite(all_[1]) &&
                        (all_[3] == 0 || all_[1] >= least_squared_norm);
  return all_[2] > 0 || !measured;
}

double ErrorSums::error() const {
  return all_[0] > 0 ? std::sqrt(all_[0] / all_[1]) : 0;
}

}  // namespace weft
