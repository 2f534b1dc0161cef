#include <algorithm>

#include "device/buffer.hpp"
#include "verify/device_functions.hpp"
#include "verify/device_work.hpp"
#include "verify/samples.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;
using Factor = Complex<DoubleDouble>;
using Sum = Complex<double>;

/// Memory of a device with a copy of a table.
template <class T>
Buffer copied(Stream& stream, const std::vector<T>& table) {
  Buffer copy(stream.device(), table.size() * sizeof(T));
  stream.copy(copy.data(), reinterpret_cast<const std::byte*>(table.data()), copy.size());
  stream.synchronize();  // the table may go away
  return copy;
}

/// Sums over the part of the input that this rank owns, for some samples.
class DeviceSums {
 public:
  DeviceSums(const TransformDescription& transform, Direction direction,
             const std::vector<Sample>& samples, Stream& stream)
      : transform_(transform),
        direction_(direction),
        samples_(samples),
        stream_(stream),
        source_(direction == Direction::forward ? transform.physical : transform.spectral),
        line_axis_(axis_of_lines(source_)) {
    // Numbers of elements do not matter here.
    lines_ = lines_of(source_, source_.box.extents(), transform.batch);
    const Index elements = source_.box.count() * transform.batch;
    threads_ = std::clamp<Index>(most_threads_of_device / count(), 1, elements);
    const std::size_t bytes = static_cast<std::size_t>(threads_ * count()) * sizeof(Sum);
    sums_ = Buffer(stream.device(), bytes);
    rest_ = Buffer(stream.device(), bytes);
    stream.clear(sums_.data(), bytes);
    stream.clear(rest_.data(), bytes);
    across_ = copied(stream, across_table());
  }

  template <class Number>
  void add(const Number* in) {
    // Lines may be long, and the table has an entry for each element and sample.
    const Index most = std::max<Index>(largest_table / count(), 1);
    for (Index begin = 0; begin < lines_.along.count; begin += most) {
      const Index end = std::min(begin + most, lines_.along.count);
      const Buffer along = copied(stream_, along_table(begin, end));
      LinePieces part = lines_.part(begin, end);
      part.cut(threads_);
      const detail::functions::SampleSum<Number> function{
          in,
          part,
          reinterpret_cast<const Factor*>(along.data()),
          reinterpret_cast<const Factor*>(across_.data()),
          across_factors(),
          threads_,
          reinterpret_cast<Sum*>(rest_.data())};
      apply<Complex<double>>(stream_, function, block_of_sums(sums_.data(), threads_, count()));
      stream_.synchronize();
    }
  }

  std::vector<Wide> values() const {
    std::vector<Sum> sums(static_cast<std::size_t>(threads_ * count())), rest(sums.size());
    stream_.copy(reinterpret_cast<std::byte*>(sums.data()), sums_.data(), sums_.size());
    stream_.copy(reinterpret_cast<std::byte*>(rest.data()), rest_.data(), rest_.size());
    stream_.synchronize();
    std::vector<Wide> values(samples_.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      Wide& value = values[i / static_cast<std::size_t>(threads_)];
      value += Wide(sums[i].re, sums[i].im) + Wide(rest[i].re, rest[i].im);
    }
    return values;
  }

 private:
  static constexpr Index largest_table = Index{1} << 21;

  Index count() const { return static_cast<Index>(samples_.size()); }
  Index across_factors() const {
    Index factors = 0;
    for (int loop = 0; loop < lines_.across_count; ++loop) factors += lines_.across[loop].count;
    return factors;
  }
  std::vector<Factor> rounded_factors(const Sample& sample, int axis, Index begin,
                                      Index end) const {
    std::vector<Factor> table;
    table.reserve(static_cast<std::size_t>(end - begin));
    for (const Wide& factor : sample_factors(transform_, direction_, sample, axis, begin, end)) {
      table.push_back({rounded(factor.real()), rounded(factor.imag())});
    }
    return table;
  }
  /// In the order of LinePieces::across. Of a batch, a sample is of one field.
  std::vector<Factor> across_table() const {
    std::vector<Factor> table;
    for (const Sample& sample : samples_) {
      for (int axis = source_.box.axes() - 1; axis >= 0; --axis) {
        if (axis == line_axis_) continue;
        const auto part = rounded_factors(sample, axis, 0, source_.box.extent(axis));
        table.insert(table.end(), part.begin(), part.end());
      }
      for (Index field = 0; transform_.batch > 1 && field < transform_.batch; ++field) {
        table.push_back({widened(field == sample.field ? 1 : 0), widened(0)});
      }
    }
    return table;
  }
  std::vector<Factor> along_table(Index begin, Index end) const {
    std::vector<Factor> table(static_cast<std::size_t>(count() * (end - begin)));
#pragma omp parallel for num_threads(transform_.threads) schedule(dynamic)
    for (Index i = 0; i < count(); ++i) {
      const auto part =
          rounded_factors(samples_[static_cast<std::size_t>(i)], line_axis_, begin, end);
      std::copy(part.begin(), part.end(), table.begin() + i * (end - begin));
    }
    return table;
  }

  const TransformDescription& transform_;
  Direction direction_;
  const std::vector<Sample>& samples_;
  Stream& stream_;
  const LocalArray& source_;
  int line_axis_;
  LinePieces lines_;
  Index threads_;
  Buffer sums_, rest_, across_;
};

}  // namespace

std::vector<Wide> sums_on_device(const TransformDescription& transform, Direction direction,
                                 const std::vector<Sample>& samples, const std::byte* in,
                                 Stream& stream) {
  const LocalArray& source =
      direction == Direction::forward ? transform.physical : transform.spectral;
  if (source.box.empty()) return std::vector<Wide>(samples.size());
  DeviceSums sums(transform, direction, samples, stream);
  with_device_number(source.type,
                     [&]<class Number>(Number) { sums.add(reinterpret_cast<const Number*>(in)); });
  return sums.values();
}

}  // namespace weft
