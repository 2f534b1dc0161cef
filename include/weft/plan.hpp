#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/arrays.hpp"
#include "weft/options.hpp"
#include "weft/plan_info.hpp"
#include "weft/pointwise.hpp"
#include "weft/problem.hpp"
#include "weft/report.hpp"
#include "weft/timings.hpp"
#include "weft/trace.hpp"

namespace weft {

namespace detail {

/// An array of a range of them.
template <class Fields>
using FieldOf = std::remove_reference_t<decltype(std::begin(std::declval<const Fields&>())[0])>;
/// A range of known length of pointers, or of contiguous ranges, of numbers.
template <class Fields>
concept FieldRange = requires(const Fields& fields) {
  { std::size(fields) } -> std::convertible_to<std::size_t>;
  requires NumberArray<FieldOf<Fields>>;
};

}  // namespace detail

/// A planned distributed transform, made once and used many times.
///
/// Making a plan, running it (start, test and wait too) and destroying it are collective over the
/// communicator given, which is duplicated. All arguments except explicit strides and own boxes
/// must be equal on all ranks. A plan must not run in two threads at a time; different plans may,
/// with MPI_THREAD_MULTIPLE. (Plans whose exchange has windows should be made one after another.)
///
/// forward takes the array in physical space, in the layout `input`, to spectral space in the
/// layout `output`; backward the other way. Input is preserved unless Options::overwrite_input is
/// set or input and output are the same memory. The output, where it has no halo or gaps, serves as
/// workspace before the result is written. Neither allocates memory, creates communicators nor
/// plans (but for copies of arrays of the host, with a plan on a device, when the first such array
/// comes, and of the input there for functions that change it before a library reads it).
///
/// Errors are thrown as weft::Error on every rank, with the same text; then no output was written,
/// unless a function of the caller threw: then the transform is complete.
class Plan {
 public:
  /// Makes a plan. Collective. With Tune::measure this takes Options::tune_seconds if nothing is
  /// known of such a problem: settings that `options` leave open are tried, as whole transforms of
  /// random numbers there and back, and the best are remembered (see read_wisdom). Meanwhile there
  /// are an input, an output and two plans with one workspace between them.
  Plan(MPI_Comm comm, const Problem& problem, const Options& options = {});
  ~Plan();  ///< collective
  /// The one moved from can only be assigned to or destroyed.
  Plan(Plan&&) noexcept;
  /// The one moved from can only be assigned to or destroyed. Collective, as what was here is
  /// destroyed.
  Plan& operator=(Plan&&) noexcept;
  /// Destroys what the plan is made of, as its destructor does; then it can only be assigned to or
  /// destroyed. Ranks must destroy plans in the same order. A rank waits 60 seconds for the others
  /// (or as many as the environment says in WEFT_DESTROY_TIMEOUT); then it throws Error, and what
  /// the plan is made of stays allocated until the program ends. The destructor writes the text of
  /// that error to stderr. After MPI_Finalize only memory is freed.
  void free();

  /// Transforms from physical to spectral space.
  ///
  /// Arrays are given as pointers to the first allocated element, or as vectors, spans and other
  /// contiguous ranges, whose sizes are checked. Equal pointers: in place, which needs arrays of
  /// equal size in bytes (see LayoutSpec::padded_for_r2c).
  ///
  /// Load and store callbacks may be given: on_input(f) is applied to the numbers read,
  /// on_output(f) to those written, f(value, point) with a reference to the number and the Point it
  /// belongs to:
  ///
  ///     // kx[i]: derivative_wavenumber(weft::c2c, i, n, length)
  ///     plan.backward(uh, ux, weft::on_input([&](std::complex<double>& value, const weft::Point&
  ///     p) {
  ///       value *= std::complex(0.0, kx[p.index[0]]);
  ///     }));
  ///
  /// They are called once for each number (on_input: again where messages are sent once more), in
  /// any order and from all threads of the plan at a time, and may read other arrays of the same
  /// layout at `point.offset`. Every rank must give functions for the same sides. If one throws on
  /// any rank, the transform is completed, and then every rank throws Error with the text of the
  /// exception.
  template <NumberArray In, NumberArray Out, detail::PointStage... Stages>
  void forward(const In& in, Out&& out, const Stages&... stages) {
    run(Direction::forward, of(in), of(out), functions<In, Out>(stages...));
  }
  /// Transforms from spectral to physical space; otherwise as forward.
  template <NumberArray In, NumberArray Out, detail::PointStage... Stages>
  void backward(const In& in, Out&& out, const Stages&... stages) {
    run(Direction::backward, of(in), of(out), functions<In, Out>(stages...));
  }

  /// Starts a transform, for a caller with other work to do meanwhile: it returns once the first
  /// messages have set out, and the arrays must be left alone until wait has returned or test has
  /// returned true. test never waits; it goes on with what has arrived. Every rank must call the
  /// same sequence of starts and waits, but test as often as it likes. With exchanges that block
  /// (`alltoall`, `alltoallv`, `alltoallw`, `persistent`, and what goes by them between nodes) and
  /// with lossless messages start does all of the transform. On a device, that wait has returned,
  /// or test has returned true, means that all is in Options::stream; with arrays of the host they
  /// wait for the result.
  ///
  /// Whatever the exchange, a transform is under way until this rank has called wait, or test has
  /// returned true. Meanwhile all other calls that run or trace are refused: they throw Error on
  /// every rank where the transform is under way on any, and it can be waited for all the same. So
  /// is set_workspace. Once test has returned true, it does so until the next transform, and wait
  /// returns at once. Where nothing was started, test and wait throw Error.
  template <NumberArray In, NumberArray Out>
  void start_forward(const In& in, Out&& out) {
    start(Direction::forward, of(in), of(out));
  }
  /// Transforms backward, likewise.
  template <NumberArray In, NumberArray Out>
  void start_backward(const In& in, Out&& out) {
    start(Direction::backward, of(in), of(out));
  }
  bool test();  ///< whether the transform that was started is complete; goes on with it
  void wait();  ///< completes the transform that was started

