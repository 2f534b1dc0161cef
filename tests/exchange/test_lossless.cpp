// Messages that are compressed without loss arrive as they were, in fragments and whole, whatever
// carries them and however many threads compress.
#include "exchange/lossless.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "codec/lossless.hpp"
#include "device/buffer.hpp"
#include "exchange/environment.hpp"
#include "exchange/node_window.hpp"
#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/random_distribution.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Random;
using test::world_rank;
using test::world_size;

constexpr std::byte poison{0xa5};

/// What one rank sends to another: doubles all alike, in a row, or without any order.
enum class Content { constant, ramp, random };

std::vector<double> content(Content kind, Index count, Index from, Index to, int run) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  Random random(static_cast<std::uint64_t>(((from * 64 + to) * 64 + run) * 3 + 1));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto place = static_cast<double>(from * 7 + to * 3 + run);
    if (kind == Content::constant) numbers[i] = place;
    if (kind == Content::ramp) numbers[i] = place + static_cast<double>(i);
    if (kind == Content::random) numbers[i] = std::bit_cast<double>(random.engine()());
  }
  return numbers;
}

/// Between all ranks, messages of these many doubles, zeros left out.
class LosslessRun {
 public:
  LosslessRun(const Communicator& comm, const std::string& carrier, int threads,
              std::vector<Index> counts)
      : counts_(std::move(counts)) {
    const ExchangeChoice choice = find_exchange(carrier);
    ExchangeSpec spec;
    spec.comm = &comm;
    spec.element = {Precision::f64, true};
    spec.parameter = choice.parameter;
    for (int peer = 0; peer < world_size(); ++peer) {
      if (const Index sent = count(world_rank(), peer))
        spec.sends.push_back({peer, {}, sent * 8, {}});
      if (const Index received = count(peer, world_rank())) {
        spec.receives.push_back({peer, {}, received * 8, {}});
      }
    }
    ExchangeEnvironment environment{comm};
    environment.threads = threads;
    environment.node = world_rank() / 2;
    if (choice.method->traits.window == ExchangeTraits::node) {
      window_ = std::make_unique<NodeWindow>(comm);
      environment.window = window_.get();
    }
    exchange_ = make_lossless(*choice.method, spec, environment);
    if (window_) window_->allocate();
    exchange_->bind();
    send_ = Buffer(static_cast<std::size_t>(exchange_->send_bytes()));
    receive_ = Buffer(static_cast<std::size_t>(exchange_->receive_bytes()));
    work_ = Buffer(static_cast<std::size_t>(exchange_->work_bytes()));
  }

  void start(Content kind, int run) {
    kind_ = kind;
    run_ = run;
    while (!exchange_->ready()) exchange_->test();
    for (const Buffer* buffer : {&send_, &receive_, &work_}) {
      if (buffer->size() > 0) std::memset(buffer->data(), static_cast<int>(poison), buffer->size());
    }
    for (const Message& message : exchange_->sends()) {
      std::byte* const at = address(message, send_);
      if (at == nullptr) continue;
      const auto numbers = content(kind, message.bytes / 8, world_rank(), message.peer, run);
      std::memcpy(at, numbers.data(), numbers.size() * 8);
    }
    exchange_->start({send_.data(), receive_.data(), nullptr, work_.data()});
  }

  void finish() {
    exchange_->test();
    exchange_->wait();
    for (const Message& message : exchange_->receives()) {
      const std::byte* const at = address(message, receive_);
      if (at == nullptr) continue;
      const auto numbers = content(kind_, message.bytes / 8, message.peer, world_rank(), run_);
      EXPECT_EQ(std::memcmp(at, numbers.data(), numbers.size() * 8), 0)
          << "from " << message.peer << ", " << message.bytes << " bytes";
    }
    exchange_->release();
  }

  const Exchange& exchange() const { return *exchange_; }

 private:
  Index count(Index from, Index to) const {
    return counts_[static_cast<std::size_t>(from * world_size() + to) % counts_.size()];
  }
  /// Null for what stays.
  static std::byte* address(const Message& message, const Buffer& buffer) {
    return message.place.in == Location::stays ? nullptr : message.place.of(buffer.data());
  }

  std::vector<Index> counts_;
  std::unique_ptr<SharedWindow> window_;
  std::unique_ptr<Exchange> exchange_;
  Buffer send_, receive_, work_;
  Content kind_ = Content::constant;
  int run_ = 0;
};

class Lossless : public testing::TestWithParam<std::string> {
 protected:
  const test::Watchdog watchdog_{120};
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_P(Lossless, MessagesArriveAsTheyWere) {
  struct Case {
    int threads;
    std::vector<Index> counts;
  };
  // The longest travel in eight fragments, of which the short ones have few bytes or none.
  for (const auto& [threads, counts] :
       {Case{1, {1, 7, 1000, 65536}}, Case{1, {300001, 3, 0, 70000}},
        Case{3, {300001, 3, 0, 70000}}, Case{2, {0, 0, 1}}}) {
    LosslessRun lossless(comm_, GetParam(), threads, counts);
    int run = 0;
    for (const Content kind : {Content::constant, Content::random, Content::ramp}) {
      SCOPED_TRACE("content " + std::to_string(run) + ", threads " + std::to_string(threads) +
                   ", first count " + std::to_string(counts[0]));
      lossless.start(kind, run++);
      lossless.finish();
      const Exchange& exchange = lossless.exchange();
      EXPECT_LE(exchange.bytes_sent(), exchange.bytes_to_others());
      if (kind == Content::random) {
        EXPECT_EQ(exchange.bytes_sent(), exchange.bytes_to_others());
      }
    }
  }
}

TEST_P(Lossless, MessagesOfConstantsAreShort) {
  const bool shares = GetParam().rfind("node_shared", 0) == 0;
  if (!lossless_compresses() || shares) return;
  LosslessRun lossless(comm_, GetParam(), 2, {70000});
  lossless.start(Content::constant, 1);
  lossless.finish();
  const Exchange& exchange = lossless.exchange();
  EXPECT_EQ(exchange.bytes_to_others(), Index{70000} * 8 * (world_size() - 1));
  EXPECT_LE(exchange.bytes_sent(), exchange.bytes_to_others() / 20);
}

TEST_P(Lossless, OneIsStartedWhileAnotherIsUnderWay) {
  LosslessRun a(comm_, GetParam(), 2, {70000, 500}), b(comm_, GetParam(), 1, {10, 90000});
  a.start(Content::ramp, 0);
  for (int run = 1; run < 3; ++run) {
    b.start(Content::random, run);
    a.finish();
    a.start(Content::constant, run);
    b.finish();
  }
  a.finish();
}

INSTANTIATE_TEST_SUITE_P(
    AnyLength, Lossless, testing::ValuesIn([] {
      std::vector<std::string> names;
      for (const ExchangeMethod& method : exchange_methods()) {
        if (method.traits.memory == ExchangeTraits::host && sends_any_length({&method, ""})) {
          names.emplace_back(method.name);
        }
      }
      names.emplace_back("node_shared:p2p");
      return names;
    }()),
    [](const auto& info) { return test::as_test_name(info.param); });

}  // namespace
}  // namespace weft
