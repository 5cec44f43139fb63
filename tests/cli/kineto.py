# SPDX-License-Identifier: Apache-2.0
"""Writes small traces of PyTorch's profiler whose figures can be computed by hand. Times are µs since BEGIN."""

import json
from pathlib import Path

BEGIN = 1_700_000_000_000_000  # µs since 1970


class Recording:
    """Builds the trace of one rank, which has one host thread and one GPU."""

    def __init__(self, rank, world):
        self.rank, self.world, self.events, self.correlation = rank, world, [], 0
        self.device = None  # the name of the GPU, if the file states it
        self.node = None  # the name of the node, if the file states it

    def span(self, name, category, begin, duration, **args):
        self.events.append({'ph': 'X', 'name': name, 'cat': category, 'pid': 100 + self.rank, 'tid': 1, 'ts': BEGIN + begin, 'dur': duration, 'args': args})

    def operator(self, name, begin, duration, shapes, data_type='c10::BFloat16', values=()):
        """Adds an operator with the shapes of its inputs, which are all tensors of one type."""
        self.span(name, 'cpu_op', begin, duration, **{'Input Dims': shapes, 'Input type': [data_type] * len(shapes),
                                                      'Concrete Inputs': list(values) or [''] * len(shapes)})

    def step(self, number, begin, duration):
        self.span(f'ProfilerStep#{number}', 'user_annotation', begin, duration)

    def synchronize(self, begin, duration):
        self.span('cudaDeviceSynchronize', 'cuda_runtime', begin, duration, correlation=0)

    def kernel(self, name, launch, begin, duration, stream=7, **args):
        """Adds a kernel, and the call of 10 µs that launches the kernel."""
        self.correlation += 1
        self.span('cudaLaunchKernel', 'cuda_runtime', launch, 10, correlation=self.correlation)
        self.events.append({'ph': 'X', 'name': name, 'cat': 'kernel', 'pid': 0, 'tid': stream, 'ts': BEGIN + begin, 'dur': duration,
                            'args': {'device': 0, 'stream': stream, 'correlation': self.correlation, **args}})
        flow = {'id': self.correlation, 'cat': 'ac2g', 'name': 'ac2g'}
        self.events.append({'ph': 's', 'pid': 100 + self.rank, 'tid': 1, 'ts': BEGIN + launch, **flow})
        self.events.append({'ph': 'f', 'bp': 'e', 'pid': 0, 'tid': stream, 'ts': BEGIN + begin, **flow})

    def collective(self, name, launch, begin, duration, ranks, size, n_elements=1_000_000):
        """Adds a collective of floats for the group that consists of `ranks`."""
        self.kernel(f'ncclDevKernel_{name}', launch, begin, duration, stream=20,
                    **{'Collective name': name, 'In msg nelems': n_elements, 'Out msg nelems': n_elements, 'Group size': size,
                       'dtype': 'Float', 'Process Group Name': '0', 'Process Group Ranks': str(list(ranks))})

    def write(self, folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        document = {'schemaVersion': 1, 'traceEvents': self.events, 'distributedInfo': {'backend': 'nccl', 'rank': self.rank, 'world_size': self.world}}
        if self.device is not None:
            document['deviceProperties'] = [{'id': 0, 'name': self.device}]
        if self.node is not None:
            document['host_name'] = self.node
        (Path(folder) / f'rank{self.rank}.pt.trace.json').write_text(json.dumps(document))
