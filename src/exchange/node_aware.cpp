#include <algorithm>

#include "device/alignment.hpp"
#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "exchange/environment.hpp"
#include "exchange/node_routes.hpp"
#include "exchange/positive_parameter.hpp"
#include "exchange/unit.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

int number_of_leaders(const std::string& parameter) {
  return positive_parameter<int>("node_aware", parameter, "the number of leaders");
}

/// Messages between nodes go to a leader, in one block for each other node to a leader there, and
/// on to their targets. Those within a node go straight.
///
/// Nothing is copied but by MPI: each rank's messages to a node lie together in its send buffer,
/// and those that come from one leader lie together in its receive buffer.
class NodeAware : public Exchange {
 public:
  NodeAware(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(Communicator::duplicate(spec.comm->get())),
        routes_(NodeMap(comm_, environment.node),
                spec.parameter.empty() ? 1 : number_of_leaders(spec.parameter)),
        gathered_lists_(exchange_lists(comm_, lists_for_leader())),
        block_lists_(exchange_lists(comm_, lists_for_takers())),
        unit_(comm_, largest_buffer(), environment.count_limit) {
    place(
        sends_, [&](int peer) { return routes_.map().node(peer); }, to_leader_, send_bytes_);
    place(
        receives_, [&](int peer) { return routes_.leader(peer); }, from_takers_, receive_bytes_);
    for (Piece& piece : to_leader_) piece.peer = routes_.leader(comm_.rank());
    for (Piece& piece : from_takers_) {
      piece.tag = tag_scatter + piece.peer;
      piece.peer = routes_.taker(piece.peer, own_node());
    }
    make_blocks_out();
    make_blocks_in();
    collectively(comm_, [&] {
      out_memory_ = Buffer(static_cast<std::size_t>(out_bytes_));
      in_memory_ = Buffer(static_cast<std::size_t>(in_bytes_));
    });
    part_requests_.resize(parts_.size(), MPI_REQUEST_NULL);
    in_requests_.resize(in_.size(), MPI_REQUEST_NULL);
    std::size_t others = to_leader_.size() + from_takers_.size() + out_.size();
    for (const BlockIn& block : in_) others += block.scattered.size();
    for (const auto* messages : {&sends_, &receives_}) {
      for (const Message& message : *messages) others += goes_straight(message) ? 1 : 0;
    }
    other_requests_.resize(others, MPI_REQUEST_NULL);
    gathered_lists_.clear();
    block_lists_.clear();
  }

  void start(const ExchangeBuffers& buffers) override {
    next_request_ = 0;
    unsent_ = out_.size();
    for (BlockOut& block : out_) block.sent = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      receive_piece(out_memory_.data(), parts_[i], part_requests_[i]);
    }
    for (const Piece& piece : from_takers_) receive_piece(buffers.receive, piece, next_request());
    for (const Message& message : receives_) {
      if (goes_straight(message)) receive_piece(buffers.receive, straight(message), next_request());
    }
    // What has the longest way leaves first.
    for (const Piece& piece : to_leader_) send_piece(buffers.send, piece);
    for (const Message& message : sends_) {
      if (goes_straight(message)) send_piece(buffers.send, straight(message));
    }
    if (unsent_ == 0) receive_blocks();
    send_gathered();
  }

