#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace weft {

/// Something under way that moves on only when it is asked to, as most messages do.
class Pending {
 public:
  virtual ~Pending() = default;
  /// Never waits. True when it has arrived.
  virtual bool test() = 0;
};

/// Keeps what is under way moving: when polled between tiles, or in a thread of its own.
class ProgressEngine {
 public:
  /// With a thread, that thread polls all the time while something is under way, and everything
  /// that calls MPI must hold the lock.
  explicit ProgressEngine(bool with_thread);
  ~ProgressEngine();
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;

  /// So many more may be under way at a time: adding them allocates nothing.
  void expect(std::size_t count);
  void add(Pending& what);
  void remove(Pending& what);
  /// Does nothing where a thread does it.
  void poll();
  bool idle() const { return under_way_.empty(); }
  /// Held while calling MPI, where there is a thread.
  std::unique_lock<std::mutex> lock();

 private:
  void run();

  std::vector<Pending*> under_way_;
  std::size_t expected_ = 0;
  bool with_thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace weft
