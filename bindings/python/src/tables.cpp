#include <nanobind/stl/string.h>

#include "array.hpp"
#include "bindings.hpp"
#include "codec/codec.hpp"
#include "codec/lossless.hpp"
#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "kind/kind.hpp"
#include "local/local_transform.hpp"
#include "schedule/option_table.hpp"

namespace weft::python {

namespace nb = nanobind;

namespace {

using Rows = nb::typed<nb::list, AnyTuple>;

/// A row is (name, usable here, parameter or None, description).
void append(Rows& rows, const char* name, bool usable, const char* parameter,
            const char* description) {
  const nb::object named = parameter == nullptr ? nb::none() : nb::object(nb::str(parameter));
  rows.append(nb::make_tuple(name, usable, named, description));
}

Rows kinds() {
  Rows rows;
  for (const KindTraits& kind : kind_table()) {
    append(rows, kind.name, true, nullptr, kind.description);
  }
  return rows;
}

Rows local_transforms() {
  Rows rows;
  for (const LocalBackend& backend : local_backends()) {
    append(rows, backend.name, backend.usable(), nullptr, backend.description);
  }
  return rows;
}

Rows exchanges() {
  Rows rows;
  for (const ExchangeMethod& method : exchange_methods()) {
    append(rows, method.name, why_not_usable(method).empty(), method.parameter, method.description);
  }
  return rows;
}

Rows codecs() {
  Rows rows;
  append(rows, "none", true, nullptr, "data is exchanged as it is");
  for (const CodecMethod& codec : codec_methods()) {
    append(rows, codec.name, true, codec.parameter, codec.description);
  }
  append(rows, "lossless", lossless_compresses(), nullptr,
         "shuffled bytes of whole messages, by Blosc");
  return rows;
}

Rows devices() {
  Rows rows;
  append(rows, "host", true, nullptr, "processor and main memory");
  for (const DeviceMethod& device : device_methods()) {
    append(rows, device.name, device.count() > 0, nullptr, device.description);
  }
  return rows;
}

/// (name, description, values, default, type), all of them as text.
Rows options() {
  Rows rows;
  for (const OptionRow& row : option_table()) {
    rows.append(nb::make_tuple(row.name, row.sentence, row.values(row), row.read(row, Options{}),
                               std::string(row.type)));
  }
  return rows;
}

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("kinds", kinds);
  module.def("local_transforms", local_transforms);
  module.def("exchanges", exchanges);
  module.def("codecs", codecs);
  module.def("devices", devices);
  module.def("options", options);
}

}  // namespace weft::python
