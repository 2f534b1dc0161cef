#pragma once

#include "local/local_transform.hpp"
#include "local/side_pieces.hpp"

namespace weft {

/// What numbers of lines are on one side of a pass.
enum class LineNumbers {
  complex,
  packed,     ///< neighboring reals of a contiguous line are a complex number
  spectrum,   ///< the first half of a Hermitian line
  hermitian,  ///< halves of Hermitian lines, two of which are one complex line
  reals,      ///< two real lines are one complex line
  pairs,      ///< a real line is a complex one of half as many numbers
};

/// Enters where the lines of a problem with one axis lie, and how many there are. False where they
/// are more than a device can count.
bool enter_lines(const LocalProblem& problem, LineNumbers in, LineNumbers out, LinePass& pass);

/// A side that is an array is one.
std::uint32_t pieces_of(const LocalPieces& side);

/// Enters the pieces of sides, once the lines have been entered. False where these are in more
/// loops than pieces can have, or numbers further apart.
bool enter_pieces(const LocalProblem& problem, const LinePass& pass, PieceSides& pieces);

}  // namespace weft
