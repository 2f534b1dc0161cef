#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "fit_file.hpp"
#include "predict_arguments.hpp"
#include "prediction.hpp"
#include "support/error_text.hpp"
#include "validation.hpp"

namespace weft {
namespace {

using test::error_text;

const std::string published = WEFT_SOURCE_DIR "/bench/results/2026-11-25-published-scaling.csv";

/// A file in the folder of temporary ones, which goes away with it.
class MeasuredFile : public testing::Test {
 protected:
  MeasuredFile() : path_(testing::TempDir() + "weft_runs_" + std::to_string(getpid())) {}
  ~MeasuredFile() override { std::filesystem::remove(path_); }

  MeasuredRuns read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_measured_runs(path_);
  }
  std::string complaint(const std::string& text) const {
    return error_text([&] { read(text); });
  }

  std::string path_;
};

const std::string header = "id,ranks,nodes,transform,shape,precision,in,out,seconds,quantity\n";

TEST_F(MeasuredFile, GivesTheSchedulesOfItsRows) {
  const MeasuredRuns measured = read(
      "library,grid,std_seconds,method,\"ranks\",ranks_per_node,transform,shape,precision,in,out,"
      "seconds,quantity\n"
      "P3DFFT 2,2x4,.5,\"a \"\"b\"\", c\",8,4,r2c,16x16x16,f32,pencil,pencil,2,forward+backward\r\n"
      "other,2x4,,\"p2p, 4 chunks\",8,2,r2c,16x16x16,f32,pencil,pencil,3,\"forward, median\"\n"
      "other,,,p2p,5,5,c2c,16x16,f64,slab,slab,4,backward\n");
  ASSERT_EQ(measured.runs.size(), 3u);
  EXPECT_TRUE(measured.left_out.empty());
  const MeasuredRun& first = measured.runs[0];
  EXPECT_EQ(first.group, "P3DFFT 2, a \"b\", c, f32, r2c, pencil -> pencil");
  EXPECT_EQ(first.nodes, 2);
  EXPECT_EQ(first.scatter, 0.25);
  EXPECT_EQ(first.forwards + first.backwards, 2);
  // The first factor of its grid is the fastest: here 2, of which weft's grid says so by its place.
  const auto& moved = std::get<RedistributeStage>(first.forward.stages[1]);
  EXPECT_EQ(before(moved).layout.distribution.grid()[0].parts, 4);
  EXPECT_EQ(before(moved).layout.distribution.grid()[1].parts, 2);
  const MeasuredRun& second = measured.runs[1];
  EXPECT_EQ(second.group, "other, p2p, f32, r2c, pencil -> pencil");
  EXPECT_EQ(second.backwards, 0);
  EXPECT_EQ(std::get<RedistributeStage>(second.forward.stages[1]).chunks().size(), 4u);
  EXPECT_EQ(measured.runs[2].forwards, 0);
}

TEST_F(MeasuredFile, LeavesOutWhatNoScheduleStandsForAndSaysWhy) {
  const MeasuredRuns measured = read(header +
                                     "a,4,1,c2c,8x8,f64?,slab,slab,1,\n"
                                     "b,4,1,exchange only,8x8,f64,slab,slab,1,\n"
                                     "c,4,1,c2c,80 KB,f64,slab,slab,1,\n"
                                     "d,4,1,c2c,8x8,f64,x pencil,slab,1,\n"
                                     "e,4,1,c2c,8x8,f64,slab,slab,1,efficiency\n"
                                     "f,4,1,c2c,8x8,f64,slab,slab,1,forward: local FFT only\n"
                                     "g,,1,c2c,8x8,f64,slab,slab,1,\n"
                                     "h,4,,c2c,8x8,f64,slab,slab,1,\n"
                                     "i,4,1,c2c,8x8,f64,slab,slab,1,\n"
                                     "j,3000000000,1,c2c,8x8,f64,slab,slab,1,\n"
                                     "k,4,1,c2c,0x8,f64,slab,slab,1,\n");
  EXPECT_EQ(measured.runs.size(), 1u);
  std::string all;
  for (const auto& [why, names] : measured.left_out) {
    EXPECT_EQ(names.size(), 1u);
    all += names[0] + ": " + why + "\n";
  }
  for (const char* text :
       {"a: precision 'f64?'", "b: transform 'exchange only'", "c: shape '80 KB'",
        "d: layouts 'x pencil' and 'slab'", "e: not the time of a transform", "f: time of a part",
        "g: no number of ranks", "h: no number of nodes", "j: more ranks", "k: "}) {
    EXPECT_NE(all.find(text), all.npos) << text << "\n" << all;
  }
}

TEST_F(MeasuredFile, MayHoldJsonLines) {
  const MeasuredRuns measured = read(
      R"({"library":"weft","shape":[16,12],"kind":"r2c","precision":"f32","ranks":4,"in":"slab:0",)"
      R"("out":"slab:1","exchange":"p2p","chunks":2,"forward_seconds":{"median":2},)"
      R"("backward_seconds":{"median":3},"machine":{"hostname":"here","nodes":2}})"
      "\n\n"
      R"({"library":"weft","shape":[16,12],"kind":"c2c","precision":"f64","ranks":2,"in":"any",)"
      R"("out":"any","layout":{"in_parts":[2,1],"out_parts":[1,2]},"machine":0,)"
      R"("pooled":{"forward":[1,2,3,4,5]}})"
      "\n");
  ASSERT_EQ(measured.runs.size(), 3u);
  EXPECT_EQ(measured.runs[0].group, "here, weft, p2p, f32, r2c, slab:0 -> slab:1");
  EXPECT_EQ(measured.runs[0].ranks_per_node, 2);
  EXPECT_EQ(measured.runs[1].seconds, 3);
  EXPECT_EQ(measured.runs[1].backwards, 1);
  EXPECT_EQ(measured.runs[2].seconds, 3);
  EXPECT_EQ(measured.runs[2].nodes, 1);
}

TEST_F(MeasuredFile, OtherFilesAreErrors) {
  const auto says = [&](const std::string& text, const std::string& what) {
    const std::string said = complaint(text);
    EXPECT_NE(said.find(what), said.npos) << said;
    EXPECT_NE(said.find(path_), said.npos) << said;
  };
  says("", "is empty");
  says("a,b\n1,2\n", "has no column ranks, transform, shape, precision, in, out, seconds");
  says("ranks,transform,shape,precision,in,out,seconds\n", "has no column ranks_per_node");
  says(header, "no measured times");
  says(header + "a,4,1\n", "line 2: 3 fields");
  says(header + "\n\na,four,1,c2c,8x8,f64,slab,slab,1,\n", "line 4: ranks is 'four'");
  says(header + "a,4,1,c2c,8x8,f64,slab,slab,0,\n", "line 2: seconds is '0'");
  says(header + "a,4,1,c2c,8x8,f64,slab,slab,1e999,\n", "line 2: seconds is");
  says(header + "a,4,1,c2c,8x8,f64,slab,slab,nan,\n", "line 2: seconds is 'nan'");
  says(header + "a,4,1.5,c2c,8x8,f64,slab,slab,1,\n", "line 2: nodes is '1.5'");
  says(header + "\"a\nb", "line 2: a quotation mark is missing");
  says("{\n", "line 1 is not JSON");
  says("{}\n[1]\n", "line 2 contains no JSON object");
  says("{}\n", "no measured times");
  EXPECT_NE(error_text([] { read_measured_runs("/no/such/file"); }).find("cannot be read"),
            std::string::npos);
}

/// Published runs with other times, those of a machine, off by a factor one way and the other.
std::vector<MeasuredRun> synthetic(const Machine& machine, double factor) {
  std::vector<MeasuredRun> runs;
  for (MeasuredRun run : read_measured_runs(published).runs) {
    if (run.group.find("P3DFFT") == std::string::npos) continue;
    run.seconds = run.predicted(machine) * (runs.size() % 2 == 0 ? factor : 1 / factor);
    runs.push_back(run);
  }
  return runs;
}

Machine other_machine() {
  Machine machine;
  machine.flops = 1.5e9;
  machine.node = {7e8, 5e-6};
  machine.network = {5e9, 8e-6};
  machine.island_nodes = 30;
  machine.taper = 4;
  return machine;
}

TEST(Fit, FindsTheFiguresThatRunsWereMadeWith) {
  Machine made = other_machine();
  Fit fit = fit_machine(synthetic(made, 1), start_of_fits());
  const auto expected = figures(made);
  const auto found = figures(fit.machine);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].first.starts_with("memory_")) continue;  // hidden behind the arithmetic
    EXPECT_NEAR(std::log(*found[i].second / *expected[i].second), 0, 0.02) << found[i].first;
  }
}

