#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/node_window.hpp"
#include "support/random_distribution.hpp"

namespace weft::test {

/// Random messages between all pairs of ranks; the same numbers on all ranks.
struct RandomMessages {
  /// Up to `longest` elements of that many bytes, else 20 or 2000; 0 bytes: no message.
  RandomMessages(Random& random, Index element_bytes, std::optional<Index> longest);
  Index bytes(int from, int to) const;

  Index element_bytes;
  std::vector<Index> sizes;
};

/// An exchange of random messages, with what a caller adds to run it. Data differs between runs,
/// and so do the addresses of the buffers, on each rank in another way.
class PackedRun {
 public:
  /// Collective. Elements have 4 to 16 bytes.
  PackedRun(const std::string& name, const Communicator& comm, Random& random, Index count_limit,
            Index ranks_per_node, std::optional<Index> longest = {});
  ~PackedRun();

  void start();
  bool test() { return exchange_->test(); }
  /// Waits and expects that the messages of the last start have arrived.
  void finish();
  /// Draws lengths for the following starts.
  void shorten(Random& random);
  /// Expects what is known before the first start.
  void expect_consistent() const;

 private:
  class Packer;
  struct Buffers;

  std::vector<Index> lengths(const std::vector<Message>& messages, bool sent) const;

  const ExchangeMethod* method_;
  RandomMessages messages_;
  std::vector<Index> lengths_;  // of the messages of all pairs
  std::unique_ptr<NodeWindow> window_;
  std::unique_ptr<Exchange> exchange_;
  std::vector<Buffers> buffers_;
  std::unique_ptr<Packer> packer_;
  int run_ = 0;
};

}  // namespace weft::test
