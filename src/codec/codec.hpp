#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/block_format.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// Whether codes follow one another without headers and have half as many bits as numbers: passes
/// of a device over lines read and write these themselves.
constexpr bool has_codes_of_half_size(const BlockFormat& format, Precision precision) {
  if (precision == Precision::f64) return format.scheme == BlockScheme::fp32;
  return format.scheme == BlockScheme::trim && format.width == 16;
}

/// What encoding did to the numbers, accumulated over many calls.
struct EncodingMeasure {
  double squared_error = 0;  ///< of what decoding will give, exactly as it will
  double squared_norm = 0;   ///< of the numbers
  bool broken = false;       ///< Inf, NaN or overflow: the message must not be used

  EncodingMeasure& operator+=(const EncodingMeasure& other) {
    squared_error += other.squared_error;
    squared_norm += other.squared_norm;
    broken = broken || other.broken;
    return *this;
  }
};

/// Type of the numbers of a message. A complex number is two reals, one after the other.
struct CodecElement {
  Precision precision = Precision::f64;
  bool complex = true;
};

/// How the numbers of a packed message become bytes. Rounding is to nearest even: an unbiased error
/// grows as the square root of the number of exchanges, a biased one in proportion to it.
///
/// Messages are encoded in runs of contiguous elements. A run is cut into blocks of block_elements,
/// the last one shorter; each block stands for itself. So a run may be encoded or decoded in parts
/// that begin at multiples of block_elements, and part i is at bytes(elements before it). encode
/// and decode may be called from several threads at a time and allocate nothing.
class Codec {
 public:
  virtual ~Codec() = default;
  /// Elements (complex numbers count as one) of a block.
  virtual Index block_elements() const = 0;
  /// Bytes of an encoded run.
  virtual Index bytes(Index elements) const = 0;
  /// `values` are aligned to an element, `to` to a byte. Adds to `measure`.
  virtual void encode(const std::byte* values, Index elements, std::byte* to,
                      EncodingMeasure& measure) const = 0;
  virtual void decode(const std::byte* from, Index elements, std::byte* values) const = 0;
  /// Relative rms error of one encoding that the model predicts for white data.
  virtual double predicted_error() const = 0;
  /// As find_codec takes it: "bfp:16".
  virtual std::string name() const = 0;
  /// For devices, which encode and decode themselves; nothing where they cannot.
  virtual std::optional<BlockFormat> format() const { return std::nullopt; }
};

/// A row of the registry. Adding a codec: a file with a class, and its row.
struct CodecMethod {
  const char* name;
  const char* parameter;  ///< what follows the colon, for people; empty: nothing does
  const char* description;
  /// `parameter` is the text after the colon. Throws Error for one that makes no sense.
  std::unique_ptr<Codec> (*make)(const std::string& parameter, CodecElement element);
  /// All that `make` takes, the one with the fewest bytes first, the coarser of two equal ones
  /// first.
  std::vector<std::string> (*parameters)(CodecElement element);
  bool on_devices = false;  ///< its codecs have a format()
};

const std::vector<CodecMethod>& codec_methods();
/// By name with parameter, as "bfp:16". Throws Error for unknown names and bad parameters. Null for
/// "none", and for a codec that would not make messages of these elements shorter.
std::unique_ptr<Codec> make_codec(const std::string& name, CodecElement element);

/// Codecs for a relative error of at most `error` in one exchange, the one with the fewest bytes
/// first: that by the model for white data, then those that keep more in steps of one bit, for data
/// that is harder. `family` is a name of the registry or "auto". Empty where an error that small
/// needs no less than the numbers themselves.
std::vector<std::unique_ptr<Codec>> codecs_within(double error, const std::string& family,
                                                  CodecElement element);

}  // namespace weft
