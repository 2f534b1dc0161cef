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
    R"({"memory_bandwidth": 2.5e10, "message_latency": 3e-6, "flops": 4000000000, "limits": [1]})";

TEST_F(MachineFile, GivesFiguresAndLeavesTheOthersAsTheyAre) {
  const Machine machine = read(example);
  EXPECT_EQ(machine.memory_bandwidth, 2.5e10);
  EXPECT_EQ(machine.message_latency, 3e-6);
  EXPECT_EQ(machine.flops, 4e9);
  EXPECT_EQ(machine.exchange_bandwidth, Machine{}.exchange_bandwidth);
}

TEST_F(MachineFile, EveryCutIsAnError) {
  for (std::size_t length = 0; length < example.size(); ++length) {
    const std::string text = complaint(example.substr(0, length));
    EXPECT_NE(text.find("'" + path_ + "' is no JSON"), text.npos) << length << ": " << text;
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
