#include "weft/convolution.hpp"

#include <cmath>

#include "exchange/agreement.hpp"
#include "kind/root_of_unity.hpp"
#include "weft/plan_array.hpp"
#include "weft/spectral_functions.hpp"

namespace weft {

namespace {

template <class T>
constexpr bool is_real_number = std::is_floating_point_v<T>;

void check(const Communicator& comm, const ConvolutionProblem& problem) {
  agree_same(comm, to_string(problem.first), "first shape");
  agree_same(comm, to_string(problem.second), "second shape");
  agree_same(comm, problem.periodic ? "periodic" : "linear", "convolution");
  collectively(comm, [&] {
    const Extents& a = problem.first;
    const Extents& b = problem.second.empty() ? a : problem.second;
    const std::string both = "convolution of " + to_string(a) + " with " + to_string(b);
    if (a.empty() || a.size() != b.size()) throw Error(both + ": the axes are not as many");
    for (int axis = 0; axis < a.size(); ++axis) {
      if (a[axis] < 1 || b[axis] < 1) throw Error(both + ": lengths must be positive");
      if (problem.periodic && b[axis] > a[axis]) {
        throw Error(both + ": the second array is longer than the period");
      }
    }
  });
}

}  // namespace

Index good_length(Index n) {
  for (;; ++n) {
    Index rest = n;
    for (const Index prime : {2, 3, 5, 7}) {
      while (rest > 0 && rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return n;
  }
}

template <class T>
class Convolution<T>::Implementation {
 public:
  using Spectral = std::complex<decltype(std::abs(T{}))>;

  Implementation(const Communicator& comm, const ConvolutionProblem& problem,
                 const Options& options) {
    const Extents& a = problem.first;
    const Extents& b = problem.second.empty() ? a : problem.second;
    Extents lengths = a, c = a;
    if (!problem.periodic) {
      for (int axis = 0; axis < a.size(); ++axis) {
        c[axis] = a[axis] + b[axis] - 1;
        lengths[axis] = good_length(c[axis]);
      }
    }
    const auto make = [&](const Extents& input_points, const LayoutSpec& layout) {
      Problem part;
      part.shape = lengths;
      part.kinds = is_real_number<T> ? r2c : c2c;
      part.input = layout;
      part.output = slab_split(lengths.size() > 1 ? 1 : 0);
      part.precision = element_type_of<T>().precision;
      part.input_points = input_points;
      return std::make_shared<Plan>(comm.get(), part, options);
    };
    first = make(a, problem.input);
    second = a == b ? first : make(b, problem.input);
    const bool as_input = problem.output.form == LayoutSpec::Form::as_input;
    result = as_input && c == a ? first : make(c, as_input ? problem.input : problem.output);
    collectively(comm, [&] {
      first_spectrum_ = PlanArray<Spectral>(*first, first->output().allocation_size);
      product_ = PlanArray<Spectral>(*first, first->output().allocation_size);
      for (int axis = 0; axis < a.size() && !problem.periodic; ++axis) {
        shift_.push_back(shift_roots(a, lengths, axis));
      }
    });
  }

  void run(const detail::AnyArray& a, const detail::AnyArray& b, const detail::AnyArray& c,
           bool correlate) {
    first->forward(a, first_spectrum_);
    detail::functions::SpectrumProduct<Number> product;
    product.first = seen(first_spectrum_);
    product.correlate = correlate;
    for (std::size_t axis = 0; axis < shift_.size(); ++axis) {
      product.shift[axis] = seen(shift_[axis]);
    }
    const bool on_device = second->info().device != "host";
    second->forward(b, product_, on_output(LibraryFunction(product, on_device)));
    result->backward(product_, c);
  }

  std::shared_ptr<Plan> first, second, result;

 private:
  using Number = typename detail::DeviceNumberOf<Spectral>::type;

  static const Number* seen(const PlanArray<Spectral>& array) {
    return reinterpret_cast<const Number*>(array.data());
  }

  /// What moves lag -(m - 1) of a linear correlation to the first point.
  PlanArray<Spectral> shift_roots(const Extents& a, const Extents& lengths, int axis) const {
    const Index n = lengths[axis], shift = a[axis] - 1;
    std::vector<Spectral> roots;
    for (Index k = 0; k < n; ++k) {
      roots.push_back(static_cast<Spectral>(std::conj(root_of_unity(k * shift % n, n))));
    }
    PlanArray<Spectral> copy(*first, n);
    copy.copy_from(roots);
    return copy;
  }

  PlanArray<Spectral> first_spectrum_, product_;
  std::vector<PlanArray<Spectral>> shift_;  // by axis and coefficient; none if periodic
};

template <class T>
Convolution<T>::Convolution(MPI_Comm comm, const ConvolutionProblem& problem,
                            const Options& options) {
  const Communicator own = Communicator::duplicate(comm);
  check(own, problem);
  implementation_ = std::make_unique<Implementation>(own, problem, options);
}
template <class T>
Convolution<T>::~Convolution() = default;
template <class T>
Convolution<T>::Convolution(Convolution&&) noexcept = default;
template <class T>
Convolution<T>& Convolution<T>::operator=(Convolution&&) noexcept = default;

template <class T>
const LocalArray& Convolution<T>::first() const {
  return implementation_->first->input();
}
template <class T>
const LocalArray& Convolution<T>::second() const {
  return implementation_->second->input();
}
template <class T>
const LocalArray& Convolution<T>::result() const {
  return implementation_->result->input();
}
template <class T>
int Convolution<T>::device_number() const {
  return implementation_->first->info().device_number;
}
template <class T>
void Convolution<T>::run(const detail::AnyArray& a, const detail::AnyArray& b,
                         const detail::AnyArray& c, bool correlate) {
  implementation_->run(a, b, c, correlate);
}

template class Convolution<float>;
template class Convolution<double>;
template class Convolution<std::complex<float>>;
template class Convolution<std::complex<double>>;

}  // namespace weft
