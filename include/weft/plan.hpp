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

/// The type of an array in a range of arrays.
template <class Fields>
using FieldOf = std::remove_reference_t<decltype(std::begin(std::declval<const Fields&>())[0])>;
/// A range of known length whose elements are pointers to numbers, or contiguous ranges of numbers.
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
/// workspace before the result is written. Neither allocates memory, creates communicators or makes
/// plans. (Exceptions, with plans on devices: memory for copies of host arrays, when the first one
/// is passed, and for a copy of the input for callbacks that change it before a library reads it.)
///
/// Errors are thrown as weft::Error on every rank, with the same text. No output was written then,
/// unless a callback threw: in that case the transform is complete.
class Plan {
 public:
  /// Makes a plan. Collective. With Tune::measure, and if no settings are known for such a problem,
  /// this takes Options::tune_seconds: settings that `options` does not give are tried with forward
  /// and backward transforms of random numbers, and the best are remembered (see read_wisdom). This
  /// needs memory for an input, an output, and two plans that share one workspace.
  Plan(MPI_Comm comm, const Problem& problem, const Options& options = {});
  ~Plan();  ///< collective
  /// A plan that was moved from can only be assigned to or destroyed.
  Plan(Plan&&) noexcept;
  /// Destroys this plan first, so it is collective. A plan that was moved from can only be assigned
  /// to or destroyed.
  Plan& operator=(Plan&&) noexcept;
  /// Frees everything that the plan owns, as its destructor does; afterwards it can only be
  /// assigned to or destroyed. Ranks must destroy plans in the same order. A rank waits 60 seconds
  /// for the others, or as many as the environment variable WEFT_DESTROY_TIMEOUT says. Then it
  /// throws Error, and memory and communicators stay allocated until the program ends. The
  /// destructor writes the text of that error to stderr. After MPI_Finalize only memory is freed.
  void free();

  /// Transforms from physical to spectral space.
  ///
  /// Arrays are given as pointers to the first allocated element, or as vectors, spans and other
  /// contiguous ranges, whose sizes are checked. Equal pointers: in place, which needs arrays of
  /// equal size in bytes (see LayoutSpec::padded_for_r2c).
  ///
  /// Optional load and store callbacks: on_input(f) is applied to elements as they are loaded,
  /// on_output(f) before they are stored. f(value, point) gets a reference to the element and its
  /// Point:
  ///
  ///     // kx[i]: derivative_wavenumber(weft::c2c, i, n, length)
  ///     plan.backward(uh, ux, weft::on_input([&](std::complex<double>& value, const weft::Point&
  ///     p) {
  ///       value *= std::complex(0.0, kx[p.index[0]]);
  ///     }));
  ///
  /// Callbacks are called once for each element (on_input: again if messages are sent again), in
  /// any order, and from all threads of the plan at a time. They may read other arrays of the same
  /// layout at `point.offset`. Every rank must give callbacks for the same sides. If one throws on
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

  /// Starts a transform, so that the caller can do other work meanwhile. It returns once the first
  /// messages have been sent. Do not access the arrays until wait has returned or test has returned
  /// true. test makes progress and never waits. Every rank must call the same sequence of starts
  /// and waits, but test as often as it likes. With exchanges that block (`alltoall`, `alltoallv`,
  /// `alltoallw`, `persistent`, also between nodes only) and with lossless messages, start does the
  /// whole transform. On a device, wait returns, and test returns true, when all work has been
  /// submitted to Options::stream; with host arrays they wait for the result.
  ///
  /// Whatever the exchange, a transform is under way until this rank has called wait, or test has
  /// returned true. Until then, all other calls that run or trace throw Error on every rank if the
  /// transform is under way on any rank; so does set_workspace. The transform can still be waited
  /// for. Once test has returned true, it does so until the next transform, and wait returns at
  /// once. If nothing was started, test and wait throw Error.
  template <NumberArray In, NumberArray Out>
  void start_forward(const In& in, Out&& out) {
    start(Direction::forward, of(in), of(out));
  }
  /// The same for the backward transform.
  template <NumberArray In, NumberArray Out>
  void start_backward(const In& in, Out&& out) {
    start(Direction::backward, of(in), of(out));
  }
  bool test();  ///< makes progress; whether the transform that was started is complete
  void wait();  ///< completes the transform that was started

