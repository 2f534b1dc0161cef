#pragma once

#include <memory>
#include <vector>

#include "device/buffer.hpp"
#include "device/host_copy.hpp"
#include "exchange/exchange.hpp"
#include "geometry/halo_parts.hpp"

namespace weft {

/// How the array of a rank lies in memory, and its parts in messages.
struct HaloMemory {
  View array;
  AxisList order;  ///< of the elements in a message, slowest axis first
  CopyElement element;
};

/// The messages of one operation, one for each rank that shares parts with this one, and the memory
/// in which they are packed. Parts that the rank shares with itself go from array to array.
class HaloMessages {
 public:
  /// Collective. `from` and `to` are the parts that are sent and those that are received, by
  /// increasing peer.
  HaloMessages(const Communicator& comm, const HaloMemory& memory,
               const std::vector<HaloPart>& from, const std::vector<HaloPart>& to);

  void pack(const std::byte* array);
  /// Collective; waits for nothing.
  void start() { exchange_->start({send_.data(), receive_.data()}); }
  bool test() { return exchange_->test(); }
  void wait() { exchange_->wait(); }
  /// What has come replaces what is in the array, or is added to it.
  void copy_into(std::byte* array) const;
  void add_into(std::byte* array) const;

  int peers() const;
  Index bytes_to_others() const { return exchange_->bytes_to_others(); }

 private:
  /// A part, where it lies in the array and in the message.
  struct Block {
    Extents extents;
    Index position = 0;  // in the array, in elements
    Strides packed;
    std::size_t message = 0;
    Index offset = 0;  // in the message, in bytes
  };
  /// The parts of one side.
  struct Side {
    std::vector<Message> messages;
    std::vector<Block> blocks;
    std::vector<Block> own;  // shared with this rank itself
  };

  Side make_side(const std::vector<HaloPart>& parts, int own_rank) const;
  Strides packed_strides(const Box& region) const;
  ConstBlock in_array(const std::byte* array, const Block& block) const;
  MutableBlock in_array(std::byte* array, const Block& block) const;
  std::byte* packed(const Buffer& buffer, const std::vector<Message>& messages,
                    const Block& block) const;
  template <class Put>
  void put_into(std::byte* array, Put&& put) const;

  HaloMemory memory_;
  Index element_bytes_;
  Side from_;
  Side to_;
  std::unique_ptr<Exchange> exchange_;
  Buffer send_;
  Buffer receive_;
};

}  // namespace weft
