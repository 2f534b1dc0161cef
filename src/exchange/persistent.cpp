#include <algorithm>
#include <array>

#include "exchange/environment.hpp"
#include "exchange/packed.hpp"
#include "exchange/peer_order.hpp"
#include "weft/error.hpp"

#ifdef WEFT_ALLTOALLV_INIT_IN_MPI_EXT
#include <mpi-ext.h>
#endif

namespace weft {

namespace {

/// Persistent requests are bound to the addresses they were made with, but a plan may be run on
/// other arrays each time: requests are kept for the last few pairs of addresses.
class BoundRequests {
 public:
  static constexpr int pairs = 4;

  explicit BoundRequests(std::size_t requests_of_a_pair) {
    for (Entry& entry : entries_) entry.requests.resize(requests_of_a_pair, MPI_REQUEST_NULL);
  }
  ~BoundRequests() {
    if (mpi_is_finalized()) return;
    for (Entry& entry : entries_) release(entry);
  }
  BoundRequests(const BoundRequests&) = delete;
  BoundRequests& operator=(const BoundRequests&) = delete;

  /// The entries made for these addresses, a bit for each.
  unsigned matching(const std::byte* send, const std::byte* receive) const {
    unsigned bits = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const Entry& entry = entries_[i];
      if (entry.made && entry.send == send && entry.receive == receive) bits |= 1u << i;
    }
    return bits;
  }
  std::vector<MPI_Request>& requests(int entry) {
    return entries_[static_cast<std::size_t>(entry)].requests;
  }
  /// Gives up the oldest entry, none of whose requests may be active, for requests of these
  /// addresses.
  std::vector<MPI_Request>& replace_oldest(const std::byte* send, const std::byte* receive) {
    Entry& entry = entries_[oldest_];
    oldest_ = (oldest_ + 1) % pairs;
    release(entry);
    entry.send = send;
    entry.receive = receive;
    entry.made = true;
    return entry.requests;
  }

 private:
  struct Entry {
    const std::byte* send = nullptr;
    const std::byte* receive = nullptr;
    bool made = false;
    std::vector<MPI_Request> requests;
  };

  static void release(Entry& entry) {
    entry.made = false;
    for (MPI_Request& request : entry.requests) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }

  std::array<Entry, pairs> entries_;
  std::size_t oldest_ = 0;
};

int lowest_bit(unsigned bits) {
  int bit = 0;
  while ((bits >> bit & 1u) == 0) ++bit;
  return bit;
}

/// Persistent messages between pairs of ranks. Making them is local to a rank.
class PersistentPointToPoint : public PackedExchange {
 public:
  PersistentPointToPoint(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : PackedExchange(spec, environment),
        send_sequence_(staggered(spec.sends, spec.comm->rank())),
        receive_sequence_(staggered(spec.receives, spec.comm->rank())),
        bound_(send_sequence_.size() + receive_sequence_.size()) {}

  void start(const ExchangeBuffers& buffers) override {
    const unsigned known = bound_.matching(buffers.send, buffers.receive);
    if (known != 0) {
      active_ = &bound_.requests(lowest_bit(known));
    } else {
      active_ = &bound_.replace_oldest(buffers.send, buffers.receive);
      make_requests(buffers.send, buffers.receive);
    }
    if (active_->empty()) return;  // Open MPI wants an array of none, too
    check_mpi(MPI_Startall(static_cast<int>(active_->size()), active_->data()), "MPI_Startall");
  }

  bool test() override {
    if (active_ == nullptr) return true;
    int done = 0;
    check_mpi(
        MPI_Testall(static_cast<int>(active_->size()), active_->data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    return done != 0;
  }

  void wait() override {
    if (active_ == nullptr) return;
    check_mpi(MPI_Waitall(static_cast<int>(active_->size()), active_->data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

 private:
  static constexpr int tag = 0;  // messages between two ranks keep the order of the starts

  void make_requests(const std::byte* send, std::byte* receive) {
    std::size_t next = 0;
    for (std::size_t i : receive_sequence_) {
      const Message& from = receives_[i];
      check_mpi(MPI_Recv_init(receive + from.place.offset, unit_.count(from.bytes), unit_.type(),
                              from.peer, tag, comm_, &(*active_)[next++]),
                "MPI_Recv_init");
    }
    for (std::size_t i : send_sequence_) {
      const Message& to = sends_[i];
      check_mpi(MPI_Send_init(send + to.place.offset, unit_.count(to.bytes), unit_.type(), to.peer,
                              tag, comm_, &(*active_)[next++]),
                "MPI_Send_init");
    }
  }

  std::vector<std::size_t> send_sequence_;
  std::vector<std::size_t> receive_sequence_;
  BoundRequests bound_;
  std::vector<MPI_Request>* active_ = nullptr;  // of the last start
};

#ifdef WEFT_ALLTOALLV_INIT

/// A persistent collective. Making it is collective, and the addresses of some rank may be new when
/// those of another are not, so that each start needs to agree on what to use.
class PersistentCollective : public VectorCollective {
 public:
  PersistentCollective(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : VectorCollective(spec, environment), bound_(1) {}

  /// To agree on a request that all ranks have.
  bool blocks() const override { return true; }

  void start(const ExchangeBuffers& buffers) override {
    const std::byte* const send = send_address(buffers.send);
    std::byte* const receive = receive_address(buffers.receive);
    unsigned known = bound_.matching(send, receive);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_UNSIGNED, MPI_BAND, comm_),
              "MPI_Allreduce");
    if (known != 0) {
      request_ = bound_.requests(lowest_bit(known))[0];
    } else {
      MPI_Request& made = bound_.replace_oldest(send, receive)[0];
      check_mpi(WEFT_ALLTOALLV_INIT(send, send_.count.data(), send_.place.data(), unit_.type(),
                                    receive, receive_.count.data(), receive_.place.data(),
                                    unit_.type(), comm_, MPI_INFO_NULL, &made),
                "MPI_Alltoallv_init");
      request_ = made;
    }
    check_mpi(MPI_Start(&request_), "MPI_Start");
  }

 private:
  BoundRequests bound_;
};

#endif

std::unique_ptr<Exchange> make_persistent(const ExchangeSpec& spec,
                                          const ExchangeEnvironment& environment) {
#ifdef WEFT_ALLTOALLV_INIT
  if (spec.parameter.empty()) return std::make_unique<PersistentCollective>(spec, environment);
#endif
  return std::make_unique<PersistentPointToPoint>(spec, environment);
}

void check_parameter(const std::string& parameter) {
  if (parameter == "p2p") return;
  throw Error("exchange 'persistent:" + parameter + "': the parameter may only be p2p");
}

}  // namespace

ExchangeMethod persistent_method() {
#ifdef WEFT_ALLTOALLV_INIT
  constexpr const char* description = "MPI_Alltoallv_init, set up once and started each time";
#else
  constexpr const char* description =
      "MPI_Send_init and MPI_Recv_init; this MPI has no persistent collectives";
#endif
  return {"persistent",    description,     {},
          make_persistent, check_parameter, "p2p for MPI_Send_init and MPI_Recv_init"};
}

}  // namespace weft
