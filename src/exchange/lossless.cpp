#include "exchange/lossless.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "codec/lossless.hpp"
#include "device/alignment.hpp"
#include "exchange/environment.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

/// Shorter ones are not worth messages of their own.
constexpr Index least_fragment_bytes = Index{256} << 10;
constexpr Index most_fragments = 8;

/// Messages travel in fragments, each a carrier of its own: while threads compress one, those
/// before it are under way, and while they restore one, those behind it arrive. How long it has
/// become each sender tells each receiver first, so no fragment sets out before all ranks have come
/// to it.
class Lossless : public Exchange {
 public:
  Lossless(const ExchangeMethod& method, const ExchangeSpec& spec,
           const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(*spec.comm),
        real_bytes_(element_bytes(false, spec.element.precision)),
        threads_(environment.threads) {
    add_fragments(method, spec, environment, 1);
    const Index count = worth_fragments(environment, method.traits);
    if (count > 1) {
      fragments_.clear();
      add_fragments(method, spec, environment, count);
    }
    const Exchange& first = *fragments_.front().carrier;
    send_bytes_ = place(sends_, first.sends());
    receive_bytes_ = place(receives_, first.receives());
    for (Fragment& fragment : fragments_) lay_out(fragment);
    uncompressed_ = std::vector<std::atomic<int>>(fragments_.size());
  }

  /// Receivers have to be told lengths.
  bool blocks() const override { return true; }
  void bind() override {
    for (Fragment& fragment : fragments_) fragment.carrier->bind();
    // What the caller writes to where the receiver reads it is not compressed.
    const Exchange& first = *fragments_.front().carrier;
    const auto take = [](std::vector<Message>& messages, const std::vector<Message>& carried) {
      for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!carried[i].place.is_moved()) messages[i].place = carried[i].place;
      }
    };
    take(sends_, first.sends());
    take(receives_, first.receives());
  }
  bool ready() override {
    return std::all_of(fragments_.begin(), fragments_.end(),
                       [](Fragment& fragment) { return fragment.carrier->ready(); });
  }
  void release() override {
    for (Fragment& fragment : fragments_) fragment.carrier->release();
  }

  void start(const ExchangeBuffers& buffers) override {
    buffers_ = buffers;
    told_ = started_ = 0;
    for (std::size_t f = 0; f < fragments_.size(); ++f) expect_lengths(f);
    std::atomic<std::size_t> next = 0;
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
    for (;;) {
      const std::size_t item = next++;
      if (item >= compressed_.size()) break;
      compress(compressed_[item]);
      // Only the caller's thread may call MPI.
      if (omp_get_thread_num() == 0) move_on();
    }
    start_all();
    bytes_sent_ = 0;
    for (const Fragment& fragment : fragments_) {
      for (std::size_t i = 0; i < sends_.size(); ++i) {
        if (sends_[i].peer != comm_.rank()) bytes_sent_ += fragment.send_lengths[i];
      }
    }
  }

  bool test() override {
    bool all = true;
    for (Fragment& fragment : fragments_) all = fragment.carrier->test() && all;
    return all;
  }

  void wait() override {
    for (std::size_t f = 0; f < fragments_.size();) {
      fragments_[f].carrier->wait();
      std::size_t end = f + 1;
      while (end < fragments_.size() && fragments_[end].carrier->test()) ++end;
      restore(f, end);
      f = end;
    }
  }

 private:
  static constexpr int length_tag = 1;  // messages of exchanges have 0

  struct Fragment {
    std::unique_ptr<Exchange> carrier;
    std::unique_ptr<Packer> packer;  // null unless the carrier packs itself
    Index send_place = 0;            // of its buffers in the work memory
    Index receive_place = 0;
    std::vector<Index> send_lengths;
    std::vector<Index> receive_lengths;
    std::vector<MPI_Request> requests;  // of the lengths of messages that are carried
  };
  /// A message's part in a fragment.
  struct Item {
    std::size_t fragment;
    std::size_t message;
  };

  /// The same on all ranks.
  Index worth_fragments(const ExchangeEnvironment& environment,
                        const ExchangeTraits& traits) const {
    // Carriers that block let nothing travel meanwhile; memory of their own is costly to set up.
    if (fragments_.front().carrier->blocks() || traits.window != ExchangeTraits::none) return 1;
    Index longest = 0;
    for (const auto* messages : {&sends_, &receives_}) {
      for (const Message& message : *messages) longest = std::max(longest, message.bytes);
    }
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_INT64_T, MPI_MAX, environment.everybody.get()),
        "MPI_Allreduce");
    return std::clamp<Index>(longest / least_fragment_bytes, 1, most_fragments);
  }

  Index begin_of(const Message& message, std::size_t fragment) const {
    const auto count = static_cast<Index>(fragments_.size());
    return message.bytes / real_bytes_ * static_cast<Index>(fragment) / count * real_bytes_;
  }
  Index bytes_of(const Message& message, std::size_t fragment) const {
    return begin_of(message, fragment + 1) - begin_of(message, fragment);
  }

  void add_fragments(const ExchangeMethod& method, const ExchangeSpec& spec,
                     const ExchangeEnvironment& environment, Index count) {
    fragments_.resize(static_cast<std::size_t>(count));
    for (std::size_t f = 0; f < fragments_.size(); ++f) {
      ExchangeSpec part = spec;
      for (Message& send : part.sends) send.bytes = bytes_of(send, f);
      for (Message& receive : part.receives) receive.bytes = bytes_of(receive, f);
      fragments_[f].carrier = method.make(part, environment);
      if (method.traits.family == ExchangeTraits::pipelined) {
        fragments_[f].packer = std::make_unique<PackedAlready>(fragments_[f].send_lengths);
      }
    }
  }

  /// Gives the messages that are carried their places, and returns the size of the buffer.
  static Index place(std::vector<Message>& messages, const std::vector<Message>& carried) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (!carried[i].place.is_moved()) continue;
      messages[i].place = {Location::buffer, static_cast<Index>(bytes)};
      bytes += aligned_up(static_cast<std::size_t>(messages[i].bytes));
    }
    return static_cast<Index>(bytes);
  }

  void lay_out(Fragment& fragment) {
    const auto f = static_cast<std::size_t>(&fragment - fragments_.data());
    const auto reserve = [&](Index bytes) {
      const Index place = work_bytes_;
      work_bytes_ += static_cast<Index>(aligned_up(static_cast<std::size_t>(bytes)));
      return place;
    };
    const Exchange& carrier = *fragment.carrier;
    fragment.send_place = reserve(carrier.send_bytes());
    fragment.receive_place = reserve(carrier.receive_bytes());
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      fragment.send_lengths.push_back(carrier.sends()[i].bytes);
      if (!sends_[i].place.is_moved()) continue;
      compressed_.push_back({f, i});
      fragment.requests.push_back(MPI_REQUEST_NULL);
    }
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      fragment.receive_lengths.push_back(carrier.receives()[i].bytes);
      if (!receives_[i].place.is_moved()) continue;
      restored_.push_back({f, i});
      fragment.requests.push_back(MPI_REQUEST_NULL);
    }
  }

  void expect_lengths(std::size_t f) {
    Fragment& fragment = fragments_[f];
    const auto messages = static_cast<int>(compressed_.size() / fragments_.size());
    uncompressed_[f] = messages;
    auto request = fragment.requests.begin() + messages;
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      if (!receives_[i].place.is_moved()) continue;
      check_mpi(MPI_Irecv(&fragment.receive_lengths[i], 1, MPI_INT64_T, receives_[i].peer,
                          length_tag, comm_.get(), &*request++),
                "MPI_Irecv");
    }
  }

  void tell_lengths(Fragment& fragment) {
    auto request = fragment.requests.begin();
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (!sends_[i].place.is_moved()) continue;
      check_mpi(MPI_Isend(&fragment.send_lengths[i], 1, MPI_INT64_T, sends_[i].peer, length_tag,
                          comm_.get(), &*request++),
                "MPI_Isend");
    }
  }

  std::byte* packed_send(const Fragment& fragment) const {
    return buffers_.work + fragment.send_place;
  }
  std::byte* packed_receive(const Fragment& fragment) const {
    return buffers_.work + fragment.receive_place;
  }

  void compress(const Item& item) {
    Fragment& fragment = fragments_[item.fragment];
    const Message& message = sends_[item.message];
    const Message& part = fragment.carrier->sends()[item.message];
    fragment.send_lengths[item.message] =
        lossless_compress(message.place.of(buffers_.send) + begin_of(message, item.fragment),
                          part.bytes, real_bytes_, part.place.of(packed_send(fragment)));
    --uncompressed_[item.fragment];
  }

  void tell_compressed() {
    while (told_ < fragments_.size() && uncompressed_[told_] == 0) {
      tell_lengths(fragments_[told_++]);
    }
  }
  void start_next() {
    Fragment& fragment = fragments_[started_++];
    fragment.carrier->set_lengths(fragment.send_lengths, fragment.receive_lengths);
    fragment.carrier->start(
        {packed_send(fragment), packed_receive(fragment), fragment.packer.get()});
  }

  /// Starts what has been compressed and whose lengths are known, in turn. Never waits.
  void move_on() {
    for (std::size_t f = 0; f < started_; ++f) fragments_[f].carrier->test();
    tell_compressed();
    while (started_ < told_) {
      std::vector<MPI_Request>& requests = fragments_[started_].requests;
      int all = 0;
      check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all,
                            MPI_STATUSES_IGNORE),
                "MPI_Testall");
      if (all == 0) return;
      start_next();
    }
  }

  /// Starts the rest, when all has been compressed.
  void start_all() {
    tell_compressed();
    while (started_ < fragments_.size()) {
      std::vector<MPI_Request>& requests = fragments_[started_].requests;
      check_mpi(
          MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
      start_next();
    }
  }

  /// What these fragments have brought.
  void restore(std::size_t from, std::size_t to) {
    const auto of = [&](std::size_t f) {
      return std::lower_bound(restored_.begin(), restored_.end(), f,
                              [](const Item& item, std::size_t g) { return item.fragment < g; });
    };
    const auto first = of(from);
    const auto count = static_cast<int>(of(to) - first);
    std::exception_ptr failure;
#pragma omp parallel for num_threads(threads_) schedule(dynamic) if (threads_ > 1)
    for (int number = 0; number < count; ++number) {
      const Item& item = first[number];
      const Fragment& fragment = fragments_[item.fragment];
      const Message& message = receives_[item.message];
      const Message& part = fragment.carrier->receives()[item.message];
      try {
        lossless_expand(part.place.of(packed_receive(fragment)),
                        fragment.receive_lengths[item.message], part.bytes, real_bytes_,
                        message.place.of(buffers_.receive) + begin_of(message, item.fragment));
      } catch (...) {
#pragma omp critical(weft_lossless_failure)
        failure = std::current_exception();
      }
      if (omp_get_thread_num() != 0) continue;
      for (std::size_t f = to; f < fragments_.size(); ++f) fragments_[f].carrier->test();
    }
    if (failure) std::rethrow_exception(failure);
  }

  const Communicator& comm_;
  Index real_bytes_;
  int threads_;
  std::vector<Fragment> fragments_;
  std::vector<Item> compressed_;  // by fragment
  std::vector<Item> restored_;
  std::vector<std::atomic<int>> uncompressed_;  // messages of each fragment
  ExchangeBuffers buffers_{};
  std::size_t told_ = 0;     // fragments whose lengths have been told
  std::size_t started_ = 0;  // and that have set out
};

}  // namespace

std::unique_ptr<Exchange> make_lossless(const ExchangeMethod& carrier, const ExchangeSpec& spec,
                                        const ExchangeEnvironment& environment) {
  return std::make_unique<Lossless>(carrier, spec, environment);
}

}  // namespace weft
