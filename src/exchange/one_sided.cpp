#include <algorithm>

#include "exchange/environment.hpp"
#include "exchange/peer_order.hpp"
#include "exchange/window.hpp"

namespace weft {

namespace {

/// Each message is put into the memory of its target, part by part as it is packed.
///
/// The window stays locked, and empty messages take the place of epochs: a target tells each source
/// that its memory may be written, when it starts and so has used what came last, and a source
/// tells its target that all has arrived. So no start waits for other ranks, as MPI_Win_start and
/// MPI_Win_fence may, and test() can tell how far an exchange is.
///
/// Messages go in parts so short that MPI sends them without asking the target first; the answers
/// would wait behind data that go the other way (128^3 on four hosts at 400 Mbit/s: 1.3 times as
/// long). MPI_Win_flush alone tells that data have arrived, and it waits. So a byte is read back
/// behind them, and flushing, once that is here, is short.
class OneSided : public Exchange {
 public:
  OneSided(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(Communicator::duplicate(spec.comm->get())),
        unit_(comm_,
              std::max(packed_bytes(spec.sends, comm_.rank()),
                       packed_bytes(spec.receives, comm_.rank())),
              environment.count_limit),
        most_under_way_(most_under_way("one_sided", spec.parameter)) {
    const NodeMap nodes(comm_, environment.node);
    source_order_ = sources_in_ring(receives_, comm_.rank(), nodes);
    send_bytes_ = place_messages(sends_, comm_.rank(), unit_);
    const Index bytes = place_receives();
    // Open MPI 4 mixes up windows that disjoint groups of ranks make at the same time.
    const Communicator& everybody = environment.everybody;
    window_ = Window(everybody, bytes);
    for (std::size_t i : targets_in_ring(sends_, comm_.rank(), nodes)) {
      targets_.push_back({i, sends_[i].peer, comm_.rank_in(everybody, sends_[i].peer)});
    }
    tell_places();
    for (std::size_t i : source_order_) {
      Location& place = receives_[i].place;
      place = {Location::memory, 0, window_.memory() + place.offset};
    }
    writable_.resize(targets_.size(), MPI_REQUEST_NULL);
    arrived_.resize(source_order_.size(), MPI_REQUEST_NULL);
    told_.resize(source_order_.size() + targets_.size(), MPI_REQUEST_NULL);
  }

  void start(const ExchangeBuffers& buffers) override {
    send_ = buffers.send;
    packer_ = buffers.packer;
    next_told_ = 0;
    unfinished_targets_ = targets_.size();
    under_way_ = 0;
    for (std::size_t i = 0; i < source_order_.size(); ++i) {
      arrived_[i] = expect(receives_[source_order_[i]].peer, tag_arrived);
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      targets_[i].restart();
      writable_[i] = expect(targets_[i].rank, tag_writable);
    }
    for (std::size_t i : source_order_) tell(receives_[i].peer, tag_writable);
    for (std::size_t i = 0; i < targets_.size(); ++i) pack_and_put(i);
    buffers.packer->copy_own();
  }

  bool test() override {
    see_writable();
    for (Target& target : targets_) {
      put(target);
      finish(target);
    }
    const bool all_arrived = unpack_arrived();
    if (unfinished_targets_ > 0 || !all_arrived) return false;
    int told = 0;
    check_mpi(MPI_Testall(static_cast<int>(told_.size()), told_.data(), &told, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return told != 0;
  }

  void wait() override {
    // Every call of MPI below lets messages move on.
    while (unfinished_targets_ > 0) test();
    for (;;) {
      int source = 0;
      check_mpi(MPI_Waitany(static_cast<int>(arrived_.size()), arrived_.data(), &source,
                            MPI_STATUS_IGNORE),
                "MPI_Waitany");
      if (source == MPI_UNDEFINED) break;
      unpack(source);
    }
    check_mpi(MPI_Waitall(static_cast<int>(told_.size()), told_.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

 private:
  /// Open MPI asks first from 64 KiB on over TCP, its headers included.
  static constexpr Index most_bytes_of_put = Index{48} << 10;
  static constexpr int tag_writable = 0, tag_arrived = 1, tag_place = 2;

  struct Target {
    std::size_t send;  // position in sends()
    int rank;
    int window_rank;
    MPI_Aint place = 0;  // of the message in the window there
    Index packed = 0;    // bytes that may be put, in whole units
    Index put = 0;
    bool all_packed = false;
    bool writable = false;
    bool begun = false;
    bool asked = false;  // for a byte behind the last put
    bool finished = false;
    MPI_Request answer = MPI_REQUEST_NULL;
    std::byte answered{};

    void restart() {
      packed = put = 0;
      all_packed = writable = begun = asked = finished = false;
    }
  };

  /// By offsets in the window, of which the size is returned.
  Index place_receives() {
    Index bytes = 0;
    const Index step = std::max(Window::alignment, unit_.bytes());
    for (Message& message : receives_) {
      if (message.peer == comm_.rank()) continue;
      // Nobody writes to the byte before a message: its source reads it.
      message.place = {Location::memory, bytes + step};
      bytes = message.place.offset + (message.bytes + step - 1) / step * step;
    }
    return bytes;
  }

  void tell_places() {
    std::vector<Index> mine, theirs(targets_.size());
    for (std::size_t i : source_order_)
      mine.push_back(window_.displacement(receives_[i].place.offset));
    std::vector<MPI_Request> requests(mine.size() + theirs.size(), MPI_REQUEST_NULL);
    auto request = requests.begin();
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      check_mpi(MPI_Irecv(&theirs[i], 1, MPI_INT64_T, targets_[i].rank, tag_place, comm_.get(),
                          &*request++),
                "MPI_Irecv");
    }
    for (std::size_t i = 0; i < mine.size(); ++i) {
      check_mpi(MPI_Isend(&mine[i], 1, MPI_INT64_T, receives_[source_order_[i]].peer, tag_place,
                          comm_.get(), &*request++),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      targets_[i].place = static_cast<MPI_Aint>(theirs[i]);
    }
  }

  MPI_Request expect(int rank, int tag) const {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, rank, tag, comm_.get(), &request), "MPI_Irecv");
    return request;
  }

  void tell(int rank, int tag) {
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, comm_.get(), &told_[next_told_++]),
              "MPI_Isend");
  }

  void pack_and_put(std::size_t position) {
    Target& target = targets_[position];
    const int fragments = packer_->fragments(target.send);
    for (int fragment = 0; fragment < fragments; ++fragment) {
      const Index end = packer_->pack_fragment(target.send, fragment);
      target.all_packed = fragment + 1 == fragments;
      target.packed =
          target.all_packed ? unit_.rounded_up(end) : end / unit_.bytes() * unit_.bytes();
      if (!target.writable) {
        int writable = 0;
        check_mpi(MPI_Test(&writable_[position], &writable, MPI_STATUS_IGNORE), "MPI_Test");
        target.writable = writable != 0;
      }
      put(target);
    }
  }

  /// What is packed, if the target allows it by now, and not too many others are under way.
  void put(Target& target) {
    if (!target.writable) return;
    if (!target.begun && under_way_ >= most_under_way_) return;
    under_way_ += target.begun ? 0 : 1;
    target.begun = true;
    const std::byte* const message = send_ + sends_[target.send].place.offset;
    const Index step = std::max(most_bytes_of_put / unit_.bytes(), Index{1}) * unit_.bytes();
    while (target.put < target.packed) {
      const Index bytes = std::min(step, target.packed - target.put);
      const int count = unit_.count(bytes);
      check_mpi(MPI_Put(message + target.put, count, unit_.type(), target.window_rank,
                        target.place + static_cast<MPI_Aint>(target.put), count, unit_.type(),
                        window_.get()),
                "MPI_Put");
      target.put += bytes;
    }
    if (!target.all_packed || target.asked) return;
    check_mpi(MPI_Rget(&target.answered, 1, MPI_BYTE, target.window_rank, target.place - 1, 1,
                       MPI_BYTE, window_.get(), &target.answer),
              "MPI_Rget");
    target.asked = true;
  }

  void see_writable() {
    for (;;) {
      int position = 0, done = 0;
      check_mpi(MPI_Testany(static_cast<int>(writable_.size()), writable_.data(), &position, &done,
                            MPI_STATUS_IGNORE),
                "MPI_Testany");
      if (done == 0 || position == MPI_UNDEFINED) return;
      targets_[static_cast<std::size_t>(position)].writable = true;
    }
  }

  /// Tells a target that its message is complete.
  void finish(Target& target) {
    if (target.finished || !target.asked) return;
    int answered = 0;
    check_mpi(MPI_Test(&target.answer, &answered, MPI_STATUS_IGNORE), "MPI_Test");
    if (answered == 0) return;
    check_mpi(MPI_Win_flush(target.window_rank, window_.get()), "MPI_Win_flush");
    tell(target.rank, tag_arrived);
    target.finished = true;
    --unfinished_targets_;
    --under_way_;
  }

  /// True when no source is left to hear of.
  bool unpack_arrived() {
    for (;;) {
      int source = 0, done = 0;
      check_mpi(MPI_Testany(static_cast<int>(arrived_.size()), arrived_.data(), &source, &done,
                            MPI_STATUS_IGNORE),
                "MPI_Testany");
      if (done == 0) return false;
      if (source == MPI_UNDEFINED) return true;
      unpack(source);
    }
  }

  void unpack(int source) {
    check_mpi(MPI_Win_sync(window_.get()), "MPI_Win_sync");
    packer_->unpack(source_order_[static_cast<std::size_t>(source)]);
  }

  Communicator comm_;  // of its own: messages of other exchanges come in any order between these
  Unit unit_;
  std::size_t most_under_way_;
  std::vector<std::size_t> source_order_;
  Window window_;
  std::vector<Target> targets_;
  std::vector<MPI_Request> writable_;  // one for each target
  std::vector<MPI_Request> arrived_;   // one for each source
  std::vector<MPI_Request> told_;      // sources that may write, targets that have all
  std::size_t next_told_ = 0;
  std::size_t unfinished_targets_ = 0;
  std::size_t under_way_ = 0;  // targets
  const std::byte* send_ = nullptr;
  Packer* packer_ = nullptr;
};

}  // namespace

ExchangeMethod one_sided_method() {
  return {"one_sided",
          "MPI_Put into the memory of the target, part by part as messages are packed",
          {.family = ExchangeTraits::pipelined, .window = ExchangeTraits::own, .any_length = true},
          make_exchange<OneSided>,
          [](const std::string& parameter) { most_under_way("one_sided", parameter); },
          under_way_parameter};
}

}  // namespace weft
