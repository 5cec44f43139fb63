#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests floating-point work, rates and model FLOP utilization (MFU) of small runs against figures computed by hand.

Usage: test-efficiency.py TRACELOOM-CLI"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import SAMPLE, USAGE, Cli, Tap, check, folder, same  # noqa: E402
from kineto import BEGIN, Recording  # noqa: E402

H100 = 'NVIDIA H100 80GB HBM3'
PEAK = 989.4e12
LARGE = [[8944, 1024], [1024, 2816]]  # 2 · 8944 · 1024 · 2816 FLOP; at 84.467 µs 610.67 TFLOP/s
LARGE_FLOP, LARGE_BYTES, LARGE_US = 51_581_550_592, 74_457_088, 84.467
SMALL_FLOP = 2 * 64 * 32 * 16


def write_training(place, device=H100, rank=0, world=1):
    """Writes two steps of 1 ms. In step 0, the kernel of a product runs until the next step. In step 1, the operator
    linear contains the operator addmm and launches two kernels, one through addmm and one directly. The backward pass
    of step 1 contains two products: one inside a module, which is recomputed work of the forward pass, and one that
    belongs to the backward pass itself. The last product of step 1 launches no kernel."""
    recording = Recording(rank, world)
    recording.device = device
    recording.step(0, 0, 1000)
    recording.operator('aten::mm', 10, 50, LARGE)
    recording.kernel('gemm', 20, 950, LARGE_US)
    recording.step(1, 1000, 1000)
    recording.operator('aten::linear', 1010, 80, [[64, 32], [16, 32], [16]])
    recording.operator('aten::addmm', 1020, 30, [[16], [64, 32], [32, 16]])
    recording.kernel('gemm', 1030, 1100, 20)
    recording.kernel('bias', 1060, 1120, 5)
    recording.span('autograd::engine::evaluate_function: MmBackward0', 'cpu_op', 1200, 200)
    recording.span('nn.Module: Block_0', 'python_function', 1210, 80)
    recording.operator('aten::mm', 1220, 50, [[64, 32], [32, 16]])
    recording.kernel('gemm', 1230, 1300, 10)
    recording.operator('aten::mm', 1310, 50, [[64, 32], [32, 16]])
    recording.kernel('gemm', 1320, 1340, 10)
    recording.operator('aten::mm', 1500, 50, [[64, 32], [32, 16]])
    recording.write(place)


def report(cli, place, *options):
    return json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', *options, place).stdout)['computed']['efficiency']


def near(got, wanted, what):  # documents have 9 digits after the point
    check(got is not None and abs(got - wanted) <= max(1e-6 * abs(wanted), 1e-9), f'{what}: {got}, expected {wanted}')


def pick(rows, *keys):
    return [[row[key] for key in keys] for row in rows]


def test_rows(cli):
    with folder() as place:
        write_training(place)
        found = report(cli, place)
    same(pick(found['rows'], 'name', 'shape', 'dtype', 'device', 'calls', 'recomputed_calls', 'kernels', 'kernel_ns', 'flop_per_call', 'bytes_per_call'), [
        ['aten::mm', '[8944, 1024], [1024, 2816]', 'bfloat16', H100, 1, 0, 1, 84_467, LARGE_FLOP, LARGE_BYTES],
        ['aten::linear', '[64, 32], [16, 32]', 'bfloat16', H100, 1, 0, 2, 25_000, SMALL_FLOP + 64 * 16, 2 * (64 * 32 + 16 * 32 + 64 * 16 + 16)],
        ['aten::mm', '[64, 32], [32, 16]', 'bfloat16', H100, 2, 1, 2, 20_000, SMALL_FLOP, 2 * (64 * 32 + 16 * 32 + 64 * 16)]], 'rows')
    large, linear, small = found['rows']
    near(large['flop_per_s'], LARGE_FLOP / LARGE_US * 1e6, 'rate')
    same([round(large['flop_per_s'] / 1e12, 2), round(100 * large['efficiency'], 1), round(large['intensity'], 1), large['bound']],
         [610.67, 61.7, 692.8, 'compute'], 'large product')
    near(large['bytes_per_s'], LARGE_BYTES / LARGE_US * 1e6, 'throughput')
    same([small['bound'], small['peak_flop_per_s'], small['peak_bytes_per_s']], ['memory', PEAK, 3.35e12], 'small product')
    near(small['attainable_flop_per_s'], SMALL_FLOP / (2 * 3584) * 3.35e12, 'attainable')
    near(small['efficiency'], 2 * SMALL_FLOP / 20e-6 / (SMALL_FLOP / 7168 * 3.35e12), 'efficiency')
    same([found['counted_ns'], found['kernels_ns']], [129_467, 129_467], 'kernels')


