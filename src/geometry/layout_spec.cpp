#include "weft/layout_spec.hpp"

#include <charconv>

#include "geometry/unknown_name.hpp"

namespace weft {

namespace {

LayoutSpec of_form(LayoutSpec::Form form) {
  LayoutSpec spec;
  spec.form = form;
  return spec;
}

Index parse_number(const std::string& text, const std::string& in) {
  Index value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) {
    throw Error("layout '" + in + "': '" + text + "' is not a number");
  }
  return value;
}

int parse_axis(const std::string& text, const std::string& in) {
  const Index axis = parse_number(text, in);
  if (axis < 0 || axis >= max_axes) {
    throw Error("layout '" + in + "': '" + text + "' is not an axis");
  }
  return static_cast<int>(axis);
}

std::vector<std::string> split_text(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

LayoutSpec LayoutSpec::with_order(AxisList axes) const {
  LayoutSpec result = *this;
  result.order = axes;
  return result;
}

LayoutSpec LayoutSpec::with_split(Split rule) const {
  LayoutSpec result = *this;
  result.split = rule;
  return result;
}

LayoutSpec LayoutSpec::with_halo(Extents lower, Extents upper) const {
  LayoutSpec result = *this;
  result.halo_lower = lower;
  result.halo_upper = upper;
  return result;
}

LayoutSpec LayoutSpec::with_strides(Strides distances) const {
  LayoutSpec result = *this;
  result.strides = distances;
  return result;
}

LayoutSpec LayoutSpec::padded_for_r2c() const {
  LayoutSpec result = *this;
  result.r2c_padding = true;
  return result;
}

LayoutSpec slab_split(int axis) {
  LayoutSpec spec = of_form(LayoutSpec::Form::slab);
  spec.axis = axis;
  return spec;
}

LayoutSpec pencil_along(int axis) {
  LayoutSpec spec = of_form(LayoutSpec::Form::pencil);
  spec.axis = axis;
  return spec;
}

LayoutSpec brick() {
  return of_form(LayoutSpec::Form::brick);
}

LayoutSpec grid(Extents parts) {
  LayoutSpec spec = of_form(LayoutSpec::Form::grid);
  spec.parts = parts;
  return spec;
}

LayoutSpec boxes(std::vector<Box> one_per_rank) {
  LayoutSpec spec = of_form(LayoutSpec::Form::boxes);
  spec.all = std::move(one_per_rank);
  return spec;
}

LayoutSpec box(Box own) {
  LayoutSpec spec = of_form(LayoutSpec::Form::own_box);
  spec.own = own;
  return spec;
}

LayoutSpec parse_layout(const std::string& text) {
  const auto fields = split_text(text, ',');
  const auto head = split_text(fields[0], ':');
  const auto argument = [&] {
    if (head.size() != 2)
      throw Error("layout '" + text + "': '" + head[0] + "' needs ':' and a value");
    return head[1];
  };
  LayoutSpec spec;
  if (head[0] == "slab") {
    spec = slab_split(parse_axis(argument(), text));
  } else if (head[0] == "pencil") {
    spec = pencil_along(parse_axis(argument(), text));
  } else if (head[0] == "brick" && head.size() == 1) {
    spec = brick();
  } else if (head[0] == "grid") {
    Extents parts;
    for (const std::string& part : split_text(argument(), 'x')) {
      parts.push_back(parse_number(part, text));
    }
    spec = grid(parts);
  } else {
    throw unknown_name("layout", text, {"slab:AXIS", "pencil:AXIS", "brick", "grid:PxQ..."});
  }
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto pair = split_text(fields[i], '=');
    if (pair.size() == 2 && pair[0] == "order") {
      for (char digit : pair[1]) {
        spec.order.push_back(parse_axis(std::string(1, digit), text));
      }
    } else if (pair.size() == 2 && pair[0] == "split" && pair[1] == "block") {
      spec.split = Split::block;
    } else if (pair.size() == 2 && pair[0] == "split" && pair[1] == "balanced") {
      spec.split = Split::balanced;
    } else {
      throw Error("layout '" + text + "': '" + fields[i] +
                  "' is unknown; known: order=..., split=balanced|block");
    }
  }
  return spec;
}

}  // namespace weft