TEST(Fit, TellsTheSpreadAndHowWellFiguresAreKnown) {
  const Fit fit = fit_machine(synthetic(other_machine(), 1.1), start_of_fits());
  EXPECT_GT(fit.uncertainty.spread, 0.5 * std::log(1.1));
  EXPECT_LT(fit.uncertainty.spread, 1.5 * std::log(1.1));
  const std::size_t count = fit.uncertainty.names.size();
  const auto deviation = [&](const std::string& name) {
    const auto& names = fit.uncertainty.names;
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::sqrt(fit.uncertainty.covariance[static_cast<std::size_t>(at) * (count + 1)]);
  };
  EXPECT_NEAR(deviation("prime_flops"), std::log(10.), 0.01);  // nothing depends on it
  EXPECT_LT(deviation("network.bandwidth"), 1);
  EXPECT_THROW(fit_machine({}, start_of_fits()), Error);
}

TEST(Fit, RunsThatScatterCountLess) {
  std::vector<MeasuredRun> runs = synthetic(other_machine(), 1);
  const auto error_of_the_others = [&] {
    const Machine machine = fit_machine(runs, start_of_fits()).machine;
    double squares = 0;
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
      squares += std::pow(std::log(runs[i].predicted(machine) / runs[i].seconds), 2);
    }
    return std::sqrt(squares / static_cast<double>(runs.size() - 1));
  };
  runs.back().seconds *= 2;
  for (MeasuredRun& run : runs) run.scatter = 0;
  EXPECT_EQ(runs[0].weight(), 1);
  const double all_alike = error_of_the_others();
  runs.back().scatter = 1;
  EXPECT_LT(runs.back().weight(), 0.1);
  EXPECT_LT(error_of_the_others(), all_alike / 2);
}

