// Every exchange: messages of any sizes arrive, in any layouts, with any limit of counts.
#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"
#include "exchange/packed_run.hpp"
#include "schedule/stage.hpp"
#include "support/exchange_names.hpp"
#include "support/largest_count.hpp"
#include "support/plan_run.hpp"
#include "support/random_distribution.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::PackedRun;
using test::Random;
using test::Watchdog;
using test::world_rank;
using test::world_size;
constexpr Index no_limit = 2147483647;

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
  const Watchdog watchdog_{120};
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};
class PackedMethod : public Method {};
class DirectMethod : public Method {};

/// Unlimited, or less than a message may have.
Index random_count_limit(Random& random) {
  return random.chance(50) ? no_limit : 2 + random.below(20);
}

TEST_P(PackedMethod, CarriesAnyMessages) {
  Random random(71);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const Index count_limit = random_count_limit(random);
    test::reset_largest_count();
    PackedRun run(GetParam(), comm_, random, count_limit, random.below(4));
    run.expect_consistent();
    for (int i = 0; i < 3; ++i) {
      run.start();
      run.finish();
      ASSERT_FALSE(HasFailure());
    }
    // Displacements count at least one unit for each message before; a block between nodes has one
    // for each pair of ranks.
    const bool in_blocks = GetParam().rfind("node_aware", 0) == 0;
    const Index messages = in_blocks ? comm_.size() * comm_.size() : comm_.size();
    EXPECT_LE(test::largest_count(), std::max(count_limit, messages));
  }
}

