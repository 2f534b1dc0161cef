#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// Goes through all lines of a batch, the last loop fastest. Strides are in reals.
template <class Real>
class LineCursor {
 public:
  LineCursor(const Axes<LocalAxis>& loops, const Real* in, Real* out, Index number)
      : loops_(loops), in_(in), out_(out), at_(Axes<Index>::filled(loops.size(), 0)) {
    for (int i = loops.size() - 1; i >= 0; --i) {
      at_[i] = number % loops[i].length;
      number /= loops[i].length;
      in_ += at_[i] * loops[i].in_stride;
      out_ += at_[i] * loops[i].out_stride;
    }
  }

  const Real* in() const { return in_; }
  Real* out() const { return out_; }

  void advance() {
    for (int i = loops_.size() - 1; i >= 0; --i) {
      in_ += loops_[i].in_stride;
      out_ += loops_[i].out_stride;
      if (++at_[i] < loops_[i].length) return;
      in_ -= loops_[i].length * loops_[i].in_stride;
      out_ -= loops_[i].length * loops_[i].out_stride;
      at_[i] = 0;
    }
  }

 private:
  const Axes<LocalAxis>& loops_;
  const Real* in_;
  Real* out_;
  Axes<Index> at_;
};

}  // namespace weft
