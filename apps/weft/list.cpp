// `weft list`: what can be chosen, from the tables of the library.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>

#include "codec/codec.hpp"
#include "codec/lossless.hpp"
#include "command.hpp"
#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "kind/kind.hpp"
#include "local/local_transform.hpp"
#include "schedule/option_table.hpp"

namespace weft {

namespace {

constexpr int name_width = 16;
constexpr int state_width = 16;

void print_heading(const std::string& text) {
  std::cout << text << "\n";
}

void print_row(const std::string& name, const std::string& state, const std::string& text) {
  std::cout << "  " << std::left << std::setw(name_width) << name << std::setw(state_width) << state
            << text << "\n";
}

/// Of what was built in.
void print_choice(const std::string& name, const std::string& text, const std::string& obstacle) {
  const bool usable = obstacle.empty();
  print_row(name, usable ? "usable" : "not usable here",
            text + (usable ? "" : "; built in, but " + obstacle));
}

constexpr const char* no_gpu = "there is no GPU here";

std::string with_parameter(const std::string& name, const std::string& text,
                           const char* parameter) {
  return parameter == nullptr ? text : text + "; " + name + ":X, X = " + parameter;
}

/// Local transforms that a build of weft may lack.
constexpr std::pair<const char*, const char*> optional_backends[] = {
    {"mkl", "Intel MKL; build weft with WEFT_WITH_MKL=ON"},
};

void print_local_backends() {
  print_heading("local transforms (auto: the first that is usable, and fast on this processor)");
  const auto& built_in = local_backends();
  for (const LocalBackend& backend : built_in) {
    const bool on_host = backend.device == std::string("host");
    print_choice(backend.name,
                 backend.description + (on_host ? "" : std::string("; device ") + backend.device),
                 backend.usable() ? "" : no_gpu);
  }
  for (const auto& [name, text] : optional_backends) {
    const bool known = std::any_of(built_in.begin(), built_in.end(),
                                   [&, wanted = name](const LocalBackend& backend) {
                                     return std::string(backend.name) == wanted;
                                   });
    if (!known) print_row(name, "not built in", text);
  }
}

int print_list(const Communicator&) {
  print_heading("kinds");
  for (const KindTraits& kind : kind_table()) print_row(kind.name, "usable", kind.description);
  print_local_backends();
  print_heading(
      "exchanges (auto: node_shared where ranks share a node and nothing is compressed, otherwise "
      "alltoallv, or p2p with chunks or fields in flight; on devices peer within a machine, "
      "peer_packed where data is compressed, otherwise nccl or staged)");
  for (const ExchangeMethod& method : exchange_methods()) {
    print_choice(method.name, with_parameter(method.name, method.description, method.parameter),
                 why_not_usable(method));
  }
  print_heading("codecs");
  print_row("none", "usable", "data is exchanged as it is");
  const auto& codecs = codec_methods();
  for (const CodecMethod& codec : codecs) {
    print_row(codec.name, "usable", with_parameter(codec.name, codec.description, codec.parameter));
  }
  const bool has_zfp = std::any_of(codecs.begin(), codecs.end(), [](const CodecMethod& codec) {
    return std::string(codec.name) == "zfp";
  });
  if (!has_zfp) print_row("zfp", "not built in", "libzfp; build weft with WEFT_WITH_ZFP=ON");
  print_row("lossless", lossless_compresses() ? "usable" : "not built in",
            lossless_compresses()
                ? "shuffled bytes of whole messages, by Blosc"
                : "Blosc; messages stay as they are; build weft with WEFT_WITH_BLOSC=ON");
  print_heading("devices");
  print_row("host", "usable", "processor and main memory");
  for (const DeviceMethod& device : device_methods()) {
    print_choice(device.name, device.description, device.count() > 0 ? "" : no_gpu);
  }
  print_heading(
      "options of plans (NAME=VALUE in text, --NAME of commands, WEFT_NAME in the environment)");
  const Options defaults;
  for (const OptionRow& row : option_table()) {
    print_row(row.name, row.read(row, defaults),
              std::string(row.sentence) + " (" + row.values(row) + ")");
  }
  return 0;
}

}  // namespace

void add_list(CLI::App& app, Task& task) {
  CLI::App* command = app.add_subcommand(
      "list",
      "Print what can be chosen: kinds, local transforms, exchanges, codecs, devices and options");
  command->footer("Example:\n  weft list");
  command->callback([&task] { task = {false, print_list}; });
}

}  // namespace weft
