# SPDX-License-Identifier: Apache-2.0
"""Compares figures computed from kernels and collectives with three sources: tables of other programs (Holistic Trace Analysis (HTA),
TraceLens, StragglerAnalysis), tables computed in whole nanoseconds (`exact`), and the truth about generated runs (`parallel-*`).
Every value of the tables is compared or listed: in DIFFERENCES if the other program defines it differently, in NOT_COMPUTED if
Traceloom has no such figure. The test fails for a difference that is not listed, a listed difference that does not exist, and a
changed number of values that are not compared. Catapult has no tables; tests/import compares what it draws.
Usage: test-oracle.py PRINT_COMPUTED"""

import functools
import gzip
import importlib.util
import json
import shlex
import subprocess
import sys
import tempfile
import unittest.mock
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import Tap, generate, need, same, shared_folder  # noqa: E402

PROGRAM = str(Path(sys.argv[1]).resolve())
ORACLE, SHARED = shared_folder('oracle'), shared_folder('.')
TIMEOUT_S = 200

WAITS = 'HTA takes waits (cuda_sync rows) for device work'
STREAMS = 'HTA takes every row with args.stream for device work: operators of Triton, overhead, waits'
CUSTOM = 'collectives HTA has no name for (cross_device_reduce) are communication here'
NO_KIND = 'HTA leaves spans of an MTIA that enclose others out of its table of kernels'
DOUBLES = 'HTA holds times near 1.7e15 us in doubles, 0.25 us apart'
ROUNDED = 'HTA rounds begins up and ends down to whole us unless told otherwise'
LATENCY = 'TraceLens takes the shortest duration of the ranks for the latency, Traceloom the median end less the last arrival'
TIES = 'of ranks that arrive last together TraceLens counts the lowest, Traceloom none'
OVERLAPS = 'kernels of one stream that overlap count as negative gaps there, here as no gap'
NO_FLOWS = 'launches without flow events are not known here'
ENCLOSING = 'spans of an MTIA that enclose others are no work here'
CALLS_OF_CUDA = 'launches of an MTIA are looked up by the names of CUDA here'
NO_LAUNCHES = 'HTA takes a kernel without a launch for launched by the first event of the file'
ORDER = 'HTA puts launches and begins of one time in no fixed order'
PLANTED_FAULTS = 'the truth is that of the run before kernels, launches and times were damaged'
CLOCKS = 'clocks of ranks that only messages connect are known to the transfer time of a message'
DRAWN = 'the published times are of a table in which the first collective includes waiting, the timeline has its transfer'
LAUNCH_NAMES = 'launches are calls of a name that launched work in the file here, there those of nine names'
ENCLOSING_CALLS = 'work of an MTIA counts for spans of the host here, which there has no categories for it'
RATES = 'TraceLens takes the mean of the rates of all calls, Traceloom the work of all calls by the time of their kernels'
ALL_GROUPS = 'TraceLens says how many collectives all groups have, Traceloom how many the rank is a member of'