  /// Calls `work` once while messages are under way. If it throws on any rank, the transform is
  /// completed all the same, and then every rank throws Error with the text of the exception.
  template <NumberArray In, NumberArray Out, std::invocable Work>
  void forward_while(const In& in, Out&& out, Work&& work) {
    start_forward(in, out);
    wait_after(std::forward<Work>(work));
  }
  /// Transforms backward, likewise.
  template <NumberArray In, NumberArray Out, std::invocable Work>
  void backward_while(const In& in, Out&& out, Work&& work) {
    start_backward(in, out);
    wait_after(std::forward<Work>(work));
  }

  /// Transforms many fields, such as the components of a velocity: in[i] to out[i]. Both are ranges
  /// of equal length, of pointers or of contiguous ranges. With Options::fields_in_flight above 1
  /// one field is worked on while messages of another are under way. A field may be in place, but
  /// not in the place of another one.
  template <detail::FieldRange In, detail::FieldRange Out, detail::PointStage... Stages>
  void forward_many(const In& in, const Out& out, const Stages&... stages) {
    run_many(Direction::forward, of_fields(in), of_fields(out),
             functions<detail::FieldOf<In>, detail::FieldOf<Out>>(stages...));
  }
  /// Transforms backward, likewise.
  template <detail::FieldRange In, detail::FieldRange Out, detail::PointStage... Stages>
  void backward_many(const In& in, const Out& out, const Stages&... stages) {
    run_many(Direction::backward, of_fields(in), of_fields(out),
             functions<detail::FieldOf<In>, detail::FieldOf<Out>>(stages...));
  }

  /// forward and backward of arrays that know their types.
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out,
           const detail::PointFunctions& functions = {});
  /// start_forward and start_backward of such arrays.
  void start(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out);
  /// forward_many and backward_many of such arrays.
  void run_many(Direction direction, std::span<const detail::AnyArray> in,
                std::span<const detail::AnyArray> out,
                const detail::PointFunctions& functions = {});

  /// What this rank owns in physical space, and how it has to lie in memory.
  const LocalArray& input() const;
  /// What this rank owns in spectral space, and how it has to lie in memory.
  const LocalArray& output() const;
  /// What was planned and chosen, and what it takes: exchange, threads, workspace, traffic and
  /// more.
  const PlanInfo& info() const;
  /// Uses the caller's memory, aligned to 64 bytes and of the plan's device, instead of the plan's
  /// own, which is freed. Not collective; the memory must stay valid as long as the plan runs.
  void set_workspace(std::span<std::byte> memory);
  /// The schedule of both directions in words: stages, axes, layouts, peers, bytes.
  std::string describe() const;
  /// Steps of the last forward or backward on this rank. On a device it waits for their end; there
  /// are no times of a run that was captured in a graph.
  const std::vector<StageTiming>& timings() const;
  /// From here on every rank records when it does what, until stop_trace. Collective, while no
  /// transform is under way. Plans that are not traced take no time or memory for it; those that
  /// are put an event into a stream for each span on a device, and cannot be captured in a graph.
  void start_trace();
  /// Ends that, and gathers what all ranks did on rank 0 of the plan's communicator. Collective,
  /// while no transform is under way; on a device it waits for the end of all runs.
  Trace stop_trace();
  /// What compression did in the last transform (of forward_many: to the last field).
  Report report() const;
  /// What it did to one field of the last transform: of forward_many and backward_many from 0,
  /// otherwise 0. Not collective; throws Error where there was no such field.
  Report report(Index field) const;
  /// The plan's own communicator; only for collective operations between runs of the plan.
  MPI_Comm communicator() const;

 private:
  template <NumberArray Array>
  static detail::AnyArray of(const Array& array) {
    return detail::any_array(array);
  }

  template <class In, class Out, class... Stages>
  static detail::PointFunctions functions(const Stages&... stages) {
    detail::PointFunctions result;
    (stages.template add_to<detail::NumberOf<In>, detail::NumberOf<Out>>(result), ...);
    return result;
  }

  /// The fields of forward_many, whatever range holds them.
  struct Fields {
    std::size_t count;
    const void* range;
    detail::AnyArray (*field)(const void* range, std::size_t i);
  };

  static Fields of_fields(const std::span<const detail::AnyArray>& arrays) {
    return {arrays.size(), &arrays, [](const void* fields, std::size_t i) {
              return (*static_cast<const std::span<const detail::AnyArray>*>(fields))[i];
            }};
  }
  template <class Range>
  static Fields of_fields(const Range& range) {
    return {std::size(range), &range, [](const void* fields, std::size_t i) {
              const auto& one = std::begin(*static_cast<const Range*>(fields))[i];
              return of(one);
            }};
  }

  template <class Work>
  void wait_after(Work&& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    wait_and_agree(failure);
  }

  void wait_and_agree(const std::exception_ptr& failure);
  void run_many(Direction direction, const Fields& in, const Fields& out,
                const detail::PointFunctions& functions);

  class Implementation;
  explicit Plan(std::unique_ptr<Implementation> made);
  /// Tunes first, where that is asked for and nothing is known.
  static std::unique_ptr<Implementation> make(MPI_Comm comm, const Problem& problem,
                                              const Options& options);

  friend class HostArray;
  friend class PlanMemory;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
