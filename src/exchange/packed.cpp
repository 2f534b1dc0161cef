#include "exchange/packed.hpp"
#include "exchange/environment.hpp"

#include <algorithm>

namespace weft {

namespace {

std::vector<Index> lengths(const std::vector<Message>& messages) {
  std::vector<Index> result;
  for (const Message& message : messages) result.push_back(message.bytes);
  return result;
}

std::vector<Index> entries_by_rank(const std::vector<Message>& messages) {
  std::vector<Index> result;
  for (const Message& message : messages) {
    result.push_back(message.place.is_moved() ? message.peer : -1);
  }
  return result;
}

std::vector<Index> entries_in_order(std::size_t messages, const std::vector<std::size_t>& order) {
  std::vector<Index> result(messages, -1);
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = static_cast<Index>(i);
  return result;
}

}  // namespace

PackedExchange::PackedExchange(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
    : Exchange(spec),
      comm_(spec.comm->get()),
      unit_(*spec.comm,
            std::max(packed_bytes(spec.sends, spec.comm->rank()),
                     packed_bytes(spec.receives, spec.comm->rank())),
            environment.count_limit),
      send_lengths_(lengths(spec.sends)),
      receive_lengths_(lengths(spec.receives)) {
  send_bytes_ = place_messages(sends_, spec.comm->rank(), unit_);
  receive_bytes_ = place_messages(receives_, spec.comm->rank(), unit_);
}

VectorCollective::VectorCollective(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
    : PackedExchange(spec, environment) {
  const auto ranks = static_cast<std::size_t>(spec.comm->size());
  send_ = {std::vector<int>(ranks), std::vector<int>(ranks), entries_by_rank(sends_)};
  receive_ = {std::vector<int>(ranks), std::vector<int>(ranks), entries_by_rank(receives_)};
  place(send_, sends_);
  place(receive_, receives_);
  apply_lengths();
}

VectorCollective::VectorCollective(const ExchangeSpec& spec, const ExchangeEnvironment& environment,
                                   const std::vector<std::size_t>& sends,
                                   const std::vector<std::size_t>& receives)
    : PackedExchange(spec, environment) {
  send_ = {std::vector<int>(sends.size()), std::vector<int>(sends.size()),
           entries_in_order(sends_.size(), sends)};
  receive_ = {std::vector<int>(receives.size()), std::vector<int>(receives.size()),
              entries_in_order(receives_.size(), receives)};
  place(send_, sends_);
  place(receive_, receives_);
  apply_lengths();
}

void VectorCollective::place(Arrays& arrays, const std::vector<Message>& messages) const {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (arrays.entry[i] < 0) continue;
    arrays.place[static_cast<std::size_t>(arrays.entry[i])] = unit_.count(messages[i].place.offset);
  }
}

void VectorCollective::apply_lengths() {
  for (std::size_t i = 0; i < send_.entry.size(); ++i) {
    if (send_.entry[i] >= 0) send_.count[static_cast<std::size_t>(send_.entry[i])] = send_count(i);
  }
  for (std::size_t i = 0; i < receive_.entry.size(); ++i) {
    if (receive_.entry[i] < 0) continue;
    receive_.count[static_cast<std::size_t>(receive_.entry[i])] = receive_count(i);
  }
}

bool VectorCollective::test() {
  int done = 0;
  check_mpi(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

void VectorCollective::wait() {
  check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
}

}  // namespace weft
