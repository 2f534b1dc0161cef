// What compressed messages do to a transform and to a pair of transforms, c2c from pencils to
// pencils (two redistributions each way), beside what the model predicts and what plans report:
// every codec on white data and on data with a spectrum of k^-5/3. Errors are relative L2 errors
// against the same transform without compression. Prints a table in Markdown.
//
//   mpirun -n 4 codec_accuracy [points along each axis, by default 96]
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "codec/codec.hpp"
#include "verify/random.hpp"
#include "weft/weft.hpp"

namespace weft::bench {

namespace {

using Complex = std::complex<double>;
using Field = std::vector<Complex>;

Problem pencils(Index points, Precision precision) {
  return {.shape = {points, points, points},
          .input = pencil_along(2),
          .output = pencil_along(0),
          .precision = precision,
          .norm = Norm::ortho};
}

Options with_codec(const std::string& codec) {
  Options options;
  options.algorithm = Algorithm::pencil;
  options.codec = codec;
  options.exchange = "p2p";
  return options;
}

/// Numbers that single precision has too, so that it does not err before it has begun.
void round_to_single(Field& field) {
  for (Complex& value : field) value = std::complex<float>(value);
}

Field white_field(const Plan& plan) {
  Field field(static_cast<std::size_t>(plan.input().allocation_size));
  fill_random(plan.input(), plan.info().shape, 1, 1, field.data());
  round_to_single(field);
  return field;
}

/// Modes of random phase whose energy, summed over a shell of k^2 modes, falls as k^-5/3.
Field turbulent_field(Plan& plan) {
  const LocalArray& modes = plan.output();
  Field spectrum(static_cast<std::size_t>(modes.allocation_size));
  fill_random(modes, plan.info().shape, 1, 2, spectrum.data());
  const auto wavenumber = [&](int axis, Index i) {
    return static_cast<double>(std::min(i, plan.info().shape[axis] - i));
  };
  for (Index i = modes.box.lower[0]; i < modes.box.upper[0]; ++i) {
    for (Index j = modes.box.lower[1]; j < modes.box.upper[1]; ++j) {
      for (Index k = modes.box.lower[2]; k < modes.box.upper[2]; ++k) {
        const Index at = modes.offset + (i - modes.box.lower[0]) * modes.strides[0] +
                         (j - modes.box.lower[1]) * modes.strides[1] +
                         (k - modes.box.lower[2]) * modes.strides[2];
        Complex& mode = spectrum[static_cast<std::size_t>(at)];
        const double length = std::hypot(wavenumber(0, i), wavenumber(1, j), wavenumber(2, k));
        mode *= length > 0 ? std::pow(length, -11.0 / 6) / std::abs(mode) : 0;
      }
    }
  }
  Field field(static_cast<std::size_t>(plan.input().allocation_size));
  plan.backward(spectrum, field);
  round_to_single(field);
  return field;
}

template <class Real>
double relative_error(const std::vector<std::complex<Real>>& field, const Field& exact) {
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    sums[0] += std::norm(Complex(field[i]) - exact[i]);
    sums[1] += std::norm(exact[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sums[0] / sums[1]);
}

struct Errors {
  double predicted = 0, reported = 0, forward = 0;
  double pair_predicted = 0, pair = 0;
  double share = 1;  // of the bytes that plain numbers would take
};

template <class Real>
Errors errors_of(Plan& plan, const Field& field, const Field& exact) {
  const std::vector<std::complex<Real>> in(field.begin(), field.end());
  std::vector<std::complex<Real>> out(exact.size()), back(field.size());
  plan.forward(in, out);
  const Report forward = plan.report();
  plan.backward(out, back);
  const Report backward = plan.report();
  Errors errors;
  errors.predicted = forward.predicted_error;
  errors.reported = forward.error;
  errors.forward = relative_error(out, exact);
  errors.pair_predicted = std::hypot(forward.predicted_error, backward.predicted_error);
  errors.pair = relative_error(back, field);
  double bytes[2] = {static_cast<double>(forward.bytes), static_cast<double>(forward.plain_bytes)};
  MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (bytes[1] > 0) errors.share = bytes[0] / bytes[1];
  return errors;
}

std::vector<std::string> codec_names() {
  std::vector<std::string> names = {"none", "cast:fp32", "cast:fp16", "cast:bf16"};
  for (const int bits : {4, 8, 12, 16, 20, 28, 36, 44}) {
    names.push_back("trim:" + std::to_string(bits));
  }
  for (const int bits : {8, 12, 16, 20, 24, 28, 32, 40, 48}) {
    names.push_back("bfp:" + std::to_string(bits));
  }
  for (const CodecMethod& method : codec_methods()) {
    if (std::string(method.name) != "zfp") continue;
    for (const int bits : {8, 12, 16, 24, 32}) names.push_back("zfp:" + std::to_string(bits));
  }
  return names;
}

std::string codecs_of(const Report& report) {
  std::string text;
  for (const RedistributionReport& part : report.redistributions) {
    text += (text.empty() ? "" : ", ") + part.codec;
  }
  return text;
}

/// What a tolerance alone leads to, once the plan has seen such data.
void run_tolerances(Index points, const std::string& name, const Field& field, const Field& exact) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  constexpr int steps = 30;
  for (int i = 0; i < steps; ++i) {
    Options options = with_codec("auto");
    options.tolerance = std::pow(10.0, -2 - 12.0 * i / (steps - 1));
    Plan plan(MPI_COMM_WORLD, pencils(points, Precision::f64), options);
    Field out(exact.size());
    for (int repetition = 0; repetition < 3; ++repetition) plan.forward(field, out);
    const Report report = plan.report();
    const double achieved = relative_error(out, exact);
    double bytes[2] = {static_cast<double>(report.bytes), static_cast<double>(report.plain_bytes)};
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank != 0) continue;
    std::printf("| %.1e | %s | %s | %.3f | %.2e | %s |\n", *options.tolerance, name.c_str(),
                codecs_of(report).c_str(), bytes[0] / bytes[1], achieved,
                achieved <= *options.tolerance ? "yes" : "NO");
  }
}

void run(Index points) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Plan plain(MPI_COMM_WORLD, pencils(points, Precision::f64), with_codec("none"));
  const Field fields[] = {white_field(plain), turbulent_field(plain)};
  const char* const names[] = {"random", "k^-5/3"};
  if (rank == 0) {
    std::printf("%lld^3 c2c FP64, pencils to pencils, %d ranks.\n\n",
                static_cast<long long>(points), ranks);
    std::printf(
        "| codec | bytes | data | forward: predicted | measured while encoding | achieved | "
        "pair: predicted | achieved |\n|---|---|---|---|---|---|---|---|\n");
  }
  const auto print = [&](const std::string& codec, int data, const Errors& e) {
    const auto error = [](double value) {
      char text[16];
      std::snprintf(text, sizeof text, "%.2e", value);
      return value > 0 ? std::string(text) : std::string();
    };
    if (rank != 0) return;
    std::printf("| %s | %.3f | %s | %s | %s | %s | %s | %s |\n", codec.c_str(), e.share,
                names[data], error(e.predicted).c_str(), error(e.reported).c_str(),
                error(e.forward).c_str(), error(e.pair_predicted).c_str(), error(e.pair).c_str());
  };
  Field exact[2];
  for (int data = 0; data < 2; ++data) {
    exact[data].resize(static_cast<std::size_t>(plain.output().allocation_size));
    plain.forward(fields[data], exact[data]);
    for (const std::string& codec : codec_names()) {
      Plan plan(MPI_COMM_WORLD, pencils(points, Precision::f64), with_codec(codec));
      print(codec, data, errors_of<double>(plan, fields[data], exact[data]));
    }
    Plan single(MPI_COMM_WORLD, pencils(points, Precision::f32), with_codec("none"));
    Errors errors = errors_of<float>(single, fields[data], exact[data]);
    errors.share = 0.5;
    print("all in FP32", data, errors);
  }
  if (rank == 0) {
    std::printf(
        "\n| tolerance | data | codecs | bytes | achieved | kept |\n|---|---|---|---|---|---|\n");
  }
  for (int data = 0; data < 2; ++data)
    run_tolerances(points, names[data], fields[data], exact[data]);
}

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  weft::bench::run(argc > 1 ? std::atoll(argv[1]) : 96);
  MPI_Finalize();
}
