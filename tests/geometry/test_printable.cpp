#include <gtest/gtest.h>

#include "weft/printable.hpp"

namespace weft {
namespace {

TEST(Printable, OrdinaryTextStays) {
  for (const char* text : {"", "in.npy", "a \\ 'b' \"c\" ~", "é.npy", "\u6ce2.npy", "\U0001f30a"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("a\r\n\tb\x7f"), "a\\x0d\\x0a\\x09b\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");                             // the C1 control sequence introducer
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");  // from right to left
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc3z"), "\\xc3z");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // longer than it need be
  EXPECT_EQ(printable("\xf0\x80\x80\x9b"), "\\xf0\\x80\\x80\\x9b");
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
}

TEST(Printable, WhatIsShownAgainStays) {
  const std::string once = printable("\x1b[31m" + std::string(5000, 'x') + "\x9b");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, TheMiddleOfLongTextIsLeftOut) {
  const std::string text = "begin" + std::string(60000, 'x') + "end";
  const std::string shown = printable(text, 20);
  EXPECT_EQ(shown, "beginxxxx...xxxxxend");
  EXPECT_EQ(printable(text, 60008), text);
  EXPECT_EQ(printable(text).size(), printable_message);
  EXPECT_EQ(printable("12345", 5), "12345");
  EXPECT_EQ(printable("12345", 2), "...");
}

TEST(Printable, NoCharacterIsCut) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "é";
  for (std::size_t longest = 3; longest < 100; ++longest) {
    const std::string shown = printable(text, longest);
    EXPECT_LE(shown.size(), longest);
    EXPECT_EQ(shown.find('\\'), shown.npos) << shown;
    EXPECT_EQ(printable(shown), shown);
  }
}

}  // namespace
}  // namespace weft
