#include "local/real_kind_host.hpp"

#include <algorithm>

#include "device/alignment.hpp"
#include "local/line_cursor.hpp"
#include "local/loops.hpp"
#include "local/row_kernels.hpp"

namespace weft {

namespace {

/// Lines in groups: a group becomes rows of neighboring lines in scratch memory, goes through the
/// tables and the Fourier transform, and is written to the output.
template <class Real>
class RealKindOnHost : public LocalTransform {
 public:
  RealKindOnHost(const LocalBackend& backend, const LocalProblem& problem)
      : tables_(real_kind_tables<Real>(problem.kinds[0], problem.direction,
                                       problem.transform[0].length, problem.orthogonal)),
        kernels_(row_kernels<Real>(usable_instruction_sets().back())),
        line_(problem.transform[0]),
        threads_(problem.threads) {
    loops_ = problem.batch;
    if (!problem.real_data) {
      // Complex data is lines of real parts and lines of imaginary parts. Contiguous ones are read
      // together, as lines of twice as many numbers.
      parts_ = line_.in_stride == 1 && line_.out_stride == 1 ? 2 : 1;
      line_.in_stride *= 2;
      line_.out_stride *= 2;
      for (LocalAxis& loop : loops_) {
        loop.in_stride *= 2;
        loop.out_stride *= 2;
      }
      if (parts_ == 1) loops_.push_back({2, 1, 1});
    }
    loops_ = merged_loops(loops_);
    place_lines();
    choose_groups();
    const int inner_threads = groups_ == 1 ? threads_ : 1;
    whole_ = make_local(backend, fourier(parts_ * group_lines_, problem, inner_threads));
    if (rest_lines_ != group_lines_) {
      rest_ = make_local(backend, fourier(parts_ * rest_lines_, problem, inner_threads));
    }
    in_place_ = line_.in_stride == line_.out_stride &&
                std::all_of(loops_.begin(), loops_.end(), [](const LocalAxis& loop) {
                  return loop.in_stride == loop.out_stride;
                });
  }

  std::size_t work_bytes() const override {
    return thread_bytes() * static_cast<std::size_t>(groups_ == 1 ? 1 : threads_);
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    share_out(groups_, threads_, [&](int thread, Index from, Index to) {
      run_groups(from, to, reinterpret_cast<const Real*>(in), reinterpret_cast<Real*>(out),
                 work + static_cast<std::size_t>(thread) * thread_bytes());
    });
  }

  /// Lines are read to their end before they are written.
  bool works_in_place() const override { return in_place_; }

 private:
  /// A buffer holds the lines, or what the Fourier transform reads or writes.
  std::size_t buffer_bytes(Index lines) const {
    const Index reals = std::max(line_.length, 2 * (tables_.points / 2 + 1));
    return aligned_up(static_cast<std::size_t>(reals * lines) * sizeof(Real));
  }

  /// Where the step before or after only moves numbers, lines that have to become rows do that step
  /// on the way.
  void place_lines() {
    const auto n = static_cast<std::size_t>(line_.length);
    std::vector<RowPlace<Real>> as_it_is, gathered(n, {-1, 0}), scattered;
    for (Index e = 0; e < line_.length; ++e) as_it_is.push_back({e, 1});
    gathers_prepared_ = tables_.prepare_plain.size() == n;
    for (Index row = 0; row < line_.length && gathers_prepared_; ++row) {
      const PlainTerm<Real>& term = tables_.prepare_plain[static_cast<std::size_t>(row)];
      RowPlace<Real>& place = gathered[static_cast<std::size_t>(term.from)];
      gathers_prepared_ = place.row < 0;
      place = {row, term.factor};
    }
    for (const PlainTerm<Real>& term : tables_.finish_plain) {
      scattered.push_back({term.from, term.factor});
    }
    gather_ = of_parts(gathers_prepared_ ? gathered : as_it_is);
    scatter_ = of_parts(scattered.empty() ? as_it_is : scattered);
    Index to = 0;
    for (const PartTerm<Real>& term : tables_.finish_parts) finish_parts_.push_back({to++, term});
    std::stable_sort(finish_parts_.begin(), finish_parts_.end(),
                     [](const PlacedPart<Real>& a, const PlacedPart<Real>& b) {
                       return a.term.from < b.term.from;
                     });
  }