  bool test() override {
    if (!send_gathered()) return false;
    for (;;) {
      int block = 0, done = 0;
      check_mpi(MPI_Testany(static_cast<int>(in_requests_.size()), in_requests_.data(), &block,
                            &done, MPI_STATUS_IGNORE),
                "MPI_Testany");
      if (done == 0) return false;
      if (block == MPI_UNDEFINED) break;
      scatter(block);
    }
    int done = 0;
    check_mpi(MPI_Testall(static_cast<int>(other_requests_.size()), other_requests_.data(), &done,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
  }

  void wait() override {
    // Blocks out depend only on ranks of this node, blocks in on blocks out of other nodes.
    for (BlockOut& block : out_) {
      if (block.sent) continue;
      check_mpi(MPI_Waitall(block.parts, &part_requests_[block.first_part], MPI_STATUSES_IGNORE),
                "MPI_Waitall");
      send_block(block);
    }
    for (;;) {
      int block = 0;
      check_mpi(MPI_Waitany(static_cast<int>(in_requests_.size()), in_requests_.data(), &block,
                            MPI_STATUS_IGNORE),
                "MPI_Waitany");
      if (block == MPI_UNDEFINED) break;
      scatter(block);
    }
    check_mpi(MPI_Waitall(static_cast<int>(other_requests_.size()), other_requests_.data(),
                          MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

 private:
  using Lists = std::vector<std::vector<RoutedMessage>>;

  // Blocks are scattered in the order in which they come, so that each has a tag of its own: the
  // rank of the leader that sent it.
  static constexpr int tag_straight = 0, tag_gather = 1, tag_block = 2, tag_scatter = 3;

  /// Memory that travels as one.
  struct Piece {
    int peer;
    int tag;
    Index offset;
    Index bytes;  // in whole units
  };
  /// What this rank, as a leader, sends to another node.
  struct BlockOut {
    Piece whole;
    std::size_t first_part;  // in parts_
    int parts;
    bool sent;
  };
  /// Messages for one rank, anywhere in a block.
  struct Scattered {
    int peer;
    Datatype type;
  };
  struct BlockIn {
    Piece whole;
    std::vector<Scattered> scattered;
  };

  int own_node() const { return routes_.map().node(comm_.rank()); }
  bool goes_straight(const Message& message) const {
    return message.peer != comm_.rank() && routes_.same_node(message.peer, comm_.rank());
  }
  Piece straight(const Message& message) const {
    return {message.peer, tag_straight, message.place.offset, unit_.rounded_up(message.bytes)};
  }
  MPI_Request& next_request() { return other_requests_[next_request_++]; }

  /// Messages to other nodes, for this rank's leader, by node and by target.
  Lists lists_for_leader() const {
    Lists lists(static_cast<std::size_t>(comm_.size()));
    auto& list = lists[static_cast<std::size_t>(routes_.leader(comm_.rank()))];
    for (int node = 0; node < routes_.map().nodes(); ++node) {
      for (const Message& message : sends_) {
        if (routes_.map().node(message.peer) != node || node == own_node()) continue;
        list.push_back({comm_.rank(), message.peer, message.bytes});
      }
    }
    return lists;
  }

  /// The blocks of this leader, each for the leader that takes it, by source and by target.
  Lists lists_for_takers() const {
    Lists lists(static_cast<std::size_t>(comm_.size()));
    for (const auto& list : gathered_lists_) {
      for (const RoutedMessage& message : list) {
        const int taker = routes_.taker(comm_.rank(), routes_.map().node(message.to));
        lists[static_cast<std::size_t>(taker)].push_back(message);
      }
    }
    return lists;
  }

  /// Bytes of the largest buffer of this rank in cache lines.
  Index largest_buffer() const {
    Index largest =
        std::max(packed_bytes(sends_, comm_.rank()), packed_bytes(receives_, comm_.rank()));
    for (const Lists* lists : {&gathered_lists_, &block_lists_}) {
      Index bytes = 0;
      for (const auto& list : *lists) {
        for (const RoutedMessage& message : list) {
          bytes += static_cast<Index>(aligned_up(static_cast<std::size_t>(message.bytes)));
        }
      }
      largest = std::max(largest, bytes);
    }
    return largest;
  }

  /// Places messages in a buffer: those within the node first, then the others by the key of their
  /// peers, each key making one piece with that key as its peer.
  template <class Key>
  void place(std::vector<Message>& messages, Key&& key, std::vector<Piece>& pieces,
             Index& bytes) const {
    std::vector<Message*> others;
    for (Message& message : messages) {
      if (goes_straight(message)) {
        message.place = {Location::buffer, bytes};
        bytes += unit_.rounded_up(message.bytes);
      } else if (message.peer != comm_.rank()) {
        others.push_back(&message);
      }
    }
    std::stable_sort(others.begin(), others.end(), [&](const Message* a, const Message* b) {
      return key(a->peer) < key(b->peer);
    });
    for (Message* message : others) {
      message->place = {Location::buffer, bytes};
      const int piece = key(message->peer);
      if (pieces.empty() || pieces.back().peer != piece) {
        pieces.push_back({piece, tag_gather, bytes, 0});
      }
      const Index length = unit_.rounded_up(message->bytes);
      pieces.back().bytes += length;
      bytes += length;
    }
  }

  /// For each node the parts of all ranks of the group, one after another.
  void make_blocks_out() {
    for (int node = 0; node < routes_.map().nodes(); ++node) {
      if (node == own_node()) continue;
      BlockOut block{
          {routes_.taker(comm_.rank(), node), tag_block, out_bytes_, 0}, parts_.size(), 0, true};
      for (std::size_t rank = 0; rank < gathered_lists_.size(); ++rank) {
        Piece part{static_cast<int>(rank), tag_gather, out_bytes_, 0};
        bool any = false;
        for (const RoutedMessage& message : gathered_lists_[rank]) {
          if (routes_.map().node(message.to) != node) continue;
          any = true;
          part.bytes += unit_.rounded_up(message.bytes);
        }
        if (!any) continue;
        parts_.push_back(part);
        ++block.parts;
        block.whole.bytes += part.bytes;
        out_bytes_ += part.bytes;
      }
      if (block.parts > 0) out_.push_back(block);
    }
  }

  void make_blocks_in() {
    for (std::size_t leader = 0; leader < block_lists_.size(); ++leader) {
      const auto& list = block_lists_[leader];
      if (list.empty()) continue;
      BlockIn& block =
          in_.emplace_back(BlockIn{{static_cast<int>(leader), tag_block, in_bytes_, 0}, {}});
      std::vector<MPI_Aint> places;  // of the messages, in bytes from the begin of the block
      for (const RoutedMessage& message : list) {
        places.push_back(static_cast<MPI_Aint>(block.whole.bytes));
        block.whole.bytes += unit_.rounded_up(message.bytes);
      }
      in_bytes_ += block.whole.bytes;
      for (int target : routes_.map().ranks(own_node())) {
        std::vector<int> counts;
        std::vector<MPI_Aint> at;
        for (std::size_t i = 0; i < list.size(); ++i) {
          if (list[i].to != target) continue;
          counts.push_back(unit_.count(list[i].bytes));
          at.push_back(places[i]);
        }
        if (counts.empty()) continue;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        check_mpi(MPI_Type_create_hindexed(static_cast<int>(counts.size()), counts.data(),
                                           at.data(), unit_.type(), &type),
                  "MPI_Type_create_hindexed");
        block.scattered.push_back({target, Datatype(type)});
      }
    }
  }

  void receive_piece(std::byte* buffer, const Piece& piece, MPI_Request& request) {
    check_mpi(MPI_Irecv(buffer + piece.offset, unit_.count(piece.bytes), unit_.type(), piece.peer,
                        piece.tag, comm_.get(), &request),
              "MPI_Irecv");
  }

  void send_piece(const std::byte* buffer, const Piece& piece) {
    check_mpi(MPI_Isend(buffer + piece.offset, unit_.count(piece.bytes), unit_.type(), piece.peer,
                        piece.tag, comm_.get(), &next_request()),
              "MPI_Isend");
  }

  /// Sends what has been gathered. True when all blocks have been sent.
  bool send_gathered() {
    for (BlockOut& block : out_) {
      if (block.sent) continue;
      int complete = 0;
      check_mpi(MPI_Testall(block.parts, &part_requests_[block.first_part], &complete,
                            MPI_STATUSES_IGNORE),
                "MPI_Testall");
      if (complete != 0) send_block(block);
    }
    return unsent_ == 0;
  }

  void send_block(BlockOut& block) {
    send_piece(out_memory_.data(), block.whole);
    block.sent = true;
    if (--unsent_ == 0) receive_blocks();
  }

  /// After all blocks of this leader are sent: see PointToPoint.
  void receive_blocks() {
    for (std::size_t i = 0; i < in_.size(); ++i) {
      receive_piece(in_memory_.data(), in_[i].whole, in_requests_[i]);
    }
  }

  void scatter(int number) {
    const BlockIn& block = in_[static_cast<std::size_t>(number)];
    for (const Scattered& scattered : block.scattered) {
      check_mpi(
          MPI_Isend(in_memory_.data() + block.whole.offset, 1, scattered.type.get(), scattered.peer,
                    tag_scatter + block.whole.peer, comm_.get(), &next_request()),
          "MPI_Isend");
    }
  }

  Communicator comm_;  // of its own: messages of other exchanges come in any order between these
  NodeRoutes routes_;
  Lists gathered_lists_;  // from the ranks of this leader's group; while this is made
  Lists block_lists_;     // from leaders of other nodes; while this is made
  Unit unit_;
  std::vector<Piece> to_leader_;    // of this rank's send buffer, one for each node
  std::vector<Piece> from_takers_;  // of this rank's receive buffer, one for each sending leader
  std::vector<Piece> parts_;        // of the blocks out, in their order
  std::vector<BlockOut> out_;
  std::vector<BlockIn> in_;
  Index out_bytes_ = 0;
  Index in_bytes_ = 0;
  Buffer out_memory_;
  Buffer in_memory_;
  std::vector<MPI_Request> part_requests_;
  std::vector<MPI_Request> in_requests_;
  std::vector<MPI_Request> other_requests_;
  std::size_t next_request_ = 0;
  std::size_t unsent_ = 0;  // blocks out
};

}  // namespace

ExchangeMethod node_aware_method() {
  return {"node_aware",
          "leaders of each node combine messages between nodes",
          {.relays = true},
          make_exchange<NodeAware>,
          [](const std::string& parameter) { number_of_leaders(parameter); },
          "leaders of each node (1)"};
}

}  // namespace weft