def test_steps(cli):
    """A call belongs to the step in which it begins, even if its kernels run later. Work of the forward pass that the
    backward pass recomputes counts only for the hardware FLOP utilization (HFU), not for the MFU."""
    with folder() as place:
        write_training(place)
        found = report(cli, place)
    same(pick(found['steps'], 'rank', 'is_step', 'step', 'devices', 'flop', 'recomputed_flop'),
         [[0, True, 0, 1, LARGE_FLOP, 0], [0, True, 1, 1, 2 * SMALL_FLOP + 1024, SMALL_FLOP]], 'steps')
    first, second = found['steps']
    near(first['mfu'], LARGE_FLOP / (1e-3 * PEAK), 'MFU of step 0')
    near(second['hfu'], (3 * SMALL_FLOP + 1024) / (1e-3 * PEAK), 'HFU of step 1')
    near(found['mfu'], (LARGE_FLOP + 2 * SMALL_FLOP + 1024) / (2e-3 * PEAK), 'MFU')


def test_range(cli):
    """Only calls that begin in the range count, and only steps that lie in it."""
    with folder() as place:
        write_training(place)
        found = report(cli, place, '--unit=step', '--start=1', '--end=2')
    same(pick(found['rows'], 'name', 'calls'), [['aten::linear', 1], ['aten::mm', 2]], 'rows')
    same(pick(found['steps'], 'step'), [[1]], 'steps')


def test_ranks(cli):
    """Equal calls of several ranks are one row if the ranks have the same device. Calls on another device have their own row."""
    with folder() as place:
        for rank, device in enumerate([H100, H100, 'NVIDIA H200']):
            write_training(place, device, rank, 3)
        found = report(cli, place)
    rows = [row for row in found['rows'] if row['shape'].startswith('[8944')]
    same(sorted(pick(rows, 'device', 'calls')), [[H100, 2], ['NVIDIA H200', 1]], 'rows')
    same(len(found['steps']), 6, 'steps')


def test_merged(cli):
    """In a merged file, steps, devices and work are those of each rank, as in the files of the ranks."""
    with folder() as place:
        for rank in range(3):
            write_training(Path(place) / 'run', rank=rank, world=3)
        merged = Path(place) / 'merged.json'
        cli.must('merge', '--quiet', '-o', merged, Path(place) / 'run')
        peaks = ('--peak-tflops=989.4', '--peak-bandwidth=3.35')
        whole, found = report(cli, Path(place) / 'run', *peaks), report(cli, merged, *peaks)
    keys = ('rank', 'step', 'devices', 'flop', 'recomputed_flop', 'mfu', 'hfu')
    same(pick(found['steps'], *keys), pick(whole['steps'], *keys), 'steps')
    near(found['mfu'], (LARGE_FLOP + 2 * SMALL_FLOP + 1024) / (2e-3 * PEAK), 'MFU')


def test_peaks(cli):
    with folder() as place:
        write_training(place, 'Unheard-of 1')
        unknown, stated = report(cli, place), report(cli, place, '--peak-tflops=1000', '--peak-bandwidth=2.5')
        for option in ('--peak-tflops=-1', '--peak-bandwidth=nan', '--peak-tflops=2e6'):
            cli.must('report', option, place, allowed=(USAGE,))
    row = unknown['rows'][0]
    same([row['device'], row['peak_flop_per_s'], row['efficiency'], row['bound'], unknown['mfu']], ['Unheard-of 1', None, None, None, None], 'unknown')
    near(row['flop_per_s'], LARGE_FLOP / LARGE_US * 1e6, 'rate')
    row = stated['rows'][0]
    same([row['peak_flop_per_s'], row['peak_bytes_per_s'], row['bound']], [1e15, 2.5e12, 'compute'], 'stated')
    near(row['efficiency'], LARGE_FLOP / LARGE_US * 1e6 / 1e15, 'efficiency')
    near(stated['steps'][0]['mfu'], LARGE_FLOP / 1e-3 / 1e15, 'MFU')


