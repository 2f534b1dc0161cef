// Long vectors against the transform of one rank.
#include <gtest/gtest.h>

#include <cmath>

#include "support/global_array.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/long_transform.hpp"
#include "weft/verify.hpp"

namespace weft::test {
namespace {

template <class Real>
class LongVector {
 public:
  using Number = std::complex<Real>;

  LongVector(Index length, LongOrder order, Norm norm, const Options& options)
      : given_(random_array({length}, 1, true, 3)),
        length_(length),
        norm_(norm),
        transform_(MPI_COMM_WORLD,
                   {.length = length,
                    .order = order,
                    .precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64,
                    .norm = norm},
                   options) {}

  /// Collective: relative errors of both directions.
  void check() {
    const auto natural = [this](Index i) { return transform_.begin() + i; };
    const auto spectral = [this](Index i) { return transform_.frequency(i); };
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const bool forward = direction == Direction::forward;
      const GlobalArray exact = exact_transform(given_, {length_}, {c2c}, direction, norm_);
      std::vector<Number> physical(static_cast<std::size_t>(transform_.size()), poison());
      std::vector<Number> spectrum(static_cast<std::size_t>(transform_.spectrum_size()), poison());
      forward ? fill(physical, natural) : fill(spectrum, spectral);
      const auto before = forward ? physical : spectrum;
      if (forward) {
        transform_.forward(physical, spectrum);
      } else {
        transform_.backward(spectrum, physical);
      }
      EXPECT_TRUE((forward ? physical : spectrum) == before) << "the input was changed";
      const double error =
          forward ? error_of(spectrum, spectral, exact) : error_of(physical, natural, exact);
      EXPECT_LE(error,
                rounding_error_bound(sizeof(Real) == 4 ? Precision::f32 : Precision::f64, length_))
          << length_ << (forward ? " forward" : " backward");
    }
  }

 private:
  static Number poison() { return {std::nan(""), std::nan("")}; }

  template <class Where>
  void fill(std::vector<Number>& array, const Where& where) const {
    for (std::size_t i = 0; i < array.size(); ++i) {
      array[i] = static_cast<Number>(
          given_.values[static_cast<std::size_t>(where(static_cast<Index>(i)))]);
    }
  }

  template <class Where>
  static double error_of(const std::vector<Number>& array, const Where& where,
                         const GlobalArray& exact) {
    double sums[3] = {0, 0, static_cast<double>(array.size())};
    for (std::size_t i = 0; i < array.size(); ++i) {
      const Complex value = exact.values[static_cast<std::size_t>(where(static_cast<Index>(i)))];
      sums[0] += std::norm(static_cast<Complex>(array[i]) - value);
      sums[1] += std::norm(value);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sums[2], static_cast<double>(exact.values.size()));
    return std::sqrt(sums[0] / sums[1]);
  }

  GlobalArray given_;
  Index length_;
  Norm norm_;
  LongTransform transform_;
};

TEST(LongTransform, AgreesWithExactTransform) {
  for (const std::string& device : tested_devices()) {
    SCOPED_TRACE(device);
    Options options;
    options.device = device;
    const LongTransform transform(MPI_COMM_WORLD, {.length = 6}, options);
    EXPECT_EQ(transform.device_number() == -1, device == "host");
    for (const Index length : {1, 2, 6, 13, 36, 64, 97, 210, 500, 1024, 1155, 1331}) {
      for (const LongOrder order : {LongOrder::natural, LongOrder::transposed}) {
        LongVector<double>(length, order, Norm::backward, options).check();
        LongVector<float>(length, order, Norm::ortho, options).check();
      }
    }
  }
}

TEST(LongTransform, BadArgumentsAreRefused) {
  expect_same_error([] { LongTransform(MPI_COMM_WORLD, {.length = 0}); },
                    {"length 0: must be positive"});
  if (world_size() > 1) {
    expect_same_error([] { LongTransform(MPI_COMM_WORLD, {.length = 8 + world_rank()}); },
                      {"length differs"});
  }
  LongTransform transform(MPI_COMM_WORLD, {.length = 64});
  std::vector<std::complex<float>> single(64);
  expect_same_error([&] { transform.forward(single, single); }, {"input array is complex f32"});
}

}  // namespace
}  // namespace weft::test
