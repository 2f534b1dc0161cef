#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/host_copy.hpp"
#include "exchange/communicator.hpp"
#include "geometry/layout.hpp"

namespace weft {

/// Where a message lies.
struct Location {
  enum In {
    stays,   ///< wherever the caller likes: it is to oneself, and the exchange does not carry it
    buffer,  ///< at `offset` in the caller's buffer
    memory,  ///< at `address`, in memory of the exchange
    shared,  ///< at `address`, where the sender writes it and the receiver reads it
  } in = stays;
  Index offset = 0;              ///< bytes
  std::byte* address = nullptr;  ///< known after Exchange::bind

  /// Whether the exchange moves it: then it may be encoded.
  bool is_moved() const { return in == buffer || in == memory; }
  /// The address of a message that is moved, from the beginning of the buffer.
  template <class Byte>
  Byte* of(Byte* begin) const {
    return in == buffer ? begin + offset : address;
  }
};

/// One message of this rank.
struct Message {
  int peer = 0;     ///< rank in the exchange's communicator
  Box region;       ///< which points
  Index bytes = 0;  ///< payload
  Location place;   ///< set by the exchange
};

struct DeviceInfo;
struct ExchangeEnvironment;

/// What an exchange moves among the ranks of `comm`, which outlives it. The same redistribution on
/// all ranks.
struct ExchangeSpec {
  const Communicator* comm = nullptr;
  CopyElement element;
  std::vector<Message> sends;  ///< by increasing peer, own rank included
  std::vector<Message> receives;
  AxisList order;         ///< of the elements in a message, slowest axis first
  View from;              ///< where the data lies; for exchanges of arrays
  View to;                ///< where it goes; for exchanges of arrays
  std::string parameter;  ///< what follows the colon in the name, as in "node_aware:2"
};

/// Packs and unpacks single messages for exchanges that interleave this with sending.
class Packer {
 public:
  virtual ~Packer() = default;
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
class PackedAlready : public Packer {
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

/// Where the messages of one start lie: packed ones in buffers, or for family arrays the arrays.
struct ExchangeBuffers {
  const std::byte* send;
  std::byte* receive;
  Packer* packer = nullptr;   ///< of family pipelined
  std::byte* work = nullptr;  ///< work_bytes() of it
};

/// What an exchange needs from its caller, and what the caller may expect.
struct ExchangeTraits {
  /// What passes hand over and get.
  enum Family {
    messages,   ///< packed ones
    pipelined,  ///< packed ones, each by a Packer when it is its turn
    arrays,     ///< the arrays, without packed messages
  } family = messages;
  /// Where that lies.
  enum Memory { host, device } memory = host;
  /// Memory that other ranks write to.
  enum Window {
    none,
    own,      ///< of each exchange
    node,     ///< of the ranks of a node, on the host
    machine,  ///< of the devices of all ranks, which must be in one machine
  } window = none;
  bool relays = false;       ///< ranks pass messages of others on
  bool any_length = false;   ///< messages may be shorter than planned: set_lengths
  bool own_devices = false;  ///< each rank must have a device of its own

  /// Whether what arrives is an array in the window, dense and in the order of messages.
  bool lands() const { return family == arrays && window != none; }
};

/// A way to carry out a redistribution, set up once and started many times. Buffers belong to the
/// caller.
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
  /// Whether the caller may write messages to shared memory: what was there has been read.
  virtual bool ready() { return true; }
  /// The caller has read what arrived in shared memory.
  virtual void release() {}
  /// All messages are packed when it returns, sent or not.
  virtual void start(const ExchangeBuffers& buffers) = 0;
  /// Lets messages move on without waiting for any. True when wait would return at once.
  virtual bool test() { return true; }
  /// Returns when everything has arrived and the send buffer may be reused.
  virtual void wait() {}
  /// Where the array arrives, for an exchange that lands it. Valid until the next start.
  virtual std::byte* landing() { return nullptr; }
  /// Lengths in bytes of the messages of the next start, as in sends() and receives() and at most
  /// as long; they hold until set again. Only of exchanges with messages of any length.
  virtual void set_lengths(const std::vector<Index>& /*sends*/,
                           const std::vector<Index>& /*receives*/) {}

  /// Payload sent to other ranks each time.
  Index bytes_to_others() const { return bytes_to_others_; }
  /// What the last start has sent of it, which may be less.
  Index bytes_sent() const { return bytes_sent_; }
  const std::vector<Message>& sends() const { return sends_; }
  const std::vector<Message>& receives() const { return receives_; }
  Index send_bytes() const { return send_bytes_; }  ///< size of the packed send buffer
  /// Size of the packed receive buffer.
  Index receive_bytes() const { return receive_bytes_; }
  /// Size of the memory that it works in from start to wait.
  Index work_bytes() const { return work_bytes_; }

 protected:
  explicit Exchange(const ExchangeSpec& spec) : sends_(spec.sends), receives_(spec.receives) {
    for (const Message& message : sends_) {
      if (message.peer != spec.comm->rank()) bytes_to_others_ += message.bytes;
    }
    bytes_sent_ = bytes_to_others_;
  }

  std::vector<Message> sends_;
  std::vector<Message> receives_;
  Index send_bytes_ = 0;
  Index receive_bytes_ = 0;
  Index work_bytes_ = 0;
  Index bytes_sent_ = 0;

 private:
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
