#pragma once

#include <memory>
#include <type_traits>

#include "weft/plan.hpp"

namespace weft {

/// A distributed array, and how much of its halo is exchanged. The same LayoutSpec as in a Plan
/// gives the same boxes in the same memory.
struct HaloProblem {
  Extents shape;  ///< lengths of the global array, 1 to 6 axes
  /// Which box each rank owns and how it lies in memory: with_halo leaves the room for the halo.
  /// With explicit strides the room around the box is the caller's promise, also before the data
  /// pointer, which is that of the first owned element. So a part of any array, such as that of a
  /// plan, is box(array.box).with_strides(array.strides) with the pointer data + array.offset.
  LayoutSpec layout = slab_split(0);
  /// Points exchanged before the box along each axis: at most those of with_halo, which
  /// are the default. They may be more than neighbours own, or than a periodic axis has (up to 16
  /// times its length). With explicit strides they must be given.
  Extents lower = {};
  Extents upper = {};  ///< as many allocated but not owned elements behind the box
  /// Whether the halo of the first points of an axis are the last ones, and the other way round.
  /// Default: along no axis.
  Axes<bool> periodic = {};
  ElementType type = {Precision::f64, false};  ///< real f64
  Index batch = 1;                             ///< number of fields exchanged together
  bool interleaved = false;  ///< fields interleaved per point, otherwise one after another
};

/// The halo exchange of a distributed array, set up once and used many times: the halo of a rank
/// are the points around its box, edges and corners included, which other ranks own, or the rank
/// itself across a periodic border. Each rank sends one message to each rank that needs its points.
///
/// Making and destroying a Halo and all its operations are collective over the communicator given,
/// which is duplicated. All arguments except explicit strides and own boxes must be equal on all
/// ranks. Ranks that own nothing take part with any pointer. An operation allocates nothing; the
/// buffers of the messages belong to the Halo. It must not be used in two threads at a time.
///
/// Errors are thrown as weft::Error on every rank, with the same text; those of an operation when
/// it is complete, and then the array was not written.
class Halo {
 public:
  /// Finds who owns what and makes room for the messages. Collective.
  Halo(MPI_Comm comm, const HaloProblem& problem);
  ~Halo();  ///< collective
  /// The one moved from can only be assigned to or destroyed.
  Halo(Halo&&) noexcept;
  /// The one moved from can only be assigned to or destroyed. Collective, as what was here is
  /// destroyed.
  Halo& operator=(Halo&&) noexcept;

  /// Fills the halo with the points of their owners. All else is left as it is, also the halo
  /// beyond a border that is not periodic. `data` is a pointer to the first allocated element of
  /// this rank's array (with explicit strides: to the first owned one), or a range that begins
  /// there and whose size is checked.
  template <WritableArray Array>
  void exchange(Array&& data) {
    run(Operation::exchange, detail::any_array(data));
  }

  /// The reverse, for what particles leave on points of other ranks: adds what lies in the halos to
  /// the points of their owners, in the same order each time. Halos stay as they are. The halo
  /// beyond a border that is not periodic is not read.
  template <WritableArray Array>
  void accumulate(Array&& data) {
    run(Operation::accumulate, detail::any_array(data));
  }

  /// Starts an exchange and returns, for a caller with other work to do, such as on points that
  /// need no halo. start waits for no other rank. Until wait has returned, or test has returned
  /// true, the array may be read but not be written; start_accumulate changes none of its points
  /// before that. test never waits; once it has returned true it does so until the next start, and
  /// wait returns at once. Where nothing was started, test and wait throw Error.
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

  /// What is done to an array.
  enum class Operation {
    exchange,    ///< fills the halo
    accumulate,  ///< adds up what lies in halos
  };
  /// exchange and accumulate of an array that knows its type.
  void run(Operation operation, const detail::AnyArray& array) {
    start(operation, array);
    wait();
  }
  /// start_exchange and start_accumulate of such an array.
  void start(Operation operation, const detail::AnyArray& array);

  /// What this rank owns and how it has to lie in memory.
  const LocalArray& array() const;
  const Extents& lower() const;  ///< widths before the box, as given or by default
  const Extents& upper() const;  ///< widths after the box
  /// Ranks that this rank sends points to in an exchange, itself not counted.
  int peers() const;
  /// Bytes that this rank sends to others in an exchange.
  Index bytes_sent() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