  /// Calls `work` once while messages are under way. If it throws on any rank, the transform is
  /// completed all the same, and then every rank throws Error with the text of the exception.
  template <NumberArray In, NumberArray Out, std::invocable Work>
  void forward_while(const In& in, Out&& out, Work&& work) {
    start_forward(in, out);
    wait_after(std::forward<Work>(work));
  }
  /// The same for the backward transform.
  template <NumberArray In, NumberArray Out, std::invocable Work>
  void backward_while(const In& in, Out&& out, Work&& work) {
    start_backward(in, out);
    wait_after(std::forward<Work>(work));
  }

  /// Transforms many fields, such as the components of a velocity: in[i] to out[i]. Both are ranges
  /// of equal length, of pointers or of contiguous ranges. With Options::fields_in_flight above 1,
  /// one field is transformed while messages of another one travel. Fields may be transformed in
  /// place, but must not overlap other fields.
  template <detail::FieldRange In, detail::FieldRange Out, detail::PointStage... Stages>
  void forward_many(const In& in, const Out& out, const Stages&... stages) {
    run_many(Direction::forward, of_fields(in), of_fields(out),
             functions<detail::FieldOf<In>, detail::FieldOf<Out>>(stages...));
  }
  /// The same for the backward transform.
  template <detail::FieldRange In, detail::FieldRange Out, detail::PointStage... Stages>
  void backward_many(const In& in, const Out& out, const Stages&... stages) {
    run_many(Direction::backward, of_fields(in), of_fields(out),
             functions<detail::FieldOf<In>, detail::FieldOf<Out>>(stages...));
  }

  /// forward and backward of arrays whose types are known at run time.
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out,
           const detail::PointFunctions& functions = {});
  /// start_forward and start_backward of arrays whose types are known at run time.
  void start(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out);
  /// forward_many and backward_many of arrays whose types are known at run time.
  void run_many(Direction direction, std::span<const detail::AnyArray> in,
                std::span<const detail::AnyArray> out,
                const detail::PointFunctions& functions = {});

  /// This rank's array in physical space: its box, and its place in memory.
  const LocalArray& input() const;
  /// This rank's array in spectral space: its box, and its place in memory.
  const LocalArray& output() const;
  /// Everything that was chosen, and the cost: exchange, threads, workspace, bytes sent and more.
  const PlanInfo& info() const;
  /// Replaces the workspace by memory of the caller, aligned to 64 bytes and of the plan's device.
  /// The old workspace is freed. Not collective; the memory must stay valid as long as the plan
  /// runs.
  void set_workspace(std::span<std::byte> memory);
  /// The schedule of both directions in words: stages, axes, layouts, peers, bytes.
  std::string describe() const;
  /// Times of the steps of the last forward or backward on this rank. On a device it waits until
  /// they are complete; runs that were captured in a graph have no times.
  const std::vector<StageTiming>& timings() const;
  /// Starts a trace: until stop_trace every rank records when it does what. Collective, while no
  /// transform is under way. Without a trace this costs no time or memory. On a device a trace puts
  /// an event into a stream for each span, and the plan cannot be captured in a graph.
  void start_trace();
  /// Ends the trace and gathers the spans of all ranks on rank 0 of the plan's communicator.
  /// Collective, while no transform is under way; on a device it waits until all runs are complete.
  Trace stop_trace();
  /// The effect of compression in the last transform (of forward_many: on the last field).
  Report report() const;
  /// The effect of compression on one field of the last transform: fields of forward_many and
  /// backward_many are numbered from 0; otherwise the field is 0. Not collective; throws Error if
  /// there was no such field.
  Report report(Index field) const;
  /// The plan's own communicator. Use it only for collective operations between runs of the plan.
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
  /// Tunes first, if asked for and no settings are known.
  static std::unique_ptr<Implementation> make(MPI_Comm comm, const Problem& problem,
                                              const Options& options);

  friend class HostArray;
  friend class PlanMemory;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
