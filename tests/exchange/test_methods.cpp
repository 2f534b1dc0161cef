// Every exchange: messages of any sizes arrive, in any layouts, with any limit of counts.
#include <gtest/gtest.h>

#include <cstring>

#include "exchange/exchange.hpp"
#include "schedule/stage.hpp"
#include "support/largest_count.hpp"
#include "support/plan_run.hpp"
#include "support/random_distribution.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Random;
using test::Watchdog;
using test::world_rank;
using test::world_size;
using Bytes = std::vector<std::byte>;

constexpr std::byte poison{0xff};
constexpr Index no_limit = 2147483647;

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

Index element_at(const Box& region, const AxisList& order, Index number, const Extents& shape) {
  Extents point = region.lower;
  for (int i = order.size() - 1; i >= 0; --i) {
    point[order[i]] += number % region.extent(order[i]);
    number /= region.extent(order[i]);
  }
  Index global = 0;
  for (int axis = 0; axis < shape.size(); ++axis) global = global * shape[axis] + point[axis];
  return global;
}

class Method : public testing::TestWithParam<std::string> {
 protected:
  const ExchangeMethod& method() const { return *find_exchange(GetParam()).method; }

  const Watchdog watchdog_{120};
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};
class PackedMethod : public Method {};
class DirectMethod : public Method {};

/// Packs and unpacks whole messages as they are.
class CopyingPacker : public PeerPacker {
 public:
  CopyingPacker(const Exchange& exchange, std::byte* send, const std::byte* receive, int run)
      : exchange_(exchange),
        send_(send),
        receive_(receive),
        run_(run),
        arrived_(exchange.receives().size()) {}

  int fragments(std::size_t) const override { return 3; }
  Index pack_fragment(std::size_t send, int fragment) override {
    const Transfer& message = exchange_.sends()[send];
    const Index begin = message.bytes * fragment / 3, end = message.bytes * (fragment + 1) / 3;
    for (Index i = begin; i < end; ++i) {
      send_[message.offset + i] = payload(world_rank(), message.peer, i, run_);
    }
    return end;
  }
  void unpack(std::size_t receive) override {
    const Transfer& message = exchange_.receives()[receive];
    arrived_[receive] = Bytes(receive_ + message.offset, receive_ + message.offset + message.bytes);
    // The buffer may be used again as soon as this returns.
    std::memset(const_cast<std::byte*>(receive_) + message.offset, 0,
                static_cast<std::size_t>(message.bytes));
  }
  void copy_own() override { ++own_copies_; }

  const Bytes& arrived(std::size_t receive) const { return arrived_[receive]; }
  int own_copies() const { return own_copies_; }

 private:
  const Exchange& exchange_;
  std::byte* send_;
  const std::byte* receive_;
  int run_;
  std::vector<Bytes> arrived_;
  int own_copies_ = 0;
};

/// Sizes of the messages between all pairs; 0: no message.
std::vector<Index> random_sizes(Random& random, Index element) {
  const auto ranks = static_cast<std::size_t>(world_size());
  std::vector<Index> sizes(ranks * ranks);
  const Index longest = random.chance(30) ? 2000 : 20;
  for (Index& size : sizes) size = random.chance(35) ? 0 : element * (1 + random.below(longest));
  return sizes;
}

TEST_P(PackedMethod, CarriesAnyMessages) {
  Random random(71);
  for (int trial = 0; trial < 60; ++trial) {
    const Index element = Index{4} << random.below(3);
    const auto sizes = random_sizes(random, element);
    ExchangeSetup setup;
    setup.comm = &comm_;
    setup.element_bytes = element;
    setup.count_limit = random.chance(50) ? no_limit : 2 + random.below(20);
    Index to_others = 0;
    for (int peer = 0; peer < world_size(); ++peer) {
      const auto at = [&](int from, int to) {
        return sizes[static_cast<std::size_t>(from * world_size() + to)];
      };
      const Index sent = at(world_rank(), peer), received = at(peer, world_rank());
      if (sent > 0) setup.sends.push_back({peer, {}, sent, -1});
      if (received > 0) setup.receives.push_back({peer, {}, received, -1});
      if (peer != world_rank()) to_others += sent;
    }
    test::reset_largest_count();
    const auto exchange = method().make(setup);
    EXPECT_EQ(exchange->bytes_to_others(), to_others);
    Buffer send(exchange->send_bytes()), receive(exchange->receive_bytes());
    for (int run = 0; run < 3; ++run) {
      CopyingPacker packer(*exchange, send.data(), receive.data(), run);
      const bool packs_itself = method().traits.packs_itself;
      for (std::size_t i = 0; i < exchange->sends().size(); ++i) {
        const Transfer& message = exchange->sends()[i];
        const bool own = message.peer == world_rank();
        ASSERT_EQ(message.offset >= 0, !own || method().traits.carries_own);
        if (message.offset < 0) continue;
        ASSERT_EQ(message.offset % 64, 0);
        ASSERT_LE(message.offset + message.bytes, exchange->send_bytes());
        if (!packs_itself) packer.pack(i);
      }
      exchange->start(send.data(), receive.data(), packs_itself ? &packer : nullptr);
      exchange->wait();
      EXPECT_EQ(packer.own_copies(), packs_itself ? 1 : 0);
      for (std::size_t i = 0; i < exchange->receives().size(); ++i) {
        const Transfer& message = exchange->receives()[i];
        if (message.offset < 0) continue;
        ASSERT_LE(message.offset + message.bytes, exchange->receive_bytes());
        if (!packs_itself) packer.unpack(i);
        const Bytes& arrived = packer.arrived(i);
        ASSERT_EQ(arrived.size(), static_cast<std::size_t>(message.bytes));
        for (Index at = 0; at < message.bytes; ++at) {
          ASSERT_EQ(arrived[static_cast<std::size_t>(at)],
                    payload(message.peer, world_rank(), at, run))
              << "byte " << at << " from " << message.peer << " in trial " << trial;
        }
      }
    }
    // Displacements count at least one unit for each message before.
    EXPECT_LE(test::largest_count(), std::max<Index>(setup.count_limit, comm_.size()));
  }
}

