#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "weft/error.hpp"

namespace weft::python {

namespace nb = nanobind;

/// An object whose making, use and destruction are collective, and what Python may not let go of
/// before it: the arrays of an operation under way.
struct CollectiveEntry {
  virtual ~CollectiveEntry() = default;
  virtual bool is_destroyed() const = 0;  ///< as on all ranks
  virtual void destroy() = 0;
  /// Objects of this process that have been made and not destroyed.
  static int living();

  std::mutex running;  ///< it must not run in two threads at a time
  nb::object arrays;
  bool is_abandoned = false;

 protected:
  static void count(int more);
};

/// The objects of a communicator, in the order in which they were made, which is the same on all
/// ranks. It is attached to the communicator of the caller.
///
/// Destroying an object is collective, but the garbage of different ranks is collected at different
/// times. So one that is collected is only marked, and destroyed when the next one on its
/// communicator is made, if by then it is marked on all ranks.
class CollectiveSet {
 public:
  static CollectiveSet& of(MPI_Comm comm);

  void add(std::shared_ptr<CollectiveEntry> entry) { entries_.push_back(std::move(entry)); }
  /// Collective over `agreement`, which has the same ranks: takes out what is marked on all ranks.
  /// To be called with Python's lock, which it lets go of meanwhile.
  std::vector<std::shared_ptr<CollectiveEntry>> take_abandoned(MPI_Comm agreement);

 private:
  static int on_delete(MPI_Comm comm, int keyval, void* set, void* extra);
  static int keyval();

  std::vector<std::shared_ptr<CollectiveEntry>> entries_;
};

/// Held while MPI is used, where it does not let several threads in at a time.
class MpiTurn {
 public:
  MpiTurn();

 private:
  std::unique_lock<std::mutex> lock_;
};

/// While it exists this thread is inside a callback of a transform. It must not wait for other
/// ranks there, nor for the transform.
class InsideCallback {
 public:
  InsideCallback();
  ~InsideCallback();
  InsideCallback(const InsideCallback&) = delete;
  InsideCallback& operator=(const InsideCallback&) = delete;

  static bool holds();
  /// Throws Error where it holds.
  static void refuse();
};

/// Begins to make an object on a communicator: the ranks agree whether one of them could not read
/// its arguments, and destroy what all of them have forgotten. Collective; with Python's lock,
/// which it lets go of meanwhile. Returns where the new object belongs; null on a single rank.
CollectiveSet* begin_making(MPI_Comm comm, const std::optional<Error>& error);
/// What garbage collection must not destroy now is destroyed when the next object is made.
void destroy_later(std::shared_ptr<CollectiveEntry> entry);

/// What Python has of an object of the library whose making, use and destruction are collective.
/// Errors come on every rank; Python's lock is not held while ranks wait for each other.
template <class T>
class Collective {
 public:
  /// `name` is what users call it.
  explicit Collective(const char* name) : entry_(std::make_shared<Entry>()), name_(name) {}
  ~Collective();
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  /// Collective. `comm` is Fortran's handle; `refusal` says what Python found wrong with the
  /// arguments, read() brings them into plain types and may fail on one rank only. make() returns a
  /// pointer to the object.
  template <class Read, class Make>
  void create(int comm, const std::string& refusal, Read&& read, Make&& make) {
    InsideCallback::refuse();
    std::optional<Error> error;
    try {
      if (!refusal.empty()) throw Error(refusal);
      read();
    } catch (const Error& failure) {
      error = failure;
    } catch (const std::exception& failure) {
      error = Error(failure.what());
    }
    CollectiveSet* const set = begin_making(MPI_Comm_f2c(comm), error);
    is_single_ = set == nullptr;
    {
      const nb::gil_scoped_release released;
      const MpiTurn turn;
      entry_->take(make());
    }
    if (set != nullptr) set->add(entry_);
  }

  bool is_destroyed() const { return entry_->is_destroyed(); }
  /// Throws Error for an object that cannot be used any more.
  T& get() const;
  /// What `work` returns of the object, which no other thread uses meanwhile. Without Python's
  /// lock.
  template <class Work>
  auto alone(Work&& work) const {
    InsideCallback::refuse();
    const nb::gil_scoped_release released;
    const std::lock_guard running(entry_->running);
    const MpiTurn turn;
    return work(get());
  }
  /// Begins an operation that needs these arrays until it has ended.
  template <class Work>
  void begin(nb::object arrays, Work&& work) const {
    alone(work);
    entry_->arrays = std::move(arrays);
  }
  bool test() const {
    return proceed([](T& of) { return of.test(); });
  }
  void wait() const {
    proceed([](T& of) {
      of.wait();
      return true;
    });
  }
  /// Goes on with it by work(object), which tells whether it has ended.
  template <class Work>
  bool proceed(Work&& work) const {
    const bool done = alone(work);
    if (done) entry_->arrays.reset();
    return done;
  }
  /// Collective.
  void destroy();

 private:
  struct Entry : CollectiveEntry {
    bool is_destroyed() const override { return object == nullptr; }
    void take(std::unique_ptr<T> made) {
      object = std::move(made);
      count(1);
    }
    void destroy() override {
      object.reset();
      count(-1);
    }

    std::unique_ptr<T> object;
  };

  std::shared_ptr<Entry> entry_;
  const char* name_;
  bool is_single_ = false;  // of one rank
};

template <class T>
Collective<T>::~Collective() {
  if (is_destroyed()) return;
  if (is_single_ && !InsideCallback::holds()) {
    const nb::gil_scoped_release released;
    const MpiTurn turn;
    entry_->destroy();
  } else if (is_single_) {
    destroy_later(std::move(entry_));
  } else {
    entry_->is_abandoned = true;
    // The communicator is no more, and with it the set: nobody will destroy the object.
    if (entry_.use_count() == 1) new std::shared_ptr<Entry>(std::move(entry_));
  }
}

template <class T>
T& Collective<T>::get() const {
  const std::string name = name_;
  if (is_destroyed()) throw Error(name + " has been destroyed");
  if (mpi_is_finalized()) throw Error("MPI is finalized: " + name + " cannot be used any more");
  return *entry_->object;
}

template <class T>
void Collective<T>::destroy() {
  InsideCallback::refuse();
  {
    const nb::gil_scoped_release released;
    const std::lock_guard running(entry_->running);
    const MpiTurn turn;
    if (is_destroyed()) return;
    entry_->destroy();
  }
  entry_->arrays.reset();
}

}  // namespace weft::python
