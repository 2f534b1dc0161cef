#include "catalog.hpp"

#include <algorithm>

#include "codec/codec.hpp"
#include "codec/lossless.hpp"
#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "geometry/unknown_name.hpp"
#include "kind/kind.hpp"
#include "local/local_transform.hpp"
#include "schedule/option_table.hpp"

namespace weft {

namespace {

using Rows = std::vector<CatalogRow>;

constexpr const char* no_gpu = "there is no GPU here";

std::string text_or_nothing(const char* text) {
  return text == nullptr ? "" : text;
}

/// What a build may lack.
struct OptionalRow {
  const char* name;
  const char* description;
  const char* how;
};

/// Adds those that are not there yet.
Rows with_missing(Rows rows, std::initializer_list<OptionalRow> optional) {
  for (const OptionalRow& row : optional) {
    const bool known = std::any_of(rows.begin(), rows.end(),
                                   [&](const CatalogRow& one) { return one.name == row.name; });
    if (known) continue;
    rows.push_back({.name = row.name,
                    .description = row.description,
                    .why_not = std::string("build weft with ") + row.how,
                    .built_in = false});
  }
  return rows;
}

Rows kinds() {
  Rows rows;
  for (const KindTraits& kind : kind_table()) rows.push_back({kind.name, kind.description});
  return rows;
}

Rows local_rows() {
  Rows rows;
  for (const LocalBackend& backend : local_backends()) {
    const bool on_host = backend.device == std::string("host");
    rows.push_back({.name = backend.name,
                    .description = backend.description +
                                   (on_host ? "" : std::string("; on device ") + backend.device),
                    .why_not = backend.usable() ? ""
                               : on_host        ? "not on this processor"
                                                : no_gpu});
  }
  return with_missing(
      std::move(rows),
      {{"mkl", "Intel MKL (DFTI)", "WEFT_WITH_MKL=ON"},
       {"cufft", "cuFFT; on device cuda", "WEFT_WITH_CUDA=ON, WEFT_WITH_VENDOR_FFT=ON"},
       {"hipfft", "hipFFT; on device hip", "WEFT_WITH_HIP=ON, WEFT_WITH_VENDOR_FFT=ON"}});
}

Rows exchanges() {
  Rows rows;
  for (const ExchangeMethod& method : exchange_methods()) {
    rows.push_back({.name = method.name,
                    .description = method.description,
                    .parameter = text_or_nothing(method.parameter),
                    .why_not = why_not_usable(method)});
  }
  return with_missing(std::move(rows),
                      {{"nccl", "NCCL sends and receives packed messages", "WEFT_WITH_NCCL=ON"}});
}

Rows codecs() {
  Rows rows{{"none", "data is exchanged as it is"}};
  for (const CodecMethod& codec : codec_methods()) {
    rows.push_back({.name = codec.name,
                    .description = codec.description,
                    .parameter = text_or_nothing(codec.parameter)});
  }
  rows = with_missing(std::move(rows), {{"zfp", "ZFP at a fixed rate", "WEFT_WITH_ZFP=ON"}});
  const bool compresses = lossless_compresses();
  rows.push_back(
      {.name = "lossless",
       .description = "shuffled bytes of whole messages, by Blosc",
       .why_not = compresses ? "" : "messages stay as they are; build weft with WEFT_WITH_BLOSC=ON",
       .built_in = compresses});
  return rows;
}

Rows devices() {
  Rows rows{{"host", "processor and main memory"}};
  for (const DeviceMethod& device : device_methods()) {
    rows.push_back({.name = device.name,
                    .description = device.description,
                    .why_not = device.count() > 0 ? "" : no_gpu});
  }
  return with_missing(std::move(rows), {{"cuda", "GPUs of NVIDIA", "WEFT_WITH_CUDA=ON"},
                                        {"hip", "GPUs of AMD", "WEFT_WITH_HIP=ON"}});
}

Rows options() {
  Rows rows;
  const Options defaults;
  for (const OptionRow& row : option_table()) {
    rows.push_back({.name = row.name,
                    .description = row.sentence,
                    .default_value = row.read(row, defaults),
                    .values = row.values(row)});
  }
  return rows;
}

}  // namespace

const std::vector<CatalogSection>& catalog() {
  using Contents = CatalogSection::Contents;
  static const std::vector<CatalogSection> sections{
      {"kinds", "kinds", Contents::always, kinds},
      {"local",
       "local: backends for 1-D FFTs (auto: the first that is usable, and fast on this processor)",
       Contents::by_machine, local_rows},
      {"exchanges",
       "exchanges (auto: node_shared where ranks share a node and nothing is compressed, otherwise "
       "p2p; on devices peer within a machine, peer_packed where data is compressed, otherwise "
       "nccl "
       "or staged)",
       Contents::by_machine, exchanges},
      {"codecs", "codecs", Contents::by_machine, codecs},
      {"devices", "devices", Contents::by_machine, devices},
      {"options",
       "options of plans (NAME=VALUE in text, --NAME of commands, WEFT_NAME in the environment)",
       Contents::options, options},
  };
  return sections;
}

const CatalogSection& find_section(const std::string& name) {
  std::vector<std::string_view> known;
  for (const CatalogSection& section : catalog()) {
    if (name == section.name) return section;
    known.push_back(section.name);
  }
  throw unknown_name("section", name, known);
}

}  // namespace weft