# Each entry: case, reason, table, names of quantities, and the number of differing values. Instead of the number there may be
# Traceloom's values, if no other comparison would detect a change of them.
TIMES = 'idle_us idle_pct compute_us compute_pct non_compute_us non_compute_pct span_us'
DIFFERENCES = [
    ('hta-alexnet', WAITS, 'hta', 'idle_us non_compute_us span_us', 1),
    ('hta-event-sync', WAITS, 'hta', 'idle_us idle_pct non_compute_us non_compute_pct', 1),
    ('hta-gen-pp4-stall', WAITS, 'hta', 'idle_us idle_pct non_compute_us non_compute_pct', 8),
    ('hta-gen-tp-pp', WAITS, 'hta', 'idle_us idle_pct non_compute_us non_compute_pct', 8),
    ('hta-triton', STREAMS, 'hta', 'compute_us span_us', 1),
    ('hta-triton', STREAMS, 'kernels', 'sum_us max_us mean_us', [1.76]),
    ('hta-b200-eager', STREAMS, 'hta', 'idle_us idle_pct', 1),
    ('hta-b200-eager', STREAMS, 'kernels', 'sum_us max_us mean_us', [None, 1.984]),
    ('hta-b200-eager', STREAMS, 'kernels', 'std_us', [None, 0.0]),
    ('hta-triton', STREAMS, 'kernels', 'std_us', [0.0]),
    ('hta-b200-eager', CUSTOM, 'kernels', 'min_us', [None]),
    ('hta-b200-eager', CUSTOM, 'exact', 'compute_ns', [8652137]),
    ('hta-b200-eager', CUSTOM, 'exact', 'communication_ns exposed_communication_ns', [2141501]),
    ('hta-b200-eager', CUSTOM, 'hta', 'compute_us compute_pct non_compute_us non_compute_pct', 1),
    ('hta-mtia-inference', NO_KIND, 'kernels', 'distinct', [6]),
    ('hta-ns-resolution', DOUBLES, 'hta', 'idle_us span_us', 1),
    ('hta-amd-minitoy', ROUNDED, 'hta_rounded', TIMES, 1),
    ('hta-b200-eager', ROUNDED, 'hta_rounded', TIMES, 1),
    ('hta-bert-h100', ROUNDED, 'hta_rounded', TIMES, 1),
    ('hta-gpu-only', ROUNDED, 'hta_rounded', 'idle_us idle_pct compute_us compute_pct span_us', 1),
    ('hta-mtia-inference', ROUNDED, 'hta_rounded', TIMES, 1),
    ('hta-nccl-data', ROUNDED, 'hta_rounded', TIMES + ' overlap_pct', 1),
    ('hta-ns-resolution', ROUNDED, 'hta_rounded', TIMES, 1),
    ('hta-resnet-ddp', ROUNDED, 'hta_rounded', 'idle_us idle_pct compute_us compute_pct non_compute_us span_us', 1),
    ('hta-triton', ROUNDED, 'hta_rounded', 'compute_us span_us', 1),
    ('hta-b200-eager', OVERLAPS, 'exact', 'idle_ns', [420603]),
    ('hta-b200-eager', OVERLAPS, 'idle', 'idle_us mean_us', 1),
    ('hta-b200-eager', OVERLAPS, 'idle', 'ratio', 2),
    ('hta-b200-eager', DOUBLES, 'launch', 'delay_us', [6577.817, 6173.313]),
    ('hta-bert-h100', DOUBLES, 'launch', 'delay_us', [61.903, 60.226]),
    ('hta-nccl-data', DOUBLES, 'launch', 'delay_us', [103192.251, 88533.581]),
    ('hta-ns-resolution', DOUBLES, 'launch', 'delay_us delay_max_us', 2),
    ('hta-ns-resolution', DOUBLES, 'idle', 'intervals idle_us mean_us max_us', 2),
    ('hta-ns-resolution', DOUBLES, 'idle', 'ratio', 2),
    ('hta-dlrm8', NO_LAUNCHES, 'idle', 'intervals', [171, 180]),
    ('hta-dlrm8', NO_LAUNCHES, 'idle', 'idle_us mean_us', 2),
    ('hta-mtia-inference', ENCLOSING, 'exact', 'intervals idle_ns', 11),
    ('hta-mtia-inference', ENCLOSING, 'idle', 'intervals idle_us', 24),
    ('hta-mtia-inference', ENCLOSING, 'idle', 'mean_us', 22),
    ('hta-mtia-inference', ENCLOSING, 'idle', 'max_us', 13),
    ('hta-mtia-inference', ENCLOSING, 'idle', 'ratio', 20),
    ('hta-mtia-inference', ENCLOSING, 'queue', 'max', [7, 21, 7, 11] + [15] * 8),
    ('hta-mtia-inference', ENCLOSING, 'exact', 'kernels_without_launch', [298]),
    ('hta-mtia-inference', CALLS_OF_CUDA, 'exact', 'launches delay_ns runtime_outliers delay_outliers', [0]),
    ('hta-mtia-inference', CALLS_OF_CUDA, 'launch', 'cpu_us gpu_us delay_us delay_max_us launches runtime_outliers delay_outliers', 2),
    ('tracelens-dlrm8', LATENCY, 'collective', 'latency_us', [85.0, 9.5, 19.5, 66.0]),
    ('tracelens-report-bert-h100', RATES, 'work', 'TBps_mean TFLOPSps_mean', 1),
    ('tracelens-gen-tp-pp', TIES, 'straggler', 'times_arrived_last', [49, 36, 45, 42]),
    ('tracelens-gen-tp-pp', ALL_GROUPS, 'straggler', 'num_collectives', [102] * 8),
    ('parallel-faults', PLANTED_FAULTS, 'step_ns', '', 1),
    ('parallel-faults', PLANTED_FAULTS, 'replayed_ns', '', 1),
    ('parallel-faults', PLANTED_FAULTS, 'slowdown', '', 1),
    ('parallel-faults', PLANTED_FAULTS, 'as_it_was', '', 1),
    ('parallel-faults', PLANTED_FAULTS, 'all_alike', '', 1),
    ('parallel-faults', PLANTED_FAULTS, 'axis', 'free', 2),
    ('parallel-faults', PLANTED_FAULTS, 'breakdown', 'compute_ns', [21789298, 22824481, 11479876]),
    ('parallel-faults', PLANTED_FAULTS, 'breakdown', 'idle_ns', 4),
    ('parallel-faults', PLANTED_FAULTS, 'breakdown', 'span_ns', 2),
    ('parallel-faults', PLANTED_FAULTS, 'breakdown', 'communication_ns exposed_communication_ns', 1),
    ('parallel-faults', PLANTED_FAULTS, 'idle', 'gaps', [163, 19, 180, 11, 0, 92, 4]),
    ('parallel-faults', PLANTED_FAULTS, 'idle', 'ns', 8),
    ('parallel-faults', PLANTED_FAULTS, 'bandwidth', 'count', [0, 5, 4]),
    ('parallel-faults', PLANTED_FAULTS, 'axes', 'groups', [False] * 5),
    ('parallel-faults', PLANTED_FAULTS, 'axes', 'coordinates', [0, 1, 1]),
    ('parallel-faults', PLANTED_FAULTS, 'bubbles', 'bubble_ns', 6),
    ('parallel-faults', PLANTED_FAULTS, 'bubbles', 'ranks', [False] * 2),
    ('parallel-faults', PLANTED_FAULTS, 'bubbles', 'window_ns', 2),
    ('parallel-faults', PLANTED_FAULTS, 'bubbles', 'fraction', 4),
    ('parallel-faults', PLANTED_FAULTS, 'bandwidth', 'median_ns', 3),
    ('parallel-faults', PLANTED_FAULTS, 'modules', 'forward_ns', [1482391, 2091841, 2123415, 1420515, 758146, 1123557, 757333, 1129103]),
    ('parallel-stall-clocks', CLOCKS, 'step_ns', '', [16220248, 38112279, 21509339]),
    ('parallel-stall-clocks', CLOCKS, 'replayed_ns', '', 3),
    ('parallel-stall-clocks', CLOCKS, 'slowdown', '', [1.01128433]),
    ('parallel-stall-clocks', CLOCKS, 'as_it_was', '', 1),
    ('parallel-stall-clocks', CLOCKS, 'without_straggler', '', 1),
    ('parallel-stall-clocks', CLOCKS, 'axis', 'free', 1),
    ('parallel-stall-clocks', CLOCKS, 'bandwidth', 'median_ns', 1),
    ('health-corpus', LAUNCH_NAMES, 'correlation', 'launches', [16, 61, 8066, 2375, 12]),
    ('health-corpus', LAUNCH_NAMES, 'correlation', 'launch_without_device_operation', [0]),
    ('health-corpus', ENCLOSING_CALLS, 'nesting', 'spans', [0, 12865, 21423]),
    ('health-corpus', ENCLOSING_CALLS, 'nesting', 'beyond_parent worst_us', 1),
    ('whatif-st', DRAWN, 'step_s', '', 1),
    ('whatif-se', DRAWN, 'step_s', '', 1),
    ('tracelens-gen-pp4-stall', ALL_GROUPS, 'straggler', 'num_collectives', [4] * 8),
    ('hta-b200-eager', STREAMS, 'hta-path', 'events graph_nodes graph_edges path_nodes path_events name_weight', 1),
    ('hta-b200-eager', STREAMS, 'hta-path', 'edges', 2),
    ('hta-df-index', ORDER, 'hta-path', 'edges weight', 2),
    ('hta-dlrm8', NO_FLOWS, 'hta-path', 'edges', 7),
    ('hta-dlrm8', NO_FLOWS, 'hta-path', 'weight', 8),
    ('hta-dlrm8', NO_FLOWS, 'hta-path', 'events graph_nodes graph_edges', 2),
    ('hta-gen-pp4-stall', DOUBLES, 'hta-path', 'edges', 4),
    ('hta-gen-pp4-stall', DOUBLES, 'hta-path', 'zero weight', 2),
    ('hta-gen-tp-pp', DOUBLES, 'hta-path', 'edges', 4),
    ('hta-gen-tp-pp', DOUBLES, 'hta-path', 'zero weight', 2),
    ('hta-ns-resolution', DOUBLES, 'hta-path', 'span_us zero', 3),
    ('hta-ns-resolution', DOUBLES, 'hta-path', 'edges', 4),
    ('hta-ns-resolution', DOUBLES, 'hta-path', 'weight', 6),
    ('hta-ns-resolution', DOUBLES, 'hta-path', 'name_weight', 111),
    ('hta-param-linear', ORDER, 'hta-path', 'edges weight', 2),
    ('hta-timeline-sampled', NO_FLOWS, 'hta-path', 'events graph_nodes graph_edges path_nodes length_us span_us name', 1),
    ('hta-timeline-sampled', NO_FLOWS, 'hta-path', 'edges', 7),
    ('hta-timeline-sampled', NO_FLOWS, 'hta-path', 'weight', 6),
    ('hta-timeline-sampled', NO_FLOWS, 'hta-path', 'bound name_weight name_count', 4),
    ('hta-trace-diff-control', NO_FLOWS, 'hta-path', 'events graph_nodes graph_edges path_nodes path_events name_weight', 1),
    ('hta-trace-diff-control', NO_FLOWS, 'hta-path', 'weight', 5),
    ('hta-trace-diff-control', NO_FLOWS, 'hta-path', 'edges', 4),
    ('hta-trace-diff-control', NO_FLOWS, 'hta-path', 'bound', 2),
    ('hta-trace-filter-sampled', NO_FLOWS, 'hta-path', 'events graph_nodes graph_edges path_nodes length_us span_us name', 1),
    ('hta-trace-filter-sampled', NO_FLOWS, 'hta-path', 'edges', 7),
    ('hta-trace-filter-sampled', NO_FLOWS, 'hta-path', 'weight', 6),
    ('hta-trace-filter-sampled', NO_FLOWS, 'hta-path', 'bound name_weight name_count', 4),
    ('hta-triton', STREAMS, 'hta-path', 'events graph_nodes graph_edges path_nodes path_events side', 1),
    ('hta-triton', STREAMS, 'hta-path', 'edges node attributed', 2),
    ('hta-triton', STREAMS, 'hta-path', 'time edge_weight', 3),
    ('parallel-faults', PLANTED_FAULTS, 'path', 'pause computation transfer', 1),
    ('parallel-stall-clocks', CLOCKS, 'path', 'length_ns computation transfer', 2),
    ('parallel-stall-clocks', CLOCKS, 'path', 'end_rank', 1),
]