  /// Real and imaginary parts of a number have rows side by side.
  std::vector<RowPlace<Real>> of_parts(const std::vector<RowPlace<Real>>& places) const {
    std::vector<RowPlace<Real>> result;
    for (const RowPlace<Real>& place : places) {
      for (Index part = 0; part < parts_; ++part) {
        result.push_back({parts_ * place.row + part, place.factor});
      }
    }
    return result;
  }

  /// As many lines to a group as stay in the first two levels of cache, but if possible a cache
  /// line of them, and less where the longest lines would take all memory; groups do not go beyond
  /// the loop over lines that lie side by side if it is long enough.
  void choose_groups() {
    constexpr std::size_t group_bytes = 128 * 1024, most_bytes = 16 * 1024 * 1024;
    constexpr Index unit = 64 / sizeof(Real);
    const auto fitting = [&](std::size_t bytes) {
      return static_cast<Index>(bytes / (2 * buffer_bytes(1)));
    };
    Index most = std::clamp(fitting(group_bytes) / unit * unit, unit, most_lines);
    most = std::max<Index>(std::min(most, fitting(most_bytes)) / parts_, 1);
    Index lines = 1;
    for (const LocalAxis& loop : loops_) lines *= loop.length;
    run_lines_ = lines;
    if (!loops_.empty() && 2 * loops_.back().length >= unit &&
        (loops_.back().in_stride == 1 || loops_.back().out_stride == 1)) {
      run_lines_ = loops_.back().length;
    }
    groups_of_run_ = (run_lines_ + most - 1) / most;
    group_lines_ = (run_lines_ + groups_of_run_ - 1) / groups_of_run_;
    if (group_lines_ < run_lines_ && group_lines_ > unit) {
      group_lines_ = std::min((group_lines_ + unit - 1) / unit * unit, most);
    }
    groups_of_run_ = (run_lines_ + group_lines_ - 1) / group_lines_;
    rest_lines_ = run_lines_ - (groups_of_run_ - 1) * group_lines_;
    groups_ = lines / run_lines_ * groups_of_run_;
  }

  LocalProblem fourier(Index lines, const LocalProblem& problem, int threads) const {
    LocalProblem inner;
    inner.transform = {{tables_.points, lines, lines}};
    inner.kinds = {tables_.kind};
    if (lines > 1) inner.batch = {{lines, 1, 1}};
    inner.direction = tables_.direction;
    inner.precision = problem.precision;
    inner.preserve_input = false;
    inner.threads = threads;
    inner.rigor = problem.rigor;
    return inner;
  }

  /// Two buffers, and what Fourier transforms need.
  std::size_t thread_bytes() const {
    const std::size_t rest = rest_ == nullptr ? 0 : rest_->work_bytes();
    return 2 * buffer_bytes(parts_ * group_lines_) +
           aligned_up(std::max(whole_->work_bytes(), rest));
  }

  void run_groups(Index from, Index to, const Real* in, Real* out, std::byte* scratch) const {
    for (Index group = from; group < to; ++group) {
      const Index part = group % groups_of_run_;
      const bool last = part == groups_of_run_ - 1;
      const LineCursor<Real> cursor(loops_, in, out,
                                    group / groups_of_run_ * run_lines_ + part * group_lines_);
      run_group(cursor, last ? rest_lines_ : group_lines_,
                last && rest_ != nullptr ? *rest_ : *whole_, scratch);
    }
  }

