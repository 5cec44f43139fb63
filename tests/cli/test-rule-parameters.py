# SPDX-License-Identifier: Apache-2.0
"""Tests every parameter of every profiler rule, in the order of formats/profiler-config-and-rules.md, section B2. The
default equals that of the SageMaker SDK. A value that the SDK refuses is refused with the same message, and the default
is used instead. A limit just below a value of the data gives another result than a limit just above it. Finally tests
the special cases of section B5 about the texts of parameters."""

import json
import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, OUT, SAMPLE, Cli, Tap, check, folder, generate, same, shared_folder  # noqa: E402

TOOL = shared_folder('tools') / 'make-profiler-output.py'
FIRED, PASSED, FEW, NOT = 'fired', 'passed', 'not enough data', 'not applicable'
PERCENT, POSITIVE, TEXT, BOOLEAN = 'a valid percentile', 'a positive integer', 'a text', 'a boolean'
SCAN = ('scan_interval_us', '60000000', POSITIVE, ())


def sample(kind, name, dimension, value, second):
    return json.dumps({'Type': kind, 'Name': name, 'Dimension': dimension, 'Value': value, 'NodeId': 'algo-1', 'Timestamp': 1700000000 + second}) + '\n'


def series(n, **functions):
    """Returns lines of samples for n seconds; keyword arguments map one of NAMES to a function of the second."""
    names = {'core': ('cpu', 'cpu0', 'CPUUtilization'), 'wait': ('cpu', 'cpu0', 'I/OWaitPercentage'), 'gpu': ('gpu', 'gpu0', 'GPUUtilization'),
             'gpu1': ('gpu', 'gpu1', 'GPUUtilization'), 'memory': ('gpu', 'gpu0', 'GPUMemoryUtilization')}
    return ''.join(sample(*names[name], value(second), second) for second in range(n) for name, value in functions.items())


# The data sets; comments describe them in the terms of the parameters.
DATA = {
    # the core is always at 30 %, the GPU at 40 %, its memory at 50 %
    'idle': series(60, core=lambda s: 30, gpu=lambda s: 40, memory=lambda s: 50),
    # in 60 of 101 snapshots the CPU core (or its I/O wait) is at 95 % and the GPU at 5 %
    'starved': series(101, core=lambda s: 95 if s < 60 else 20, gpu=lambda s: 5 if s < 60 else 50),
    'waiting': series(101, wait=lambda s: 95 if s < 60 else 20, gpu=lambda s: 5 if s < 60 else 50),
    # GPU memory grows by 0.625 points per second. The means of consecutive windows of ten samples differ by 6.25
    # points, those of windows of five samples by 3.125 points.
    'growing': series(100, memory=lambda s: 20 + 0.625 * s),
    # one GPU always at 90 %, the other alternates between 90 % and 10 %
    'uneven': series(100, gpu=lambda s: 90, gpu1=lambda s: 90 if s % 2 else 10),
    # always 60 %
    'even': series(100, gpu=lambda s: 60),
    # The GPU is at 5 % in the first 40 samples, and at 80 % in the last 60.
    'late': series(100, gpu=lambda s: 5 if s < 40 else 80),
}