# Figures of other programs that Traceloom does not compute: key of the definition, description, and after the colon the figure that
# Traceloom has instead.
NOT_COMPUTED = {
    'queue_length': 'quantiles of the queue length over its changes: the mean here is over time, beside the longest',
    'queue_at_least': 'time of a queue length of several: here of one',
    'rounded': 'gaps and launches after rounding to whole us: times here are whole ns',
    'idle_quantiles': 'deviation, shortest and median of the gaps: here their number, sum and longest',
    'launch_rows': 'single launches: here sums by the name of the call',
    'critical_path': 'critical path after rounding to whole us: times here are whole ns',
    'hta_error': 'critical paths of windows that HTA cannot analyse',
    'types': 'time by exact set of kinds: here by kind alone, and overlaps of communication',
    'elements': 'type and number of elements of a collective: here its bytes',
    'size': 'kernels of collectives by size: here transfers by group of ranks',
    'summary': 'size and bandwidth of collectives: here by group of ranks',
    'zero_length': 'work of no length',
    'added_back': 'the effect of adding slow operations to the ideal',
    'arrived_first': 'how often a rank comes first: here how often it is last',
    'categories': 'kinds of operators: here by name',
    'op': 'operators of kernels: here devices’ time of operators',
    'roofline': 'work of norms, and how TraceLens reads the inputs of operators: here work by the sizes of the inputs',
}
# Number of values in all tables for each definition above, and for those of PLANTED_ELSEWHERE. A different number means that a value
# is no longer compared, or that a table has changed.
N_NOT_COMPUTED = {
    'queue_length': 4558, 'queue_at_least': 465, 'rounded': 825, 'idle_quantiles': 1194, 'launch_rows': 4818, 'critical_path': 284, 'hta_error': 17,
    'types': 198, 'elements': 252, 'size': 192, 'summary': 68, 'zero_length': 35, 'added_back': 16, 'arrived_first': 48, 'categories': 20, 'op': 228,
    'roofline': 99, 'floating-point work': 45, 'kernels of the backward pass': 188, 'clocks': 45, 'load of experts': 16, 'memory events': 12,
}
# Members of a table that describe it and are not results.
ABOUT = {'source', 'data', 'settings', 'differences', 'origin_us', 'ranks', 'collectives_total'}


class Table:
    """The comparison of one case: counts the values that are equal, and collects those that differ, by quantity."""

    def __init__(self, case):
        self.case, self.equal, self.different, self.missing = case, 0, defaultdict(list), Counter()

    def compare(self, quantity, ours, wanted, unit=0.0, relative=1e-9):
        """Compares a value of Traceloom (`ours`) with the expected one. They count as equal if they differ by at most
        half of the last printed digit (`unit`), or by at most the fraction `relative`."""
        if ours is None or wanted is None:
            good = ours is wanted
        elif isinstance(wanted, str):
            good = ours == wanted
        else:
            good = abs(ours - wanted) <= max(unit * 0.5000001, relative * abs(wanted))
        if good:
            self.equal += 1
        else:
            self.different[quantity].append((ours, wanted))

    def skip(self, member, value):
        self.missing[member] += leaves(value)

    def finish(self):
        """Checks that exactly the listed values differ."""
        listed = {f'{table} {name}'.strip(): told for case, _, table, names, told in DIFFERENCES if case == self.case for name in names.split() or ['']}
        for quantity, values in self.different.items():
            ours, told = [value for value, _ in values], listed.get(quantity)
            if told != (ours if isinstance(told, list) else len(ours)):
                raise AssertionError(f'{quantity}: listed is {told}; ours and theirs are {values[:8]}')
        for quantity, told in listed.items():
            if quantity not in self.different:
                raise AssertionError(f'{quantity}: {told} is listed as different, and all is equal')


def leaves(value):
    if isinstance(value, dict):
        return sum(leaves(one) for one in value.values())
    return sum(leaves(one) for one in value) if isinstance(value, list) else 1


def run(*args):
    result = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    return json.loads(result.stdout)


# --- input files ---


@functools.cache
def generated(command):
    """Returns the files made by a generator's command, run once for all tables about them."""
    folder = tempfile.mkdtemp(dir=generated.top)
    tool, *words = shlex.split(command)
    generate(folder, Path(tool).name, *words)
    return tuple(sorted(Path(folder).glob('*.json*')))


def inputs(data):
    """Returns the trace files, one for each rank, of the test data `data`: a folder of generated traces, or one or more
    patterns of shared files."""
    if isinstance(data, str) and data.startswith('tools/'):
        return [path for path in generated(data) if path.name != 'truth.json']
    return [path for name in ([data] if isinstance(data, str) else data) for path in sorted(SHARED.glob(name))]


@functools.cache
def computed(*paths):
    return run(*paths)


# --- Holistic Trace Analysis -----------------------------------------------------------------------------------------

EXACT = {'kernels': 'spans', 'span_ns': 'recorded_ns', 'busy_ns': 'busy_ns', 'idle_ns': 'idle_ns', 'compute_ns': 'compute_ns',
         'communication_ns': 'communication_ns', 'memory_ns': 'copy_ns', 'exposed_communication_ns': 'exposed_communication_ns',
         'exposed_memory_ns': 'exposed_copy_ns'}
KINDS = {'compute': 'COMPUTATION', 'communication': 'COMMUNICATION', 'memcpy': 'MEMORY', 'memset': 'MEMORY', 'other device work': 'OTHER'}
TEMPORAL = {'idle': 'idle_ns', 'compute': 'compute_ns', 'non_compute': 'non_compute_ns', 'span': 'recorded_ns'}


IDLE = {'intervals': 'gaps', 'idle_ns': 'total_ns'}
LAUNCHES = {'launches': 'launches', 'delay_ns': 'delay_ns', 'negative': 'early', 'short_kernels': 'short_kernels',
            'runtime_outliers': 'slow_calls', 'delay_outliers': 'long_delays'}
COPIES = {'cudaMemcpyAsync', 'cudaMemsetAsync'}
CALLS = {'cudaLaunchKernel', 'cudaLaunchKernelExC'} | COPIES


def own_rank(idle, rank):
    """Returns the rank of a table as the report names it. That is `rank`, except if the report has no stream of this
    rank and all its streams belong to one other rank, which is returned instead."""
    ranks = {row['rank'] for row in idle['streams']}
    return rank if rank in ranks or len(ranks) != 1 else ranks.pop()


def streams_of(idle, rank):
    return [row for row in idle['streams'] if row['rank'] == own_rank(idle, rank)]


def number_of(stream):
    return int(''.join(filter(str.isdigit, stream['stream'])))


def idle_of(idle, rank):
    """Returns {(stream number, cause): gaps} of a rank, and its launches by the calls that HTA includes."""
    gaps = {(number_of(row), cause): one for row in streams_of(idle, rank) for cause, one in row['hta'].items()}
    return gaps, [row for row in idle['launches'] if row['rank'] == own_rank(idle, rank) and row['name'] in CALLS]


def compare_exact_idle(table, idle, exact):
    streams, launches = idle_of(idle, exact['rank'])
    theirs = {(row['stream'], row['cause']): row for row in exact['idle_causes']}
    for key in sorted(set(theirs) | {key for key, gaps in streams.items() if gaps['gaps'] > 0}):
        for member, ours in IDLE.items():
            table.compare(f'exact {member}', streams[key][ours] if key in streams else None, theirs.get(key, {}).get(member), relative=0)
    for member, ours in LAUNCHES.items():
        table.compare(f'exact {member}', sum(row[ours] for row in launches), exact['launch'][member], relative=0)
    unlinked = sum(row['unlinked'] for row in streams_of(idle, exact['rank']))
    table.compare('exact kernels_without_launch', unlinked, exact['kernels_without_launch'], relative=0)


def compare_exact(table, rank, exact):
    for member, value in exact.items():
        if member in EXACT:
            table.compare(f'exact {member}', rank[EXACT[member]], value, relative=0)
        elif member == 'overlap_ratio':
            percent = rank['overlap_percent']
            table.compare('exact overlap_ratio', None if percent is None else percent / 100, value, unit=1e-8)
        elif member not in ('rank', 'idle_causes', 'launch', 'kernels_without_launch'):
            table.skip(member, value)


