#include "exchange/peer_signals.hpp"
#include "exchange/environment.hpp"

#include "exchange/shared_window.hpp"
#include "weft/error.hpp"

namespace weft {

PeerSignals::PeerSignals(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
    : comm_(spec.comm),
      window_(*environment.window),
      flags_(window_.reserve_counters(2 * Index{comm_->size()})) {}

void PeerSignals::bind(const std::vector<Message>& sends, const std::vector<Message>& receives) {
  std::vector<Index> all(static_cast<std::size_t>(comm_->size()));
  check_mpi(MPI_Allgather(&flags_, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm_->get()),
            "MPI_Allgather");
  const auto flag = [&](int rank, Index number) {
    const int in_window = comm_->rank_in(window_.ranks(), rank);
    return window_.counter(in_window, all[static_cast<std::size_t>(rank)] + 8 * number);
  };
  const int own = comm_->rank();
  const Index ranks = comm_->size();
  // Of each rank: that its messages have arrived here, then that it waits for those from here.
  for (const Message& send : sends) {
    if (send.peer == own) continue;
    sent_.push_back(flag(send.peer, own));
    awaited_.push_back(flag(own, ranks + send.peer));
  }
  for (const Message& receive : receives) {
    if (receive.peer == own) continue;
    came_.push_back(flag(own, receive.peer));
    ready_.push_back(flag(receive.peer, ranks + own));
  }
}

Mover parse_mover(const std::string& method, const std::string& parameter) {
  if (parameter.empty()) return Mover::automatic;
  if (parameter == "kernel") return Mover::kernel;
  if (parameter == "engine") return Mover::engine;
  throw Error("exchange '" + method + ":" + parameter + "': known are " + method + ":kernel and " +
              method + ":engine");
}

}  // namespace weft