# Rule: parameters that all its tests use; rows of (parameter, default, kind, (data, value, status)…).
RULES = {
    'BatchSize': ({'patience': 20, 'window': 20}, [
        ('cpu_threshold_p95', '70', PERCENT, (('idle', 31, FIRED), ('idle', 30, PASSED))),
        ('gpu_threshold_p95', '70', PERCENT, (('idle', 41, FIRED), ('idle', 40, PASSED))),
        ('gpu_memory_threshold_p95', '70', PERCENT, (('idle', 51, FIRED), ('idle', 50, PASSED))),
        ('patience', '1000', POSITIVE, (('idle', 59, FIRED), ('idle', 60, FEW))),
        ('window', '500', POSITIVE, (('idle', 59, FIRED), ('idle', 60, FEW))), SCAN]),
    'CPUBottleneck': ({'patience': 50}, [
        ('threshold', '50', PERCENT, (('starved', 59, FIRED), ('starved', 60, PASSED))),
        ('gpu_threshold', '10', PERCENT, (('starved', 6, FIRED), ('starved', 5, PASSED))),
        ('cpu_threshold', '90', PERCENT, (('starved', 94, FIRED), ('starved', 95, PASSED))),
        ('patience', '1000', POSITIVE, (('starved', 100, FIRED), ('starved', 101, FEW))), SCAN]),
    'Dataloader': ({}, [
        ('min_threshold', '70', POSITIVE, ((SAMPLE, 101, FIRED), (SAMPLE, 100, PASSED))),
        ('max_threshold', '200', POSITIVE, ((SAMPLE, 100, PASSED), (SAMPLE, 99, FIRED))), SCAN]),
    'GPUMemoryIncrease': ({'patience': 50, 'window': 10}, [
        ('increase', '5', POSITIVE, (('growing', 6, FIRED), ('growing', 7, PASSED))),
        ('patience', '1000', POSITIVE, (('growing', 99, FIRED), ('growing', 100, FEW))),
        ('window', '10', POSITIVE, (('growing', 10, FIRED), ('growing', 5, PASSED))), SCAN]),
    'IOBottleneck': ({'patience': 50}, [
        ('threshold', '50', PERCENT, (('waiting', 59, FIRED), ('waiting', 60, PASSED))),
        ('gpu_threshold', '10', PERCENT, (('waiting', 6, FIRED), ('waiting', 5, PASSED))),
        ('io_threshold', '50', PERCENT, (('waiting', 94, FIRED), ('waiting', 95, PASSED))),
        ('patience', '1000', POSITIVE, (('waiting', 100, FIRED), ('waiting', 101, FEW))), SCAN]),
    'LoadBalancing': ({'patience': 50}, [
        ('threshold', '0.5', PERCENT, (('uneven', 0.1, FIRED), ('uneven', 0.8, PASSED))),
        ('patience', '1000', POSITIVE, (('even', 99, NOT), ('uneven', 100, FEW))), SCAN]),
    'LowGPUUtilization': ({'patience': 50, 'window': 100}, [
        ('threshold_p95', '70', PERCENT, (('even', 61, FIRED), ('even', 60, PASSED), ('even', 59, PASSED))),
        ('threshold_p5', '10', PERCENT, (('late', 6, FIRED), ('late', 5, PASSED))),
        ('window', '500', POSITIVE, (('late', 100, FIRED), ('late', 60, PASSED))),
        ('patience', '1000', POSITIVE, (('even', 99, FIRED), ('even', 100, FEW))), SCAN]),
    'MaxInitializationTime': ({}, [('threshold', '20', POSITIVE, ((SAMPLE, 0.01, FIRED), (SAMPLE, 1, PASSED))), SCAN]),
    'StepOutlier': ({}, [
        ('stddev', '3', POSITIVE, (('steps', 3, FIRED), ('steps', 1000, PASSED))),
        ('mode', 'None', TEXT, (('steps', 'TRAIN', FIRED), ('steps', 'NOSUCH', NOT))),
        ('n_outliers', '10', POSITIVE, (('steps', 10, FIRED), ('steps', 690, PASSED))), SCAN]),
    'OverallSystemUsage': ({}, [SCAN]),
    'OverallFrameworkMetrics': ({}, [SCAN]),
    'ProfilerReport': ({}, [('opt_out_telemetry', 'False', BOOLEAN, ()), SCAN]),
}

REFUSED = {PERCENT: ('-0.5', '100.5', 'x', 'nan'), POSITIVE: ('0', '-1', 'x', 'inf'), BOOLEAN: ('3', 'yes'), TEXT: ()}
TAKEN = {PERCENT: '12', POSITIVE: '12', BOOLEAN: 'True', TEXT: 'TRAIN'}
UNSET = ('', 'None', 'null', None)