def test_missing(cli):
    def write(place, change):
        recording = Recording(0, 1)
        change(recording)
        recording.write(place)
        found = report(cli, place)
        return f"{found['missing']} {found['advice']}"

    def without_shapes(recording):
        recording.span('aten::mm', 'cpu_op', 10, 50)
        recording.kernel('gemm', 20, 100, 10)

    with folder() as place:
        check('record_shapes=True' in write(place, without_shapes), 'without shapes')
        check('ProfilerActivity.CUDA' in write(place, lambda recording: recording.operator('aten::mm', 10, 50, LARGE)), 'without kernels')
        check('ProfilerActivity.CPU' in write(place, lambda recording: recording.span('work', 'user_annotation', 10, 50)), 'without operators')


def test_whole(cli):
    """A run without steps is one entry of the list of steps, from the run's first to its last event, here from 10 to 110 µs."""
    with folder() as place:
        recording = Recording(0, 1)
        recording.device = H100
        recording.operator('aten::mm', 10, 50, LARGE)
        recording.kernel('gemm', 20, 30, 80)
        recording.write(place)
        step, = report(cli, place)['steps']
    same([step['is_step'], step['step'], step['end_ns'] - step['start_ns']], [False, None, 100_000], 'line')
    near(step['mfu'], LARGE_FLOP / (100e-6 * PEAK), 'MFU')


