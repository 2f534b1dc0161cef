#pragma once

#include "exchange/exchange.hpp"

namespace weft {

/// Collective: an exchange that compresses whole messages without loss, and lets others carry them
/// whose messages may be shorter than planned.
std::unique_ptr<Exchange> make_lossless(const ExchangeMethod& carrier, const ExchangeSpec& spec,
                                        const ExchangeEnvironment& environment);

}  // namespace weft
