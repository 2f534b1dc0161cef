#include "exchange/unit.hpp"

#include <algorithm>

#include "device/alignment.hpp"

namespace weft {

namespace {

constexpr Index line_bytes = buffer_alignment;

}  // namespace

Unit::Unit(const Communicator& comm, Index largest, Index count_limit) : bytes_(line_bytes) {
  Index everywhere = 0;
  check_mpi(MPI_Allreduce(&largest, &everywhere, 1, MPI_INT64_T, MPI_MAX, comm.get()),
            "MPI_Allreduce");
  // Rounding up adds at most one unit for each message, so at most one for each rank.
  while (everywhere / bytes_ + comm.size() >= count_limit && bytes_ < everywhere) bytes_ *= 2;
  // Nested, as a unit may itself be longer than an int counts.
  constexpr Index most = Index{1} << 20;
  for (Index rest = bytes_; rest > 1;) {
    const Index count = std::min(rest, most);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_contiguous(static_cast<int>(count), rest == bytes_ ? MPI_BYTE : type_.get(),
                                  &type),
              "MPI_Type_contiguous");
    type_ = Datatype(type);
    rest /= count;
  }
}

Index packed_bytes(const std::vector<Message>& messages, int own_rank) {
  Index bytes = 0;
  for (const Message& message : messages) {
    if (message.peer != own_rank) {
      bytes += (message.bytes + line_bytes - 1) / line_bytes * line_bytes;
    }
  }
  return bytes;
}

Index place_messages(std::vector<Message>& messages, int own_rank, const Unit& unit) {
  Index bytes = 0;
  for (Message& message : messages) {
    if (message.peer == own_rank) continue;
    message.place = {Location::buffer, bytes};
    bytes += unit.rounded_up(message.bytes);
  }
  return bytes;
}

}  // namespace weft
