#include "local/real_kind_device.hpp"

#include <algorithm>

#include "device/alignment.hpp"
#include "device/buffer.hpp"
#include "local/line_tables.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Places in lines are numbers of 32 bits, also those of twice as many points, and so are lines.
constexpr Index most_points = Index{1} << 29;
constexpr Index most_device_lines = Index{1} << 30;

/// Reals that are stored of a line.
Index stored_reals(const LocalProblem& problem, bool input) {
  const bool halved =
      problem.kinds[0] == Kind::r2c && (problem.direction == Direction::backward) == input;
  return stored_points(problem, 0, input) * (halved ? 2 : 1);
}

/// A transform with a halved axis, whose complex numbers are two reals each. That to reals is made
/// of the conjugate numbers, forward.
template <class Real>
RealKindTables<Real> halved_tables(const LocalProblem& problem) {
  const Index n = problem.transform[0].length;
  RealKindTables<Real> tables{Kind::r2c, Direction::forward, n, {}, {}, {}, {}};
  const bool forward = problem.direction == Direction::forward;
  auto& plain = forward ? tables.prepare_plain : tables.finish_plain;
  for (Index j = 0; j < n; ++j) plain.push_back({j, 1});
  for (Index k = 0; 2 * k <= n; ++k) {
    if (forward) {
      tables.finish_parts.push_back({k, 1, 0});
      tables.finish_parts.push_back({k, 0, -1});
    } else {
      // Imaginary parts of those at the ends count for nothing: they are beyond what is stored.
      const bool is_real = k == 0 || 2 * k == n;
      tables.prepare_pairs.push_back({2 * k, is_real ? 2 * most_points : 2 * k + 1, 1, 0});
    }
  }
  return tables;
}

/// Strides in reals. On the side of complex numbers the tables hold them: pairs of reals are not
/// evenly spaced.
Lines halved_lines(const LocalProblem& problem) {
  const bool forward = problem.direction == Direction::forward;
  const auto in_reals = [forward](LocalAxis& axis) {
    (forward ? axis.out_stride : axis.in_stride) *= 2;
  };
  Lines lines{problem.transform[0], problem.batch, false, true, problem.transform[0].length};
  (forward ? lines.line.out_stride : lines.line.in_stride) = 1;
  for (LocalAxis& loop : lines.loops) in_reals(loop);
  return lines;
}

/// Moves both reals of complex numbers to where they lie.
template <class Real>
void place_parts(const LocalAxis& line, LineEntries<Real>& entries) {
  const auto place = [](std::int32_t& number, Index stride) {
    if (number == no_place) return;
    number = static_cast<std::int32_t>(number / 2 * 2 * stride + number % 2);
  };
  for (PairEntry<Real>& entry : entries.prepare_pairs) {
    place(entry.first, line.in_stride);
    place(entry.second, line.in_stride);
  }
  for (PartsEntry<Real>& entry : entries.finish_parts) {
    for (std::int32_t& to : entry.to) place(to, line.out_stride);
  }
}

/// Tables in memory of the device.
class EntriesOnDevice {
 public:
  template <class Entry>
  void set(Stream& stream, const std::vector<Entry>& entries) {
    const std::size_t bytes = entries.size() * sizeof(Entry);
    memory_ = Buffer(stream.device(), bytes);
    count_ = static_cast<std::uint32_t>(entries.size());
    stream.copy(memory_.data(), reinterpret_cast<const std::byte*>(entries.data()), bytes);
    stream.synchronize();
  }
  void complete(LineStep& step) const {
    step.entries = memory_.data();
    step.entry_count = count_;
  }

 private:
  Buffer memory_;
  std::uint32_t count_ = 0;
};

template <class Real>
class RealKindOnDevice : public LocalTransform {
 public:
  RealKindOnDevice(const LocalBackend& backend, const LocalProblem& problem)
      : RealKindOnDevice(
            backend, problem,
            problem.kinds[0] == Kind::r2c
                ? halved_tables<Real>(problem)
                : real_kind_tables<Real>(problem.kinds[0], problem.direction,
                                         problem.transform[0].length, problem.orthogonal)) {}

