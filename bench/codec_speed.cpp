// Speed of every codec on one core, in GB of numbers (not of bytes in messages) a second, and what
// it does to Gaussian data, beside what the model predicts.
//
//   codec_speed [megabytes of numbers, by default 16] [codec ...]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "codec/codec.hpp"
#include "codec/lossless.hpp"

namespace weft::bench {

namespace {

constexpr int repetitions = 15;

template <class Real>
std::vector<Real> gaussian_numbers(std::size_t count) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> gaussian;
  std::vector<Real> numbers(count);
  for (Real& number : numbers) number = static_cast<Real>(gaussian(engine));
  return numbers;
}

/// Seconds, the shortest of some.
template <class Work>
double shortest(const Work& work) {
  double best = 1e30;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

template <class Real>
void measure(const std::string& name, Precision precision, const std::vector<Real>& numbers) {
  const auto codec = make_codec(name, {precision, true});
  if (codec == nullptr) return;
  const auto elements = static_cast<Index>(numbers.size() / 2);
  const auto* values = reinterpret_cast<const std::byte*>(numbers.data());
  const double gigabytes = static_cast<double>(numbers.size() * sizeof(Real)) / 1e9;
  std::vector<std::byte> message(static_cast<std::size_t>(codec->bytes(elements)));
  std::vector<Real> decoded(numbers.size());
  EncodingMeasure sums;
  const double encode = shortest([&] {
    sums = {};
    codec->encode(values, elements, message.data(), sums);
  });
  const double decode = shortest([&] {
    codec->decode(message.data(), elements, reinterpret_cast<std::byte*>(decoded.data()));
  });
  std::printf("%-10s %s %6.3f %8.2f %8.2f %12.3e %12.3e\n", name.c_str(),
              to_string(precision).c_str(), static_cast<double>(message.size()) / gigabytes / 1e9,
              gigabytes / encode, gigabytes / decode,
              std::sqrt(sums.squared_error / sums.squared_norm), codec->predicted_error());
}

template <class Real>
void measure_lossless(Precision precision, const std::vector<Real>& numbers) {
  const auto bytes = static_cast<Index>(numbers.size() * sizeof(Real));
  const auto* values = reinterpret_cast<const std::byte*>(numbers.data());
  std::vector<std::byte> message(static_cast<std::size_t>(bytes)), decoded(message.size());
  Index length = 0;
  const double encode =
      shortest([&] { length = lossless_compress(values, bytes, sizeof(Real), message.data()); });
  const double decode = shortest(
      [&] { lossless_expand(message.data(), length, bytes, sizeof(Real), decoded.data()); });
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  std::printf("%-10s %s %6.3f %8.2f %8.2f\n", "lossless", to_string(precision).c_str(),
              static_cast<double>(length) / static_cast<double>(bytes), gigabytes / encode,
              gigabytes / decode);
}

int run(std::size_t megabytes, std::vector<std::string> names) {
  if (names.empty()) {
    names = {"cast:fp32", "cast:fp16", "cast:bf16", "trim:4", "trim:12", "trim:20",
             "trim:23",   "trim:28",   "bfp:8",     "bfp:12", "bfp:16",  "bfp:20",
             "bfp:24",    "bfp:32",    "bfp:40",    "bfp:52"};
    for (const CodecMethod& method : codec_methods()) {
      if (std::string(method.name) == "zfp") names.insert(names.end(), {"zfp:8", "zfp:16"});
    }
  }
  const auto doubles = gaussian_numbers<double>(megabytes * 1000000 / sizeof(double));
  const auto floats = gaussian_numbers<float>(megabytes * 1000000 / sizeof(float));
  std::printf("codec           size   encode   decode        error    predicted\n");
  for (const std::string& name : names) measure(name, Precision::f64, doubles);
  measure_lossless(Precision::f64, doubles);
  for (const std::string& name : names) {
    const std::size_t colon = name.find(':');
    const int number = std::atoi(name.c_str() + colon + 1);
    if (number <= (name.substr(0, colon) == "trim" ? 22 : 31))
      measure(name, Precision::f32, floats);
  }
  measure_lossless(Precision::f32, floats);
  return 0;
}

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 16;
  return weft::bench::run(megabytes, {argv + std::min(argc, 2), argv + argc});
}
