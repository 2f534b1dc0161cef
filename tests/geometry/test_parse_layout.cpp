#include <gtest/gtest.h>

#include "weft/layout_spec.hpp"

namespace weft {
namespace {

using Form = LayoutSpec::Form;

TEST(ParseLayout, KnowsEveryConstructor) {
  EXPECT_EQ(parse_layout("slab:1").form, Form::slab);
  EXPECT_EQ(parse_layout("slab:1").axis, 1);
  EXPECT_EQ(parse_layout("pencil:2").form, Form::pencil);
  EXPECT_EQ(parse_layout("pencil:2").axis, 2);
  EXPECT_EQ(parse_layout("brick").form, Form::brick);
  EXPECT_EQ(parse_layout("grid:2x1x4").form, Form::grid);
  EXPECT_EQ(parse_layout("grid:2x1x4").parts, (Extents{2, 1, 4}));
}

TEST(ParseLayout, KnowsOrderAndSplit) {
  const LayoutSpec spec = parse_layout("slab:0,order=210,split=block");
  EXPECT_EQ(spec.order, (AxisList{2, 1, 0}));
  EXPECT_EQ(spec.split, Split::block);
  EXPECT_EQ(parse_layout("brick,split=balanced").split, Split::balanced);
  EXPECT_TRUE(parse_layout("brick").order.empty());
}

std::string complaint(const std::string& text) {
  try {
    parse_layout(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ParseLayout, RefusesEverythingElseAndSaysWhy) {
  for (const char* text : {"",
                           "slabs:0",
                           "slab",
                           "slab:",
                           "slab:x",
                           "slab:0:1",
                           "slab:0x",
                           "slab: 0",
                           "pencil",
                           "brick:1",
                           "grid",
                           "grid:",
                           "grid:2x",
                           "grid:2,3",
                           "grid:x",
                           "slab:0,",
                           "slab:0,order=2a0",
                           "slab:0,split=blocks",
                           "slab:0,halo=1",
                           "slab:0,order"}) {
    const std::string error = complaint(text);
    EXPECT_NE(error, "") << "'" << text << "' was accepted";
    EXPECT_NE(error.find(std::string("'") + text + "'"), std::string::npos) << error;
  }
  EXPECT_EQ(complaint("X-pencil"),
            "layout 'X-pencil' is unknown (did you mean 'pencil:0'?); known: slab:AXIS, "
            "pencil:AXIS, brick, grid:PxQ...");
  EXPECT_EQ(complaint("cube"),
            "layout 'cube' is unknown; known: slab:AXIS, pencil:AXIS, brick, grid:PxQ...");
  EXPECT_EQ(complaint("brick,ordr=01"),
            "layout 'brick,ordr=01': 'ordr=01' is unknown; known: order=..., "
            "split=balanced|block");
}

TEST(ParseLayout, RefusesNumbersThatDoNotFit) {
  // Not taken for slab:0 and slab:1 either.
  for (const char* text :
       {"grid:99999999999999999999", "slab:4294967296", "pencil:4294967297", "slab:-4294967295"}) {
    EXPECT_NE(complaint(text), "") << "'" << text << "' was accepted";
  }
}

}  // namespace
}  // namespace weft
