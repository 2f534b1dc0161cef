#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "machine_file.hpp"
#include "support/error_text.hpp"

namespace weft {
namespace {

using test::error_text;

/// A file in the folder of temporary ones, which goes away with it.
class MachineFile : public testing::Test {
 protected:
  MachineFile()
      : path_(testing::TempDir() + "weft_machine_" + std::to_string(getpid()) + ".json") {}
  ~MachineFile() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  Machine read(const std::string& text) const {
    write(text);
    return read_machine(path_);
  }
  std::string complaint(const std::string& text) const {
    return error_text([&] { read(text); });
  }

  std::string path_;
};

const std::string example =
    R"({"memory_bandwidth": 2.5e10, "node.latency": 3e-6, "flops": 4000000000, "limits": [1]})";

TEST_F(MachineFile, GivesFiguresAndLeavesTheOthersAsTheyAre) {
  const Machine machine = read(example);
  EXPECT_EQ(machine.memory_bandwidth, 2.5e10);
  EXPECT_EQ(machine.node.latency, 3e-6);
  EXPECT_EQ(machine.flops, 4e9);
  EXPECT_EQ(machine.network.bandwidth, Machine{}.network.bandwidth);
}

TEST_F(MachineFile, NodesHaveAWholeNumberOfRanks) {
  EXPECT_EQ(read(R"({"ranks_per_node": 40})").ranks_per_node, 40);
  EXPECT_EQ(read("{}").ranks_per_node, Machine{}.ranks_per_node);
  for (const char* value : {"0", "-2", "1.5", "1000.0", "2147483648", "\"4\""}) {
    const std::string text = complaint("{\"ranks_per_node\": " + std::string(value) + "}");
    EXPECT_NE(text.find("ranks_per_node is " + std::string(value)), text.npos) << text;
  }
  EXPECT_NE(complaint(R"({"exchange_bandwidth": 1})").find("network.bandwidth"), std::string::npos);
}

TEST_F(MachineFile, EveryCutIsAnError) {
  for (std::size_t length = 0; length < example.size(); ++length) {
    const std::string text = complaint(example.substr(0, length));
    EXPECT_NE(text.find("'" + path_ + "' is not JSON"), text.npos) << length << ": " << text;
  }
}

TEST_F(MachineFile, ValuesMustBePositiveNumbers) {
  for (const char* value : {"0", "-1", "\"1\"", "null", "true", "[1]", "{}", "1e999", "-0.0"}) {
    const std::string text = complaint("{\"flops\": " + std::string(value) + "}");
    EXPECT_NE(text.find(path_), text.npos) << value << ": " << text;
  }
}

TEST_F(MachineFile, AnyByteMayBeDamaged) {
  // Whatever stands there: figures, or an error that names the file.
  for (std::size_t at = 0; at < example.size(); ++at) {
    for (int byte = 0; byte < 256; byte += 5) {
      std::string damaged = example;
      damaged[at] = static_cast<char>(byte);
      const std::string text = complaint(damaged);
      EXPECT_TRUE(text.empty() || text.find(path_) != text.npos)
          << at << " " << byte << ": " << text;
    }
  }
}

TEST_F(MachineFile, NestingMayBeDeep) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_NE(complaint("{\"flops\": " + deep + "}").find("flops is an array"), std::string::npos);
}

TEST_F(MachineFile, MustBeThere) {
  EXPECT_EQ(error_text([&] { read_machine(path_); }),
            "machine file '" + path_ + "' cannot be read");
}

}  // namespace
}  // namespace weft