def test_page(cli):
    """The page leads with the operators whose kernels take longest, compared with what limits them, and has a row for each rank."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            recording.device = H100
            for step in range(3):
                at = 1000 * step
                recording.step(step, at, 1000)
                recording.operator('aten::mm', at + 10, 50, LARGE)
                recording.kernel('gemm', at + 20, at + 100, 100)
                recording.operator('aten::add', at + 300, 50, [[2**26], [2**26]])
                recording.kernel('add', at + 310, at + 310, 300)
            recording.write(place)
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, place)
        text = page.read_text()
    check('Elementwise operators transfer 1.34 TB/s of 3.35 TB/s (40.1 %) and take 75 % of the time of kernels and copies.' in text, 'answer')
    check('Use of the peak by rank' in text and 'Use of the peak by step' not in text, 'table')


def test_convolutions(cli):
    """PyTorch before 2.0 records no strides: the gradient of the output, the first input of the node of the backward pass, has the size
    of the output. Only calls that contain a call of …backward_input compute the gradient of the input."""
    shapes = [([2, 3, 8, 8], [4, 3, 3, 3], [2, 4, 4, 4]), ([2, 4, 4, 4], [5, 4, 1, 1], [2, 5, 4, 4])]
    with folder() as place:
        recording = Recording(0, 1)
        recording.device = H100

        def call(name, begin, duration, dims, **args):
            recording.span(name, 'cpu_op', begin, duration, **{'Input Dims': dims + [[]], 'Input type': ['float'] * len(dims) + ['GenericList'], **args})
        for i, (x, weight, y) in enumerate(shapes):
            call('aten::conv2d', 100 * i, 50, [x, weight], **{'Sequence number': i, 'Fwd thread id': 0})
            recording.kernel('forward', 100 * i + 10, 100 * i + 10, 20)
            at = 1000 - 100 * i
            call('CudnnConvolutionBackward', at, 90, [y], **{'Sequence number': i, 'Fwd thread id': 1})
            call('aten::cudnn_convolution_backward', at + 1, 80, [x, y, weight])
            if i > 0:
                call('aten::cudnn_convolution_backward_input', at + 2, 30, [y, weight])
                recording.kernel('input', at + 5, at + 5, 20)
            call('aten::cudnn_convolution_backward_weight', at + 40, 30, [y, x])
            recording.kernel('weight', at + 45, at + 45, 30)
        recording.write(place)
        found = report(cli, place)
    first, second = 2 * 2 * 4 * 4 * 4 * 3 * 9, 2 * 2 * 5 * 4 * 4 * 4
    same(sorted(pick(found['rows'], 'name', 'flop_per_call')),
         [['aten::conv2d', second], ['aten::conv2d', first], ['aten::cudnn_convolution_backward', 2 * second], ['aten::cudnn_convolution_backward', first]],
         'convolutions')


def test_many_calls(cli):
    """At most 200,000 calls of a run are read: those of the first rank, and those of the second up to a time."""
    with folder() as place:
        for rank, n_calls in enumerate((150_000, 60_000)):
            recording = Recording(rank, 2)
            recording.device = H100
            recording.operator('aten::mm', 10, 50, LARGE)
            recording.kernel('gemm', 20, 100, 80)
            for i in range(1, n_calls):
                recording.operator('aten::mm', 100 * i, 50, LARGE)
            recording.write(place)
        found = report(cli, place)
    same([found['calls'], found['calls_read'], pick(found['rows'], 'calls'), pick(found['steps'], 'rank')], [210_000, 200_000, [[2]], [[0], [1]]], 'calls')


def test_coverage_of_part(cli):
    """The share of the time that has a formula is computed only for the part of the run that is read. Each rank has
    kernels of 400 µs: a product of 80 µs, an addition of 240 µs, and another kernel of 80 µs, which has no formula. All
    kernels of rank 0 count, although its additions are not read, because there are too many calls. Of rank 1, only the
    product is read; its kernels at 29 s do not count. So 80 + 240 + 80 of 480 µs have a formula."""
    with folder() as place:
        for rank, (n_products, n_sums) in enumerate(((150_000, 60_000), (60_000, 0))):
            recording = Recording(rank, 2)
            recording.device = H100
            recording.step(0, 0, 30_000_000)
            recording.operator('aten::mm', 10, 50, LARGE)
            recording.kernel('gemm', 20, 100, 80)
            for i in range(1, n_products):
                recording.operator('aten::mm', 100 * i, 50, LARGE)
            for i in range(n_sums):
                recording.operator('aten::add', 15_000_000 + 100 * i, 50, [[64, 64], [64, 64]])
            recording.operator('aten::add', 29_000_000, 50, [[64, 64], [64, 64]])
            recording.kernel('add', 29_000_010, 29_000_100, 240)
            recording.kernel('other', 29_100_000, 29_100_100, 80)
            recording.write(place)
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, place)
        text = page.read_text()
    check('is not known: only' not in text, 'a formula for 400 of 480 µs')
    check(re.search(r'<dt>MFU</dt><dd>[\d.]+ % <small>share of the peak in the .*; counted operators take 33\.3 % of the time', text), 'counted: 160 of 480 µs')
    check('In the ranks and times that were read, the counted operators take 33.3 %' in text, 'note')


def test_long_run(cli):
    """If the products of one trace are too many, the first of them are read, and only the steps that are read completely count."""
    n_steps, per_step = 5, 50_000
    with folder() as place:
        recording = Recording(0, 1)
        recording.device = H100
        for step in range(n_steps):
            at = step * 1_000_000
            recording.step(step, at, 1_000_000)
            recording.operator('aten::mm', at + 10, 30, LARGE)
            recording.kernel('gemm', at + 20, at + 100, 80)
            for i in range(1, per_step):
                recording.operator('aten::mm', at + 100 + 2 * i, 1, LARGE)
        recording.operator('aten::add', 4_999_000, 30, [[64, 64], [64, 64]])
        recording.kernel('add', 4_999_005, 4_999_100, 5)
        recording.write(place)
        found = report(cli, place)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
    same([found['calls'], found['calls_read'], pick(found['rows'], 'calls')], [250_001, 200_000, [[4]]], 'calls')
    same(pick(found['steps'], 'step'), [[0], [1], [2], [3]], 'steps')
    near(found['mfu'], LARGE_FLOP / PEAK, 'MFU')
    same([found['counted_ns'], found['kernels_ns']], [320_000, 405_000], 'kernels')
    check('read: 200000 of 250001 calls' in text, text)


def test_unlinked(cli):
    """Kernels without a launch in the file, and ranks without shapes, count in the time of all kernels."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            recording.device = H100
            if rank == 0:
                recording.operator('aten::mm', 10, 50, LARGE)
            recording.kernel('gemm', 20, 30, 80)
            recording.events.append({'ph': 'X', 'cat': 'kernel', 'name': 'graph', 'pid': 0, 'tid': 7, 'ts': BEGIN + 200, 'dur': 100,
                                     'args': {'device': 0, 'stream': 7, 'correlation': 999}})
            recording.write(place)
        found = report(cli, place)
    same([found['counted_ns'], found['kernels_ns']], [80_000, 360_000], 'kernels')


