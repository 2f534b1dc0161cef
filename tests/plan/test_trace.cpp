// Traces of plans: every rank, run, field, step and chunk has its spans, and they lie where they
// should.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "device/device.hpp"
#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::expect_same_error;

struct Case {
  std::string device;
  std::string exchange;
  Index chunks;
};

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const Index chunks : {1, 3}) {
    for (const std::string& exchange : test::plan_exchanges()) {
      cases.push_back({"host", exchange, chunks});
    }
    for (const DeviceMethod& device : device_methods()) {
      for (const std::string& exchange : test::device_exchanges(device.name)) {
        cases.push_back({device.name, exchange, chunks});
      }
    }
  }
  return cases;
}

Problem slabs() {
  return {.shape = {12, 12, 9}, .input = slab_split(0), .output = slab_split(1)};
}

Options options_of(const Case& the_case) {
  Options options;
  options.device = the_case.device;
  options.exchange = the_case.exchange;
  options.chunks = the_case.chunks;
  options.threads = 1;
  return options;
}

/// Spans of a rank, run and field.
using Key = std::tuple<int, Index, Index>;
using Runs = std::map<Key, std::vector<TraceSpan>>;

Runs runs_of(const Trace& trace) {
  Runs runs;
  for (const TraceSpan& span : trace.spans) {
    runs[{span.rank, span.run, span.field}].push_back(span);
  }
  return runs;
}

std::vector<TraceSpan> in_lane(const std::vector<TraceSpan>& spans, TraceLane lane) {
  std::vector<TraceSpan> result;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(result),
               [&](const TraceSpan& span) { return span.lane == lane; });
  return result;
}

/// Every step of a program has its chunks once, 0, 1, ..., and there are as many as expected.
void expect_chunks(const std::vector<TraceSpan>& spans, const std::set<Index>& counts) {
  std::map<std::string, std::multiset<Index>> chunks;
  for (const TraceSpan& span : spans) chunks[span.name].insert(span.chunk);
  for (const auto& [name, found] : chunks) {
    EXPECT_TRUE(counts.contains(static_cast<Index>(found.size()))) << name << " " << found.size();
    Index next = 0;
    for (const Index chunk : found) EXPECT_EQ(chunk, next++) << name;
  }
}

double end_of(const std::vector<TraceSpan>& spans) {
  double end = 0;
  for (const TraceSpan& span : spans) end = std::max(end, span.end);
  return end;
}

