#pragma once

#include "codec/codec.hpp"
#include "codec/instruction_set.hpp"

namespace weft {

// Rows of the registry, and what is behind them: codecs for any of the processor's instruction
// sets, which tests compare.
CodecMethod bfp_method();
CodecMethod cast_method();
CodecMethod trim_method();
#ifdef WEFT_HAVE_ZFP
CodecMethod zfp_method();
#endif

std::unique_ptr<Codec> make_bfp(const std::string& parameter, CodecElement element,
                                InstructionSet set);
std::unique_ptr<Codec> make_cast(const std::string& parameter, CodecElement element,
                                 InstructionSet set);
std::unique_ptr<Codec> make_trim(const std::string& parameter, CodecElement element,
                                 InstructionSet set);

}  // namespace weft
