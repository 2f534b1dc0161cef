#include "live_plans.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace weft::fftw_mpi {

namespace {

/// More than any program has: the plans of one process, 512 KiB of which only used pages count.
constexpr std::size_t capacity = std::size_t{1} << 16;
std::atomic<LivePlan*> slots[capacity];
std::atomic<std::size_t> next_slot{0};

std::atomic<LivePlan*>& slot_of(ClientPlan plan) {
  return *reinterpret_cast<std::atomic<LivePlan*>*>(plan);
}

std::size_t bytes_of(const ElementType& type) {
  return (type.precision == Precision::f32 ? sizeof(float) : sizeof(double)) *
         (type.complex ? 2 : 1);
}

/// The part of the transform that falls to this rank.
double points(const PlanInfo& info) {
  return static_cast<double>(info.input.box.count()) * static_cast<double>(info.batch);
}

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  std::fprintf(stderr, "weft: %s: %s\n", name.c_str(), why.c_str());
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

}  // namespace

double LivePlan::cost() const {
  return plan->info().predicted_seconds;
}

void LivePlan::flops(double* additions, double* products, double* fused) const {
  const PlanInfo& info = plan->info();
  double total = 0;
  for (int axis = 0; axis < info.shape.size(); ++axis) {
    if (info.kinds[axis] == Kind::none) continue;
    total +=
        5 * points(info) * std::log2(static_cast<double>(std::max<Index>(info.shape[axis], 1)));
  }
  if (!info.input.type.complex) total /= 2;
  // Of radix 2, three operations in five are additions.
  *additions = total * 3 / 5;
  *products = total * 2 / 5;
  *fused = 0;
}

void LivePlan::run(void* from, void* to) const {
  const LocalArray& first = direction == Direction::forward ? plan->input() : plan->output();
  const LocalArray& second = direction == Direction::forward ? plan->output() : plan->input();
  // As FFTW's manual has it, arrays in place have room for either side.
  const std::size_t bytes =
      std::max(static_cast<std::size_t>(first.allocation_size) * bytes_of(first.type),
               static_cast<std::size_t>(second.allocation_size) * bytes_of(second.type));
  try {
    plan->run(direction, {from, bytes / bytes_of(first.type), first.type},
              {to, bytes / bytes_of(second.type), second.type});
  } catch (const std::exception& error) {
    // FFTW's functions have no way to say so, and the output was not written.
    fail(name, error.what());
  }
}

std::string LivePlan::text() const {
  const PlanInfo& info = plan->info();
  return "weft: " + name + ", exchange=" + info.exchange + ", local=" + info.local +
         ", threads=" + std::to_string(info.threads);
}

ClientPlan enter(std::unique_ptr<LivePlan> plan) {
  for (std::size_t tries = 0; tries < capacity; ++tries) {
    std::atomic<LivePlan*>& slot = slots[next_slot++ % capacity];
    LivePlan* empty = nullptr;
    if (slot.compare_exchange_strong(empty, plan.get())) {
      // NOLINTNEXTLINE(bugprone-unused-return-value): the slot has it
      plan.release();
      return reinterpret_cast<ClientPlan>(&slot);
    }
  }
  return nullptr;
}

bool is_ours(ClientPlan plan) {
  const auto address = reinterpret_cast<std::uintptr_t>(plan);
  const auto begin = reinterpret_cast<std::uintptr_t>(&slots[0]);
  return address - begin < sizeof slots;
}

const LivePlan& live_plan(ClientPlan plan) {
  const LivePlan* const found = slot_of(plan).load(std::memory_order_acquire);
  if (found == nullptr) fail("plan", "it is destroyed already");
  return *found;
}

std::unique_ptr<LivePlan> remove(ClientPlan plan) {
  return std::unique_ptr<LivePlan>(slot_of(plan).exchange(nullptr));
}

}  // namespace weft::fftw_mpi
