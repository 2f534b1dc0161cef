#pragma once

#include <string>

#include "local/side_pieces.hpp"
#include "weft/kernels/plane_pass.hpp"
#include "weft/kinds.hpp"

namespace weft {

// Sources of the kernels for passes, each for the form, the radices and the threads of its pass.
// They follow the text of line_code.hpp, which has what kernels do. A block can share so many
// bytes.

std::string source_of(Precision precision, const LinePass& pass, std::size_t shared_bytes);
std::string source_of(Precision precision, const PieceLines& pass, std::size_t shared_bytes);
/// For blocks that are mixed or not. Empty: there is none.
std::string source_of(Precision precision, const PlanePass<>& pass, std::size_t shared_bytes);

}  // namespace weft