def compare_hta_idle(table, idle, rows):
    for row in rows:
        own = idle_of(idle, row['rank'])[0]
        whole = Counter()
        for (stream, _), one in own.items():
            whole[stream] += one['total_ns']
        gaps = own.get((row['stream'], row['cause']), {'gaps': 0, 'total_ns': 0, 'longest_ns': 0})
        n = gaps['gaps']
        table.compare('idle intervals', n, row['intervals'])
        table.compare('idle idle_us', gaps['total_ns'] / 1000, row['idle_us'], unit=0.02)
        table.compare('idle mean_us', gaps['total_ns'] / 1000 / n if n > 0 else None, row['mean_us'], unit=0.02)
        table.compare('idle max_us', gaps['longest_ns'] / 1000 if n > 0 else None, row['max_us'], unit=0.02)
        table.compare('idle ratio', gaps['total_ns'] / whole[row['stream']] if whole[row['stream']] else None, row['ratio'], unit=0.01)
        table.skip('idle_quantiles', [row['std_us'], row['min_us'], row['p50_us']])


def compare_hta_launches(table, idle, rows):
    for row in rows:
        ours = [launch for launch in idle_of(idle, row['rank'])[1] if row['with_memory'] or launch['name'] not in COPIES]
        for member, own in (('cpu_us', 'host_ns'), ('gpu_us', 'device_ns'), ('delay_us', 'delay_ns')):
            table.compare(f'launch {member}', sum(launch[own] for launch in ours) / 1000, row[member], unit=1e-3)
        table.compare('launch delay_max_us', max((launch['longest_delay_ns'] / 1000 for launch in ours), default=None), row['delay_max_us'], unit=1e-3)
        for member in ('launches', 'short_kernels', 'runtime_outliers', 'delay_outliers'):
            table.compare(f'launch {member}', sum(launch[LAUNCHES[member]] for launch in ours), row[member])
        table.skip('launch_rows', [row['gpu_shorter_than_launch'], row.get('rows', [])])


def compare_hta_queue(table, idle, rows):
    for row in rows:
        longest = [stream['longest_queue'] for stream in streams_of(idle, row['rank']) if number_of(stream) == row['stream']]
        table.compare('queue max', max(longest, default=None), row['max'])
        table.skip('queue_length', [value for member, value in row.items() if member not in ('rank', 'stream', 'max')])


HTA_IDLE = {'idle_causes': compare_hta_idle, 'launch_stats': compare_hta_launches, 'queue_length': compare_hta_queue}


def compare_temporal(table, rank, theirs, prefix):
    for member, ours in TEMPORAL.items():
        table.compare(f'{prefix} {member}_us', rank[ours] / 1000, theirs[f'{member}_us'], unit=1e-3)
        if member != 'span':
            table.compare(f'{prefix} {member}_pct', 100 * rank[ours] / rank['recorded_ns'], theirs[f'{member}_pct'], unit=0.01)


def compare_hta_kernels(table, paths, theirs):
    by_rank = [{(KINDS[row['kind']], row['name']): row for row in computed(path)['kernels']['kernels']} for path in paths]
    table.compare('kernels distinct', sum(map(len, by_rank)), theirs['distinct_kernels'])
    for kernel in theirs['kernels']:
        row = by_rank[kernel['rank'] if len(paths) > 1 else 0].get((kernel['type'], kernel['name']))
        for ours, member, unit in (('total_ns', 'sum_us', 1e-3), ('max_ns', 'max_us', 1e-3), ('min_ns', 'min_us', 1e-3), ('mean_ns', 'mean_us', 1.01e-3)):
            table.compare(f'kernels {member}', row and row[ours] / 1000, kernel[member], unit=unit)
        table.compare('kernels std_us', row and row['deviation_ns'] / 1000, kernel['std_us'], unit=1.01e-3)
    table.skip('types', theirs['types'])


# --- the critical path of HTA ---


@functools.cache
def event_names(path):
    """Returns the names of a file's events in file order; HTA refers to events by their position."""
    with (gzip.open(path) if path.suffix == '.gz' else open(path, 'rb')) as file:
        return [event.get('name', '') for event in json.load(file)['traceEvents']]


@functools.cache
def hta_path(path, annotation, first, last):
    return run(f'--hta-path={annotation}:{first}:{last}', path)


def compare_path_edges(table, ours, theirs, zero):
    for kind, wanted in theirs.items():
        table.compare('hta-path edges', ours[kind]['count'], wanted['count'])
        table.compare('hta-path weight', ours[kind]['weight_ns'] / 1000, wanted['weight_us'], unit=1e-3 * max(wanted['count'], 1))
        if zero:
            table.compare('hta-path zero', ours[kind]['zero'], wanted['zero'])


def compare_path_nodes(table, names, path, row):
    """Compares the nodes of a path by name, side and time since the first node, and the edges by HTA's kind, weight and event."""
    nodes, kinds = row.get('path', []), ('operator', 'dependency', 'kernel_launch_delay', 'kernel_kernel_delay', 'sync_dependency')
    for ours, (event, side, time_us) in zip(path, nodes):
        table.compare('hta-path node', ours['name'], names[event])
        table.compare('hta-path side', ours['side'], side)
        table.compare('hta-path time', (ours['time_ns'] - path[0]['time_ns']) / 1000, time_us - nodes[0][2], unit=2e-3)
    for ours, (kind, weight_us, event) in zip(path[1:], row.get('path_edges', [])):
        table.compare('hta-path kind', kinds[ours['kind']], kind)
        table.compare('hta-path edge_weight', ours['weight_ns'] / 1000, weight_us, unit=2e-3)
        table.compare('hta-path attributed', ours['attributed'], names[event] if event is not None and event >= 0 else '')


def compare_path_names(table, path, rows):
    sums, counts = Counter(), Counter()
    for node in path[1:]:
        sums[node['attributed']] += node['weight_ns']
        counts[node['attributed']] += 1
    for name, weight_us, n in rows:
        table.compare('hta-path name', name in counts, True)
        table.compare('hta-path name_weight', sums[name] / 1000, weight_us, unit=1e-3 * max(n, 2))
        table.compare('hta-path name_count', counts[name], n)


def compare_hta_path(table, path_of_rank, row):
    instance = row['instance']
    first, last = instance if isinstance(instance, list) else (instance or 0, instance or 0)
    if 'error' in row:
        table.skip('hta_error', row)
        return
    ours = hta_path(path_of_rank, row['annotation'], first, last)
    table.compare('hta-path ok', ours is not None, row['ok'])
    path = ours['path']
    table.compare('hta-path events', ours['events'], row['events'])
    table.compare('hta-path graph_nodes', ours['graph_nodes'], row['graph_nodes'])
    table.compare('hta-path graph_edges', sum(kind['count'] for kind in ours['edges_by_kind'].values()), row['graph_edges'])
    table.compare('hta-path path_nodes', len(path), row['path_nodes'])
    table.compare('hta-path path_events', len({node['span'] for node in path}), row['path_events'])
    table.compare('hta-path length_us', ours['length_ns'] / 1000, row['length_us'], unit=1e-3 * row['path_nodes'])
    table.compare('hta-path span_us', (path[-1]['time_ns'] - path[0]['time_ns']) / 1000, row['last_us'] - row['first_us'], unit=2e-3)
    compare_path_edges(table, ours['edges_by_kind'], row['edges_by_kind'], True)
    compare_path_edges(table, ours['path_edges_by_kind'], row['path_edges_by_kind'], False)
    total = sum(ours['bound_ns'].values()) or 1
    for bound, percent in row['bound_pct'].items():
        table.compare('hta-path bound', 100 * ours['bound_ns'][bound] / total, percent, unit=1e-3)
    compare_path_nodes(table, event_names(path_of_rank), path, row)
    compare_path_names(table, path, row.get('path_by_name', []))


