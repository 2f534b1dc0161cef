#include <algorithm>
#include <mutex>

#include "device/buffer.hpp"
#include "kind/definition.hpp"
#include "local/fftw_kinds.hpp"
#include "local/fftw_names.hpp"
#include "local/local_transform.hpp"
#include "weft/error.hpp"
#include "weft/wisdom.hpp"

namespace weft {

namespace {

/// FFTW's planner is shared by the whole process.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class Real>
void prepare_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    Fftw<Real>::init_threads();
    Fftw<Real>::make_planner_safe();
  });
}

unsigned rigor_flag(Rigor rigor) {
  switch (rigor) {
    case Rigor::automatic:
    case Rigor::estimate:
      return FFTW_ESTIMATE;
    case Rigor::measure:
      return FFTW_MEASURE;
    case Rigor::patient:
      return FFTW_PATIENT;
  }
  return FFTW_ESTIMATE;
}

/// Bytes from the first to past the last element that a side of the problem touches.
std::size_t span_bytes(const LocalProblem& problem, bool input) {
  const bool complex = input ? !problem.real_input() : !problem.real_output();
  Index last = 0;
  const auto reach = [&](const Axes<LocalAxis>& axes, bool transform) {
    for (int i = 0; i < axes.size(); ++i) {
      const bool halved = transform && complex && problem.kinds[i] == Kind::r2c;
      const Index length = halved ? axes[i].length / 2 + 1 : axes[i].length;
      last += (length - 1) * (input ? axes[i].in_stride : axes[i].out_stride);
    }
  };
  reach(problem.transform, true);
  reach(problem.batch, false);
  const std::size_t real_bytes = problem.precision == Precision::f32 ? 4 : 8;
  return static_cast<std::size_t>(last + 1) * real_bytes * (complex ? 2 : 1);
}

/// FFTW 3.3.10 has single-precision codelets that transpose (unit stride along the transform on one
/// side, along the batch on the other) and take for granted that every line is aligned to a pair of
/// complex numbers. Where a stride breaks that, only plans for unaligned data are safe.
bool lines_stay_aligned(const LocalProblem& problem) {
  if (problem.precision == Precision::f64) return true;
  constexpr Index pair_bytes = 16;
  const Index in_bytes = problem.real_input() ? 4 : 8;
  const Index out_bytes = problem.real_output() ? 4 : 8;
  const auto aligned = [&](const LocalAxis& axis) {
    return (axis.in_stride == 1 || axis.in_stride * in_bytes % pair_bytes == 0) &&
           (axis.out_stride == 1 || axis.out_stride * out_bytes % pair_bytes == 0);
  };
  return std::all_of(problem.transform.begin(), problem.transform.end(), aligned) &&
         std::all_of(problem.batch.begin(), problem.batch.end(), aligned);
}

bool has_real_kinds(const LocalProblem& problem) {
  return std::any_of(problem.kinds.begin(), problem.kinds.end(), is_real_kind);
}

template <class Real>
class FftwTransform : public LocalTransform {
  using Api = Fftw<Real>;
  using Complex = typename Api::Complex;

 public:
  explicit FftwTransform(const LocalProblem& problem) : problem_(problem) {
    prepare_library<Real>();
    // Measuring overwrites the arrays it is given; estimating does not even touch them.
    const Buffer in(span_bytes(problem, true));
    const Buffer other(problem.in_place ? 0 : span_bytes(problem, false));
    const Buffer& out = problem.in_place ? in : other;
    const std::lock_guard lock(planner_mutex());
    Api::set_threads(problem.threads);
    const bool may_align = lines_stay_aligned(problem);
    if (may_align) aligned_ = plan(in.data(), out.data(), 0);
    if (problem.any_alignment || !may_align) {
      unaligned_ = plan(in.data(), out.data(), FFTW_UNALIGNED);
    }
    Api::set_threads(1);
  }

  ~FftwTransform() override {
    const std::lock_guard lock(planner_mutex());
    if (aligned_ != nullptr) Api::destroy(aligned_);
    if (unaligned_ != nullptr) Api::destroy(unaligned_);
  }
  FftwTransform(const FftwTransform&) = delete;
  FftwTransform& operator=(const FftwTransform&) = delete;

  bool planned() const {
    return (aligned_ != nullptr || !lines_stay_aligned(problem_)) &&
           (unaligned_ != nullptr || !problem_.any_alignment);
  }

