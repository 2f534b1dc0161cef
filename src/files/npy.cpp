#include "files/npy.hpp"

#include <bit>
#include <charconv>
#include <optional>
#include <vector>

#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

static_assert(std::endian::native == std::endian::little, "files are read as they lie");

namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// NumPy aligns the elements to this.
constexpr std::size_t header_alignment = 64;

struct TypeRow {
  const char* dtype;
  Precision precision;
  bool complex;
  Index bytes;
};

constexpr TypeRow types[] = {
    {"<f4", Precision::f32, false, 4},
    {"<f8", Precision::f64, false, 8},
    {"<c8", Precision::f32, true, 8},
    {"<c16", Precision::f64, true, 16},
};

const TypeRow& row_of(const NpyHeader& header) {
  for (const TypeRow& row : types) {
    if (row.precision == header.precision && row.complex == header.complex) return row;
  }
  throw Error("no such type of elements");
}

/// Reads the Python literal of the header, a dictionary.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("malformed header: " + what + " at character " + std::to_string(at_) + " of " +
                excerpt(text_));
  }

  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }

  std::string quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail("expected a string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) fail("a string does not end");
    const std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (text_.substr(at_).starts_with(name)) {
        at_ += name.size();
        return value;
      }
    }
    fail("expected True or False");
  }

  std::vector<Index> integers() {
    std::vector<Index> values;
    expect('(');
    while (!take(')')) {
      skip_space();
      Index value = 0;
      const char* begin = text_.data() + at_;
      const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
      if (status != std::errc{}) fail("expected a number of at most 63 bits");
      at_ += static_cast<std::size_t>(end - begin);
      take('L');  // written by Python 2
      values.push_back(value);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  void expect_end() {
    skip_space();
    if (at_ != text_.size()) fail("unexpected text");
  }

  /// The rest, for messages about values that are not understood.
  std::string rest() {
    skip_space();
    return excerpt(text_.substr(at_));
  }

  bool at_quote() {
    skip_space();
    return at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  /// Without the padding of headers.
  static std::string excerpt(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
    return printable(text, printable_excerpt);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void set_type(NpyHeader& header, const std::string& dtype) {
  std::vector<std::string_view> known;
  for (const TypeRow& row : types) {
    if (dtype == row.dtype) {
      header.precision = row.precision;
      header.complex = row.complex;
      return;
    }
    known.push_back(row.dtype);
  }
  throw UnsupportedType("dtype '" + printable(dtype, printable_excerpt) +
                            "' is not supported; known: " + comma_list(known),
                        dtype);
}

std::string tuple_text(const std::vector<Index>& values) {
  std::string text;
  for (Index value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "(" + text + (values.size() == 1 ? ",)" : ")");
}

void set_shape(NpyHeader& header, const std::vector<Index>& lengths) {
  if (lengths.empty() || lengths.size() > static_cast<std::size_t>(max_axes)) {
    throw Error("shape " + printable(tuple_text(lengths), printable_excerpt) + " has " +
                std::to_string(lengths.size()) + " axes; 1 to " + std::to_string(max_axes) +
                " are supported");
  }
  for (Index length : lengths) {
    if (length < 1) throw Error("shape " + tuple_text(lengths) + ": lengths must be positive");
    header.shape.push_back(length);
  }
}

std::size_t length_bytes(char version) {
  return version == 1 ? 2 : 4;
}

}  // namespace

Index NpyHeader::element_bytes() const {
  return row_of(*this).bytes;
}

Index NpyHeader::data_bytes() const {
  Extents factors = shape;
  factors.push_back(element_bytes());
  return product(factors);
}

std::string NpyHeader::dtype() const {
  return row_of(*this).dtype;
}

AxisList NpyHeader::order() const {
  AxisList axes;
  for (int i = 0; i < shape.size(); ++i) {
    axes.push_back(fortran_order ? shape.size() - 1 - i : i);
  }
  return axes;
}

Index npy_header_bytes(std::string_view preamble) {
  if (!preamble.starts_with(magic)) throw Error("is not a NumPy file (.npy)");
  const auto byte = [&](std::size_t at) -> Index {
    if (at >= preamble.size()) throw Error("is truncated within its header");
    return static_cast<unsigned char>(preamble[at]);
  };
  const Index version = byte(magic.size());
  if (version < 1 || version > 3) {
    throw Error("has NumPy format version " + std::to_string(version) +
                "; 1, 2 and 3 are supported");
  }
  const std::size_t begin = magic.size() + 2;
  const std::size_t width = length_bytes(static_cast<char>(version));
  Index length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= byte(begin + i) << (8 * i);
  return static_cast<Index>(begin + width) + length;
}

NpyHeader parse_npy_header(std::string_view header) {
  if (header.size() != static_cast<std::size_t>(npy_header_bytes(header))) {
    throw Error("is truncated within its header");
  }
  LiteralReader reader(header.substr(magic.size() + 2 + length_bytes(header[magic.size()])));
  NpyHeader result;
  std::optional<std::string> dtype;
  std::optional<bool> fortran_order;
  std::optional<std::vector<Index>> lengths;
  reader.expect('{');
  while (!reader.take('}')) {
    const std::string key = reader.quoted();
    reader.expect(':');
    if (key == "descr" && !dtype) {
      if (!reader.at_quote()) throw Error("dtype " + reader.rest() + " is not supported");
      dtype = reader.quoted();
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = reader.boolean();
    } else if (key == "shape" && !lengths) {
      lengths = reader.integers();
    } else {
      reader.fail("unexpected key '" + printable(key, printable_excerpt) + "'");
    }
    if (!reader.take(',')) {
      reader.expect('}');
      break;
    }
  }
  reader.expect_end();
  if (!dtype || !fortran_order || !lengths) {
    reader.fail("descr, fortran_order or shape is missing");
  }
  set_type(result, *dtype);
  set_shape(result, *lengths);
  result.fortran_order = *fortran_order;
  result.data_bytes();  // throws when it is too large
  return result;
}

std::string npy_header_text(const NpyHeader& header) {
  std::string text = "{'descr': '" + header.dtype() +
                     "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': " + tuple_text({header.shape.begin(), header.shape.end()}) + ", }";
  const std::size_t prefix = magic.size() + 4;
  const std::size_t total =
      (prefix + text.size() + 1 + header_alignment - 1) / header_alignment * header_alignment;
  text.resize(total - prefix - 1, ' ');
  text += '\n';
  std::string result(magic);
  result +=
      {'\x01', '\0', static_cast<char>(text.size() % 256), static_cast<char>(text.size() / 256)};
  return result + text;
}

}  // namespace weft