def compare_hta_paths(table, paths, rows):
    for row in rows:
        compare_hta_path(table, paths[row['rank']], row)


def compare_hta_tables(table, ranks, paths, theirs, prefix):
    idle = computed(*paths)['idle']
    for member, value in theirs.items():
        if member == 'temporal_breakdown':
            for row in value:
                compare_temporal(table, ranks[row['rank']], row, prefix)
        elif member == 'comm_comp_overlap':
            for row in value:
                table.compare(f'{prefix} overlap_pct', ranks[row['rank']]['overlap_percent'], row['overlap_pct'], unit=0.01)
        elif member == 'kernel_breakdown':
            compare_hta_kernels(table, paths, value)
        elif member == 'critical_path' and prefix == 'hta':
            compare_hta_paths(table, paths, value)
        elif member in HTA_IDLE and prefix == 'hta':
            HTA_IDLE[member](table, idle, value)
        elif member in HTA_IDLE:
            table.skip('rounded', value)
        elif member not in ABOUT:
            table.skip(member, value)


def compare_hta(table, expected):
    paths = inputs(expected['data'])
    rows = computed(*paths)['ranks']['ranks']
    ranks = {row['rank']: row for row in rows} if len(rows) > 1 else {expected['exact'][0]['rank']: rows[0]}
    for exact in expected['exact']:
        compare_exact(table, ranks[exact['rank']], exact)
        compare_exact_idle(table, computed(*paths)['idle'], exact)
    for member in ('hta', 'hta_rounded'):
        compare_hta_tables(table, ranks, paths, expected.get(member, {}), member)
    known = ABOUT | {'exact', 'hta', 'hta_rounded'}
    table.compare('members', ','.join(sorted(set(expected) - known)), '')


# --- TraceLens -------------------------------------------------------------------------------------------------------



def group_of(collective):
    return collective['group'].split(' ')[0]


def by_id(collectives):
    """Returns collectives by TraceLens's ids: group and number within the group in time order, or the number alone
    without groups."""
    numbers, found = Counter(), {}
    for collective in collectives:
        group = group_of(collective)
        found[f'{group}_{numbers[group]}' if group else str(numbers[group])] = collective
        numbers[group] += 1
    return found


def compare_size(table, ours, theirs):
    """Compares sizes and bandwidths of collectives. TraceLens uses units of 1024² and 1024³ bytes, and has types and numbers of
    elements, which Traceloom does not keep."""
    size, n, latency_us = ours['bytes'], len(ours['members']), ours['transfer_ns'] / 1000
    known = size > 0 and latency_us > 0
    factor = 2 * (n - 1) / n if 'reduce' in ours['name'] and 'scatter' not in ours['name'] else (n - 1) / n
    bandwidth = size / 1024**3 / (latency_us / 1e6) if known else None
    for member, own in (('group_size', n), ('full_MiB', size / 1024**2 if size > 0 else None), ('algbw_GiBps', bandwidth),
                        ('busbw_GiBps', bandwidth and bandwidth * factor)):
        if theirs[member] is not None:
            table.compare(f'size {member}', own, theirs[member], relative=1e-4)
    table.skip('elements', [theirs['dtype'], theirs['in_nelems'], theirs['out_nelems']])


def compare_collective(table, ours, theirs):
    members = sorted(ours['members'], key=lambda member: member['rank'])
    ends = [member['end_ns'] for member in members]
    waits = {member['rank']: member['wait_ns'] / 1000 for member in members}
    table.compare('collective latency_us', ours['transfer_ns'] / 1000, theirs['latency_us'], unit=1e-3)
    table.compare('collective start_skew_us', max(waits.values()), theirs['start_skew_us'], unit=1e-3)
    table.compare('collective end_skew_us', (max(ends) - min(ends)) / 1000, theirs['end_skew_us'], unit=1e-3)
    earliest = [rank for rank, wait in waits.items() if wait == max(waits.values())]
    table.compare('collective first_rank', theirs['first_rank'] in earliest, True)
    table.compare('collective mean_wait_us', sum(waits.values()) / len(waits), theirs['mean_wait_us'], unit=1e-3)
    if theirs['name'] is not None:
        table.compare('collective name', ours['name'], theirs['name'])
    for rank, wait in theirs['wait_us']:
        table.compare('collective wait_us', waits.get(rank), wait, unit=1e-3)
    compare_size(table, ours, theirs)


def nccl_ns(path):
    return sum(row['total_ns'] for row in computed(path)['kernels']['kernels'] if row['kind'] == 'communication')


def compare_stragglers(table, paths, theirs):
    ranks = {row['rank']: row for row in computed(*paths)['collectives']['ranks']}
    for row in theirs:
        ours, rank = ranks[row['rank']], row['rank']
        table.compare('straggler total_wait_time_us', ours['wait_ns'] / 1000, row['total_wait_time_us'], unit=0.1)
        table.compare('straggler mean_wait_time_us', ours['wait_ns'] / 1000 / ours['collectives'], row['mean_wait_time_us'], unit=0.1)
        table.compare('straggler times_arrived_last', ours['last'], row['times_arrived_last'])
        table.compare('straggler num_collectives', ours['collectives'], row['num_collectives'])
        table.compare('straggler total_nccl_dur_us', nccl_ns(paths[rank]) / 1000, row['total_nccl_dur_us'], unit=0.1)
        table.skip('arrived_first', [row['times_arrived_first'], row['pct_arrived_last']])


