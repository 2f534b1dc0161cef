#pragma once

#include <string>

#include "exchange/environment.hpp"
#include "pass/context.hpp"
#include "redistribution/redistribution.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Collective: makes the redistributions of a schedule between passes in this stream.
Redistributions make_redistributions(const Schedule& schedule, Context& context,
                                     const ExchangeEnvironment& environment, Stream& stream);

/// Throws Error unless the name is a codec's that can be used with this precision, "lossless",
/// "none", "auto", or with a tolerance the name of a family without parameter.
void check_codec(const std::string& name, Precision precision, bool has_tolerance);

/// Elements of the longest block of any codec in use; 1 without codecs.
Index largest_block(const Redistributions& redistributions);

/// The array as it lies in memory of an exchange where it lands.
ArrayState landed(const RedistributeStage& stage);

}  // namespace weft