  void execute(const std::byte* in_bytes, std::byte* out_bytes, std::byte*) const override {
    auto* in = reinterpret_cast<Real*>(const_cast<std::byte*>(in_bytes));
    auto* out = reinterpret_cast<Real*>(out_bytes);
    const bool aligned = Api::alignment_of(in) == 0 && Api::alignment_of(out) == 0;
    const auto plan =
        (aligned && aligned_ != nullptr) || unaligned_ == nullptr ? aligned_ : unaligned_;
    if (has_real_kinds(problem_)) {
      Api::execute_r2r(plan, in, out);
    } else if (problem_.real_input()) {
      Api::execute_r2c(plan, in, reinterpret_cast<Complex*>(out));
    } else if (problem_.real_output()) {
      Api::execute_c2r(plan, reinterpret_cast<Complex*>(in), out);
    } else {
      Api::execute_dft(plan, reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out));
    }
  }

 private:
  typename Api::Plan plan(std::byte* in_bytes, std::byte* out_bytes, unsigned extra_flags) const {
    const auto transform = dims(problem_.transform, 1);
    const auto batch = dims(problem_.batch, 1);
    auto* in = reinterpret_cast<Real*>(in_bytes);
    auto* out = reinterpret_cast<Real*>(out_bytes);
    const unsigned flags = rigor_flag(problem_.rigor) | extra_flags |
                           (problem_.preserve_input ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT);
    if (has_real_kinds(problem_)) return plan_r2r(in, out, flags);
    if (problem_.real_input()) {
      return Api::plan_r2c(transform.size(), transform.begin(), batch.size(), batch.begin(), in,
                           reinterpret_cast<Complex*>(out), flags);
    }
    if (problem_.real_output()) {
      return Api::plan_c2r(transform.size(), transform.begin(), batch.size(), batch.begin(),
                           reinterpret_cast<Complex*>(in), out, flags);
    }
    const int sign = problem_.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
    return Api::plan_dft(transform.size(), transform.begin(), batch.size(), batch.begin(),
                         reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out), sign,
                         flags);
  }

  /// Real and imaginary parts of complex data are one more batch axis.
  typename Api::Plan plan_r2r(Real* in, Real* out, unsigned flags) const {
    const Index unit = problem_.real_data ? 1 : 2;
    const auto transform = dims(problem_.transform, unit);
    auto batch = dims(problem_.batch, unit);
    if (!problem_.real_data) batch.push_back({2, 1, 1});
    Axes<fftw_r2r_kind> kinds;
    for (Kind kind : problem_.kinds) {
      kinds.push_back(*fftw_r2r_kind_of(kind, problem_.direction));
    }
    return Api::plan_r2r(transform.size(), transform.begin(), batch.size(), batch.begin(), in, out,
                         kinds.begin(), flags);
  }

  static Axes<typename Api::Dim> dims(const Axes<LocalAxis>& axes, Index unit) {
    Axes<typename Api::Dim> result;
    for (const LocalAxis& axis : axes) {
      result.push_back({axis.length, axis.in_stride * unit, axis.out_stride * unit});
    }
    return result;
  }

  LocalProblem problem_;
  typename Api::Plan aligned_ = nullptr;
  typename Api::Plan unaligned_ = nullptr;
};

template <class Real>
std::unique_ptr<LocalTransform> make(const LocalProblem& problem) {
  auto transform = std::make_unique<FftwTransform<Real>>(problem);
  if (!transform->planned()) throw Error("FFTW cannot plan a local transform");
  return transform;
}

/// Wisdom of plans with threads is only understood once FFTW knows of threads.
void prepare() {
  prepare_library<float>();
  prepare_library<double>();
}

}  // namespace

LocalBackend fftw_backend() {
  return {"fftw",
          "FFTW 3",
          [] { return true; },
          [] { return true; },
          [](const LocalProblem& problem) {
            if (is_pruned(problem)) return false;
            // Real transforms and complex ones are plans of different types; FFTW has the former
            // with one set of weights.
            if (has_real_kinds(problem) &&
                (problem.orthogonal ||
                 !std::all_of(problem.kinds.begin(), problem.kinds.end(), is_real_kind))) {
              return false;
            }
            // FFTW has no multidimensional c2r that leaves its input alone.
            return !(problem.real() && problem.real_output() && problem.preserve_input &&
                     problem.transform.size() > 1);
          },
          [](const LocalProblem& problem) {
            return problem.precision == Precision::f32 ? make<float>(problem)
                                                       : make<double>(problem);
          }};
}

void import_fftw_wisdom(const std::string& path, Precision precision) {
  prepare();
  const std::lock_guard lock(planner_mutex());
  const bool read = precision == Precision::f32
                        ? fftwf_import_wisdom_from_filename(path.c_str()) != 0
                        : fftw_import_wisdom_from_filename(path.c_str()) != 0;
  if (!read) {
    throw Error("cannot read FFTW wisdom (" + to_string(precision) + ") from '" + path + "'",
                ErrorCode::file);
  }
}

void export_fftw_wisdom(const std::string& path, Precision precision) {
  prepare();
  const std::lock_guard lock(planner_mutex());
  const bool written = precision == Precision::f32
                           ? fftwf_export_wisdom_to_filename(path.c_str()) != 0
                           : fftw_export_wisdom_to_filename(path.c_str()) != 0;
  if (!written) {
    throw Error("cannot write FFTW wisdom (" + to_string(precision) + ") to '" + path + "'",
                ErrorCode::file);
  }
}

}  // namespace weft
