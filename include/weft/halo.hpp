#pragma once

#include <memory>
#include <type_traits>

#include "weft/plan.hpp"

namespace weft {

/// A distributed array, and how much of its halo is exchanged. With the LayoutSpec of a Plan, boxes
/// and memory are the same as in that plan.
struct HaloProblem {
  Extents shape;  ///< lengths of the global array, 1 to 6 axes
  /// Which box each rank owns and how it lies in memory; with_halo leaves room for the halo. With
  /// explicit strides the caller guarantees that there is room around the box, also before the data
  /// pointer, which points to the first owned element. So an existing array, such as a plan's, has
  /// the layout box(array.box).with_strides(array.strides) and the pointer data + array.offset.
  LayoutSpec layout = slab_split(0);
  /// Width of the halo before the box along each axis: at most that of with_halo, which is the
  /// default. It may exceed the box of the neighbor, and even the length of a periodic axis (up to
  /// 16 times). It must be given with explicit strides.
  Extents lower = {};
  Extents upper = {};  ///< width of the halo behind the box
  /// Whether the halo wraps around, per axis. Default: along no axis.
  Axes<bool> periodic = {};
  ElementType type = {Precision::f64, false};  ///< real f64
  Index batch = 1;                             ///< number of fields exchanged together
  bool interleaved = false;  ///< fields interleaved per point, otherwise one after another
};

/// The halo exchange of a distributed array, set up once and used many times. The halo of a rank
/// consists of the points around its box, including edges and corners, that other ranks own, or the
/// rank itself across a periodic border. Each rank sends one message to each rank that needs its
/// points.
///
/// Making and destroying a Halo and all its operations are collective over the communicator given,
/// which is duplicated. All arguments except explicit strides and own boxes must be equal on all
/// ranks. Ranks that own nothing take part and pass any pointer. Operations allocate nothing; the
/// message buffers belong to the Halo. Do not use one in two threads at a time.
///
/// Errors are thrown as weft::Error on every rank, with the same text. Operations throw when they
/// are complete; the array was not written then.
class Halo {
 public:
  /// Sets up the messages and their buffers. Collective.
  Halo(MPI_Comm comm, const HaloProblem& problem);
  ~Halo();  ///< collective
  /// An object that was moved from can only be assigned to or destroyed.
  Halo(Halo&&) noexcept;
  /// Destroys this object first, so it is collective. An object that was moved from can only be
  /// assigned to or destroyed.
  Halo& operator=(Halo&&) noexcept;

  /// Fills the halo with the values of the owners. Nothing else changes, including the halo beyond
  /// borders that are not periodic. `data` is a pointer to the first allocated element of this
  /// rank's array (with explicit strides: to the first owned one), or a range that begins there and
  /// whose size is checked.
  template <WritableArray Array>
  void exchange(Array&& data) {
    run(Operation::exchange, detail::any_array(data));
  }

  /// The reverse, for example to collect the charge of particles: adds the values in the halos to
  /// the points of their owners, in the same order each time. Halos do not change. The halo beyond
  /// borders that are not periodic is not read.
  template <WritableArray Array>
  void accumulate(Array&& data) {
    run(Operation::accumulate, detail::any_array(data));
  }

  /// Starts an exchange and returns, so that the caller can do other work, for example on points
  /// that need no halo. It does not wait for other ranks. Until wait has returned, or test has
  /// returned true, the array may be read but not written; start_accumulate does not change it
  /// before that. test never waits; once it has returned true, it does so until the next start, and
  /// wait returns at once. If nothing was started, test and wait throw Error.
  template <WritableArray Array>
  void start_exchange(Array&& data) {
    start(Operation::exchange, detail::any_array(data));
  }
  /// Starts an accumulation and returns.
  template <WritableArray Array>
  void start_accumulate(Array&& data) {
    start(Operation::accumulate, detail::any_array(data));
  }
  bool test();  ///< whether the operation that was started is complete
  void wait();  ///< completes it

  /// The operation on an array.
  enum class Operation {
    exchange,    ///< fills the halo
    accumulate,  ///< adds the values in halos to their owners
  };
  /// exchange and accumulate of an array whose type is known at run time.
  void run(Operation operation, const detail::AnyArray& array) {
    start(operation, array);
    wait();
  }
  /// start_exchange and start_accumulate of such an array.
  void start(Operation operation, const detail::AnyArray& array);

  /// This rank's array: its box, and its place in memory.
  const LocalArray& array() const;
  const Extents& lower() const;  ///< widths before the box, as given or by default
  const Extents& upper() const;  ///< widths after the box
  /// Number of other ranks that this rank sends points to in an exchange.
  int peers() const;
  /// Number of bytes that this rank sends to others in an exchange.
  Index bytes_sent() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
