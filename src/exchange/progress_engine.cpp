#include "exchange/progress_engine.hpp"

#include <algorithm>
#include <chrono>

namespace weft {

namespace {

/// Between two rounds of the thread: others get the lock, and the core where there are not enough.
constexpr std::chrono::microseconds pause(20);

}  // namespace

ProgressEngine::ProgressEngine(bool with_thread) : with_thread_(with_thread) {
  if (with_thread) thread_ = std::thread([this] { run(); });
}

ProgressEngine::~ProgressEngine() {
  if (!with_thread_) return;
  {
    const std::lock_guard guard(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::unique_lock<std::mutex> ProgressEngine::lock() {
  return with_thread_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
}

void ProgressEngine::expect(std::size_t count) {
  expected_ += count;
  under_way_.reserve(expected_);
}

void ProgressEngine::add(Pending& what) {
  under_way_.push_back(&what);
  changed_.notify_all();
}

void ProgressEngine::remove(Pending& what) {
  under_way_.erase(std::remove(under_way_.begin(), under_way_.end(), &what), under_way_.end());
}

void ProgressEngine::poll() {
  if (with_thread_) return;
  for (Pending* what : under_way_) what->test();
}

void ProgressEngine::run() {
  std::unique_lock guard(mutex_);
  while (true) {
    changed_.wait(guard, [&] { return ends_ || !under_way_.empty(); });
    if (ends_) return;
    for (Pending* what : under_way_) what->test();
    guard.unlock();
    std::this_thread::sleep_for(pause);
    guard.lock();
  }
}

}  // namespace weft