/// Between arrays of any layout, the array of one rank holding the global number of each element.
TEST_P(DirectMethod, CarriesRegionsOfArrays) {
  Random random(72);
  for (int trial = 0; trial < 60; ++trial) {
    const Extents shape = test::random_shape(random, 4, 9);
    const int doubles = random.chance(50) ? 1 : 2;
    RedistributeStage stage;
    stage.before = {shape, true, test::random_dense_layout(random, shape, world_size())};
    stage.after = {shape, true, test::random_dense_layout(random, shape, world_size())};
    for (ArrayState* state : {&stage.before, &stage.after}) {
      for (Index& width : state->layout.memory.halo_upper) width = random.below(2);
    }
    ExchangeSetup setup;
    setup.comm = &comm_;
    setup.element_bytes = 8 * doubles;
    setup.order = test::random_order(random, shape.size());
    setup.count_limit = random.chance(50) ? no_limit : 2 + random.below(20);
    setup.from = stage.before.layout.memory.view(stage.before.box(world_rank()));
    setup.to = stage.after.layout.memory.view(stage.after.box(world_rank()));
    const Redistribution list = messages(stage, world_rank());
    for (const Message& message : list.sends) {
      setup.sends.push_back({static_cast<int>(message.peer), message.region,
                             message.region.count() * setup.element_bytes});
    }
    for (const Message& message : list.receives) {
      setup.receives.push_back({static_cast<int>(message.peer), message.region,
                                message.region.count() * setup.element_bytes});
    }
    test::reset_largest_count();
    const auto exchange = method().make(setup);
    const auto elements = [&](const View& view) {
      return std::vector<double>(static_cast<std::size_t>(view.size * doubles), -1.0);
    };
    for (int run = 0; run < 2; ++run) {
      auto from = elements(setup.from), to = elements(setup.to), expected = to;
      const auto number_all = [&](const View& view, std::vector<double>& memory) {
        const AxisList order = natural_order(shape.size());
        for (Index number = 0; number < view.box.count(); ++number) {
          Extents point = view.box.lower;
          Index rest = number;
          for (int axis = shape.size() - 1; axis >= 0; --axis) {
            point[axis] += rest % view.box.extent(axis);
            rest /= view.box.extent(axis);
          }
          const Index global = element_at(view.box, order, number, shape);
          for (int part = 0; part < doubles; ++part) {
            memory[static_cast<std::size_t>(view.position(point) * doubles + part)] =
                static_cast<double>(2 * global + part + run);
          }
        }
      };
      number_all(setup.from, from);
      number_all(setup.to, expected);
      const auto before = from;
      exchange->start(reinterpret_cast<const std::byte*>(from.data()),
                      reinterpret_cast<std::byte*>(to.data()), nullptr);
      exchange->wait();
      ASSERT_EQ(to, expected) << "trial " << trial;
      ASSERT_EQ(from, before);
    }
    EXPECT_LE(test::largest_count(), setup.count_limit);
  }
}

std::vector<std::string> names(bool direct) {
  std::vector<std::string> result;
  for (const ExchangeMethod& method : exchange_methods()) {
    if (method.traits.direct == direct) result.push_back(method.name);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, PackedMethod, testing::ValuesIn(names(false)),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(All, DirectMethod, testing::ValuesIn(names(true)),
                         [](const auto& info) { return info.param; });

TEST(ExchangeRegistry, HasTheFiveMethodsAndRefusesOthers) {
  for (const char* name : {"alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined"}) {
    EXPECT_STREQ(find_exchange(name).method->name, name);
  }
  EXPECT_NO_THROW(find_exchange("auto"));
  for (const char* name : {"", "alltoallx", "P2P", "p2p "}) {
    const std::string text = test::error_text([&] { find_exchange(name); });
    EXPECT_EQ(text.rfind("exchange '" + std::string(name) + "' is unknown; known: auto", 0), 0u);
    for (const ExchangeMethod& method : exchange_methods()) {
      EXPECT_NE(text.find(method.name), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace weft
