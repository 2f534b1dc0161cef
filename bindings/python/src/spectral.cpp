#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <variant>

#include "array.hpp"
#include "bindings.hpp"
#include "c/element.hpp"
#include "collective.hpp"
#include "problem.hpp"
#include "weft/convolution.hpp"
#include "weft/long_transform.hpp"
#include "weft/verify.hpp"
#include "weft/wisdom.hpp"

namespace weft::python {

namespace {

using AnyConvolution =
    std::variant<Convolution<float>, Convolution<double>, Convolution<std::complex<float>>,
                 Convolution<std::complex<double>>>;

/// What weft.Convolution is made of.
class CoreConvolution : public Collective<AnyConvolution> {
 public:
  /// Collective.
  CoreConvolution(int comm, const Members& request, const std::string& refusal)
      : Collective("the convolution") {
    ConvolutionProblem problem;
    Options options;
    ElementType type{};
    create(
        comm, refusal,
        [&] {
          problem = convolution_problem_of(request);
          options = options_of(request);
          type = element_type_of(request);
        },
        [&] {
          std::unique_ptr<AnyConvolution> made;
          c::with_type(type, [&](auto number) {
            using T = typename decltype(number)::type;
            made = std::make_unique<AnyConvolution>(
                Convolution<T>(MPI_Comm_f2c(comm), problem, options));
          });
          return made;
        });
    std::visit(
        [&](const auto& of) {
          const DeviceOfPlan device{options.device, of.device_number()};
          for (const LocalArray* array : {&of.first(), &of.second(), &of.result()}) {
            sides_.push_back({*array, {}, device, "the convolution"});
          }
        },
        get());
  }

  void run(nb::handle a, nb::handle b, nb::handle c, bool correlate) {
    const ForeignArray first(a, sides_[0], "first", false), second(b, sides_[1], "second", false),
        result(c, sides_[2], "result", true);
    alone([&](AnyConvolution& any) {
      std::visit([&](auto& of) { of.run(first.any(), second.any(), result.any(), correlate); },
                 any);
    });
  }
  AnyTuple side(std::size_t number) const { return members_of(sides_.at(number)); }

 private:
  std::vector<Side> sides_;
};

/// What weft.LongTransform is made of.
class CoreLongTransform : public Collective<LongTransform> {
 public:
  /// Collective.
  CoreLongTransform(int comm, const Members& request, const std::string& refusal)
      : Collective("the long transform") {
    LongProblem problem;
    Options options;
    create(
        comm, refusal,
        [&] {
          problem = long_problem_of(request);
          options = options_of(request);
        },
        [&] { return std::make_unique<LongTransform>(MPI_Comm_f2c(comm), problem, options); });
    const LongTransform& made = get();
    const DeviceOfPlan device{options.device, made.device_number()};
    const auto vector = [&](Index begin, Index size) -> Side {
      const ElementType type{problem.precision, true};
      return {{{{begin}, {begin + size}}, {1}, 0, size, type}, {}, device, "the long transform"};
    };
    vector_ = vector(made.begin(), made.size());
    spectrum_ = vector(0, made.spectrum_size());
  }

  void run(bool forward, nb::handle in, nb::handle out) {
    const ForeignArray source(in, forward ? vector_ : spectrum_, "input", false);
    const ForeignArray sink(out, forward ? spectrum_ : vector_, "output", true);
    alone([&](LongTransform& of) {
      of.run(forward ? Direction::forward : Direction::backward, source.any(), sink.any());
    });
  }
  std::vector<Index> frequencies() const {
    std::vector<Index> numbers;
    for (Index i = 0; i < spectrum_.array.allocation_size; ++i)
      numbers.push_back(get().frequency(i));
    return numbers;
  }
  AnyTuple side(bool input) const { return members_of(input ? vector_ : spectrum_); }

 private:
  Side vector_, spectrum_;
};

/// f(kind, i) for each of several i.
template <class F>
std::vector<double> for_each(const std::string& kind, const std::vector<Index>& numbers, F&& f) {
  const Axes<Kind> known = parse_kinds(kind).resolve(1);
  std::vector<double> results;
  for (const Index i : numbers) results.push_back(f(known[0], i));
  return results;
}

}  // namespace

void bind_spectral(nb::module_& module) {
  bind_collective<CoreConvolution>(module, "Convolution")
      .def("run", &CoreConvolution::run, nb::arg("a").none(), nb::arg("b").none(),
           nb::arg("c").none(), nb::arg("correlate"))
      .def("side", &CoreConvolution::side, nb::arg("number"));
  bind_collective<CoreLongTransform>(module, "LongTransform")
      .def("run", &CoreLongTransform::run, nb::arg("forward"), nb::arg("x").none(),
           nb::arg("out").none())
      .def("frequencies", &CoreLongTransform::frequencies)
      .def("side", &CoreLongTransform::side, nb::arg("input"));
  module.def("good_length", good_length, nb::arg("n"));
  module.def(
      "wavenumbers",
      [](const std::string& kind, const std::vector<Index>& modes, Index n) {
        return for_each(kind, modes, [&](Kind of, Index k) { return wavenumber(of, k, n); });
      },
      nb::arg("kind"), nb::arg("modes"), nb::arg("n"));
  module.def(
      "derivative_wavenumbers",
      [](const std::string& kind, const std::vector<Index>& modes, Index n, double length) {
        return for_each(kind, modes,
                        [&](Kind of, Index k) { return derivative_wavenumber(of, k, n, length); });
      },
      nb::arg("kind"), nb::arg("modes"), nb::arg("n"), nb::arg("length"));
  module.def(
      "grid_points",
      [](const std::string& kind, const std::vector<Index>& points, Index n) {
        return for_each(kind, points, [&](Kind of, Index j) { return grid_point(of, j, n); });
      },
      nb::arg("kind"), nb::arg("points"), nb::arg("n"));
  module.def(
      "rounding_error_bound",
      [](const std::string& precision, Index points) {
        return rounding_error_bound(parse_precision(precision), points);
      },
      nb::arg("precision"), nb::arg("points"));
  using Path = std::optional<std::string>;
  module.def(
      "read_wisdom",
      [](const Path& path) {
        nb::list records;
        for (const WisdomRecord& record : read_wisdom(path.value_or(wisdom_path())).records) {
          records.append(nb::make_tuple(record.problem, record.machine, record.settings,
                                        record.seconds, record.default_seconds, record.date));
        }
        return records;
      },
      nb::arg("path").none());
  module.def(
      "merge_wisdom",
      [](const std::string& from, const Path& into) {
        return merge_wisdom(from, into.value_or(wisdom_path()));
      },
      nb::arg("from"), nb::arg("into").none());
  module.def(
      "forget_wisdom",
      [](const std::string& text, const Path& path) {
        return forget_wisdom(text, path.value_or(wisdom_path()));
      },
      nb::arg("text"), nb::arg("path").none());
  module.def(
      "import_fftw_wisdom",
      [](const std::string& path, const std::string& precision) {
        import_fftw_wisdom(path, parse_precision(precision));
      },
      nb::arg("path"), nb::arg("precision"));
  module.def(
      "export_fftw_wisdom",
      [](const std::string& path, const std::string& precision) {
        export_fftw_wisdom(path, parse_precision(precision));
      },
      nb::arg("path"), nb::arg("precision"));
}

}  // namespace weft::python