def test_double(cli):
    """Work without a known peak, here in double precision, does not count in the MFU, and does not make the MFU unknown if there is
    little of it. Operators other than products, convolutions and attention, here aten::sum, do not count either."""
    def measure(products):
        with folder() as place:
            recording = Recording(0, 1)
            recording.device = H100
            recording.step(0, 0, 1000)
            recording.operator('aten::mm', 10, 50, LARGE)
            recording.kernel('gemm', 20, 100, 80)
            recording.operator('aten::sum', 100, 20, [[64]], data_type='double')
            recording.kernel('sum', 110, 200, 5)
            for i in range(products):
                recording.operator('aten::mm', 200 + 50 * i, 20, LARGE if products > 1 else [[64, 32], [32, 16]], data_type='double')
                recording.kernel('gemm64', 210 + 50 * i, 300 + 50 * i, 10)
            recording.write(place)
            return report(cli, place)
    for products in (0, 1):
        near(measure(products)['mfu'], LARGE_FLOP / (1e-3 * PEAK), f'MFU with {products} products of double')
    same(measure(2)['mfu'], None, 'MFU of which most is unknown')


def test_tf32(cli):
    """A product of float32 is compared with the peak of TF32 only if the name of its kernel says that it uses TF32."""
    with folder() as place:
        recording = Recording(0, 1)
        recording.device = H100
        for at, kernel in ((0, 'ampere_sgemm_128x64_nn'), (1000, 'sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16')):
            recording.operator('aten::mm', at + 10, 50, LARGE, data_type='float')
            recording.kernel(kernel, at + 20, at + 100, 800)
        recording.write(place)
        found = report(cli, place)
    same([[row['dtype'], row['calls'], round(row['peak_flop_per_s'] / 1e12, 6)] for row in found['rows']],
         [['float32', 1, 66.9], ['float32 (TF32)', 1, 494.7]], 'rows')
    near(found['steps'][0]['mfu'], (LARGE_FLOP / 66.9e12 + LARGE_FLOP / 494.7e12) / 1890e-6, 'MFU')


def test_kernel_formats(cli):
    """The instruction in the name of a CUTLASS kernel states the number format. A product of float32 that is faster than the peak of
    float32 must use TF32, whatever the name of its kernel: here 51.6 GFLOP in 0.4 ms, that is, 129 TFLOP/s, exceed the peak of 66.9
    TFLOP/s."""
    def measure(kernel, duration=800):
        with folder() as place:
            recording = Recording(0, 1)
            recording.device = H100
            recording.step(0, 0, 1000)
            recording.operator('aten::mm', 10, 50, LARGE, data_type='float')
            recording.kernel(kernel, 20, 100, duration)
            recording.write(place)
            found = report(cli, place)
        row, = found['rows']
        near(found['mfu'], LARGE_FLOP / row['peak_flop_per_s'] / 1e-3, f'MFU with {kernel}')
        return [row['dtype'], round(row['peak_flop_per_s'] / 1e12, 6)]

    tf32, short, single = ['float32 (TF32)', 494.7], ['float32 (16 bit)', 989.4], ['float32', 66.9]
    same(measure('cutlass_80_tensorop_s1688gemm_128x128_32x3_nn_align4'), tf32, 'CUTLASS, TF32')
    for name in ('cutlass_80_tensorop_s1688bf16gemm_128x128_32x3_nn_align4', 'cutlass_80_tensorop_s1688f16gemm_128x128_32x3_nn_align4',
                 'cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2', 'volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn',
                 'turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_nn', 'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64'):
        same(measure(name), short, name)
    for name in ('cutlass_80_simt_sgemm_128x128_8x4_nn_align1', 'nvjet_sss_64x64', 'ampere_sgemm_128x64_nn'):
        same([measure(name), measure(name, 400)], [single, tf32], name)