TEST(Fit, BoundsGrowWithWhatFiguresAreNotKnown) {
  const std::vector<MeasuredRun> runs = synthetic(other_machine(), 1.1);
  const Fit fit = fit_machine(runs, start_of_fits());
  const auto width = [&](const std::function<double(const Machine&)>& predicted) {
    const Bounds within = bounds(predicted, fit.machine, fit.uncertainty);
    EXPECT_TRUE(within.contains(predicted(fit.machine)));
    return within.high / within.low;
  };
  const double known = width([&](const Machine& machine) { return runs[8].predicted(machine); });
  const double spread = width([](const Machine&) { return 1; });
  const double unknown = width([](const Machine& machine) { return 1 / machine.memory_bandwidth; });
  EXPECT_GT(known, spread);
  EXPECT_LT(known, spread * spread);
  EXPECT_GT(unknown, 100);
  const Bounds assumed = bounds([](const Machine&) { return 2; }, {}, Uncertainty::assumed());
  EXPECT_NEAR(assumed.high, 2 * 1.3, 1e-6);
}

TEST(Fit, IsReadBackFromItsFile) {
  const std::string path = testing::TempDir() + "weft_fit_" + std::to_string(getpid());
  Fit fit = fit_machine(synthetic(other_machine(), 1.1), start_of_fits());
  fit.machine.ranks_per_node = 40;
  write_fit(path, fit);
  Fit read = read_fit(path);
  EXPECT_EQ(read.machine.ranks_per_node, 40);
  EXPECT_EQ(read.machine.taper, fit.machine.taper);
  EXPECT_EQ(read.uncertainty.names, fit.uncertainty.names);
  EXPECT_EQ(read.uncertainty.covariance, fit.uncertainty.covariance);
  for (const char* content :
       {R"({"fit": 1})", R"({"fit": {"spread": 1, "freedom": 2}})",
        R"({"fit": {"spread": 1, "freedom": 2, "figures": ["flops"], "covariance": []}})",
        R"({"fit": {"spread": 1, "freedom": 2, "figures": ["speed"], "covariance": [1]}})",
        R"({"fit": {"spread": -1, "freedom": 2, "figures": [], "covariance": []}})"}) {
    std::ofstream(path) << content;
    const std::string text = error_text([&] { read_fit(path); });
    EXPECT_NE(text.find("'fit' is not what `weft calibrate` writes"), text.npos) << text;
  }
  std::ofstream(path) << R"({"flops": 1e9})";
  EXPECT_TRUE(read_fit(path).uncertainty.names.empty());
  std::filesystem::remove(path);
}

