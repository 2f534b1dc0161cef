"""JAX for the program that embeds this module: one process and one device per rank."""

from __future__ import annotations

import os
import socket

import numpy as np


def coordinator(one_node: bool) -> str:
    """An address on this host at which the processes can find each other."""
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    return f"{'127.0.0.1' if one_node else socket.gethostname()}:{port}"


def start(platform: str, threads: int, double: bool, address: str, ranks: int, rank: int,
          local_rank: int) -> str:
    """Starts JAX; returns why that is impossible, or nothing."""
    os.environ["NPROC"] = str(threads)  # threads of XLA on the host
    import jax

    jax.config.update("jax_platforms", platform)
    jax.config.update("jax_enable_x64", double)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_cuda_visible_devices", str(local_rank))
    if ranks > 1:
        jax.distributed.initialize(address, ranks, rank, cluster_detection_method="deactivate")
    try:
        devices = jax.local_device_count()
    except (AssertionError, RuntimeError) as error:  # the first without JAX's plugin
        stop()
        return str(error).partition("\n")[0] or f"no devices of kind {platform}"
    return "" if devices == 1 else f"{devices} devices per rank"


def stop() -> None:
    import jax

    if jax.distributed.is_initialized():
        jax.distributed.shutdown()


def explicit(shape: tuple[int, ...], grid: tuple[int, ...], real: bool, mesh, before, after):
    """Transforms of the blocks of a device with all-to-all exchanges between them; axes that need
    no exchange are transformed together."""
    import jax
    from jax import lax
    from jax import numpy as jnp

    steps = [[2], [1], [0]]
    if grid[0] == 1:
        steps[1:] = [[0, 1]]
    if grid[1] == 1:
        steps[:2] = [sorted(steps[0] + steps[1])]
    # The exchange before each step but the first makes its last axis whole.
    moves = [("y" if axes[-1] == 1 else "x", axes[-1]) for axes in steps[1:]]

    def forward(x):
        x = jnp.fft.rfftn(x, axes=steps[0]) if real else jnp.fft.fftn(x, axes=steps[0])
        for axes, (name, whole) in zip(steps[1:], moves):
            x = lax.all_to_all(x, name, whole + 1, whole, tiled=True)
            x = jnp.fft.fftn(x, axes=axes)
        return x

    def backward(x):
        for axes, (name, whole) in zip(steps[:0:-1], moves[::-1]):
            x = jnp.fft.ifftn(x, axes=axes)
            x = lax.all_to_all(x, name, whole, whole + 1, tiled=True)
        if real:
            return jnp.fft.irfftn(x, [shape[axis] for axis in steps[0]], axes=steps[0])
        return jnp.fft.ifftn(x, axes=steps[0])

    def each_device(function, source, target):
        return jax.shard_map(function, mesh=mesh, in_specs=source, out_specs=target)

    return each_device(forward, before, after), each_device(backward, after, before)


class Plan:
    """Transforms of an array that is split over all devices; the inverse is scaled. Of both arrays
    there are mirrors in the memory of the host, one for both when the transform is in place."""

    def __init__(self, method: str, shape: tuple[int, ...], grid: tuple[int, ...], dtype: str,
                 in_place: bool) -> None:
        import jax
        from jax import numpy as jnp
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        self.jax = jax
        self.in_place = in_place
        real = np.dtype(dtype).kind == "f"
        mesh = Mesh(np.array(jax.devices()).reshape(grid), ("x", "y"))
        before, after = PartitionSpec("x", "y", None), PartitionSpec(None, "x", "y")
        sharding = NamedSharding(mesh, before)
        result = None
        self.axes = [(0, 1, 2), (0, 1, 2)]  # of the harness, in the order of the array
        if method == "jaxdecomp":
            import jaxdecomp
            forward, backward = jaxdecomp.fft.pfft3d, jaxdecomp.fft.pifft3d
            self.axes[1] = (1, 2, 0)
        elif method == "shard_map":
            forward, backward = explicit(shape, grid, real, mesh, before, after)
        else:
            result = NamedSharding(mesh, after)
            forward = jnp.fft.rfftn if real else jnp.fft.fftn
            backward = (lambda x: jnp.fft.irfftn(x, shape)) if real else jnp.fft.ifftn
        donated = 0 if in_place else ()
        self.functions = [
            jax.jit(forward, donate_argnums=donated, out_shardings=result),
            jax.jit(backward, donate_argnums=donated, out_shardings=sharding)]

        self.shapes, self.shardings = [shape], [sharding]
        self.mirrors = [np.zeros(sharding.shard_shape(shape), dtype)]
        self.arrays = [None, None]
        self.upload(False)
        self.run(False)  # compiles
        spectral = self.arrays[1]
        self.shapes.append(spectral.shape)
        self.shardings.append(spectral.sharding)
        local = spectral.addressable_data(0)
        self.mirrors.append(self.mirrors[0].reshape(local.shape) if in_place
                            else np.zeros(local.shape, local.dtype))
        del spectral, local
        self.run(True)

    def place(self, spectral: bool) -> tuple[int, ...]:
        """First indices, ends and address of an array."""
        shape = self.shapes[spectral]
        device, = self.jax.local_devices()
        parts = self.shardings[spectral].devices_indices_map(shape)[device]
        box = [part.indices(length) for part, length in zip(parts, shape)]
        box = [box[self.axes[spectral].index(axis)] for axis in range(3)]
        return (*(part[0] for part in box), *(part[1] for part in box),
                self.mirrors[spectral].ctypes.data)

    def upload(self, spectral: bool) -> None:
        # JAX may take over memory of NumPy as it is, so that it gets a copy.
        block = self.jax.device_put(self.mirrors[spectral].copy(), self.jax.local_devices()[0])
        self.arrays[spectral] = self.jax.make_array_from_single_device_arrays(
            self.shapes[spectral], self.shardings[spectral], [block])

    def download(self, spectral: bool) -> None:
        np.copyto(self.mirrors[spectral], self.arrays[spectral].addressable_data(0))

    def run(self, backward: bool) -> None:
        self.arrays[not backward] = None  # frees the memory that the result takes
        result = self.functions[backward](self.arrays[backward])
        self.arrays[not backward] = result.block_until_ready()

    def device_bytes(self) -> int:
        """The most that was in use, for work space is in use during transforms only."""
        statistics = self.jax.local_devices()[0].memory_stats()
        return statistics["peak_bytes_in_use"] if statistics else 0
