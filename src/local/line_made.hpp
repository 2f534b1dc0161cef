#pragma once

#include "local/line_plan.hpp"

namespace weft {

/// A pass over the lines of a problem with one axis, and the tables it needs.
struct MadePass {
  LineTables tables;
  LinePass pass;
  std::unique_ptr<PieceSides> pieces;  ///< null: both sides are whole
  Buffer warp_sums;                    ///< of a pass that writes pieces
  LineKernel kernel = nullptr;

  /// With all tables added: loads them and the kernel, and enters what the plan knows.
  void complete(const LineRunner& runner, const LocalProblem& problem, const LinePlan& plan);
  /// Whether it applies functions, one at a time.
  bool fuses(const LineRunner& runner, const FusedSides& sides) const;
  void run(const LineRunner& runner, const LocalProblem& problem, const std::byte* in,
           std::byte* out, const FusedSides& sides = {}) const;

 private:
  void run_pieces(const LineRunner& runner, const LocalProblem& problem, const LinePass& placed,
                  const FusedSides& sides) const;
};

/// Whether a single pass can transform the lines of a problem.
bool takes_one_line_pass(const LineRunner& runner, const LocalProblem& problem);
MadePass make_line_pass(const LineRunner& runner, const LocalProblem& problem,
                        bool in_planes = false);

/// Two axes, each in a single pass; in one kernel where they are those of planes that a cache
/// holds.
bool takes_planes(const LineRunner& runner, const LocalProblem& problem);
std::unique_ptr<LocalTransform> make_planes(const LineRunner& runner, const LocalProblem& problem);

/// Several axes in two parts, of which the first one leads to work memory: those to real numbers
/// that keep their input, and those with sides in pieces.
bool takes_through_memory(const LineRunner& runner, const LocalProblem& problem);
std::unique_ptr<LocalTransform> make_through_memory(const LineRunner& runner,
                                                    const LocalProblem& problem);

/// Where the numbers of a complex line stand, by number; no_place where they are not stored.
std::vector<std::int32_t> stored_places(const LocalProblem& problem, bool input);

/// Complex lines that are too long for a block, as columns of shorter ones in two passes through
/// memory of their own ...
bool takes_columns(const LineRunner& runner, const LocalProblem& problem);
std::unique_ptr<LocalTransform> make_columns(const LineRunner& runner, const LocalProblem& problem);
/// ... and those of lengths with large prime factors, as convolutions with a chirp (Bluestein), in
/// one pass, or three where the convolution is too long for a block.
bool takes_chirp(const LineRunner& runner, const LocalProblem& problem);
std::unique_ptr<LocalTransform> make_chirp(const LineRunner& runner, const LocalProblem& problem);

}  // namespace weft
