// Exchanges of the registry on contiguous blocks, without a plan.
#include <sched.h>

#include <vector>

#include "exchange/agreement.hpp"
#include "exchange/shared_window.hpp"
#include "tune/block_transfer.hpp"

namespace weft {

namespace {

constexpr CopyElement number{Precision::f64, true};

/// The block from one rank to another, in the array of all blocks by source and target.
Box block(Index from, Index to, Index numbers) {
  return {{from, to, 0}, {from + 1, to + 1, numbers}};
}

/// An array of which each rank has its row before, and its column after an exchange.
ExchangeSpec spec_of(const BlockSite& site, const std::string& parameter) {
  const Index ranks = site.comm().size(), own = site.comm().rank();
  const Index numbers = site.bytes / bytes_of(number);
  ExchangeSpec spec;
  spec.comm = &site.comm();
  spec.element = number;
  spec.order = {0, 1, 2};
  spec.from = {{{own, 0, 0}, {own + 1, ranks, numbers}}, {ranks * numbers, numbers, 1}};
  spec.to = {{{0, own, 0}, {ranks, own + 1, numbers}}, {numbers, numbers, 1}};
  spec.from.size = spec.to.size = ranks * numbers;
  spec.parameter = parameter;
  for (int peer = 0; peer < site.comm().size(); ++peer) {
    spec.sends.push_back({peer, block(own, peer, numbers), site.bytes, {}});
    spec.receives.push_back({peer, block(peer, own, numbers), site.bytes, {}});
  }
  return spec;
}

class ExchangeTransfer : public BlockTransfer {
 public:
  ExchangeTransfer(BlockSite& site, const ExchangeChoice& choice)
      : BlockTransfer(site, choice.name()),
        traits_(choice.method->traits),
        lengths_(static_cast<std::size_t>(site.comm().size()), site.bytes),
        packer_(lengths_),
        window_(make_window(traits_.window, site.comm(), *site.context.device)) {
    const ExchangeEnvironment environment{.everybody = site.comm(),
                                          .node = site.context.node,
                                          .window = window_.get(),
                                          .streams = &site.streams};
    exchange_ = choice.method->make(spec_of(site, choice.parameter), environment);
    if (window_) window_->allocate();
    exchange_->bind();
    allocate();
  }

 private:
  void move() override {
    // Ranks that have not read yet may need this core.
    while (!exchange_->ready()) sched_yield();
    for (const Message& message : exchange_->sends()) {
      if (message.place.in != Location::shared) continue;
      site_.stream().copy(message.place.address, blocks_.data() + message.peer * site_.bytes,
                          static_cast<std::size_t>(site_.bytes));
    }
    exchange_->start({send_.data(), receive_.data(), &packer_, work_.data()});
    exchange_->wait();
  }
  void release() override { exchange_->release(); }

  /// Collective.
  void allocate() {
    const Index all = site_.comm().size() * site_.bytes;
    const bool arrays = traits_.family == ExchangeTraits::arrays;
    const bool shared = traits_.window == ExchangeTraits::node;
    collectively(site_.comm(), [&] {
      send_ = buffer(arrays ? all : exchange_->send_bytes());
      receive_ = buffer(arrays ? all : exchange_->receive_bytes());
      work_ = buffer(exchange_->work_bytes());
      blocks_ = buffer(shared ? all : 0);
    });
  }
  Buffer buffer(Index bytes) const {
    return {*site_.context.device, static_cast<std::size_t>(bytes)};
  }

  std::byte* outgoing(int peer) override {
    const Location& place = exchange_->sends()[static_cast<std::size_t>(peer)].place;
    if (traits_.family == ExchangeTraits::arrays) return send_.data() + peer * site_.bytes;
    if (place.in == Location::shared) return blocks_.data() + peer * site_.bytes;
    return place.is_moved() ? place.of(send_.data()) : nullptr;
  }
  std::byte* incoming(int peer) override {
    const Location& place = exchange_->receives()[static_cast<std::size_t>(peer)].place;
    if (traits_.family == ExchangeTraits::arrays) {
      std::byte* const landing = exchange_->landing();
      return (landing != nullptr ? landing : receive_.data()) + peer * site_.bytes;
    }
    if (place.in == Location::shared) return place.address;
    return place.is_moved() ? place.of(receive_.data()) : nullptr;
  }

  ExchangeTraits traits_;
  std::vector<Index> lengths_;
  PackedAlready packer_;
  std::unique_ptr<SharedWindow> window_;
  Buffer send_, receive_, work_;
  Buffer blocks_;  // what is to be written to shared memory
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace

std::unique_ptr<BlockTransfer> make_exchange_transfer(BlockSite& site,
                                                      const ExchangeChoice& choice) {
  return std::make_unique<ExchangeTransfer>(site, choice);
}

}  // namespace weft
