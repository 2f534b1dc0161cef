// Relative rms error of complex transforms on an accelerator at every length, by weft's own kernels
// and by the vendor's library, against direct sums in long double.
//
//   lines_accuracy [--longest N] [--small-factors] [--precision f32|f64] [cuda|hip|emulated]
//
// With --small-factors only lengths that have none above 13: the others take most of the time.
//
// A table: precision, kind of length, how many there are, median and largest ratio of the two
// errors, largest error over the bound that plans promise.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/device.hpp"
#include "kind/root_of_unity.hpp"
#include "local/line_plan.hpp"
#include "local/local_transform.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

using Exact = std::complex<long double>;

/// Enough numbers at each length for an error that is known to a few percent.
Index lines_of(Index n) {
  return std::max<Index>(1, 2048 / n);
}

std::vector<Exact> direct_sums(const std::vector<Exact>& in, Index n) {
  std::vector<Exact> roots(static_cast<std::size_t>(n)), out(in.size());
  for (Index k = 0; k < n; ++k) {
    const auto root = root_of_unity(k, n);
    roots[static_cast<std::size_t>(k)] = {root.real(), -root.imag()};
  }
  const auto count = static_cast<Index>(in.size());
#pragma omp parallel for
  for (Index i = 0; i < count; ++i) {
    const Index k = i % n, line = i - k;
    long double re = 0, im = 0;
    for (Index j = 0, turn = 0; j < n; ++j, turn = turn + k < n ? turn + k : turn + k - n) {
      const Exact& a = in[static_cast<std::size_t>(line + j)];
      const Exact& b = roots[static_cast<std::size_t>(turn)];
      re += a.real() * b.real() - a.imag() * b.imag();
      im += a.real() * b.imag() + a.imag() * b.real();
    }
    out[static_cast<std::size_t>(i)] = {re, im};
  }
  return out;
}

const char* kind_of(Index n) {
  if ((n & (n - 1)) == 0) return "powers of 2";
  return stockham::has_small_primes(n) ? "factors to 13" : "larger factors";
}

/// Ratios and errors of all lengths of a kind.
struct Findings {
  std::vector<double> ratios;
  double largest = 0;  ///< error over the bound
  Index worst = 0;     ///< where the ratio is largest
};

class Bench {
 public:
  explicit Bench(const DeviceMethod& method) : device_name_(method.name) {
    if (method.count() == 0) throw Error("no device of this kind here");
    device_ = method.open(0);
    stream_ = device_->make_stream();
    std::printf("%s\n", device_->info().model.c_str());
    for (const LocalBackend& backend : local_backends()) {
      if (device_name_ != backend.device) continue;
      (backend.any_layout ? own_ : other_) = &backend;
    }
    if (own_ == nullptr || other_ == nullptr) throw Error("there are no two libraries to compare");
  }

  template <class Real>
  void run(Index longest, bool small_factors, Precision precision) {
    std::map<std::string, Findings> all;
    for (Index n = 2; n <= longest; ++n) {
      if (small_factors && !stockham::has_small_primes(n)) continue;
      const auto count = static_cast<std::size_t>(n * lines_of(n));
      std::vector<std::complex<Real>> in(count);
      for (std::complex<Real>& z : in) z = {random<Real>(), random<Real>()};
      const std::vector<Exact> sums = direct_sums({in.begin(), in.end()}, n);
      const double own = error(*own_, precision, n, in, sums);
      const double other = error(*other_, precision, n, in, sums);
      const double epsilon = precision == Precision::f32 ? 0x1p-24 : 0x1p-53;
      const double bound = 5 * 2 * epsilon * std::max(1.0, std::log2(static_cast<double>(n)));
      Findings& findings = all[kind_of(n)];
      const double ratio = own / other;
      if (findings.ratios.empty() ||
          ratio > *std::max_element(findings.ratios.begin(), findings.ratios.end())) {
        findings.worst = n;
      }
      findings.ratios.push_back(ratio);
      findings.largest = std::max(findings.largest, own / bound);
    }
    for (auto& [kind, findings] : all) {
      std::vector<double>& ratios = findings.ratios;
      std::sort(ratios.begin(), ratios.end());
      const auto above =
          std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > 1.1; });
      std::printf(
          "%s  %-14s %5zu lengths: %s over %s, median %.3f, most %.3f at %lld, %lld above "
          "1.1; most of the bound %.3f\n",
          precision == Precision::f32 ? "f32" : "f64", kind.c_str(), ratios.size(), own_->name,
          other_->name, ratios[ratios.size() / 2], ratios.back(),
          static_cast<long long>(findings.worst), static_cast<long long>(above), findings.largest);
    }
    std::fflush(stdout);
  }

 private:
  template <class Real>
  Real random() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<Real>(static_cast<double>(state_ >> 11) * 0x1p-53 - 0.5);
  }

  template <class Real>
  double error(const LocalBackend& backend, Precision precision, Index n,
               const std::vector<std::complex<Real>>& in, const std::vector<Exact>& sums) {
    LocalProblem problem;
    problem.transform = {{n, 1, 1}};
    problem.kinds = {c2c};
    problem.batch = {{lines_of(n), n, n}};
    problem.precision = precision;
    problem.stream = stream_.get();
    const auto transform = make_local(backend, problem);
    const std::size_t bytes = in.size() * sizeof in[0];
    const Buffer from(*device_, bytes), to(*device_, bytes),
        work(*device_, transform->work_bytes());
    std::vector<std::complex<Real>> out(in.size());
    stream_->copy(from.data(), reinterpret_cast<const std::byte*>(in.data()), bytes);
    transform->execute(from.data(), to.data(), work.data());
    stream_->copy(reinterpret_cast<std::byte*>(out.data()), to.data(), bytes);
    stream_->synchronize();
    long double difference = 0, norm = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      difference += std::norm(Exact(out[i]) - sums[i]);
      norm += std::norm(sums[i]);
    }
    return static_cast<double>(std::sqrt(difference / norm));
  }

  std::string device_name_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  const LocalBackend* own_ = nullptr;
  const LocalBackend* other_ = nullptr;
  unsigned long long state_ = 1;
};

void run(int argc, char** argv) {
  Index longest = 4096;
  bool small_factors = false;
  std::string precision;
  std::string name = device_methods().back().name;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--longest" && i + 1 < arguments.size()) {
      longest = std::stol(arguments[++i]);
    } else if (arguments[i] == "--small-factors") {
      small_factors = true;
    } else if (arguments[i] == "--precision" && i + 1 < arguments.size()) {
      precision = arguments[++i];
    } else {
      name = arguments[i];
    }
  }
  Bench bench(find_device_method(name));
  if (precision != "f64") bench.run<float>(longest, small_factors, Precision::f32);
  if (precision != "f32") bench.run<double>(longest, small_factors, Precision::f64);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  try {
    weft::bench::run(argc, argv);
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "lines_accuracy: %s\n", error.what());
    return 1;
  }
  return 0;
}
