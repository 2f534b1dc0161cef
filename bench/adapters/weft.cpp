#include <algorithm>
#include <complex>

#include "adapters/entries.hpp"
#include "device/host_memory.hpp"

namespace weft::bench {

namespace {

/// How the same library is entered.
struct Variant {
  const char* local = "fftw";
  bool transposed = false;  ///< output in memory order 1, 0, 2
  bool in_place = false;
};

class WeftAdapter : public Adapter {
 public:
  WeftAdapter(const Case& problem, const Variant& variant)
      : plan_({.shape = problem.shape,
               .comm = problem.comm,
               .kinds = problem.real ? r2c : c2c,
               .in = variant.in_place && problem.real ? slab(0).padded_for_r2c() : slab(0),
               .out = variant.transposed ? slab(1).with_order({1, 0, 2}) : slab(1)},
              {.local = variant.local,
               .overwrite_input = true,
               .rigor = problem.rigor,
               .threads = 1}),
        real_(problem.real),
        physical_(variant.in_place ? std::max(bytes(plan_.input()), bytes(plan_.output()))
                                   : bytes(plan_.input())),
        spectral_(variant.in_place ? 0 : bytes(plan_.output())) {}

  TransformDescription describe() const override { return description(plan_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override {
    return spectral_.data() != nullptr ? spectral_.data() : physical_.data();
  }
  void forward() override {
    if (real_) {
      plan_.forward(as<double>(physical()), as<Complex>(spectral()));
    } else {
      plan_.forward(as<Complex>(physical()), as<Complex>(spectral()));
    }
  }
  void backward() override {
    if (real_) {
      plan_.backward(as<Complex>(spectral()), as<double>(physical()));
    } else {
      plan_.backward(as<Complex>(spectral()), as<Complex>(physical()));
    }
  }

 private:
  using Complex = std::complex<double>;

  static std::size_t bytes(const LocalArray& array) {
    return static_cast<std::size_t>(array.size) * (array.type.complex ? 16 : 8);
  }
  template <class T>
  static T* as(void* data) {
    return static_cast<T*>(data);
  }

  Plan plan_;
  bool real_;
  HostBuffer physical_;
  HostBuffer spectral_;
};

AdapterEntry entry(const std::string& name, const Variant& variant) {
  return {name, [variant](const Case& problem) -> std::unique_ptr<Adapter> {
            return std::make_unique<WeftAdapter>(problem, variant);
          }};
}

}  // namespace

std::vector<AdapterEntry> weft_entries() {
  return {
      entry("weft fftw", {}),
      entry("weft fftw, transposed out", {.transposed = true}),
      entry("weft fftw, in place", {.in_place = true}),
#ifdef WEFT_HAVE_MKL
      entry("weft mkl", {.local = "mkl"}),
      entry("weft mkl, in place", {.local = "mkl", .in_place = true}),
#endif
  };
}

}  // namespace weft::bench