def test_part_of_step(cli):
    """A range inside a step says that it contains no whole step, not that there are no steps."""
    with folder() as place:
        write_training(place)
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', f'--start-ns={BEGIN * 1000 + 5000}', f'--end-ns={BEGIN * 1000 + 900_000}', '-o', page, place)
        check('which contains no whole step' in page.read_text(), 'text of the figure')


def test_text(cli):
    with folder() as place:
        write_training(place)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
    for part in ('matrix products: 398.4 TFLOP/s of 989.4 (40.3 %)', 'aten::mm [8944, 1024], [1024, 2816] bfloat16: 1 call, 51.58 GFLOP each',
                 '610.7 TFLOP/s', '61.7 % of what the peak allows', 'model FLOP utilization (MFU): 2.6 %'):
        check(part in text, f'{part}: {text}')


def test_processes(cli):
    """One file contains two processes that have no rank, each with its own GPU. Both have two steps of 1 ms, and those of the second
    process begin 50 µs later. Each step has one product. Processes with a pid are told apart by it: each has its own steps, with one GPU.
    Processes with a name instead of a pid count as one rank with two GPUs and two steps."""
    for is_named, wanted in ((False, [[0, 1, LARGE_FLOP], [1, 1, LARGE_FLOP]] * 2), (True, [[i, 2, 2 * LARGE_FLOP] for i in range(2)])):
        with folder() as place:
            recordings = [Recording(rank, 2) for rank in range(2)]
            for rank, recording in enumerate(recordings):
                recording.correlation = 1000 * rank
                for i in range(2):
                    recording.step(i, 2000 * i + 50 * rank, 1000)
                    recording.operator('aten::mm', 2000 * i + 100 + rank, 50, LARGE)
                    recording.kernel('gemm', 2000 * i + 110 + rank, 2000 * i + 200, LARGE_US)
                for event in recording.events:
                    event['pid'] = (f'trainer {rank}' if is_named else event['pid']) if event['pid'] else rank
            document = {'schemaVersion': 1, 'traceEvents': recordings[0].events + recordings[1].events,
                        'deviceProperties': [{'id': i, 'name': H100} for i in range(2)]}
            (Path(place) / 'run.pt.trace.json').write_text(json.dumps(document))
            found = report(cli, place)
        same(pick(found['steps'], 'step', 'devices', 'flop'), wanted, 'steps')
        near(found['mfu'], LARGE_FLOP / (1e-3 * PEAK), 'MFU')


def test_backward(cli):
    """The backward pass has no shapes. A node has the sequence number of its product, whose gradients are products of the same three
    sizes, without the bias. A node of an operator without known work, and a call outside of nodes, remain unknown."""
    def number(recording, n, thread):
        recording.events[-1]['args'].update({'Sequence number': n, 'Fwd thread id': thread})

    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            recording.device = H100
            recording.step(0, 0, 2000)
            recording.operator('aten::addmm', 10, 50, [[16], [64, 32], [32, 16]])
            number(recording, 5, 0)
            recording.kernel('gemm', 20, 100, 10)
            recording.span('aten::relu', 'cpu_op', 70, 20)
            number(recording, 6, 0)
            for i, (sequence, node) in enumerate(((6, 'ReluBackward0'), (5, 'AddmmBackward0'), (None, 'copy'))):
                at = 500 + 400 * i
                recording.span(f'autograd::engine::evaluate_function: {node}' if sequence else node, 'cpu_op', at, 300)
                if sequence:
                    number(recording, sequence, 1)
                for k in range(2):
                    recording.span('aten::mm', 'cpu_op', at + 20 + 100 * k, 50)
                    recording.kernel('gemm', at + 30 + 100 * k, at + 50 + 100 * k, 30)
            recording.write(place)
        found = report(cli, place)
    n_bytes = 2 * (64 * 32 + 32 * 16 + 64 * 16)
    same(pick(found['rows'], 'name', 'shape', 'dtype', 'calls', 'flop_per_call', 'bytes_per_call'), [
        ['aten::mm', '[64, 32], [32, 16] (gradient)', 'bfloat16', 4, SMALL_FLOP, n_bytes],
        ['aten::addmm', '[64, 32], [32, 16]', 'bfloat16', 2, SMALL_FLOP + 64 * 16, n_bytes + 2 * 16]], 'rows')
    near(found['steps'][0]['flop'], 3 * SMALL_FLOP + 64 * 16, 'work of a step')


