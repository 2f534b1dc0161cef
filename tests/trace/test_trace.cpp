// What is made of the spans of a trace, wherever these come from.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <tuple>

#include "trace/recorder.hpp"
#include "weft/error.hpp"
#include "weft/trace.hpp"

namespace weft {
namespace {

TraceSpan span(int rank, TraceLane lane, double begin, double end) {
  TraceSpan result;
  result.rank = rank;
  result.lane = lane;
  result.name = "step";
  result.begin = begin;
  result.end = end;
  return result;
}

TEST(HiddenExchange, IsWhatPassesOfTheSameRankCover) {
  const Trace trace{2,
                    0,
                    {span(0, TraceLane::run, 0, 20), span(0, TraceLane::host, 0, 20),
                     span(0, TraceLane::compute, 0, 4), span(0, TraceLane::compute, 4, 6),
                     span(0, TraceLane::send, 2, 5), span(0, TraceLane::own, 3, 5.5),
                     span(0, TraceLane::wait, 6, 8), span(0, TraceLane::compute, 8, 9),
                     span(1, TraceLane::messages, 10, 13), span(1, TraceLane::messages, 11, 12),
                     span(1, TraceLane::compute, 11.5, 20)}};
  const HiddenExchange hidden = hidden_exchange(trace);
  EXPECT_DOUBLE_EQ(hidden.exchange_seconds, 3.5 + 2 + 3);
  EXPECT_DOUBLE_EQ(hidden.hidden_seconds, 3.5 + 1.5);
  EXPECT_DOUBLE_EQ(hidden.share(), 5 / 8.5);
}

TEST(HiddenExchange, IsCoveredBySeveralPassesAndCoversSeveral) {
  const Trace trace{1,
                    0,
                    {span(0, TraceLane::wait, 0, 10), span(0, TraceLane::compute, 1, 2),
                     span(0, TraceLane::compute, 4, 7), span(0, TraceLane::compute, 9, 20),
                     span(0, TraceLane::wait, 12, 13), span(0, TraceLane::wait, 15, 22)}};
  const HiddenExchange hidden = hidden_exchange(trace);
  EXPECT_DOUBLE_EQ(hidden.exchange_seconds, 10 + 1 + 7);
  EXPECT_DOUBLE_EQ(hidden.hidden_seconds, 1 + 3 + 1 + 1 + 5);
}

TEST(HiddenExchange, IsNothingWithoutExchanges) {
  EXPECT_EQ(hidden_exchange(Trace{}).share(), 0);
  const HiddenExchange hidden = hidden_exchange({1, 0, {span(0, TraceLane::compute, 0, 1)}});
  EXPECT_EQ(hidden.exchange_seconds, 0);
  EXPECT_EQ(hidden.share(), 0);
}

TEST(ChromeJson, HasNamesSpansAndMessages) {
  Trace trace{1, 1e-6, {}};
  TraceSpan sent = span(0, TraceLane::send, 1e-6, 3.5e-6);
  sent.detail = "a \"copy\" \\ \n";
  sent.chunk = 2;
  sent.field = 3;
  sent.run = 4;
  sent.place = 1;
  trace.spans = {sent, span(0, TraceLane::messages, 0, 2e-6)};
  trace.spans[1].direction = Direction::backward;
  EXPECT_EQ(to_chrome_json(trace), R"({"displayTimeUnit":"ms",
"otherData":{"ranks":1,"uncertainty_seconds":1e-06,"exchange_seconds":3.5e-06,"hidden_seconds":0,"hidden_share":0},
"traceEvents":[
{"ph":"M","pid":0,"name":"process_name","args":{"name":"rank 0"}},
{"ph":"M","pid":0,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":0,"tid":9,"name":"thread_name","args":{"name":"send 1"}},
{"ph":"M","pid":0,"tid":9,"name":"thread_sort_index","args":{"sort_index":9}},
{"ph":"M","pid":0,"tid":5,"name":"thread_name","args":{"name":"messages"}},
{"ph":"M","pid":0,"tid":5,"name":"thread_sort_index","args":{"sort_index":5}},
{"ph":"X","pid":0,"tid":9,"cat":"send","name":"step: a \"copy\" \\ \u000a","ts":1.000,"dur":2.500,"args":{"step":"step","detail":"a \"copy\" \\ \u000a","direction":"forward","run":4,"field":3,"chunk":2}},
{"ph":"b","pid":0,"tid":5,"cat":"messages","name":"step","id":1,"ts":0.000,"args":{"step":"step","detail":"","direction":"backward","run":0,"field":0,"chunk":0}},
{"ph":"e","pid":0,"tid":5,"cat":"messages","name":"step","id":1,"ts":2.000}
]}
)");
}

TEST(ChromeJson, IsWrittenToAFile) {
  const Trace trace{2, 1e-6, {span(1, TraceLane::compute, 0, 1)}};
  const std::string path = testing::TempDir() + "weft_trace.json";
  write_chrome_json({}, path);
  write_chrome_json(trace, path);
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, to_chrome_json(trace));
  std::remove(path.c_str());
  EXPECT_THROW(write_chrome_json(trace, "no/such/folder/file"), Error);
}

TEST(ChromeJson, AFullDiskIsAnErrorThatSaysSo) {
  try {
    write_chrome_json({2, 1e-6, {span(1, TraceLane::compute, 0, 1)}}, "/dev/full");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write '/dev/full': No space left on device");
  }
}

TEST(Recorder, KeepsSpansOfHostAndDeviceByOneClock) {
  const auto device = find_device_method("emulated").open(0);
  const auto stream = device->make_stream();
  Recorder recorder(2, *stream);
  EXPECT_FALSE(recorder.is_on());
  for (int trace = 0; trace < 2; ++trace) {
    recorder.start();
    EXPECT_TRUE(recorder.is_on());
    recorder.begin_run(Direction::backward, 5, 1);
    const std::string name = "pass";
    const Moment first = Recorder::now();
    const Moment begin = recorder.moment_of_passes();
    const Moment end = recorder.moment(*stream);
    const Moment last = Recorder::now();
    recorder.add(TraceLane::compute, {&name, 7}, "part", begin, end);
    recorder.add(TraceLane::run, {}, "", first, last);
    const std::vector<TraceSpan> spans = recorder.stop();
    EXPECT_FALSE(recorder.is_on());
    ASSERT_EQ(spans.size(), 2u);
    const TraceSpan& pass = spans[0];
    EXPECT_EQ(std::tuple(pass.place, pass.lane, pass.name, pass.detail, pass.direction),
              std::tuple(2, TraceLane::compute, "pass", "part", Direction::backward));
    EXPECT_EQ(std::tuple(pass.run, pass.field, pass.chunk), std::tuple(5, 1, 7));
    EXPECT_EQ(std::tuple(spans[1].name, spans[1].lane), std::tuple("backward", TraceLane::run));
    // Both clocks are the same one here, so the bound on their difference has to hold.
    EXPECT_GE(recorder.uncertainty(), 0);
    EXPECT_LE(pass.begin, pass.end);
    const double slack = recorder.uncertainty() + 1e-9;
    EXPECT_LE(spans[1].begin, pass.begin + slack);
    EXPECT_LE(pass.end, spans[1].end + slack);
  }
}

}  // namespace
}  // namespace weft
