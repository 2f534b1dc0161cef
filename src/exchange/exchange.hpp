#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/host_copy.hpp"
#include "exchange/communicator.hpp"
#include "geometry/layout.hpp"

namespace weft {

/// One message of this rank.
struct Transfer {
  int peer = 0;       ///< rank in the exchange's communicator
  Box region;         ///< which points
  Index bytes = 0;    ///< payload
  Index offset = -1;  ///< of a packed message in its buffer, in bytes; set by the exchange. A
                      ///< message to oneself keeps -1 where the exchange does not carry it.
  /// Where the message lies instead of the buffer: for one that the caller writes straight to where
  /// the receiver reads it, in memory that both share. Then offset is -1.
  std::byte* memory = nullptr;
};

struct DeviceInfo;
struct ExchangeEnvironment;

/// What an exchange moves among the ranks of `comm`, which outlives it. The same redistribution on
/// all ranks.
struct ExchangeSpec {
  const Communicator* comm = nullptr;
  CopyElement element;
  std::vector<Transfer> sends;  ///< by increasing peer, own rank included
  std::vector<Transfer> receives;
  AxisList order;         ///< of the elements in a message, slowest axis first
  View from;              ///< where the data lies; for exchanges of arrays
  View to;                ///< where it goes; for exchanges of arrays
  std::string parameter;  ///< what follows the colon in the name, as in "node_aware:2"
};

/// Packs and unpacks single messages for exchanges that interleave this with sending.
class PeerPacker {
 public:
  virtual ~PeerPacker() = default;
  /// Parts in which a message is packed; at least one.
  virtual int fragments(std::size_t send) const = 0;
  /// Packs a part; called in increasing order. Returns where it ends, in bytes from the start of
  /// the message: what lies before may be sent.
  virtual Index pack_fragment(std::size_t send, int fragment) = 0;
  virtual void unpack(std::size_t receive) = 0;
  /// Moves what stays on this rank.
  virtual void copy_own() = 0;

  void pack(std::size_t send) {
    for (int fragment = 0; fragment < fragments(send); ++fragment) pack_fragment(send, fragment);
  }
};

/// For exchanges that pack themselves, where all messages have been packed already.
class PackedAlready : public PeerPacker {
 public:
  /// `lengths` in bytes, of each message; looked up in every start.
  explicit PackedAlready(const std::vector<Index>& lengths) : lengths_(lengths) {}
  int fragments(std::size_t) const override { return 1; }
  Index pack_fragment(std::size_t send, int) override { return lengths_[send]; }
  void unpack(std::size_t) override {}
  void copy_own() override {}

 private:
  const std::vector<Index>& lengths_;
};

/// What an exchange needs from its caller, and what the caller may expect.
struct ExchangeTraits {
  /// What passes hand over and get.
  enum Family {
    messages,   ///< packed ones
    pipelined,  ///< packed ones, each by a PeerPacker when it is its turn
    arrays,     ///< the arrays, without packed messages
  } family = messages;
  /// Where that lies.
  enum Memory { host, device } memory = host;
  /// Memory of others that the caller writes messages to, or the exchange arrays.
  enum Window {
    none,
    node,     ///< of the ranks of a node, on the host
    machine,  ///< of the devices of all ranks, which must be in one machine
  } window = none;
  bool relays = false;        ///< ranks pass messages of others on
  bool carries_own = false;   ///< the message to oneself goes through it too
  bool owns_receive = false;  ///< messages arrive in memory of its own: receive_memory()
  bool any_length = false;    ///< messages may be shorter than planned: set_lengths

