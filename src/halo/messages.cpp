#include "halo/messages.hpp"

#include "device/host_add.hpp"
#include "exchange/agreement.hpp"
#include "exchange/environment.hpp"
#include "schedule/stage.hpp"

namespace weft {

HaloMessages::HaloMessages(const Communicator& comm, const HaloMemory& memory,
                           const std::vector<HaloPart>& from, const std::vector<HaloPart>& to)
    : memory_(memory),
      element_bytes_(element_bytes(memory.element.complex, memory.element.precision)) {
  collectively(comm, [&] {
    from_ = make_side(from, comm.rank());
    to_ = make_side(to, comm.rank());
  });
  ExchangeSpec spec;
  spec.comm = &comm;
  spec.element = memory.element;
  spec.sends = from_.messages;
  spec.receives = to_.messages;
  // Messages are packed in memory of our own, so requests can be made once.
  const ExchangeChoice persistent = find_exchange("persistent:p2p");
  spec.parameter = persistent.parameter;
  exchange_ = persistent.method->make(spec, {comm});
  collectively(comm, [&] {
    send_ = Buffer(static_cast<std::size_t>(exchange_->send_bytes()));
    receive_ = Buffer(static_cast<std::size_t>(exchange_->receive_bytes()));
  });
}

HaloMessages::Side HaloMessages::make_side(const std::vector<HaloPart>& parts, int own_rank) const {
  Side side;
  for (const HaloPart& part : parts) {
    Block block{part.region.extents(), memory_.array.position(part.region.lower),
                packed_strides(part.region), 0, 0};
    if (part.peer == own_rank) {
      side.own.push_back(block);
      continue;
    }
    const int peer = static_cast<int>(part.peer);
    if (side.messages.empty() || side.messages.back().peer != peer) {
      side.messages.push_back({.peer = peer, .region = {}, .bytes = 0, .place = {}});
    }
    Message& message = side.messages.back();
    block.message = side.messages.size() - 1;
    block.offset = message.bytes;
    message.bytes += part.region.count() * element_bytes_;
    side.blocks.push_back(block);
  }
  return side;
}

Strides HaloMessages::packed_strides(const Box& region) const {
  Memory packed;
  packed.order = memory_.order;
  return packed.dense().view(region).stride;
}

ConstBlock HaloMessages::in_array(const std::byte* array, const Block& block) const {
  return {array + block.position * element_bytes_, memory_.array.stride};
}

MutableBlock HaloMessages::in_array(std::byte* array, const Block& block) const {
  return {array + block.position * element_bytes_, memory_.array.stride};
}

std::byte* HaloMessages::packed(const Buffer& buffer, const std::vector<Message>& messages,
                                const Block& block) const {
  return buffer.data() + messages[block.message].place.offset + block.offset;
}

void HaloMessages::pack(const std::byte* array) {
  for (const Block& block : from_.blocks) {
    copy_block(block.extents, {packed(send_, exchange_->sends(), block), block.packed},
               in_array(array, block), memory_.element, Store::cached);
  }
}

template <class Put>
void HaloMessages::put_into(std::byte* array, Put&& put) const {
  for (const Block& block : to_.blocks) {
    put(block.extents, in_array(array, block),
        ConstBlock{packed(receive_, exchange_->receives(), block), block.packed});
  }
  const std::byte* const source = array;
  for (std::size_t i = 0; i < to_.own.size(); ++i) {
    put(to_.own[i].extents, in_array(array, to_.own[i]), in_array(source, from_.own[i]));
  }
}

void HaloMessages::copy_into(std::byte* array) const {
  put_into(array, [&](const Extents& extents, const MutableBlock& to, const ConstBlock& from) {
    copy_block(extents, to, from, memory_.element, Store::cached);
  });
}

void HaloMessages::add_into(std::byte* array) const {
  put_into(array, [&](const Extents& extents, const MutableBlock& to, const ConstBlock& from) {
    add_block(extents, to, from, memory_.element);
  });
}

int HaloMessages::peers() const {
  return static_cast<int>(from_.messages.size());
}

}  // namespace weft
