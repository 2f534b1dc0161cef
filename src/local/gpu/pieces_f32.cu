#include "local/gpu/piece_kernels.hpp"

namespace weft {

Kernel<PieceLines> piece_kernel_f32(const PieceLines& pass) {
  return piece_kernel_for<float>(pass);
}

}  // namespace weft