  std::size_t work_bytes() const override { return work_bytes_; }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    for (Index number = 0; number < blocks_.count(); ++number) {
      const Blocks::Place place = blocks_.place(number);
      run(parts_[place.smaller ? 1 : 0], in + place.in * Index{sizeof(Real)},
          out + place.out * Index{sizeof(Real)}, work);
    }
  }

  /// The lines of a block are read to their end before they are written.
  bool works_in_place() const override { return in_place_; }

 private:
  /// For the lines of a block.
  struct Part {
    LineStep prepare, finish;
    std::unique_ptr<LocalTransform> fourier;  ///< null: of one point
    std::size_t bytes;                        ///< of its lines
    bool fourier_in_place;
  };

  RealKindOnDevice(const LocalBackend& backend, const LocalProblem& problem,
                   const RealKindTables<Real>& tables)
      : problem_(problem),
        lines_(lines_of(problem, tables)),
        blocks_(lines_.loops, lines_at_once()) {
    auto entries = line_entries(tables, stored_reals(problem, true), stored_reals(problem, false),
                                problem.scale);
    if (problem.kinds[0] == Kind::r2c) place_parts(problem.transform[0], entries);
    if (tables.prepare_plain.empty()) {
      set(prepare_, LineOperation::prepare_pairs, entries.prepare_pairs);
    } else {
      set(prepare_, LineOperation::prepare_plain, entries.prepare_plain);
    }
    if (tables.finish_plain.empty()) {
      set(finish_, LineOperation::finish_parts, entries.finish_parts);
    } else {
      set(finish_, LineOperation::finish_plain, entries.finish_plain);
    }
    for (const bool smaller : {false, true}) {
      if (smaller && !blocks_.has_smaller()) continue;
      add_part(backend, tables.direction, blocks_.inside(smaller));
    }
    in_place_ = keeps_places(problem);
  }

  struct Table {
    LineOperation operation;
    EntriesOnDevice entries;
  };
  template <class Entry>
  void set(Table& table, LineOperation operation, const std::vector<Entry>& entries) {
    table.operation = operation;
    table.entries.set(*problem_.stream, entries);
  }

  /// As many as there is memory for, but a pair at least.
  Index lines_at_once() const {
    const Index reals = lines_.points * (lines_.of_complex ? 2 : 1) * (lines_.joined ? 1 : 2);
    return std::clamp(problem_.most_work_bytes / (reals * Index{sizeof(Real)}), Index{2},
                      most_device_lines);
  }

  static Lines lines_of(const LocalProblem& problem, const RealKindTables<Real>& tables) {
    if (problem.kinds[0] == Kind::r2c) return halved_lines(problem);
    return real_lines(problem, tables.points, tables.kind == Kind::r2c);
  }

  void add_part(const LocalBackend& backend, Direction direction, const Axes<LocalAxis>& loops) {
    Part part;
    const auto step = [&](const Table& table, bool input) {
      LineStep result;
      result.operation = table.operation;
      result.precision = problem_.precision;
      result.pairs = line_pairs(lines_, loops, input);
      table.entries.complete(result);
      return result;
    };
    part.prepare = step(prepare_, true);
    part.finish = step(finish_, false);
    const LinePairs& in = part.prepare.pairs;
    const LinePairs& out = part.finish.pairs;
    const Index lines = Index{in.count} * (lines_.joined ? 1 : 2);
    part.bytes = aligned_up(static_cast<std::size_t>(lines * lines_.points) * 2 * sizeof(Real));
    part.fourier_in_place = in.complex_step == out.complex_step;
    std::size_t bytes = part.bytes * (part.fourier_in_place ? 1 : 2);
    if (lines_.points > 1) {
      LocalProblem fourier;
      fourier.transform = {{lines_.points, in.complex_step, out.complex_step}};
      fourier.kinds = {Kind::c2c};
      if (lines > 1) fourier.batch = {{lines, in.complex_pair, out.complex_pair}};
      fourier.direction = direction;
      fourier.precision = problem_.precision;
      fourier.in_place = part.fourier_in_place;
      fourier.preserve_input = false;
      fourier.rigor = problem_.rigor;
      fourier.stream = problem_.stream;
      fourier.most_work_bytes = problem_.most_work_bytes;
      part.fourier = make_local(backend, fourier);
      bytes += aligned_up(part.fourier->work_bytes());
    }
    work_bytes_ = std::max(work_bytes_, bytes);
    parts_.push_back(std::move(part));
  }

  void run(const Part& part, const std::byte* in, std::byte* out, std::byte* work) const {
    std::byte* const result = part.fourier_in_place ? work : work + part.bytes;
    LineStep step = part.prepare;
    step.from = in;
    step.to = work;
    problem_.stream->run(step);
    if (part.fourier) part.fourier->execute(work, result, result + part.bytes);
    step = part.finish;
    step.from = result;
    step.to = out;
    problem_.stream->run(step);
  }

  LocalProblem problem_;
  Lines lines_;
  Blocks blocks_;
  Table prepare_, finish_;
  std::vector<Part> parts_;  ///< for blocks, and for the smaller ones
  std::size_t work_bytes_ = 0;
  bool in_place_ = false;
};

}  // namespace

bool has_places_of_reals(const LocalProblem& problem) {
  const LocalAxis& line = problem.transform[0];
  const Index stride = problem.direction == Direction::forward ? line.out_stride : line.in_stride;
  return stride > 0 && line.length <= most_points && stride <= most_points / (line.length + 2);
}

std::unique_ptr<LocalTransform> make_real_kind_on_device(const LocalBackend& backend,
                                                         const LocalProblem& problem) {
  const Index length = problem.transform[0].length;
  if (length > most_points) {
    throw Error("a cosine or sine transform of " + std::to_string(length) +
                " points; on devices at most " + std::to_string(most_points) + " are possible");
  }
  if (problem.precision == Precision::f32) {
    return std::make_unique<RealKindOnDevice<float>>(backend, problem);
  }
  return std::make_unique<RealKindOnDevice<double>>(backend, problem);
}

}  // namespace weft