  void run_group(LineCursor<Real> cursor, Index lines, const LocalTransform& transform,
                 std::byte* scratch) const {
    const Real* in[most_lines];
    Real* out[most_lines];
    for (Index line = 0; line < lines; ++line) {
      in[line] = cursor.in();
      out[line] = cursor.out();
      cursor.advance();
    }
    const Index columns = parts_ * lines;
    std::byte* const other = scratch + buffer_bytes(parts_ * group_lines_);
    std::byte* const work = other + buffer_bytes(parts_ * group_lines_);
    auto* const first = reinterpret_cast<Real*>(scratch);
    auto* const second = reinterpret_cast<Real*>(other);

    const bool in_rows = are_rows(in, lines);
    const Rows<const Real> source =
        in_rows ? Rows<const Real>{in[0], line_.in_stride} : Rows<const Real>{first, columns};
    if (!in_rows) {
      Real* const gathered = gathers_prepared_ ? second : first;
      kernels_.gather(in, gap(line_.in_stride), gather_, {gathered, lines}, lines);
    }
    if (tables_.prepare_plain.empty()) {
      kernels_.pairs(tables_.prepare_pairs, source, {second, 2 * columns}, columns);
    } else if (in_rows || !gathers_prepared_) {
      kernels_.plain(tables_.prepare_plain, source, {second, columns}, columns);
    }
    transform.execute(other, scratch, work);
    const bool out_rows = are_rows(out, lines);
    const Rows<Real> target =
        out_rows ? Rows<Real>{out[0], line_.out_stride} : Rows<Real>{second, columns};
    const bool scatters_finished = tables_.finish_parts.empty();
    if (tables_.finish_plain.empty()) {
      kernels_.parts(finish_parts_, {first, 2 * columns}, target, columns);
    } else if (out_rows) {
      kernels_.plain(tables_.finish_plain, {first, columns}, target, columns);
    }
    if (!out_rows) {
      Real* const finished = scatters_finished ? first : second;
      kernels_.scatter({finished, lines}, scatter_, out, gap(line_.out_stride), lines);
    }
  }

  /// Between the numbers of a line.
  Index gap(Index stride) const { return parts_ == 2 ? 1 : stride; }

  /// Whether lines are side by side as they lie.
  template <class Number>
  bool are_rows(Number* const* lines, Index count) const {
    for (Index line = 1; line < count; ++line) {
      if (lines[line] != lines[0] + line) return false;
    }
    return parts_ == 1;
  }

  static constexpr Index most_lines = 64;  ///< of a group: more would not make it faster

  RealKindTables<Real> tables_;
  std::vector<PlacedPart<Real>> finish_parts_;    ///< of the tables, the same coefficients in a row
  std::vector<RowPlace<Real>> gather_, scatter_;  ///< of the numbers of a line
  bool gathers_prepared_ = false;                 ///< the Fourier transform reads what is gathered
  RowKernels<Real> kernels_;
  LocalAxis line_;         ///< strides in reals
  Index parts_ = 1;        ///< 2: lines are of complex numbers, real and imaginary parts in turn
  Axes<LocalAxis> loops_;  ///< the last one holds lines that are neighbors
  int threads_;
  bool in_place_ = false;
  Index run_lines_ = 1;  ///< lines that groups do not go beyond
  Index groups_of_run_ = 1;
  Index group_lines_ = 1;
  Index rest_lines_ = 1;  ///< of the last group of a run
  Index groups_ = 1;
  std::unique_ptr<LocalTransform> whole_;
  std::unique_ptr<LocalTransform> rest_;  ///< null where the last group is like the others
};

}  // namespace

std::unique_ptr<LocalTransform> make_real_kind_on_host(const LocalBackend& backend,
                                                       const LocalProblem& problem) {
  if (problem.precision == Precision::f32) {
    return std::make_unique<RealKindOnHost<float>>(backend, problem);
  }
  return std::make_unique<RealKindOnHost<double>>(backend, problem);
}

}  // namespace weft
