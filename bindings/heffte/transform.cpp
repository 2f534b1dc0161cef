#include "weft/heffte/transform.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <list>

#include "device/buffer.hpp"
#include "gpu.hpp"
#include "weft/plan.hpp"

namespace weft::detail {

namespace {

bool is_complex(HeffteNumber number) {
  return number == HeffteNumber::complex_f32 || number == HeffteNumber::complex_f64;
}
Precision precision_of(HeffteNumber number) {
  return number == HeffteNumber::f32 || number == HeffteNumber::complex_f32 ? Precision::f32
                                                                            : Precision::f64;
}
AnyArray any_array(const HeffteArray& array) {
  return {
      array.data, AnyArray::unknown_size, {precision_of(array.number), is_complex(array.number)}};
}

/// heFFTe counts dimensions from the one that is contiguous by default, weft from the other end.
int axis_of(int dimension) {
  return 2 - dimension;
}

LayoutSpec layout_of(const HeffteBox& given) {
  Box own = empty_box(3);
  AxisList order = {0, 0, 0};
  for (int d = 0; d < 3; ++d) {
    own.lower[axis_of(d)] = given.low[d];
    own.upper[axis_of(d)] = given.high[d] + 1;
    order[axis_of(d)] = axis_of(given.order[d]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (own.upper[axis] <= own.lower[axis]) own = empty_box(3);
  }
  return box(own).with_order(order);
}

Index points_of(const HeffteBox& box) {
  Index points = 1;
  for (int d = 0; d < 3; ++d) points *= std::max<Index>(box.high[d] - box.low[d] + 1, 0);
  return points;
}

Kind kind_of(HeffteKind kind) {
  switch (kind) {
    case HeffteKind::c2c:
    case HeffteKind::r2c:
      return Kind::c2c;
    case HeffteKind::dct1:
      return Kind::dct1;
    case HeffteKind::dct2:
      return Kind::dct2;
    case HeffteKind::dst1:
      return Kind::dst1;
    case HeffteKind::dst2:
      return Kind::dst2;
  }
  return Kind::none;
}

/// What a plan with this norm does in a direction.
HeffteScale scale_of(Norm norm, Direction direction) {
  if (norm == Norm::none) return HeffteScale::none;
  if (norm == Norm::ortho) return HeffteScale::symmetric;
  return (norm == Norm::forward) == (direction == Direction::forward) ? HeffteScale::full
                                                                      : HeffteScale::none;
}
/// A norm that does that.
Norm norm_with(HeffteScale scale, Direction direction) {
  if (scale == HeffteScale::none) return Norm::none;
  if (scale == HeffteScale::symmetric) return Norm::ortho;
  return direction == Direction::forward ? Norm::forward : Norm::backward;
}

}  // namespace

class HeffteTransform::Implementation {
 public:
  explicit Implementation(const HeffteProblem& problem)
      : problem_(problem),
        device_(problem.on_gpu ? *current_heffte_gpu().device : host_device()),
        number_(problem.on_gpu ? current_heffte_gpu().number : -1),
        stream_(device_.adopt_stream(problem.stream)) {}

  const HeffteProblem& problem() const { return problem_; }

  /// Forward or backward, with a type of complex numbers on the side where the problem has them.
  void run(Direction direction, Index batch, const HeffteArray& in, const HeffteArray& out,
           HeffteScale scale) {
    const bool forward = direction == Direction::forward;
    const Index count = batch * points_of(problem_.inbox);
    if (problem_.kind != HeffteKind::c2c || is_complex(forward ? in.number : out.number)) {
      run_alike(direction, batch, in, out, scale);
      return;
    }
    // Complex numbers in the place of the program's real ones.
    const CopyElement real{precision_of(in.number), false};
    Buffer numbers(device_, static_cast<std::size_t>(2 * count * bytes_of(real)));
    auto* const program = static_cast<std::byte*>(forward ? in.data : out.data);
    if (forward) {
      stream_->clear(numbers.data(), numbers.size());
      move(count, {program, {1}}, {numbers.data(), {2}}, real);
      run_alike(direction, batch, {numbers.data(), out.number}, out, scale);
    } else {
      run_alike(direction, batch, in, {numbers.data(), in.number}, scale);
      move(count, {numbers.data(), {2}}, {program, {1}}, real);
    }
  }

 private:
  struct Planned {
    Precision precision;
    Index batch;
    Norm norm;
    bool used[2];  // in each direction
    Plan plan;
  };

  void move(Index count, const ConstBlock& from, const MutableBlock& to, CopyElement element) {
    const BlockMove block{{count}, from, to};
    if (count > 0) stream_->move({&block, 1}, element);
  }

