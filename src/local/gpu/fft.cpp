#include "local/gpu/fft_api.hpp"

#include <array>
#include <cstdint>
#include <memory>

#include "device/alignment.hpp"
#include "device/device.hpp"
#include "device/gpu/api.hpp"
#include "local/gpu/store_callback.hpp"
#include "local/library_calls.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// As the library gets it from its own allocator.
constexpr std::size_t work_alignment = 256;

void check_fft(gpu_fft::Result result, const char* what) {
  if (result == gpu_fft::success) return;
  throw Error(std::string(gpu_fft::description) + ": " + what + ": " +
              gpu_fft::result_name(result) + " (" + std::to_string(static_cast<int>(result)) + ")");
}

/// A plan of the library, without memory of its own.
class FftPlan {
 public:
  FftPlan() { check_fft(gpu_fft::functions().create(&handle_), "cannot create a plan"); }
  ~FftPlan() { gpu_fft::functions().destroy(handle_); }
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;

  gpu_fft::Handle handle() const { return handle_; }

 private:
  gpu_fft::Handle handle_{};
};

/// Not for several threads at a time: a plan knows where it works. What is put into a stream is put
/// there by one thread.
class GpuTransform : public LocalTransform {
 public:
  GpuTransform(const LocalProblem& problem, const AdvancedLayout& layout)
      : problem_(problem), layout_(layout) {
    problem.stream->device().use();
    plan_ = std::make_unique<FftPlan>();
    check_fft(make_plan(), "cannot make a plan");
    needs_scaling_ = problem.scale != 1 && !try_scaled_plan();
    check_fft(gpu_fft::functions().set_stream(
                  plan_->handle(), static_cast<gpu_fft::Stream>(problem.stream->native())),
              "cannot set the stream");
  }

  std::size_t work_bytes() const override {
    return plan_bytes_ > 0 ? plan_bytes_ + (work_alignment - buffer_alignment) : 0;
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    problem_.stream->device().use();
    set_work(work);
    const Index in_bytes = bytes_of({problem_.precision, !problem_.real_input()});
    const Index out_bytes = bytes_of({problem_.precision, !problem_.real_output()});
    check_alignment(problem_, in, out);
    const int direction =
        problem_.direction == Direction::forward ? gpu_fft::forward : gpu_fft::backward;
    // The library has no pointers to constant data.
    auto* const input = const_cast<std::byte*>(in);
    for (Cursor<2> call(layout_.loops); !call.is_end(); call.advance()) {
      check_fft(gpu_fft::functions().execute(plan_->handle(), input + call[0] * in_bytes,
                                             out + call[1] * out_bytes, direction),
                "cannot execute a plan");
    }
    if (needs_scaling_) scale_output(problem_, out);
  }

  bool works_in_place() const override { return !problem_.real() && lies_alike(layout_); }

 private:
  static std::array<long long, Extents::capacity> numbers(const Extents& extents) {
    std::array<long long, Extents::capacity> result{};
    for (int i = 0; i < extents.size(); ++i) result[static_cast<std::size_t>(i)] = extents[i];
    return result;
  }

  gpu_fft::Result make_plan() {
    const bool single = problem_.precision == Precision::f32;
    const gpu_fft::Type real = single ? gpu_fft::real_f32 : gpu_fft::real_f64;
    const gpu_fft::Type complex = single ? gpu_fft::complex_f32 : gpu_fft::complex_f64;
    auto lengths = numbers(layout_.lengths);
    auto in_embed = numbers(layout_.in.embed), out_embed = numbers(layout_.out.embed);
    check_fft(gpu_fft::functions().set_auto_allocation(plan_->handle(), 0), "cannot set up a plan");
    return gpu_fft::functions().make_plan_many(
        plan_->handle(), layout_.lengths.size(), lengths.data(), in_embed.data(), layout_.in.stride,
        layout_.in.distance, problem_.real_input() ? real : complex, out_embed.data(),
        layout_.out.stride, layout_.out.distance, problem_.real_output() ? real : complex,
        layout_.batch, &plan_bytes_, complex);
  }

  /// Takes a plan that scales what it stores. There is none where the libraries that link its
  /// kernels are missing, or where these kernels run out of registers. One that needs more memory
  /// to work in makes more passes than scaling would, and so do those of long strided lines (2048
  /// of f64 on an H200: 1.8 ms as it is, 6.6 ms scaled, 1.0 ms for scaling alone).
  bool try_scaled_plan() {
    constexpr Index long_line = 1024;
    if (layout_.lengths.size() == 1 && layout_.out.stride != 1 && layout_.lengths[0] > long_line) {
      return false;
    }
    const std::size_t usual_bytes = plan_bytes_;
    std::unique_ptr<FftPlan> usual = std::move(plan_);
    plan_ = std::make_unique<FftPlan>();
    if (set_scaled_store(plan_->handle(), problem_) && make_plan() == gpu_fft::success &&
        plan_bytes_ <= usual_bytes) {
      return true;
    }
    plan_ = std::move(usual);
    plan_bytes_ = usual_bytes;
    // Errors are kept for the next call; this one is none.
    static_cast<void>(gpuGetLastError());
    return false;
  }

  void set_work(std::byte* work) const {
    if (plan_bytes_ == 0 || work == work_) return;
    const auto address = reinterpret_cast<std::uintptr_t>(work);
    std::byte* const aligned = work + (work_alignment - address % work_alignment) % work_alignment;
    check_fft(gpu_fft::functions().set_work_area(plan_->handle(), aligned),
              "cannot set the work area");
    work_ = work;
  }

  LocalProblem problem_;
  AdvancedLayout layout_;
  std::unique_ptr<FftPlan> plan_;
  bool needs_scaling_ = false;  ///< the plan does not scale
  std::size_t plan_bytes_ = 0;
  mutable std::byte* work_ = nullptr;
};

}  // namespace

LocalBackend gpu_backend() {
  return {gpu_fft::name, gpu_fft::description,
          [] { return find_device_method(gpu_name).count() > 0 && gpu_fft::is_there(); },
          [] { return true; },
          // Lengths with large prime factors are taken to be as accurate as others.
          supports_library_calls, make_library_calls<GpuTransform>, true, true, gpu_name};
}

}  // namespace weft
