#pragma once

#include "adapter.hpp"

namespace weft::bench {

/// For libraries that take only such lengths.
inline bool is_product_of_235(Index length) {
  for (const Index prime : {2, 3, 5}) {
    while (length % prime == 0) length /= prime;
  }
  return length == 1;
}

}  // namespace weft::bench