  /// Whether what arrives is an array in memory of the exchange, dense and in the order of
  /// messages.
  bool lands() const { return family == arrays && owns_receive; }
};

/// A way to carry out a redistribution, set up once and started many times. Buffers belong to the
/// caller; `send` and `receive` point to packed messages, or for direct exchanges to the arrays.
///
/// Several exchanges of a plan may be under way at a time, also on the same communicator; they are
/// started in the same order on all ranks. Ranks pass on each other's data only while they test or
/// wait, so they wait for several in the order in which these were started, or test them in turn.
/// Making and destroying one is collective.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Collective, once, after the shared memory of the plan has been allocated.
  virtual void bind() {}
  /// Whether start waits for other ranks. The same on all ranks.
  virtual bool blocks() const { return false; }
  /// Whether the caller may write messages to Transfer::memory: what was there has been read.
  virtual bool ready() { return true; }
  /// The caller has read what arrived in Transfer::memory.
  virtual void release() {}
  /// `packer` is null unless the exchange packs itself.
  virtual void start(const std::byte* send, std::byte* receive, PeerPacker* packer) = 0;
  /// Lets messages move on without waiting for any. True when wait would return at once.
  virtual bool test() { return true; }
  /// Returns when everything has arrived and the send buffer may be reused.
  virtual void wait() {}
  /// Where messages arrive, for an exchange that owns that memory. Valid until the next start.
  virtual std::byte* receive_memory() { return nullptr; }
  /// Lengths in bytes of the messages of the next start, as in sends() and receives() and at most
  /// as long; they hold until set again. Only of exchanges with messages of any length.
  virtual void set_lengths(const std::vector<Index>& /*sends*/,
                           const std::vector<Index>& /*receives*/) {}

  /// Payload sent to other ranks each time.
  Index bytes_to_others() const { return bytes_to_others_; }
  const std::vector<Transfer>& sends() const { return sends_; }
  const std::vector<Transfer>& receives() const { return receives_; }
  Index send_bytes() const { return send_bytes_; }  ///< size of the packed send buffer
  /// Size of the packed receive buffer, or of receive_memory().
  Index receive_bytes() const { return receive_bytes_; }

 protected:
  explicit Exchange(const ExchangeSpec& spec) : sends_(spec.sends), receives_(spec.receives) {
    for (const Transfer& transfer : sends_) {
      if (transfer.peer != spec.comm->rank()) bytes_to_others_ += transfer.bytes;
    }
  }

  std::vector<Transfer> sends_;
  std::vector<Transfer> receives_;
  Index send_bytes_ = 0;
  Index receive_bytes_ = 0;
  Index bytes_to_others_ = 0;
};

/// What the make of a row is for a class with such a constructor.
template <class Method>
std::unique_ptr<Exchange> make_exchange(const ExchangeSpec& spec,
                                        const ExchangeEnvironment& environment) {
  return std::make_unique<Method>(spec, environment);
}

/// A row of the registry. Adding an exchange: a file with a class, and its row.
struct ExchangeMethod {
  const char* name;
  const char* description;
  ExchangeTraits traits;
  /// Collective over all of the environment.
  std::unique_ptr<Exchange> (*make)(const ExchangeSpec& spec,
                                    const ExchangeEnvironment& environment);
  /// Throws Error unless the parameter makes sense; null: there is none.
  void (*check_parameter)(const std::string& parameter) = nullptr;
  const char* parameter = nullptr;  ///< what it is, for people
  /// The exchange that carries packed messages, of one whose parameter names another; null: itself.
  const char* wire = nullptr;
  /// Of an exchange of arrays: the one that moves messages by the same means, as only these can be
  /// compressed.
  const char* packed_twin = nullptr;
  /// Why it cannot move memory of such a device, empty where it can.
  std::string (*why_not)(const DeviceInfo& device) = [](const DeviceInfo&) {
    return std::string();
  };
};

/// What a name stands for: "node_aware:2" is the method node_aware with parameter "2".
struct ExchangeChoice {
  const ExchangeMethod* method = nullptr;
  std::string parameter;

  std::string name() const { return method->name + (parameter.empty() ? "" : ":" + parameter); }
};

const std::vector<ExchangeMethod>& exchange_methods();
/// Whether its messages may be shorter than planned.
bool sends_any_length(const ExchangeChoice& choice);
/// Why an exchange that was built in cannot be used on this machine; empty where it can. Exchanges
/// of devices need a GPU: the device `emulated`, which is for tests, is not counted.
std::string why_not_usable(const ExchangeMethod& method);
/// By name. "auto" is alltoallv, which every MPI library tunes. Throws Error for unknown names.
ExchangeChoice find_exchange(const std::string& name);

}  // namespace weft
