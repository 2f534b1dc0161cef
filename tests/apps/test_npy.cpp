#include <gtest/gtest.h>

#include "files/npy.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

NpyHeader example() {
  NpyHeader header;
  header.precision = Precision::f32;
  header.complex = true;
  header.fortran_order = true;
  header.shape = {3, 1, 70000};
  return header;
}

std::string with_text(const std::string& text) {
  std::string result = "\x93NUMPY";
  result += {'\x02', '\0', static_cast<char>(text.size()), '\0', '\0', '\0'};
  return result + text;
}

TEST(Npy, WrittenHeaderIsReadBack) {
  const std::string text = npy_header_text(example());
  EXPECT_EQ(text.size() % 64, 0u);
  EXPECT_EQ(text.back(), '\n');
  ASSERT_EQ(npy_header_bytes(text), static_cast<Index>(text.size()));
  const NpyHeader header = parse_npy_header(text);
  EXPECT_EQ(header.dtype(), "<c8");
  EXPECT_EQ(header.element_bytes(), 8);
  EXPECT_EQ(header.data_bytes(), 8 * 210000);
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.shape, (Extents{3, 1, 70000}));
  EXPECT_EQ(header.order(), (AxisList{2, 1, 0}));
}

TEST(Npy, OneAxisIsWrittenAsTuple) {
  NpyHeader header;
  header.shape = {5};
  const std::string text = npy_header_text(header);
  EXPECT_NE(text.find("'shape': (5,)"), text.npos) << text;
  EXPECT_EQ(parse_npy_header(text).shape, Extents{5});
}

TEST(Npy, KeysInAnyOrderAndBothQuotes) {
  const NpyHeader header = parse_npy_header(
      with_text("{\"shape\": (2L, 3),'fortran_order':False , \"descr\" : '<f8'}  \n"));
  EXPECT_EQ(header.shape, (Extents{2, 3}));
  EXPECT_EQ(header.dtype(), "<f8");
  EXPECT_FALSE(header.fortran_order);
}

TEST(Npy, EveryCutOfAHeaderIsAnError) {
  const std::string text = npy_header_text(example());
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_THROW(parse_npy_header(std::string_view(text).substr(0, length)), Error) << length;
  }
}

TEST(Npy, EveryDamagedByteIsAnErrorOrAHeader) {
  const std::string text = npy_header_text(example());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(value);
      try {
        EXPECT_GT(parse_npy_header(damaged).data_bytes(), 0);
      } catch (const Error&) {
      }
    }
  }
}

TEST(Npy, LargestSizeIs63Bits) {
  EXPECT_EQ(parse_npy_header(with_text("{'descr': '<f4', 'fortran_order': False, "
                                       "'shape': (1152921504606846976,)}"))
                .data_bytes(),
            Index{1} << 62);
  EXPECT_THROW(parse_npy_header(with_text("{'descr': '<f8', 'fortran_order': False, "
                                          "'shape': (1152921504606846976,)}")),
               Error);
}

}  // namespace
}  // namespace weft