/// Longer than what MPI libraries send without asking the receiver first: up to 480 kB.
TEST_P(PackedMethod, CarriesLongMessages) {
  Random random(77);
  for (int trial = 0; trial < 6; ++trial) {
    SCOPED_TRACE(trial);
    PackedRun run(GetParam(), comm_, random, random_count_limit(random), random.below(4), 30000);
    for (int i = 0; i < 3; ++i) {
      if (random.chance(30)) run.shorten(random);
      run.start();
      run.finish();
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(PackedMethod, RunsOftenFromManyAddresses) {
  Random random(73);
  for (int trial = 0; trial < 3; ++trial) {
    PackedRun run(GetParam(), comm_, random, no_limit, 2);
    for (int i = 0; i < 200; ++i) {
      run.start();
      run.finish();
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(PackedMethod, SendsShorterMessages) {
  Random random(74);
  for (int trial = 0; trial < 20; ++trial) {
    PackedRun run(GetParam(), comm_, random, random_count_limit(random), random.below(4));
    for (int i = 0; i < 6; ++i) {
      if (random.chance(60)) run.shorten(random);
      run.start();
      run.finish();
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(PackedMethod, SeveralAreUnderWayAtATime) {
  Random random(75);
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE(trial);
    const Index count_limit = random_count_limit(random);
    PackedRun a(GetParam(), comm_, random, count_limit, random.below(4));
    PackedRun b(GetParam(), comm_, random, count_limit, random.below(4));
    for (int i = 0; i < 5; ++i) {
      a.start();
      b.start();
      // On each rank another one is asked first.
      PackedRun& first = world_rank() % 2 == 0 ? a : b;
      PackedRun& second = world_rank() % 2 == 0 ? b : a;
      for (bool first_done = false, second_done = false; !first_done || !second_done;) {
        first_done = first.test();
        second_done = second.test();
      }
      second.finish();
      first.finish();
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(PackedMethod, OneStartsAgainWhileAnotherIsUnderWay) {
  Random random(76);
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE(trial);
    PackedRun a(GetParam(), comm_, random, no_limit, random.below(4));
    PackedRun b(GetParam(), comm_, random, no_limit, random.below(4));
    a.start();
    for (int i = 0; i < 5; ++i) {
      b.start();
      a.finish();
      a.start();
      if (random.chance(50)) a.test();
      b.finish();
      ASSERT_FALSE(HasFailure());
    }
    a.finish();
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
    ExchangeSpec spec;
    spec.comm = &comm_;
    spec.element = {Precision::f64, doubles == 2};
    spec.order = test::random_order(random, shape.size());
    const Index count_limit = random_count_limit(random);
    spec.from = stage.before.layout.memory.view(stage.before.box(world_rank()));
    spec.to = stage.after.layout.memory.view(stage.after.box(world_rank()));
    const MessageLists list = messages(stage, world_rank());
    for (const MessageRegion& message : list.sends) {
      spec.sends.push_back({static_cast<int>(message.peer),
                            message.region,
                            message.region.count() * bytes_of(spec.element),
                            {}});
    }
    for (const MessageRegion& message : list.receives) {
      spec.receives.push_back({static_cast<int>(message.peer),
                               message.region,
                               message.region.count() * bytes_of(spec.element),
                               {}});
    }
    test::reset_largest_count();
    const auto exchange = find_exchange(GetParam()).method->make(spec, {comm_, count_limit});
    const auto elements = [&](const View& view) {
      return std::vector<double>(static_cast<std::size_t>(view.size * doubles), -1.0);
    };
    for (int run = 0; run < 2; ++run) {
      auto from = elements(spec.from), to = elements(spec.to), expected = to;
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
      number_all(spec.from, from);
      number_all(spec.to, expected);
      const auto before = from;
      exchange->start({reinterpret_cast<const std::byte*>(from.data()),
                       reinterpret_cast<std::byte*>(to.data())});
      exchange->wait();
      ASSERT_EQ(to, expected) << "trial " << trial;
      ASSERT_EQ(from, before);
    }
    EXPECT_LE(test::largest_count(), count_limit);
  }
}

std::vector<std::string> names(bool direct) {
  std::vector<std::string> result;
  for (const ExchangeMethod& method : exchange_methods()) {
    if ((method.traits.family == ExchangeTraits::arrays) == direct &&
        method.traits.memory == ExchangeTraits::host)
      result.push_back(method.name);
  }
  if (!direct) {
    result.insert(result.end(), {"persistent:p2p", "node_aware:2", "node_aware:3", "p2p:1",
                                 "p2p_pipelined:2", "one_sided:1"});
  }
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return test::as_test_name(info.param);
}

INSTANTIATE_TEST_SUITE_P(All, PackedMethod, testing::ValuesIn(names(false)), test_name);
INSTANTIATE_TEST_SUITE_P(All, DirectMethod, testing::ValuesIn(names(true)), test_name);

TEST(ExchangeRegistry, HasTheMethodsAndRefusesOthers) {
  for (const char* name :
       {"alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined", "ialltoallv", "neighbor",
        "persistent", "node_aware", "one_sided", "node_shared"}) {
    EXPECT_STREQ(find_exchange(name).method->name, name);
  }
  EXPECT_STREQ(find_exchange("auto").method->name, "alltoallv");
  for (const char* name : {"", "alltoallx", "P2P", "p2p "}) {
    const std::string text = test::error_text([&] { find_exchange(name); });
    EXPECT_EQ(text.rfind("exchange '" + std::string(name) + "' is unknown", 0), 0u);
    for (const ExchangeMethod& method : exchange_methods()) {
      EXPECT_NE(text.find(method.name), std::string::npos) << text;
    }
  }
}

TEST(ExchangeRegistry, ChecksParameters) {
  EXPECT_EQ(find_exchange("node_aware:12").parameter, "12");
  EXPECT_EQ(find_exchange("persistent:p2p").parameter, "p2p");
  for (const char* name :
       {"node_aware:0", "node_aware:-1", "node_aware:", "node_aware:2x", "node_aware:99999999999",
        "persistent:", "persistent:P2P", "p2p:0", "alltoallv:", "one_sided:x"}) {
    const std::string text = test::error_text([&] { find_exchange(name); });
    EXPECT_EQ(text.rfind("exchange '" + std::string(name) + "': ", 0), 0u) << text;
  }
}

}  // namespace
}  // namespace weft