class Traces : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto usable = test::usable_devices();
    if (on_device() && std::count(usable.begin(), usable.end(), GetParam().device) == 0) {
      GTEST_SKIP() << "there is no " << GetParam().device << " here";
    }
  }
  bool on_device() const { return GetParam().device != "host"; }

  /// A run whose program was never left.
  void check_run(const Trace& trace, const std::vector<TraceSpan>& spans, const Plan& plan,
                 bool left) {
    const auto whole = in_lane(spans, TraceLane::run);
    ASSERT_EQ(whole.size(), 1u);
    // Times of the host and the device of a rank differ by that.
    const double slack = trace.uncertainty + 1e-9;
    for (const TraceSpan& span : spans) {
      EXPECT_LE(span.begin, span.end);
      EXPECT_EQ(span.direction, whole[0].direction);
      if (span.lane == TraceLane::host) continue;
      EXPECT_GE(span.begin, whole[0].begin - slack) << span.name << " " << to_string(span.lane);
      EXPECT_LE(span.end, whole[0].end + slack) << span.name << " " << to_string(span.lane);
    }
    const auto passes = in_lane(spans, TraceLane::compute);
    const auto waits = in_lane(spans, TraceLane::wait);
    const Index chunks = plan.info().chunks;
    std::set<std::string> steps;
    for (const StageTiming& timing : plan.timings()) steps.insert(timing.name);
    std::set<std::string> traced;
    for (const auto& list : {passes, waits}) {
      for (const TraceSpan& span : list) traced.insert(span.name);
    }
    EXPECT_EQ(traced, steps);
    expect_chunks(passes, {1, chunks});
    // On the host both sides have the same parts of axis 2, on devices each has its own.
    expect_chunks(waits, {on_device() ? chunks + plan.info().receive_chunks - 1 : chunks});
    EXPECT_EQ(waits.empty(), test::world_size() == 1);
    if (on_device()) {
      check_streams(spans, waits.size());
    } else {
      check_host(spans, waits.size(), left);
    }
  }

  /// What is done on the host comes one after another, without gaps.
  void check_host(const std::vector<TraceSpan>& spans, std::size_t exchanges, bool left) {
    EXPECT_EQ(in_lane(spans, TraceLane::send).size(), exchanges);
    EXPECT_EQ(in_lane(spans, TraceLane::messages).size(), exchanges);
    EXPECT_TRUE(in_lane(spans, TraceLane::host).empty());
    EXPECT_TRUE(in_lane(spans, TraceLane::own).empty());
    double sum = 0;
    for (const TraceLane lane : {TraceLane::compute, TraceLane::send, TraceLane::wait}) {
      for (const TraceSpan& span : in_lane(spans, lane)) sum += span.end - span.begin;
    }
    const TraceSpan whole = in_lane(spans, TraceLane::run)[0];
    if (left) {
      EXPECT_LE(sum, whole.end - whole.begin + 1e-9);
    } else {
      EXPECT_NEAR(sum, whole.end - whole.begin, 1e-9);
    }
  }

  void check_streams(const std::vector<TraceSpan>& spans, std::size_t exchanges) {
    const TraceSpan whole = in_lane(spans, TraceLane::run)[0];
    std::vector<TraceSpan> in_stream = in_lane(spans, TraceLane::compute);
    const auto waits = in_lane(spans, TraceLane::wait);
    in_stream.insert(in_stream.end(), waits.begin(), waits.end());
    EXPECT_EQ(end_of(in_stream), whole.end);
    EXPECT_EQ(std::min_element(in_stream.begin(), in_stream.end(),
                               [](const auto& a, const auto& b) { return a.begin < b.begin; })
                  ->begin,
              whole.begin);
    // Starts beside passes and waits.
    EXPECT_EQ(in_lane(spans, TraceLane::host).size(), in_stream.size() + exchanges);
    const std::string& exchange = GetParam().exchange;
    const bool through_mpi = exchange.starts_with("staged") || exchange.starts_with("mpi");
    EXPECT_EQ(in_lane(spans, TraceLane::messages).size(), through_mpi ? exchanges : 0);
    std::map<std::string, std::vector<TraceSpan>> sends;
    for (const TraceSpan& span : in_lane(spans, TraceLane::send)) {
      sends[span.detail].push_back(span);
    }
    for (const auto& [detail, list] : sends) EXPECT_EQ(list.size(), exchanges) << detail;
    EXPECT_EQ(sends.empty(), exchanges == 0 || exchange.starts_with("mpi"));
  }

  const test::Watchdog watchdog_{180};
};

TEST_P(Traces, HaveAllStepsOfEveryRun) {
  Plan plan(MPI_COMM_WORLD, slabs(), options_of(GetParam()));
  const double bound = test::error_bound(plan);
  plan.start_trace();
  EXPECT_LE(test::run_error(plan, Direction::forward), bound);
  EXPECT_LE(test::run_error(plan, Direction::forward, 2), bound);
  const Trace trace = plan.stop_trace();
  EXPECT_EQ(trace.ranks, test::world_size());
  EXPECT_GE(trace.uncertainty, 0);
  const Runs runs = runs_of(trace);
  EXPECT_EQ(runs.size(),
            static_cast<std::size_t>(test::world_rank() == 0 ? 2 * test::world_size() : 0));
  for (const auto& [key, spans] : runs) {
    SCOPED_TRACE("rank " + std::to_string(std::get<0>(key)));
    check_run(trace, spans, plan, false);
  }
  // The next one begins anew.
  plan.start_trace();
  EXPECT_LE(test::run_error(plan, Direction::backward), bound);
  const Trace next = plan.stop_trace();
  for (const auto& [key, spans] : runs_of(next)) {
    EXPECT_EQ(std::get<1>(key), 0);
    check_run(next, spans, plan, false);
    EXPECT_EQ(spans[0].direction, Direction::backward);
  }
  EXPECT_EQ(next.spans.empty(), test::world_rank() != 0);
  const HiddenExchange hidden = hidden_exchange(next);
  EXPECT_GE(hidden.exchange_seconds, hidden.hidden_seconds);
  EXPECT_EQ(hidden.exchange_seconds > 0, test::world_rank() == 0 && test::world_size() > 1);
}