/// What is promised of published runs.
TEST(Validation, ErrorsOfPublishedRuns) {
  MeasuredRuns measured = read_measured_runs(published);
  const auto groups = compare(measured, {}, {});
  int known = 0;
  double mean_of_devices = 0;
  for (const ComparedGroup& group : groups) {
    const ErrorSummary errors = summary(group.counted());
    const auto is = [&](const char* text) { return group.name.find(text) != std::string::npos; };
    EXPECT_GE(errors.inside, 0.8) << group.name;
    EXPECT_LE(errors.weighted_rms, 0.08) << group.name;
    if (is("P3DFFT") || is("alltoallv, permuted")) {
      EXPECT_EQ(errors.rows, 19u);
      EXPECT_LE(errors.rms, 0.08) << group.name;
      ++known;
    } else if (is("V100")) {
      EXPECT_EQ(errors.rows, 9u);
      EXPECT_LE(errors.mean, 0.055) << group.name;
      mean_of_devices += errors.mean / 5;
      ++known;
    }
  }
  EXPECT_EQ(known, 7);
  EXPECT_LE(mean_of_devices, 0.05);
}

TEST(Validation, PredictsBeyondWhatIsFitted) {
  MeasuredRuns measured = read_measured_runs(published);
  std::erase_if(measured.runs, [](const MeasuredRun& run) {
    return run.group.find("P3DFFT") == std::string::npos;
  });
  FitRows rows;
  rows.most_nodes = 26;
  rows.also = {"r012"};  // 1024^3 on 103 nodes
  const ComparedGroup group = compare(measured, {}, rows).front();
  EXPECT_EQ(group.fitted, 10u);
  const ErrorSummary errors = summary(group.counted());
  EXPECT_EQ(errors.rows, 9u);
  EXPECT_LE(errors.mean, 0.12);
  EXPECT_LE(errors.worst, 0.3);
  EXPECT_GE(errors.inside, 0.8);
}

TEST(Arguments, NodesGoOnByTheRatio) {
  EXPECT_EQ(parse_nodes("3"), (std::vector<Index>{3}));
  EXPECT_EQ(parse_nodes("1,2,...,16"), (std::vector<Index>{1, 2, 4, 8, 16}));
  EXPECT_EQ(parse_nodes("2,3,...,9,10"), (std::vector<Index>{2, 3, 5, 8, 9, 10}));
  EXPECT_EQ(parse_nodes("1,3,...,20"), (std::vector<Index>{1, 3, 9, 20}));
  for (const char* text : {"", "0", "-1", "a", "1,1", "4,2", "1,...,4", "1,2,...", "1,2,...,...,9",
                           "1,2,..,9", "99999999999"}) {
    EXPECT_THROW(parse_nodes(text), Error) << text;
  }
}

PredictedCase cube(Index length) {
  PredictedCase given;
  given.problem.shape = {length, length, length};
  return given;
}

TEST(Predicted, TheBestGridIsNoWorseThanTheUsualOne) {
  Fit fit{Machine{}, Uncertainty::assumed()};
  fit.machine.ranks_per_node = 6;
  for (const Index nodes : {1, 2, 4}) {
    const Prediction usual = predict(cube(48), fit, nodes);
    EXPECT_EQ(usual.ranks, 6 * nodes);
    EXPECT_EQ(usual.grid[0] * usual.grid[1], usual.ranks);
    EXPECT_TRUE(usual.within.contains(usual.seconds));
    const auto grids = predict_grids(cube(48), fit, nodes);
    EXPECT_LE(grids.front().seconds, usual.seconds);
    EXPECT_LE(grids.front().seconds, grids.back().seconds);
    EXPECT_EQ(grids.size(), nodes == 1 ? 4u : nodes == 2 ? 6u : 8u);  // divisors of the ranks
    EXPECT_GT(usual.communication, 0);
    EXPECT_LT(usual.communication, 1);
  }
}

TEST(Predicted, EfficiencyIsThatOfTheFirst) {
  Fit fit{Machine{}, Uncertainty::assumed()};
  fit.machine.ranks_per_node = 4;
  const Prediction one = predict(cube(64), fit, 1), two = predict(cube(64), fit, 2);
  EXPECT_EQ(efficiency(one, one), 1);
  EXPECT_NEAR(efficiency(two, one), one.seconds / (2 * two.seconds), 1e-12);
  EXPECT_THROW(predict(cube(64), fit, Index{1} << 31), Error);
}

}  // namespace
}  // namespace weft
