#include <limits>
#include <vector>

#include "local/library_calls.hpp"
#include "local/local_transform.hpp"
#include "weft/error.hpp"

namespace weft {

LocalBackend fftw_backend();

namespace {

/// One call of a library with nested layouts, described by the layout alone: if that is wrong, so
/// is the result.
LocalProblem call_of(const LocalProblem& problem, const AdvancedLayout& layout) {
  LocalProblem call;
  call.direction = problem.direction;
  call.precision = problem.precision;
  call.in_place = problem.in_place;
  call.preserve_input = problem.preserve_input;
  call.any_alignment = true;  // loops begin anywhere
  const int axes = layout.lengths.size();
  for (int axis = 0; axis < axes; ++axis) {
    call.transform.push_back(
        {layout.lengths[axis], layout.in.axis_stride(axis), layout.out.axis_stride(axis)});
    call.kinds.push_back(problem.real() && axis == axes - 1 ? Kind::r2c : Kind::c2c);
  }
  call.batch = {{layout.batch, layout.in.distance, layout.out.distance}};
  return call;
}

/// As libraries for GPUs behave, whose transforms to real numbers leave nothing of their input.
template <class Real>
void spoil_input(const LocalProblem& call, Real* in) {
  std::vector<Index> positions{0};
  const auto add_axis = [&](Index points, Index stride) {
    std::vector<Index> more;
    for (Index position : positions) {
      for (Index i = 0; i < points; ++i) more.push_back(position + i * stride);
    }
    positions = std::move(more);
  };
  for (const LocalAxis& axis : call.batch) add_axis(axis.length, axis.in_stride);
  for (int axis = 0; axis < call.transform.size(); ++axis) {
    add_axis(whole_points(call, axis, true), call.transform[axis].in_stride);
  }
  for (Index position : positions) {
    in[2 * position] = in[2 * position + 1] = std::numeric_limits<Real>::quiet_NaN();
  }
}

class EmulatedTransform : public LocalTransform {
 public:
  EmulatedTransform(const LocalProblem& problem, const AdvancedLayout& layout)
      : problem_(problem),
        layout_(layout),
        call_(call_of(problem, layout)),
        transform_(fftw_backend().make(call_)) {
    if (!works_in_place() || call_.in_place) return;
    LocalProblem in_place = call_;
    in_place.in_place = true;
    in_place.preserve_input = false;
    in_place_ = fftw_backend().make(in_place);
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    const Index in_bytes = bytes_of({call_.precision, !call_.real_input()});
    const Index out_bytes = bytes_of({call_.precision, !call_.real_output()});
    for (Cursor<2> call(layout_.loops); !call.is_end(); call.advance()) {
      const std::byte* const from = in + call[0] * in_bytes;
      std::byte* const to = out + call[1] * out_bytes;
      check_alignment(call_, from, to);
      (from == to && in_place_ != nullptr ? in_place_ : transform_)->execute(from, to, work);
      if (!call_.real_output()) continue;
      auto* const input = const_cast<std::byte*>(from);
      if (call_.precision == Precision::f32) {
        spoil_input(call_, reinterpret_cast<float*>(input));
      } else {
        spoil_input(call_, reinterpret_cast<double*>(input));
      }
    }
    if (problem_.scale != 1) scale_output(problem_, out);
  }

  bool works_in_place() const override { return !call_.real() && lies_alike(layout_); }

 private:
  LocalProblem problem_;
  AdvancedLayout layout_;
  LocalProblem call_;
  std::unique_ptr<LocalTransform> transform_;
  /// FFTW has plans of their own for that.
  std::unique_ptr<LocalTransform> in_place_;
};

}  // namespace

LocalBackend emulated_backend() {
  return {"emulated",
          "FFTW in the place of a GPU's library, for tests",
          [] { return true; },
          [] { return true; },
          supports_library_calls,
          make_library_calls<EmulatedTransform>,
          true,
          true,
          "emulated"};
}

}  // namespace weft