TEST_P(Traces, HaveEachFieldOfMany) {
  Options options = options_of(GetParam());
  options.fields_in_flight = 2;
  Plan plan(MPI_COMM_WORLD, slabs(), options);
  using Field = std::vector<std::complex<double>>;
  const std::vector<Field> in(5, Field(static_cast<std::size_t>(plan.input().allocation_size)));
  std::vector<Field> out(5, Field(static_cast<std::size_t>(plan.output().allocation_size)));
  plan.start_trace();
  plan.forward_many(in, out);
  const Trace trace = plan.stop_trace();
  const Runs runs = runs_of(trace);
  std::set<int> places;
  for (const auto& [key, spans] : runs) {
    const auto& [rank, run, field] = key;
    SCOPED_TRACE("rank " + std::to_string(rank) + " field " + std::to_string(field));
    EXPECT_EQ(run, 0);
    EXPECT_LT(field, 5);
    check_run(trace, spans, plan, true);
    for (const TraceSpan& span : spans) {
      EXPECT_EQ(span.place, spans[0].place);
      places.insert(span.place);
    }
  }
  if (test::world_rank() != 0) return;
  EXPECT_EQ(runs.size(), static_cast<std::size_t>(5 * test::world_size()));
  // A single rank has nothing to wait for, so that its fields do not take turns.
  EXPECT_TRUE(places == (test::world_size() == 1 ? std::set<int>{0} : std::set<int>{0, 1}));
}

TEST_P(Traces, GoOnWithTheCallersWork) {
  Plan plan(MPI_COMM_WORLD, slabs(), options_of(GetParam()));
  const std::vector<std::complex<double>> in(
      static_cast<std::size_t>(plan.input().allocation_size));
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.start_trace();
  plan.start_forward(in, out);
  while (!plan.test()) {
  }
  plan.forward_while(in, out, [] {});
  const Trace trace = plan.stop_trace();
  for (const auto& [key, spans] : runs_of(trace)) check_run(trace, spans, plan, true);
}

INSTANTIATE_TEST_SUITE_P(Exchanges, Traces, testing::ValuesIn(every_case()), [](const auto& info) {
  return info.param.device + "_" + test::as_test_name(info.param.exchange) + "_" +
         std::to_string(info.param.chunks);
});

TEST_P(Traces, AreWholeWhereAThreadKeepsMessagesMoving) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (provided != MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI has no MPI_THREAD_MULTIPLE here";
  Options options = options_of(GetParam());
  options.progress = ProgressBy::thread;
  Plan plan(MPI_COMM_WORLD, slabs(), options);
  plan.start_trace();
  EXPECT_LE(test::run_error(plan, Direction::backward), test::error_bound(plan));
  const Trace trace = plan.stop_trace();
  for (const auto& [key, spans] : runs_of(trace)) check_run(trace, spans, plan, false);
}

class TraceErrors : public testing::Test {
 protected:
  const test::Watchdog watchdog_{60};
};

TEST_F(TraceErrors, AreTheSameOnAllRanks) {
  Options options;
  options.exchange = "p2p";
  Plan plan(MPI_COMM_WORLD, slabs(), options);
  expect_same_error([&] { plan.stop_trace(); }, {"no trace is being recorded"});
  plan.start_trace();
  expect_same_error([&] { plan.start_trace(); }, {"a trace is being recorded already"});
  const std::vector<std::complex<double>> in(
      static_cast<std::size_t>(plan.input().allocation_size));
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.start_forward(in, out);
  expect_same_error([&] { plan.stop_trace(); }, {"a transform is under way"});
  plan.wait();
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  const Trace trace = plan.stop_trace();
  EXPECT_EQ(trace.spans.empty(), test::world_rank() != 0);
}

TEST_F(TraceErrors, ThereIsNothingOfRunsBefore) {
  Plan plan(MPI_COMM_WORLD, slabs());
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  plan.start_trace();
  EXPECT_TRUE(plan.stop_trace().spans.empty());
}

}  // namespace
}  // namespace weft
