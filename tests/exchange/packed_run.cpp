#include "exchange/packed_run.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "exchange/environment.hpp"
#include "support/plan_run.hpp"

namespace weft::test {

namespace {

constexpr std::byte poison{0xff};

/// A byte that tells where it comes from and which run it belongs to.
std::byte payload(Index from, Index to, Index at, int run) {
  return static_cast<std::byte>((from * 31 + to * 17 + at * 7 + run * 3) % 251);
}

/// Memory aligned as a plan aligns its workspace.
class Buffer {
 public:
  explicit Buffer(Index bytes) : memory_(static_cast<std::size_t>(bytes) + 64, poison) {}
  std::byte* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (64 - address % 64) % 64;
  }

 private:
  Bytes memory_;
};

bool is_carried(const Message& message) {
  return message.place.in != Location::stays;
}

std::size_t pair_index(int from, int to) {
  return static_cast<std::size_t>(from * world_size() + to);
}

}  // namespace

RandomMessages::RandomMessages(Random& random, Index element, std::optional<Index> longest)
    : element_bytes(element) {
  const auto ranks = static_cast<std::size_t>(world_size());
  sizes.resize(ranks * ranks);
  const Index most = longest ? *longest : random.chance(30) ? 2000 : 20;
  for (Index& size : sizes) size = random.chance(35) ? 0 : element * (1 + random.below(most));
  const auto silence = [&](int from, int to) { sizes[pair_index(from, to)] = 0; };
  const int silent = static_cast<int>(random.below(3 * world_size()));
  const int deaf = static_cast<int>(random.below(3 * world_size()));
  for (int rank = 0; rank < world_size(); ++rank) {
    if (silent < world_size()) silence(silent, rank);
    if (deaf < world_size()) silence(rank, deaf);
  }
}

Index RandomMessages::bytes(int from, int to) const {
  return sizes[pair_index(from, to)];
}

struct PackedRun::Buffers {
  explicit Buffers(const Exchange& exchange)
      : send(exchange.send_bytes()), receive(exchange.receive_bytes()) {}
  Buffer send;
  Buffer receive;
};

/// Packs and unpacks whole messages as they are.
class PackedRun::Packer : public weft::Packer {
 public:
  Packer(Exchange& exchange, const std::vector<Index>& lengths, Buffers& buffers, int run)
      : exchange_(exchange),
        lengths_(lengths),
        send_(buffers.send.data()),
        receive_(buffers.receive.data()),
        run_(run),
        arrived_(exchange.receives().size()) {}

  int fragments(std::size_t send) const override { return 1 + static_cast<int>(send) % 4; }
  Index pack_fragment(std::size_t send, int fragment) override {
    EXPECT_EQ(fragment, next_[send]++) << "fragments are packed in their order";
    const Message& message = exchange_.sends()[send];
    const Index parts = fragments(send);
    const Index begin = message.bytes * fragment / parts,
                end = message.bytes * (fragment + 1) / parts;
    std::byte* const data = message.place.of(send_);
    for (Index i = begin; i < end; ++i) {
      data[i] = payload(world_rank(), message.peer, i, run_);
    }
    return end;
  }
  void unpack(std::size_t receive) override {
    const Message& message = exchange_.receives()[receive];
    const Index length = lengths_[pair_index(message.peer, world_rank())];
    EXPECT_TRUE(arrived_[receive].empty()) << "a message is unpacked once";
    std::byte* const data = message.place.of(receive_);
    arrived_[receive] = Bytes(data, data + length);
    // The memory may be used again as soon as this returns.
    std::memset(data, 0, static_cast<std::size_t>(message.bytes));
  }
  void copy_own() override { ++own_copies_; }

  std::byte* receive() const { return receive_; }
  const Bytes& arrived(std::size_t receive) const { return arrived_[receive]; }
  int own_copies() const { return own_copies_; }
  bool has_packed(std::size_t send) const { return next_[send] == fragments(send); }

 private:
  Exchange& exchange_;
  const std::vector<Index> lengths_;
  std::byte* send_;
  std::byte* receive_;
  int run_;
  std::vector<Bytes> arrived_;
  std::vector<int> next_ = std::vector<int>(exchange_.sends().size());
  int own_copies_ = 0;
};

PackedRun::PackedRun(const std::string& name, const Communicator& comm, Random& random,
                     Index count_limit, Index ranks_per_node, std::optional<Index> longest)
    : messages_(random, Index{4} << random.below(3), longest), lengths_(messages_.sizes) {
  const ExchangeChoice choice = find_exchange(name);
  method_ = choice.method;
  ExchangeSpec spec;
  spec.comm = &comm;
  spec.parameter = choice.parameter;
  ExchangeEnvironment environment{comm, count_limit};
  environment.node = ranks_per_node == 0 ? 0 : comm.rank() / static_cast<int>(ranks_per_node);
  for (int peer = 0; peer < world_size(); ++peer) {
    const Index sent = messages_.bytes(world_rank(), peer);
    const Index received = messages_.bytes(peer, world_rank());
    if (sent > 0) spec.sends.push_back({peer, {}, sent, {}});
    if (received > 0) spec.receives.push_back({peer, {}, received, {}});
  }
  if (method_->traits.window == ExchangeTraits::node) {
    window_ = std::make_unique<NodeWindow>(comm);
    environment.window = window_.get();
  }
  exchange_ = method_->make(spec, environment);
  if (window_) {
    window_->allocate();
    exchange_->bind();
  }
  for (int i = 0; i < 6; ++i) buffers_.emplace_back(*exchange_);
}

