#pragma once

#include "local/line_made.hpp"

namespace weft {

/// Complex lines in two passes. Between them the lines lie one after another in memory to work in,
/// as `points` numbers each.
class TwoPasses : public LocalTransform {
 public:
  std::size_t work_bytes() const override { return work_bytes_; }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    first_.run(runner_, problem_, in, work);
    second_.run(runner_, problem_, work, out);
  }
  bool works_in_place() const override { return true; }

 protected:
  TwoPasses(const LineRunner& runner, const LocalProblem& problem, Index points);

  LineRunner runner_;
  LocalProblem problem_;
  /// What is left to the passes; their own axes are still to be set. The second one scales.
  LocalProblem to_work_, from_work_;
  MadePass first_, second_;

 private:
  std::size_t work_bytes_;
};

}  // namespace weft