def test_coverage(cli):
    """The page states the MFU with the share of the time that it covers, and no MFU if this is less than half. In the sample, the shapes
    of products of the backward pass are taken from the forward pass."""
    with folder() as place, folder() as other:
        write_training(place)
        recording = Recording(0, 1)
        recording.device = H100
        recording.operator('aten::mm', 10, 50, LARGE)
        recording.kernel('gemm', 20, 100, 40)
        recording.kernel('other', 200, 250, 60)
        recording.write(other)
        known = r'<dt>MFU</dt><dd>[\d.]+ % <small>share of the peak in the .*; counted operators take [\d.]+ % of the time'
        unknown = r'\(MFU\) is not known: only 40 % of the time of compute kernels belongs to operators with recorded shapes and a formula for their work'
        for path, says, stated in ((place, known, True), (SAMPLE, known, True), (other, unknown, False)):
            page = Path(place) / 'page.html'
            cli.must('report', '--quiet', '-o', page, path)
            text = page.read_text()
            check(re.search(says, text), says)
            same('share of the peak in the time of the steps' in text, stated, f'{path}: figure')


def test_coverage_of_compute(cli):
    """Communication and copies do not lower the share of the time that has a formula: of 100 µs of compute kernels, the product takes 80."""
    with folder() as place:
        recording = Recording(0, 2)
        recording.device = H100
        recording.step(0, 0, 1000)
        recording.operator('aten::mm', 10, 50, LARGE)
        recording.kernel('gemm', 20, 100, 80)
        recording.operator('aten::custom', 110, 50, LARGE)
        recording.kernel('custom', 120, 200, 20)
        recording.kernel('ncclDevKernel_AllReduce_Sum_bf16_RING_LL', 220, 300, 400)
        recording.kernel('Memcpy DtoD (Device -> Device)', 230, 750, 200)
        next(event for event in recording.events if event['name'].startswith('Memcpy'))['cat'] = 'gpu_memcpy'
        recording.write(place)
        page = Path(place) / 'page.html'
        found = report(cli, place)
        cli.must('report', '--quiet', '-o', page, place)
        text = page.read_text()
    same([found[key] for key in ('counted_ns', 'kernels_ns', 'counted_compute_ns', 'read_compute_ns')], [80_000, 700_000, 80_000, 100_000], 'kernels')
    check('<dt>MFU</dt><dd>5.21 % <small>share of the peak in the time of the steps; counted operators take 80 % of the time of compute kernels<' in text, re.findall(r'[^.]*MFU[^<]*', text)[:3])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('rows', test_rows, cli)
    tap.case('share of the time that the MFU covers', test_coverage, cli)
    tap.case('communication does not need a formula', test_coverage_of_compute, cli)
    tap.case('steps', test_steps, cli)
    tap.case('a range', test_range, cli)
    tap.case('several ranks', test_ranks, cli)
    tap.case('a merged file of several ranks', test_merged, cli)
    tap.case('peaks of unknown devices and stated peaks', test_peaks, cli)
    tap.case('missing data', test_missing, cli)
    tap.case('a run without steps', test_whole, cli)
    tap.case('page', test_page, cli)
    tap.case('convolutions without recorded strides', test_convolutions, cli)
    tap.case('the backward pass without shapes', test_backward, cli)
    tap.case('many calls', test_many_calls, cli)
    tap.case('share of the time in the part that is read', test_coverage_of_part, cli)
    tap.case('a long run', test_long_run, cli)
    tap.case('kernels without a launch', test_unlinked, cli)
    tap.case('work of double', test_double, cli)
    tap.case('float32 in TF32', test_tf32, cli)
    tap.case('formats in the names of kernels', test_kernel_formats, cli)
    tap.case('a part of a step', test_part_of_step, cli)
    tap.case('several processes of unknown rank', test_processes, cli)
    tap.case('text', test_text, cli)
    tap.done()


if __name__ == '__main__':
    main()
