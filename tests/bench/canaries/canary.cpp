// A library that misbehaves as its setting says, to see that the harness names it for what it is.
// When it behaves it is weft.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include "device/buffer.hpp"
#include "layouts.hpp"
#include "weft/weft.hpp"

namespace weft::bench {

namespace {

using Complex = std::complex<double>;

class Canary : public Transform {
 public:
  explicit Canary(const Case& problem)
      : problem_(problem),
        habit_(setting(problem, "habit", "good")),
        plan_(problem.comm,
              {.shape = problem.shape, .input = slab_split(0), .output = slab_split(0)}),
        physical_(bytes_of(plan_.input())),
        spectral_(bytes_of(plan_.output())) {
    if (habit_ == "needs_too_much_memory") Buffer(std::size_t{1} << 60);
    if (habit_ == "overlapping_boxes") {
      wrong_box_ = plan_.input();
      wrong_box_.box.lower[0] = 0;
    }
  }

  TransformDescription layout() const override {
    TransformDescription description = weft::description(plan_);
    if (habit_ == "overlapping_boxes") description.physical = wrong_box_;
    return description;
  }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return spectral_.data(); }
  bool unscaled() const override { return habit_ == "unscaled"; }
  std::string device_id() const override {
    if (habit_ == "on_devices") return "0000:0" + std::to_string(1 + rank_of(problem_)) + ":00.0";
    if (habit_ == "on_a_named_device") return "GPU-5a";
    return habit_ == "on_one_device" ? "0000:01:00.0" : "";
  }

  void forward() override {
    ++calls_;
    if (habit_ == "unscaled" && !std::isnormal(std::abs(as(physical_)[0]))) throw Error("overflow");
    if (habit_ == "copies") {
      std::memcpy(spectral_.data(), physical_.data(), physical_.size());
      return;
    }
    if (habit_ == "crashes" && rank_of(problem_) == 0) std::raise(SIGSEGV);
    if (habit_ == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
    if (habit_ == "leaks") leak(std::size_t{1} << 30);
    if (habit_ == "sleeps") std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (habit_ == "exits") std::exit(3);
    if (habit_ == "leaks_little") lost_ = new char[1000];
    plan_.forward(as(physical_), buffer());
    keep_or_drop();
    if (habit_ == "wrong_later" && calls_ > 3) as(spectral_)[0] += 1e-3;
  }
  void backward() override {
    if (habit_ == "copies") {
      std::memcpy(physical_.data(), spectral_.data(), physical_.size());
      return;
    }
    plan_.backward(as(spectral_), as(physical_));
    if (habit_ != "unscaled") return;
    const auto points = static_cast<double>(product(problem_.shape));
    for (Index i = 0; i < plan_.input().allocation_size; ++i) as(physical_)[i] *= points;
  }

 private:
  static Complex* as(const Buffer& buffer) { return reinterpret_cast<Complex*>(buffer.data()); }

  /// Where the result goes first.
  Complex* buffer() {
    if (habit_ != "drops_last_plane" && habit_ != "zeroes_last_plane") return as(spectral_);
    if (copy_.size() == 0) copy_ = Buffer(spectral_.size());
    return as(copy_);
  }
  /// The last plane of the whole array is not written, or written as zero.
  void keep_or_drop() {
    if (copy_.size() == 0) return;
    const Box& box = plan_.output().box;
    const bool last = box.upper[0] == problem_.shape[0];
    const std::size_t plane = 16 * static_cast<std::size_t>(box.extent(1) * box.extent(2));
    const std::size_t bytes = spectral_.size() - (last ? plane : 0);
    std::memcpy(spectral_.data(), copy_.data(), bytes);
    if (last && habit_ == "zeroes_last_plane") std::memset(spectral_.data() + bytes, 0, plane);
  }
  /// As a library does that forgets its buffers: asked for, touched here and there, lost.
  static void leak(std::size_t bytes) {
    auto* memory = static_cast<volatile char*>(std::malloc(bytes));
    for (std::size_t i = 0; memory != nullptr && i < bytes; i += std::size_t{64} << 20) {
      memory[i] = 1;
    }
  }

  Case problem_;
  std::string habit_;
  Plan plan_;
  Buffer physical_;
  Buffer spectral_;
  Buffer copy_;
  LocalArray wrong_box_;
  int calls_ = 0;
  volatile char* lost_ = nullptr;
};

}  // namespace

Library describe() {
  return {
      "canary",
      "1",
      {{"habit",
        {"good", "copies", "drops_last_plane", "zeroes_last_plane", "sleeps", "crashes", "hangs",
         "leaks", "leaks_little", "wrong_later", "needs_too_much_memory", "overlapping_boxes",
         "exits", "unscaled", "on_devices", "on_one_device", "on_a_named_device"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require(!is_real(problem), "real data");
  return std::make_unique<Canary>(problem);
}

}  // namespace weft::bench