class Runs:
    """Folders of the data sets, generated on first use."""

    def __init__(self, cli, place):
        self.cli, self.place = cli, Path(place)

    def path(self, data):
        path = self.place / str(data)
        if data == SAMPLE or path.exists():
            return path if data != SAMPLE else SAMPLE
        if data == 'steps':
            options = ['--steps', '700', '--seconds', '130', '--interval-ms', '1000', '--gpus', '1', '--cpus', '2', '--workers', '1', '--layers', '1']
            generate(path, TOOL.name, OUT, *options, '--inject', 'step-outliers')
            return path
        file = path / 'system' / 'incremental' / '2023111422' / '1700000000.algo-1.json'
        file.parent.mkdir(parents=True)
        file.write_text(DATA[data])
        return path

    def run(self, data, parameters, *options):
        document = self.place / 'p.json'
        document.write_text(json.dumps(parameters, indent=1) + '\n')
        result = self.cli('rules', '--format', 'json', *options, '--parameters', document, self.path(data))
        check(result.returncode in (DONE, 3), result.stderr)
        return json.loads(result.stdout), result.stderr

    def rule(self, data, rule, parameters):
        result, said = self.run(data, {rule: parameters}, '--rule', rule)
        return result[rule], said

    @cache
    def untouched(self, rule):
        return self.rule('idle', rule, {})[0]

    @cache
    def every(self, what, index):
        """Runs all rules at once, with each parameter set to a text for its kind."""
        texts = {'refused': REFUSED, 'unset': dict.fromkeys(REFUSED, UNSET), 'taken': {kind: (text,) for kind, text in TAKEN.items()}}[what]
        return self.run('idle', {rule: {parameter: texts[kind][index] for parameter, _, kind, _ in rows if index < len(texts[kind])}
                                 for rule, (_, rows) in RULES.items()})


def printed(result, parameter):
    return dict(line.split(':', 1) for line in result['RuleParameters'].split('\n'))[parameter]


def test_row(runs, rule, base, parameter, initial, kind, cases):
    same(printed(runs.untouched(rule), parameter), initial, 'default')
    for index, text in enumerate(REFUSED[kind]):
        result, said = runs.every('refused', index)
        check(f'{rule} {parameter} must be {kind}!' in said, f'{text}: {said}')
        same(printed(result[rule], parameter), initial, f'default after {text}')
    for index, text in enumerate(UNSET):
        result, said = runs.every('unset', index)
        same(printed(result[rule], parameter), initial, f'not set by {text!r}')
        check(parameter not in said, said)
    same(printed(runs.every('taken', 0)[0][rule], parameter), TAKEN[kind], 'set')
    for data, value, status in cases:
        result, _ = runs.rule(data, rule, {**base, parameter: str(value)})
        same(result['Status'], status, f'{parameter} {value} on {data if data != SAMPLE else "the sample"}: {result["Sentence"]}')


def test_loaders(runs):
    """Four loader processes on four cores (100 %) are too few, right or too many, depending on the limits of the
    rule."""
    for least, most, status in ((101, 200, FIRED), (100, 200, PASSED), (100, 100, PASSED), (70, 99, FIRED)):
        result, _ = runs.rule(SAMPLE, 'Dataloader', {'min_threshold': least, 'max_threshold': most})
        same(result['Status'], status, f'between {least} and {most} %: {result["Sentence"]}')


def test_names(runs):
    """Parameter names are case-insensitive; unknown parameters are reported."""
    document = runs.place / 'p.json'
    document.write_text('{"cpuBOTTLENECK_Cpu_Threshold": "12", "BatchSize_increase": "3"}')
    result = runs.cli('rules', '--format', 'json', '--parameters', document, runs.path('idle'))
    same(printed(json.loads(result.stdout)['CPUBottleneck'], 'cpu_threshold'), '12', 'in any letter case')
    check('BatchSize has no parameter increase' in result.stderr, result.stderr)


def test_cannot_fire(runs):
    for threshold, warned in (('0.8325', False), ('0.8327', True), ('1', True)):
        _, said = runs.rule('uneven', 'LoadBalancing', {'threshold': threshold})
        same('cannot fire' in said, warned, f'{threshold}: {said}')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    with folder() as place:
        runs = Runs(cli, place)
        for rule, (base, rows) in RULES.items():
            listed = {line.split(':')[0] for line in runs.untouched(rule)['RuleParameters'].split('\n')}
            tap.case(f'{rule}: every parameter has a row', same, listed, {row[0] for row in rows}, 'parameters')
            for parameter, initial, kind, cases in rows:
                wanted = [case for case in cases if case[0] != 'steps' or TOOL.exists()]
                words = ', '.join(f'{value}: {status}' for _, value, status in wanted)
                tap.case(f'{rule} {parameter}: {initial} at first; {words or "nothing depends on it"}', test_row, runs, rule, base, parameter, initial, kind, wanted)
        for test in (test_loaders, test_names, test_cannot_fire):
            tap.case(test.__name__[5:].replace('_', ' '), test, runs)
    tap.done()


main()
