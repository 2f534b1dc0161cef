from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Weft(CMakePackage, CudaPackage, ROCmPackage):
    """Spectral transforms of arrays that are spread over many processes: complex and real Fourier
    transforms, cosine and sine transforms of up to six axes, in any decomposition."""

    # The sources are those of the checkout that this recipe is a part of.
    git = Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("shared", default=True, description="Build a shared library")
    variant("apps", default=True, description="Build the command weft and the solvers")
    variant("fortran", default=True, description="Build the module for Fortran")
    variant("mkl", default=False, description="Local transforms by Intel MKL, linked statically")
    variant("zfp", default=True, description="Offer ZFP for compressed messages")
    variant("blosc", default=True, description="Compress messages losslessly with Blosc")
    variant("nccl", default=False, when="+cuda", description="Exchange messages of GPUs with NCCL")

    depends_on("c", type="build")  # of the tests
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("python@3:", type="build", when="+fortran")  # writes its interfaces
    depends_on("cmake@3.22:", type="build")
    depends_on("mpi@3:")
    depends_on("fftw@3.3: +openmp precision=float,double")
    depends_on("intel-oneapi-mkl@2024.1:", when="+mkl")
    depends_on("zfp", when="+zfp")
    depends_on("c-blosc", when="+blosc")
    depends_on("cuda@13:", when="+cuda")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl cuda_arch={arch}", when=f"+nccl cuda_arch={arch}")
    depends_on("hip", when="+rocm")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"hipfft amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    depends_on("cli11", type="build", when="+apps")
    depends_on("nlohmann-json@3.2:", type="build", when="+apps")
    depends_on("eigen@3.3:3", type="build", when="+apps")
    depends_on("googletest", type="test")

    requires("%gcc@12:", "%clang@16:", policy="any_of", msg="weft needs a compiler for C++20")
    conflicts("+cuda", when="+rocm", msg="a build is for GPUs of one kind")
    conflicts("cuda_arch=none", when="+cuda", msg="give the architecture: cuda_arch=90")
    conflicts("amdgpu_target=none", when="+rocm", msg="give the target: amdgpu_target=gfx90a")

    def cmake_args(self):
        args = [
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
            self.define("WEFT_BUILD_TESTS", self.run_tests),
            self.define("WEFT_BUILD_BENCH", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEFT_BUILD_APPS", "apps"),
            self.define_from_variant("WEFT_WITH_FORTRAN", "fortran"),
            self.define_from_variant("WEFT_WITH_MKL", "mkl"),
            self.define_from_variant("WEFT_WITH_ZFP", "zfp"),
            self.define_from_variant("WEFT_WITH_BLOSC", "blosc"),
            self.define_from_variant("WEFT_WITH_CUDA", "cuda"),
            self.define("WEFT_WITH_NCCL", self.spec.satisfies("+nccl")),
            self.define_from_variant("WEFT_WITH_HIP", "rocm"),
        ]
        if self.spec.satisfies("+fortran"):
            args.append(self.define("MPI_Fortran_COMPILER", self.spec["mpi"].mpifc))
        if self.spec.satisfies("+mkl"):
            mkl = self.spec["intel-oneapi-mkl"].package.component_prefix
            args.append(self.define("MKL_ROOT", mkl))
        if self.spec.satisfies("+cuda"):
            args.append(self.define_cuda_architectures(self))
        if self.spec.satisfies("+rocm"):
            args.append(self.define_hip_architectures(self))
        return args
