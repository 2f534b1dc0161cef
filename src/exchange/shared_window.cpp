#include "exchange/shared_window.hpp"

#include "exchange/device_window.hpp"
#include "exchange/node_window.hpp"

namespace weft {

std::unique_ptr<SharedWindow> make_window(ExchangeTraits::Window kind, const Communicator& comm,
                                          Device& device) {
  switch (kind) {
    case ExchangeTraits::node:
      return std::make_unique<NodeWindow>(comm);
    case ExchangeTraits::machine:
      return std::make_unique<DeviceWindow>(comm, device);
    case ExchangeTraits::none:
    case ExchangeTraits::own:
      break;
  }
  return nullptr;
}

}  // namespace weft
