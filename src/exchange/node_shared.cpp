#include <sched.h>

#include <atomic>
#include <cstdint>

#include "exchange/decorator.hpp"
#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"
#include "exchange/node_map.hpp"
#include "exchange/shared_window.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr const char* wire_between_nodes = "alltoallv";

/// Ranks of a node write messages straight to where the receiver reads them. Two counters of each
/// rank, in shared memory too, tell the others how many times it has written all its messages and
/// how many times it has read all that came. Messages to other nodes go by a wire.
class NodeShared : public Exchange {
 public:
  NodeShared(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(spec.comm),
        window_(*environment.window),
        nodes_(*spec.comm, environment.node) {
    ExchangeSpec remote = spec;
    remote.sends = remote_part(sends_, send_nodes_);
    remote.receives = remote_part(receives_, receive_nodes_);
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      receive_places_.push_back(receive_nodes_[i] < 0 ? 0 : window_.reserve(receives_[i].bytes));
    }
    written_ = window_.reserve_counters(1);
    read_ = window_.reserve_counters(1);
    int has_remote = remote.sends.empty() && remote.receives.empty() ? 0 : 1;
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &has_remote, 1, MPI_INT, MPI_MAX, environment.everybody.get()),
        "MPI_Allreduce");
    if (has_remote != 0) add_wire(remote, environment);
  }

  void bind() override {
    // Every receiver tells its senders where.
    std::vector<MPI_Request> requests;
    std::vector<Index> send_places(sends_.size());
    const auto add = [&] {
      requests.push_back(MPI_REQUEST_NULL);
      return &requests.back();
    };
    requests.reserve(sends_.size() + receives_.size());
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (send_nodes_[i] < 0) continue;
      check_mpi(
          MPI_Irecv(&send_places[i], 1, MPI_INT64_T, sends_[i].peer, tag, comm_->get(), add()),
          "MPI_Irecv");
    }
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      if (receive_nodes_[i] < 0) continue;
      check_mpi(MPI_Isend(&receive_places_[i], 1, MPI_INT64_T, receives_[i].peer, tag, comm_->get(),
                          add()),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    const int own = window_.ranks().rank();
    own_written_ = window_.counter(own, written_);
    own_read_ = window_.counter(own, read_);
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (send_nodes_[i] < 0) continue;
      sends_[i].place.address = window_.address(send_nodes_[i], send_places[i]);
      read_by_.push_back(window_.counter(send_nodes_[i], read_));
    }
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      if (receive_nodes_[i] < 0) continue;
      receives_[i].place.address = window_.address(own, receive_places_[i]);
      written_by_.push_back(window_.counter(receive_nodes_[i], written_));
    }
    if (!wire_) return;
    wire_->bind();
    take_places();
  }

  bool blocks() const override { return wire_ && wire_->blocks(); }

  bool ready() override { return all_reached(read_by_); }

  void release() override { set(own_read_); }

  void start(const ExchangeBuffers& buffers) override {
    ++epoch_;
    set(own_written_);
    if (wire_) wire_->start({buffers.send, buffers.receive, packer_.get()});
  }

  bool test() override {
    const bool wire_done = !wire_ || wire_->test();
    return all_reached(written_by_) && wire_done;
  }

  void wait() override {
    // The others may need this rank to take part in MPI before they can write.
    for (int tries = 0; !all_reached(written_by_); ++tries) {
      if (wire_) wire_->test();
      if (tries > spins) sched_yield();
    }
    if (wire_) wire_->wait();
  }

  void set_lengths(const std::vector<Index>& sends, const std::vector<Index>& receives) override {
    if (!wire_) return;
    take_remote(sends, sends_, send_nodes_, send_lengths_);
    take_remote(receives, receives_, receive_nodes_, receive_lengths_);
    wire_->set_lengths(send_lengths_, receive_lengths_);
  }

 private:
  using Counter = std::atomic_ref<std::uint64_t>;

  static constexpr int tag = 2;
  /// Before the core is left to other ranks.
  static constexpr int spins = 1000;

  /// Notes which peers are on this node, and returns the messages of the others.
  std::vector<Message> remote_part(std::vector<Message>& messages, std::vector<int>& nodes) const {
    std::vector<Message> remote;
    for (Message& message : messages) {
      const bool own = message.peer == comm_->rank();
      const bool near = nodes_.node(message.peer) == nodes_.node(comm_->rank());
      nodes.push_back(own || !near ? -1 : comm_->rank_in(window_.ranks(), message.peer));
      if (!own && near) message.place.in = Location::shared;
      if (!own && !near) remote.push_back(message);
    }
    return remote;
  }

  void add_wire(const ExchangeSpec& remote, const ExchangeEnvironment& environment) {
    const ExchangeChoice choice = find_wire(remote.parameter, wire_between_nodes);
    wire_ = make_wire(remote, environment, choice);
    if (choice.method->traits.family == ExchangeTraits::pipelined) {
      packer_ = std::make_unique<PackedAlready>(send_lengths_);
    }
    for (const Message& message : wire_->sends()) send_lengths_.push_back(message.bytes);
    receive_lengths_.resize(wire_->receives().size());
    send_bytes_ = wire_->send_bytes();
    receive_bytes_ = wire_->receive_bytes();
    take_places();
  }

  /// Those of messages that the wire carries.
  void take_places() {
    const auto take = [&](std::vector<Message>& all, const std::vector<int>& nodes,
                          const std::vector<Message>& remote) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (nodes[i] >= 0 || all[i].peer == comm_->rank()) continue;
        all[i].place = remote[next++].place;
      }
    };
    take(sends_, send_nodes_, wire_->sends());
    take(receives_, receive_nodes_, wire_->receives());
  }

  /// The lengths of messages to other nodes.
  void take_remote(const std::vector<Index>& all, const std::vector<Message>& messages,
                   const std::vector<int>& nodes, std::vector<Index>& remote) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (nodes[i] < 0 && messages[i].peer != comm_->rank()) remote[next++] = all[i];
    }
  }

  void set(std::uint64_t* counter) const {
    Counter(*counter).store(epoch_, std::memory_order_release);
  }
  bool all_reached(const std::vector<std::uint64_t*>& counters) const {
    for (std::uint64_t* counter : counters) {
      if (Counter(*counter).load(std::memory_order_acquire) < epoch_) return false;
    }
    return true;
  }

  const Communicator* comm_;
  SharedWindow& window_;
  NodeMap nodes_;
  std::vector<int> send_nodes_;  // rank of the peer in the node; -1: own or of another node
  std::vector<int> receive_nodes_;
  std::vector<Index> receive_places_;
  Index written_ = 0;
  Index read_ = 0;
  std::uint64_t epoch_ = 0;  // times started
  std::uint64_t* own_written_ = nullptr;
  std::uint64_t* own_read_ = nullptr;
  std::vector<std::uint64_t*> written_by_;  // those who write to this rank
  std::vector<std::uint64_t*> read_by_;     // those who read what this rank writes
  std::unique_ptr<Exchange> wire_;
  std::unique_ptr<Packer> packer_;
  std::vector<Index> send_lengths_;  // of what the wire carries
  std::vector<Index> receive_lengths_;
};

void check_wire(const std::string& parameter) {
  const ExchangeChoice wire = find_wire(parameter, wire_between_nodes);
  const ExchangeTraits& traits = wire.method->traits;
  const bool shares =
      traits.window == ExchangeTraits::node || traits.window == ExchangeTraits::machine;
  if (traits.family == ExchangeTraits::arrays || shares) {
    throw Error("exchange 'node_shared:" + parameter +
                "': messages between nodes need a packed exchange");
  }
}

}  // namespace

ExchangeMethod node_shared_method() {
  return {"node_shared",
          "ranks of a node write to each other's memory, those of other nodes get packed messages",
          {.window = ExchangeTraits::node},
          make_exchange<NodeShared>,
          check_wire,
          "exchange between nodes, such as p2p",
          wire_between_nodes};
}

}  // namespace weft