PackedRun::~PackedRun() = default;

void PackedRun::expect_consistent() const {
  Index to_others = 0;
  Index send_end = 0, receive_end = 0;
  const ExchangeTraits::Window window = method_->traits.window;
  const auto check = [&](const Message& message, bool received, Index& end) {
    const Location& place = message.place;
    switch (place.in) {
      case Location::stays:
        EXPECT_EQ(message.peer, world_rank());
        return;
      case Location::buffer:
        EXPECT_FALSE(received && window == ExchangeTraits::own);
        EXPECT_GE(place.offset, 0);
        EXPECT_EQ(place.offset % 64, 0);
        end = std::max(end, place.offset + message.bytes);
        return;
      case Location::memory:
        EXPECT_TRUE(received && window != ExchangeTraits::none);
        break;
      case Location::shared:
        EXPECT_TRUE(window_ && message.peer != world_rank());
        break;
    }
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place.address) % 64, 0U);
  };
  for (const Message& message : exchange_->sends()) {
    check(message, false, send_end);
    if (message.peer != world_rank()) to_others += message.bytes;
  }
  for (const Message& message : exchange_->receives()) check(message, true, receive_end);
  EXPECT_EQ(exchange_->bytes_to_others(), to_others);
  EXPECT_LE(send_end, exchange_->send_bytes());
  EXPECT_LE(receive_end, exchange_->receive_bytes());
  EXPECT_TRUE(exchange_->test()) << "nothing is under way";
}

std::vector<Index> PackedRun::lengths(const std::vector<Message>& messages, bool sent) const {
  std::vector<Index> result;
  for (const Message& message : messages) {
    result.push_back(lengths_[sent ? pair_index(world_rank(), message.peer)
                                   : pair_index(message.peer, world_rank())]);
  }
  return result;
}

void PackedRun::shorten(Random& random) {
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    lengths_[i] = random.chance(20) ? 0 : random.below(messages_.sizes[i] + 1);
  }
  exchange_->set_lengths(lengths(exchange_->sends(), true), lengths(exchange_->receives(), false));
}

void PackedRun::start() {
  ++run_;
  const int chosen = run_ < 4 ? run_ / 2 : run_ * (1 + world_rank());
  Buffers& buffers = buffers_[static_cast<std::size_t>(chosen) % buffers_.size()];
  packer_ = std::make_unique<Packer>(*exchange_, lengths_, buffers, run_);
  if (method_->traits.family != ExchangeTraits::pipelined) {
    while (!exchange_->ready()) continue;
    for (std::size_t i = 0; i < exchange_->sends().size(); ++i) {
      if (is_carried(exchange_->sends()[i])) packer_->pack(i);
    }
  }
  // Of two buffers at the same address, one may be empty.
  std::byte* const send =
      exchange_->send_bytes() > 0 ? buffers.send.data() : buffers.receive.data();
  std::byte* const receive = exchange_->receive_bytes() > 0 ? packer_->receive() : send;
  exchange_->start({send, receive,
                    method_->traits.family == ExchangeTraits::pipelined ? packer_.get() : nullptr});
  for (std::size_t i = 0; i < exchange_->sends().size(); ++i) {
    if (!is_carried(exchange_->sends()[i])) continue;
    EXPECT_TRUE(packer_->has_packed(i)) << "what encoding measures is complete by now";
  }
}

void PackedRun::finish() {
  exchange_->wait();
  EXPECT_TRUE(exchange_->test());
  EXPECT_EQ(packer_->own_copies(), method_->traits.family == ExchangeTraits::pipelined ? 1 : 0);
  for (std::size_t i = 0; i < exchange_->receives().size(); ++i) {
    const Message& message = exchange_->receives()[i];
    if (!is_carried(message)) continue;
    if (method_->traits.family != ExchangeTraits::pipelined) packer_->unpack(i);
    const Bytes& arrived = packer_->arrived(i);
    ASSERT_EQ(static_cast<Index>(arrived.size()), lengths_[pair_index(message.peer, world_rank())]);
    for (std::size_t at = 0; at < arrived.size(); ++at) {
      ASSERT_EQ(arrived[at], payload(message.peer, world_rank(), static_cast<Index>(at), run_))
          << "byte " << at << " from " << message.peer << " in run " << run_;
    }
  }
  exchange_->release();
}

}  // namespace weft::test