def compare_per_rank(table, paths, theirs):
    """Compares kernels of collectives by rank and name. TraceLens also divides them by group and size; these rows are added up."""
    sums = defaultdict(list)
    for row in theirs:
        sums[row['rank'], 'ncclDevKernel_SendRecv' if row['name'] in ('send', 'recv') else 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL'].append(row)
        table.skip('size', [row['in_nelems'], row['stream'], row['mean_us']])
    for (rank, name), rows in sums.items():
        ours = next((row for row in computed(paths[rank])['kernels']['kernels'] if row['name'].startswith(name)), None)
        complete = ours is not None and ours['count'] == sum(row['count'] for row in rows)
        if not complete:  # the table contains only the first of these rows
            table.skip('size', [[row['count'], row['sum_us'], row['min_us'], row['max_us']] for row in rows])
            continue
        table.compare('rank sum_us', ours['total_ns'] / 1000, sum(row['sum_us'] for row in rows), unit=1e-3)
        table.compare('rank min_us', ours['min_ns'] / 1000, min(row['min_us'] for row in rows), unit=1e-3)
        table.compare('rank max_us', ours['max_ns'] / 1000, max(row['max_us'] for row in rows), unit=1e-3)


def compare_nccl(table, expected):
    paths = inputs(expected['data'])
    ours = run('--collectives', *paths)
    found = by_id(ours)
    table.compare('collectives_total', len(ours), expected['collectives_total'])
    for theirs in expected['collectives']:
        compare_collective(table, found[theirs['id']], theirs)
    compare_stragglers(table, paths, expected['stragglers'])
    compare_per_rank(table, paths, expected['per_rank'])
    table.skip('summary', expected['summary'])
    table.compare('members', ','.join(sorted(set(expected) - ABOUT - {'collectives', 'summary', 'stragglers', 'per_rank'})), '')


TIMELINE = {'computation_time': 'compute_ns', 'exposed_comm_time': 'exposed_communication_ns', 'exposed_memcpy_time': 'exposed_copy_ns',
            'busy_time': 'busy_ns', 'idle_time': 'idle_ns', 'total_time': 'recorded_ns', 'total_comm_time': 'communication_ns',
            'total_memcpy_time': 'copy_ns'}
DOUBLES_RELATIVE = 1e-3  # the reports state that they read times as doubles


WORK = ('GEMM', 'SDPA_fwd', 'BinaryElementwise')  # kinds of operators whose work is computed here


def compare_work(table, row, works):
    """Compares the work of an operator. TraceLens lists every operator; Traceloom counts the work of nested operators
    only for the outermost operator with the same work."""
    ours = works.get((row['op'].endswith('_'), round(row['GFLOP'] * 1e9), round(row['MiB'] * 1024 ** 2)))
    ours = ours[0] if ours and len(ours) == 1 else defaultdict(int)
    table.compare('work GFLOP', ours['flop_per_call'] / 1e9, row['GFLOP'])
    table.compare('work MiB', ours['bytes_per_call'] / 1024 ** 2, row['MiB'])
    table.compare('work flop_per_byte', ours['intensity'], row['flop_per_byte'], unit=1e-9)
    table.compare('work TBps_mean', ours['bytes_per_s'] / 1e12, row['TBps_mean'], relative=DOUBLES_RELATIVE)
    table.compare('work TFLOPSps_mean', ours['flop_per_s'] / 1e12, row['TFLOPSps_mean'], relative=DOUBLES_RELATIVE)
    return ('GFLOP', 'MiB', 'flop_per_byte', 'TBps_mean', 'TFLOPSps_mean')


def compare_operators(table, expected, document, efficiency):
    """Compares operators. In one table, TraceLens adds up the kernels that each operator launches directly. In the
    tables of its roofline model, it adds up, by operator and input shapes, all kernels launched inside the operator."""
    names = {row['name']: row for row in document['rows']}
    for row in expected.get('operators', []):
        ours = names.get(row['name']) or defaultdict(int)
        table.compare('operator name', ours['name'], row['name'])
        table.compare('operator count', ours['calls'], row['count'])
        table.compare('operator kernel_ms', ours['device_self_ns'] / 1e6, row['kernel_ms'], relative=DOUBLES_RELATIVE)
        if row['kernel_us'] is not None:
            table.compare('operator kernel_us', ours['device_self_ns'] / 1e3, row['kernel_us'], relative=DOUBLES_RELATIVE)
    shapes = {(row['name'], f"[{row['input_dims']}]".replace('[[]]', '[]')): row for row in document['by_shape']['rows']}
    works = defaultdict(list)
    for row in efficiency['rows']:
        works[row['name'].endswith('_'), row['flop_per_call'], row['bytes_per_call']].append(row)
    for kind, rows in expected.get('roofline', {}).items():
        for row in rows:
            ours = shapes.get((row['op'], row['input_dims'])) or defaultdict(int)
            table.compare('shape op', ours['name'], row['op'])
            table.compare('shape input_dims', f"[{ours['input_dims']}]", row['input_dims'])
            table.compare('shape count', ours['calls'], row['count'])
            table.compare('shape kernel_us_sum', ours['device_ns'] / 1e3, row['kernel_us_sum'], relative=DOUBLES_RELATIVE)
            table.compare('shape kernel_us_mean', ours['device_ns'] / 1e3 / max(ours['calls'], 1), row['kernel_us_mean'],
                          relative=DOUBLES_RELATIVE)
            compared = ('op', 'input_dims', 'count', 'kernel_us_sum', 'kernel_us_mean')
            compared += compare_work(table, row, works) if kind in WORK else ()
            table.skip('roofline', {key: value for key, value in row.items() if key not in compared})


def compare_report(table, expected):
    document = computed(*inputs(expected['data']))
    rank = document['ranks']['ranks'][0]
    for row in expected['gpu_timeline']:
        ours = rank[TIMELINE[row['type']]]
        table.compare('gpu_timeline ms', ours / 1e6, row['ms'], relative=DOUBLES_RELATIVE)
        table.compare('gpu_timeline pct', 100 * ours / rank['recorded_ns'], row['pct'], relative=DOUBLES_RELATIVE)
    names = defaultdict(list)
    for row in expected['kernels']:
        names[row['name']].append(row)
        table.skip('op', [row['op'], row['category'], row['stream'], row['mean_us']])
    kernels = {row['name']: row for row in document['kernels']['kernels']}
    for name, rows in names.items():
        ours = kernels.get(name) or defaultdict(int)
        table.compare('kernel count', ours['count'], sum(row['count'] for row in rows))
        table.compare('kernel sum_us', ours['total_ns'] / 1000, sum(row['sum_us'] for row in rows), relative=DOUBLES_RELATIVE)
        table.compare('kernel min_us', ours['min_ns'] / 1000, min(row['min_us'] for row in rows), relative=DOUBLES_RELATIVE)
        table.compare('kernel max_us', ours['max_ns'] / 1000, max(row['max_us'] for row in rows), relative=DOUBLES_RELATIVE)
    compare_operators(table, expected, document['operators'], document['efficiency'])
    if 'categories' in expected:
        table.skip('categories', expected['categories'])
    table.compare('members', ','.join(sorted(set(expected) - ABOUT - {'gpu_timeline', 'kernels', 'categories', 'operators', 'roofline'})), '')


# --- StragglerAnalysis -----------------------------------------------------------------------------------------------

SLOWDOWN_RELATIVE = 1e-4


def without_steps(path, left_out):
    """Returns a copy of the timeline without the steps that the published results exclude."""
    events = json.loads(gzip.decompress(path.read_bytes()))
    kept = [event for event in events if event['ph'] != 'X' or event['args']['step'] not in left_out]
    copy = Path(tempfile.mkdtemp(dir=generated.top)) / 'timeline.json'
    copy.write_text(json.dumps(kept))
    return copy


def compare_slowdown(table, ours, theirs):
    """Compares slowdowns (`ours`) with values of StragglerAnalysis (`theirs`), for example those published with its
    paper (the member `committed` of the expected results)."""
    lost_ns = ours['replayed_step_ns'] - ours['ideal_step_ns']
    steps = {str(step['step']): step for step in ours['steps']}
    rows = {str(row['number']): row['slowdown'] for row in ours['rows']}
    stages = {str(row['number']): row['slowdown'] for row in ours['stages']}
    kinds = {row['name']: row['slowdown'] for row in ours['operations']}
    shares = {'M_S': ours['last_stage'], 'M_W': ours['worst_workers']}
    by_step = {'S_step': 'slowdown', 'step_s': 'measured_ns', 'step_no_delay_s': 'replayed_ns', 'step_ideal_s': 'ideal_ns'}
    by_part = {'S_dp_rank': rows, 'S_stage': stages, 'S_optype': kinds}
    for member, value in theirs.items():
        if member in ('S', 'launch_slowdown'):
            table.compare(member, ours['slowdown' if member == 'S' else 'fit'], value, relative=SLOWDOWN_RELATIVE)
        elif member in by_step:
            for step, wanted in value.items():
                table.compare(member, steps[step][by_step[member]] / (1 if member == 'S_step' else 1e9), wanted, relative=SLOWDOWN_RELATIVE)
        elif member in by_part:
            for part, wanted in value.items():
                table.compare(member, by_part[member].get(part), wanted, relative=SLOWDOWN_RELATIVE)
        elif member in shares:
            wanted = {'tori': ours['replayed_step_ns'] / 1e9, 'tideal': ours['ideal_step_ns'] / 1e9, 'rem': shares[member], f'M{member[2].lower()}': shares[member],
                      'trem': (ours['replayed_step_ns'] - shares[member] * lost_ns) / 1e9}
            for name, number in value.items():
                if name in wanted:
                    table.compare(f'{member} {name}', wanted[name], number, relative=SLOWDOWN_RELATIVE)
                else:
                    table.skip('added_back', number)
        elif member == 'worker_scores':
            n_rows = len(rows)
            scores = {str(worker['stage'] * n_rows + worker['row']): worker['slowdown'] for worker in ours['ranks']}
            for worker, wanted in value.items():
                table.compare(member, scores.get(worker), wanted, relative=SLOWDOWN_RELATIVE)
        elif member == 'worst_workers':
            table.compare(member, ours['worst_workers_count'], len(value))
        else:
            raise AssertionError(f'{member} is not compared')


def compare_whatif(table, expected):
    path = SHARED / expected['data']
    ours = run(without_steps(path, set(expected['steps_left_out'])))['slowdown']
    table.compare('computed_from', ours['computed_from'], 'operations')
    table.compare('steps', [step['step'] for step in ours['steps']] == expected['steps'], True)
    for member in ('committed', 'from_timeline'):
        compare_slowdown(table, ours, expected[member])
    numbers = {step['step']: i for i, step in enumerate(ours['steps'])}
    for member, parts in (('S_step_stage', ours['stages']), ('S_step_dp_rank', ours['rows'])):
        for step, values in expected[member].items():
            for part, wanted in values.items():
                table.compare(member, parts[int(part)]['steps'][numbers[int(step)]], wanted, relative=SLOWDOWN_RELATIVE)


# --- planted runs ----------------------------------------------------------------------------------------------------

PATH_KINDS = {'host': ('host',), 'launch': ('launch',), 'pause': ('gap',), 'computation': ('compute', 'optimizer'), 'synchronization': ('sync',)}


def compare_step_path(table, ours, theirs):
    """Compares the critical path of a step across ranks. The generator counts data loading as host time, and divides transfers by the
    parallel axis of their group."""
    kinds = {**ours['kinds_ns'], 'host': ours['kinds_ns']['host'] + ours['kinds_ns']['data_loading']}
    wanted = theirs['by_kind_ns']
    table.compare('path length_ns', ours['end_ns'] - ours['begin_ns'], theirs['length_ns'], relative=0)
    for member in ('begin_rank', 'end_rank'):
        table.compare(f'path {member}', ours[member], theirs[member])
    for kind, names in PATH_KINDS.items():
        table.compare(f'path {kind}', kinds[kind], sum(wanted.get(name, 0) for name in names), relative=0)
    table.compare('path transfer', kinds['transfer'], sum(value for name, value in wanted.items() if name.startswith('transfer:')), relative=0)


PLANTED = {'compute_ns': 'compute_ns', 'communication_ns': 'communication_ns', 'exposed_communication_ns': 'exposed_communication_ns',
           'span_ns': 'recorded_ns', 'idle_ns': 'idle_ns'}
PLANTED_ELSEWHERE = {'flops': 'floating-point work',
                     'experts': 'load of experts', 'memory': 'memory events', 'clock_offset_ns': 'clocks'}
AXES = {'tp': 'tensor', 'dp': 'data', 'pp': 'pipeline', 'ep': 'expert'}


def compare_planted_slowdown(table, truth, ours):
    n, planted = len(truth['step_ns']), truth['what_if_total_ns']
    if 'missing' in ours:
        table.compare('slowdown missing', truth['world'], 1)
        return
    for step, wanted in zip(ours['steps'], truth['step_ns']):
        table.compare('step_ns', step['measured_ns'], wanted, relative=0)
        table.compare('replayed_ns', step['replayed_ns'], wanted, relative=0)
    table.compare('slowdown', ours['slowdown'], truth['slowdown_S'], relative=1e-3)
    table.compare('as_it_was', n * ours['replayed_step_ns'], planted['as_it_was'], unit=2 * n)
    table.compare('all_alike', n * ours['ideal_step_ns'], planted['all_alike'], relative=1e-3)
    if 'without_straggler' in planted:
        saved = max(rank['saved_of_replayed_step_ns'] for rank in ours['ranks'] if rank.get('saved_ns') is not None)
        table.compare('without_straggler', n * (ours['replayed_step_ns'] - saved), planted['without_straggler'], relative=1e-3)


def simulate(command):
    """Returns a function that simulates the run of a generator's command again with a change, and returns its end."""
    tool, *words = shlex.split(command)
    spec = importlib.util.spec_from_file_location('generator', SHARED / tool)
    generator, given = importlib.util.module_from_spec(spec), []
    spec.loader.exec_module(generator)
    generator.truth = lambda options, layout, run: given.extend((options, layout))
    generator.write = lambda *_: None
    with unittest.mock.patch.object(sys, 'argv', [tool, *words]):
        generator.main()
    return lambda change: max(max(ends.values()) for _, _, ends, _ in generator.Sim(*given, change).steps)


def compare_planted_savings(table, expected, path):
    """For each parallel axis, compares two values of the time that would be saved if its transfers took no time: that
    of Traceloom, and that of a second simulation without these transfers. The truth that the generator states is not
    used, because it adds up the savings of steps, which overlap, while Traceloom's savings refer to the whole run."""
    end, savings = simulate(expected['data']), {row['axis']: row for row in path['axes']}
    for axis in ('tp', 'dp', 'pp'):
        if f'free_{axis}' in expected['truth']['what_if_total_ns']:
            ours = savings[AXES[axis]]
            table.compare('axis free', ours['saved_if_free_ns'], end({}) - end({'free_axis': axis}), relative=0)
            assert ours['saved_if_free_ns'] <= ours['path_ns'] and ours['saved_if_faster_ns'] <= ours['path_ns'] / 5, ours


def compare_planted_ranks(table, truth, document):
    ranks = {str(row['rank']): row for row in document['ranks']['ranks']}
    waits = {str(row['rank']): row for row in document['collectives']['ranks']}
    for rank, wanted in truth['breakdown'].items():
        for member, own in PLANTED.items():
            table.compare(f'breakdown {member}', ranks[rank][own], wanted[member], relative=0)
    for rank, wanted in truth['idle'].items():
        stream = next(row for row in document['idle']['streams'] if str(row['rank']) == rank and number_of(row) == 7)
        for cause, gaps in wanted.items():
            ours = stream['hta'].get(cause, {'gaps': 0, 'total_ns': 0})
            table.compare('idle gaps', ours['gaps'], gaps['count'])
            table.compare('idle ns', ours['total_ns'], gaps['ns'], relative=0)
    return waits


def compare_planted_bandwidth(table, truth, document):
    groups = {(tuple(row['ranks']), row.get('bytes')): row for row in document['transfers']['groups']}
    for wanted in truth['bandwidth']:
        ours = groups.get((tuple(wanted['ranks']), wanted['bytes'][0])) or defaultdict(int)
        table.compare('bandwidth count', ours['transfers'], wanted['count'])
        table.compare('bandwidth median_ns', ours['median_ns'], wanted['median_transfer_ns'], unit=1)


def compare_planted_axes(table, truth, document):
    """Compares groups by axis and ranks, and coordinates of ranks. The truth always contains the group of all ranks, even if it had no
    collective."""
    ours, all_ranks = document['parallel'], sorted(row['rank'] for row in document['ranks']['ranks'])
    groups = {(group['axis'], tuple(group['ranks'])) for group in ours['groups']}
    ranks = {str(rank['rank']): rank for rank in ours['ranks']}
    groups.add(('world', tuple(all_ranks)))
    table.compare('axes world', len(all_ranks), truth['world'])
    for wanted in truth['groups'].values():
        found = (AXES.get(wanted['axis'], wanted['axis']), tuple(wanted['ranks'])) in groups
        for _ in range(leaves(wanted)):
            table.compare('axes groups', found, True)
    for rank, wanted in truth['coordinates'].items():
        for axis, place in wanted.items():
            table.compare('axes coordinates', ranks.get(rank, {}).get(AXES[axis]) or 0, place)


def compare_planted_bubbles(table, truth, ours):
    steps = {(row['step'], tuple(stage['rank'] for stage in row['stages'])): row for row in ours['steps']}
    for number, pipelines in enumerate(truth.get('bubbles', [])):
        for wanted in pipelines:
            row = steps.get((number, tuple(wanted['ranks'])), {'stages': []})
            bubbles = {str(stage['rank']): stage['bubble_ns'] for stage in row['stages']}
            for rank in wanted['ranks']:
                table.compare('bubbles ranks', str(rank) in bubbles, True)
                table.compare('bubbles bubble_ns', bubbles.get(str(rank)), wanted['bubble_ns'][str(rank)], relative=0)
            table.compare('bubbles window_ns', row.get('window_ns'), wanted['window_ns'], relative=0)
            table.compare('bubbles fraction', row.get('fraction'), wanted['fraction'], relative=1e-8)
    if 'ideal_bubble_fraction' in truth:
        table.compare('bubbles ideal', ours['ideal_fraction'], truth['ideal_bubble_fraction'], relative=1e-8)


def compare_planted_modules(table, truth, ours):
    """Compares the kernels that each module launches in the forward pass. The generated operators of the backward pass have no ids that
    lead to the forward pass."""
    for rank, modules in truth['modules'].items():
        for name, wanted in modules.items():
            table.compare('modules forward_ns', ours[rank].get(name, [None])[0], wanted['forward_ns'], relative=0)
            table.missing['kernels of the backward pass'] += 1


def compare_parallel(table, expected):
    truth = expected['truth']
    document = run('--aligned', *inputs(expected['data']))
    path = document['critical_path']
    table.compare('path steps', len(path['steps']), len(truth['critical_path']))
    for ours, theirs in zip(path['steps'], truth['critical_path']):
        compare_step_path(table, ours, theirs)
    compare_planted_slowdown(table, truth, document['slowdown'])
    compare_planted_savings(table, expected, path)
    compare_planted_ranks(table, truth, document)
    compare_planted_bandwidth(table, truth, document)
    compare_planted_axes(table, truth, document)
    compare_planted_bubbles(table, truth, document['parallel']['bubbles'])
    compare_planted_modules(table, truth, run('--modules', *inputs(expected['data'])))
    compare_faults(table, truth, document['health'])
    for member, value in truth.items():
        if member in PLANTED_ELSEWHERE:
            table.missing[PLANTED_ELSEWHERE[member]] += leaves(value)


# --- health ----------------------------------------------------------------------------------------------------------

# (Rule, member) of the table: Traceloom's check and its member. Times of the table are in µs.
HEALTH = {('kernel_before_launch', 'pairs'): ('early-kernels', 'of'), ('kernel_before_launch', 'violations'): ('early-kernels', 'count'),
          ('kernel_before_launch', 'worst_us'): ('early-kernels', 'worst_ns'),
          ('wait_without_record_id', 'waits'): ('waits-without-record', 'of'), ('wait_without_record_id', 'violations'): ('waits-without-record', 'count'),
          ('kernel_running_at_stream_sync', 'syncs'): ('kernels-at-sync', 'of'), ('kernel_running_at_stream_sync', 'violations'): ('kernels-at-sync', 'count'),
          ('wait_on_record', 'waits'): ('records-missing', 'of'), ('wait_on_record', 'record_missing'): ('records-missing', 'count'),
          ('wait_on_record', 'record_later'): ('records-later', 'count'),
          ('collective_fields', 'records'): ('collective-fields', 'of'), ('collective_fields', 'violations'): ('collective-fields', 'count'),
          ('backward_sequence', 'numbers'): ('backward-numbers', 'of'), ('backward_sequence', 'violations'): ('backward-numbers', 'count'),
          ('correlation', 'device_operations'): ('kernels-without-launch', 'of'), ('correlation', 'without_host_call'): ('kernels-without-launch', 'count'),
          ('correlation', 'launches'): ('launches-without-kernel', 'of'),
          ('correlation', 'launch_without_device_operation'): ('launches-without-kernel', 'count'),
          ('nesting', 'spans'): ('nesting', 'of'), ('nesting', 'beyond_parent'): ('nesting', 'count'), ('nesting', 'worst_us'): ('nesting', 'worst_ns'),
          ('stream_overlap', 'overlapping'): ('stream-overlaps', 'count'), ('stream_overlap', 'worst_us'): ('stream-overlaps', 'worst_ns')}
FAULTS_FOUND = {'drop-kernels': 'launches-without-kernel', 'drop-launches': 'kernels-without-launch', 'kernel-early': 'early-kernels',
                'mis-nest': 'nesting', 'clock-jump': 'clock-jump', 'truncate': 'cut-off'}


def checks_of(trace):
    return {check['check']: check for check in trace['checks']}


def compare_health(table, expected):
    for file, rules in expected['files'].items():
        checks = checks_of(run(SHARED / file)['health']['traces'][0])
        for rule, members in rules.items():
            for member, wanted in members.items():
                if (rule, member) not in HEALTH:
                    table.skip('zero_length', wanted)
                    continue
                check, own = HEALTH[rule, member]
                ours = checks.get(check, {}).get(own) or 0
                table.compare(f'{rule} {member}', ours / 1000 if member == 'worst_us' else ours, wanted, unit=2e-3 if member == 'worst_us' else 0)


def compare_faults(table, truth, health):
    """Checks that every planted fault raises the alarm for its kind on its rank, and that ranks without faults raise none."""
    faulty = {fault['rank']: FAULTS_FOUND[fault['fault']] for fault in truth['faults']}
    for trace in health['traces']:
        alarms = {name for name, check in checks_of(trace).items() if check['alarm']}
        table.compare('faults found', faulty.get(trace['rank'], '') in alarms or not alarms, True)
        if trace['rank'] not in faulty:
            table.compare('faults quiet', ','.join(sorted(alarms)), '')


# --- all cases ---


def comparison_of(case):
    if case.startswith('tracelens-report-'):
        return compare_report
    if case.startswith('whatif-'):
        return compare_whatif
    if case.startswith('health-'):
        return compare_health
    if case.startswith('parallel-'):
        return compare_parallel
    return compare_nccl if case.startswith('tracelens-') else compare_hta


def compare_case(case, tables):
    table = Table(case)
    tables.append(table)
    comparison_of(case)(table, json.loads((ORACLE / case / 'expected.json').read_text()))
    table.finish()


def count_missing(tables):
    missing = Counter()
    for table in tables:
        missing += table.missing
    return missing


def check_missing(tables):
    """Checks that each value that is not compared belongs to a definition of NOT_COMPUTED or PLANTED_ELSEWHERE."""
    same(dict(count_missing(tables)), N_NOT_COMPUTED, 'values that are not compared, by definition')


def tell(tables):
    """Prints the number of equal values, and for each reason of differences the quantities that differ with their
    numbers of values."""
    equal, differing = sum(table.equal for table in tables), defaultdict(Counter)
    for _, reason, table, names, told in DIFFERENCES:
        for name in names.split() or ['']:
            differing[reason][f'{table} {name}'.strip()] += len(told) if isinstance(told, list) else told
    print(f'# {equal} values of {len(tables)} tables are equal')
    print(f'# {sum(sum(values.values()) for values in differing.values())} differ by definition:')
    for reason, values in sorted(differing.items(), key=lambda item: -sum(item[1].values())):
        print(f'#   {sum(values.values())}: {reason}')
        print('#      ' + ', '.join(f'{name} {n}' for name, n in values.most_common()))
    missing = count_missing(tables)
    print(f'# {sum(missing.values())} have no figure of the same definition:')
    for what, n in missing.most_common():
        print(f'#   {n}: {NOT_COMPUTED.get(what, what)}')


def main():
    need(ORACLE, SHARED / 'corpus', SHARED / 'tools')
    tap, tables = Tap(), []
    cases = sorted(path.parent.name for pattern in ('hta-*', 'tracelens-*', 'catapult-*', 'whatif-*', 'parallel-*', 'health-*') for path in ORACLE.glob(f'{pattern}/expected.json'))
    with tempfile.TemporaryDirectory() as top:
        generated.top = top
        for case in cases:
            tap.case(case, compare_case, case, tables)
    tap.case('values that are not compared', check_missing, tables)
    tell(tables)
    tap.done()


main()
