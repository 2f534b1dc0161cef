#include <complex>
#include <vector>

#include "geometry/cursor.hpp"
#include "kind/definition.hpp"
#include "kind/root_of_unity.hpp"
#include "local/local_transform.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

/// Dense transform by the definition, in long double: the oracle that other backends are held to.
/// Unlike them it allocates in execute.
class ReferenceTransform : public LocalTransform {
 public:
  explicit ReferenceTransform(const LocalProblem& problem) : problem_(problem) {
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      const Index n = problem.transform[axis].length;
      const Kind kind = problem.kinds[axis];
      auto& table = roots_.emplace_back();
      auto& matrix = matrices_.emplace_back();
      if (is_real_kind(kind)) {
        matrix = definition_matrix(kind, problem.direction, n, problem.orthogonal);
        continue;
      }
      for (Index m = 0; m < n; ++m) {
        const Wide root = root_of_unity(m, n);
        table.push_back(problem.direction == Direction::backward ? root : std::conj(root));
      }
    }
  }

  void execute(const std::byte* in, std::byte* out, std::byte*) const override {
    if (problem_.precision == Precision::f32) {
      run_batch<float>(in, out);
    } else {
      run_batch<double>(in, out);
    }
  }

 private:
  template <class Real>
  void run_batch(const std::byte* in, std::byte* out) const {
    Axes<Cursor<2>::Loop> loops;
    for (const LocalAxis& axis : problem_.batch) {
      loops.push_back({axis.length, {axis.in_stride, axis.out_stride}});
    }
    for (Cursor<2> at(loops); !at.is_end(); at.advance()) {
      run_one(reinterpret_cast<const Real*>(in), at[0], reinterpret_cast<Real*>(out), at[1]);
    }
  }

  /// Number, among all of its side, of a stored element.
  Index place(int axis, bool input, Index i) const {
    const bool spectral = input == (problem_.direction == Direction::backward);
    if (!spectral) return i;
    return coefficient_index(problem_.kinds[axis], i, problem_.transform[axis].length,
                             stored_points(problem_, axis, input));
  }

  template <class Real>
  void run_one(const Real* in, Index in_offset, Real* out, Index out_offset) const {
    const int axes = problem_.transform.size();
    Extents extents;
    for (int axis = 0; axis < axes; ++axis) {
      extents.push_back(stored_points(problem_, axis, true));
    }
    std::vector<Wide> data(static_cast<std::size_t>(product(extents)));
    for_each(extents, [&](std::size_t number, const Extents& at) {
      Index position = in_offset;
      for (int axis = 0; axis < axes; ++axis) {
        position += at[axis] * problem_.transform[axis].in_stride;
      }
      data[number] =
          problem_.real_input() ? Wide(in[position]) : Wide(in[2 * position], in[2 * position + 1]);
    });
    for (int axis = 0; axis < axes; ++axis) transform_axis(data, extents, axis);
    for_each(extents, [&](std::size_t number, const Extents& at) {
      Index position = out_offset;
      for (int axis = 0; axis < axes; ++axis) {
        position += at[axis] * problem_.transform[axis].out_stride;
      }
      if (problem_.real_output()) {
        out[position] = static_cast<Real>(data[number].real());
      } else {
        out[2 * position] = static_cast<Real>(data[number].real());
        out[2 * position + 1] = static_cast<Real>(data[number].imag());
      }
    });
  }

  void transform_axis(std::vector<Wide>& data, Extents& extents, int axis) const {
    const Index n = problem_.transform[axis].length;
    const Index in_length = extents[axis];
    const Index out_length = stored_points(problem_, axis, false);
    const bool expand = problem_.real_output() && problem_.kinds[axis] == Kind::r2c;
    Index inner = 1, outer = 1;
    for (int a = 0; a < extents.size(); ++a) (a < axis ? outer : inner) *= extents[a];
    inner /= in_length;
    std::vector<Wide> result(static_cast<std::size_t>(outer * out_length * inner));
    for (Index o = 0; o < outer; ++o) {
      for (Index i = 0; i < inner; ++i) {
        std::vector<Wide> line(static_cast<std::size_t>(n));
        for (Index at = 0; at < in_length; ++at) {
          const Index j = place(axis, true, at);
          const Wide value = data[static_cast<std::size_t>((o * in_length + at) * inner + i)];
          // The missing half of a spectrum is the conjugate of the other; self-conjugate
          // coefficients of a real signal have no imaginary part.
          const bool own_mirror = expand && (j == 0 || 2 * j == n);
          line[static_cast<std::size_t>(j)] = own_mirror ? Wide(value.real()) : value;
          if (expand && !own_mirror) line[static_cast<std::size_t>(n - j)] = std::conj(value);
        }
        for (Index at = 0; at < out_length; ++at) {
          const Index k = place(axis, false, at);
          result[static_cast<std::size_t>((o * out_length + at) * inner + i)] =
              is_real_kind(problem_.kinds[axis]) ? real_sum(line, axis, k)
                                                 : fourier_sum(line, axis, k);
        }
      }
    }
    data = std::move(result);
    extents[axis] = out_length;
  }

  Wide fourier_sum(const std::vector<Wide>& line, int axis, Index k) const {
    const auto& roots = roots_[static_cast<std::size_t>(axis)];
    const auto n = static_cast<Index>(line.size());
    Wide sum = 0;
    Index m = 0;
    for (const Wide& value : line) {
      sum += value * roots[static_cast<std::size_t>(m)];
      m += k;
      if (m >= n) m -= n;
    }
    return sum;
  }

  Wide real_sum(const std::vector<Wide>& line, int axis, Index k) const {
    const long double* factor = matrices_[static_cast<std::size_t>(axis)].data() +
                                static_cast<std::size_t>(k) * line.size();
    Wide sum = 0;
    for (const Wide& value : line) sum += value * *factor++;
    return sum;
  }

  template <class Visit>
  static void for_each(const Extents& extents, const Visit& visit) {
    Axes<Cursor<0>::Loop> loops;
    for (const Index extent : extents) loops.push_back({extent, {}});
    std::size_t number = 0;
    for (Cursor<0> cursor(loops); !cursor.is_end(); cursor.advance()) visit(number++, cursor.at());
  }

  LocalProblem problem_;
  // By axis; of Fourier transforms by number of the root, of others by coefficient and number.
  std::vector<std::vector<Wide>> roots_;
  std::vector<std::vector<long double>> matrices_;
};

}  // namespace

LocalBackend reference_backend() {
  return {"reference",
          "dense, long double; for tests",
          [] { return true; },
          [] { return false; },
          [](const LocalProblem&) { return true; },
          [](const LocalProblem& problem) -> std::unique_ptr<LocalTransform> {
            return std::make_unique<ReferenceTransform>(problem);
          }};
}

}  // namespace weft