  /// With arrays of the types that plans have.
  void run_alike(Direction direction, Index batch, HeffteArray in, const HeffteArray& out,
                 HeffteScale scale) {
    const HeffteBox& box = direction == Direction::forward ? problem_.inbox : problem_.outbox;
    Buffer copy;
    if (in.data == out.data && !problem_.equal_sizes) {
      // Plans work in place only where both arrays have as many bytes.
      copy = Buffer(device_,
                    static_cast<std::size_t>(
                        points_of(box) * batch *
                        bytes_of(CopyElement{precision_of(in.number), is_complex(in.number)})));
      stream_->copy(copy.data(), static_cast<const std::byte*>(in.data), copy.size());
      in.data = copy.data();
    }
    Plan& plan = plan_for(precision_of(in.number), batch, scale, direction);
    // What heFFTe's own transforms give more, or less when scaled, than the plan.
    const double factor = factor_of(scale, direction);
    const auto multiply = [factor](auto& value, const Point&) { value *= factor; };
    PointFunctions functions;
    if (factor != 1 && out.number == HeffteNumber::f32) {
      functions.output = PointFunction::of<float>(multiply);
    } else if (factor != 1) {
      functions.output = PointFunction::of<double>(multiply);
    }
    plan.run(direction, any_array(in), any_array(out), functions);
  }

  double factor_of(HeffteScale scale, Direction direction) const {
    const double more = problem_.backward_factor;
    const double both = scale == HeffteScale::none   ? 1
                        : scale == HeffteScale::full ? 1 / more
                                                     : 1 / std::sqrt(more);
    return direction == Direction::forward ? both : more * both;
  }

  Plan& plan_for(Precision precision, Index batch, HeffteScale scale, Direction direction) {
    const auto alike = [&](const Planned& one) {
      return one.precision == precision && one.batch == batch;
    };
    for (Planned& one : plans_) {
      if (alike(one) && scale_of(one.norm, direction) == scale) {
        one.used[static_cast<int>(direction)] = true;
        return one.plan;
      }
    }
    const Norm norm = norm_with(scale, direction);
    // Programs seldom use more than one scale in a direction. A plan that has only done what the
    // new one does as well would keep its memory for nothing.
    plans_.remove_if([&](const Planned& one) {
      return alike(one) && std::ranges::all_of(both_directions, [&](Direction other) {
               return !one.used[static_cast<int>(other)] ||
                      scale_of(one.norm, other) == scale_of(norm, other);
             });
    });
    plans_.push_back({precision, batch, norm, {}, make(precision, batch, norm)});
    plans_.back().used[static_cast<int>(direction)] = true;
    return plans_.back().plan;
  }

  Plan make(Precision precision, Index batch, Norm norm) const {
    Problem problem;
    problem.shape = {problem_.points[2], problem_.points[1], problem_.points[0]};
    auto kinds = Axes<Kind>::filled(3, kind_of(problem_.kind));
    if (problem_.kind == HeffteKind::r2c) kinds[axis_of(problem_.halved)] = Kind::r2c;
    problem.kinds = kinds;
    problem.input = layout_of(problem_.inbox);
    problem.output = layout_of(problem_.outbox);
    problem.precision = precision;
    problem.batch = batch;
    problem.norm = norm;
    problem.orthogonalize = false;
    Options options;
    if (problem_.on_gpu) {
      options.device = device_.info().kind;
      options.device_number = number_;
      options.stream = problem_.stream;
    }
    return Plan(problem_.comm, problem, options);
  }

  static constexpr Direction both_directions[] = {Direction::forward, Direction::backward};

  HeffteProblem problem_;
  Device& device_;
  int number_;  // of the GPU
  std::unique_ptr<Stream> stream_;
  std::list<Planned> plans_;
};

HeffteTransform::HeffteTransform(const HeffteProblem& problem)
    : implementation_(std::make_unique<Implementation>(problem)) {}
HeffteTransform::~HeffteTransform() = default;
HeffteTransform::HeffteTransform(HeffteTransform&&) noexcept = default;
HeffteTransform& HeffteTransform::operator=(HeffteTransform&&) noexcept = default;

void HeffteTransform::forward(int batch, const HeffteArray& in, const HeffteArray& out,
                              HeffteScale scale) const {
  implementation_->run(Direction::forward, batch, in, out, scale);
}

void HeffteTransform::backward(int batch, const HeffteArray& in, const HeffteArray& out,
                               HeffteScale scale) const {
  implementation_->run(Direction::backward, batch, in, out, scale);
}

double HeffteTransform::full_scale() const {
  const HeffteProblem& problem = implementation_->problem();
  double points = problem.backward_factor;
  for (const long long n : problem.points) {
    const auto length = static_cast<double>(n);
    switch (problem.kind) {
      case HeffteKind::c2c:
      case HeffteKind::r2c:
        points *= length;
        break;
      case HeffteKind::dct2:
      case HeffteKind::dst2:
        points *= 2 * length;
        break;
      case HeffteKind::dct1:
        points *= 2 * (length - 1);
        break;
      case HeffteKind::dst1:
        points *= 2 * (length + 1);
        break;
    }
  }
  return 1 / points;
}

}  // namespace weft::detail
