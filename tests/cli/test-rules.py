# SPDX-License-Identifier: Apache-2.0
"""Tests the profiler rules: on folders with and without planted faults, with parameters in every form, and with too
little data. Prints a table at the end: how often each rule fired for each kind of folder."""

import json
import os
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, ROOT, SAMPLE, OUT, USAGE, Cli, Tap, check, folder, generate, same, shared_folder  # noqa: E402

TOOL = shared_folder('tools') / 'make-profiler-output.py'
WATCHED = ('CPUBottleneck', 'IOBottleneck', 'StepOutlier', 'LoadBalancing', 'MaxInitializationTime')
N_SEEDS = 10  # per kind, all different; three random ones are used, with LOOM_LONG all
# Planted fault: the rules that must fire, the parameters.
KINDS = {
    '': (set(), {}),
    'imbalance': ({'LoadBalancing'}, {}),
    'step-outliers': ({'StepOutlier'}, {}),
    'cpu-bottleneck': ({'CPUBottleneck'}, {'CPUBottleneck': {'threshold': '10'}}),
}


def make(place, inject, seed):
    """Generates a job with more than 1,000 samples and 100 steps, which is enough for the patience of every rule."""
    options = ['--steps', '700', '--seconds', '130', '--interval-ms', '100', '--gpus', '2', '--cpus', '4', '--workers', '2', '--layers', '1',
               '--seed', str(seed)]
    generate(place, TOOL.name, OUT, *options, *(['--inject', inject] if inject else []))


def rules(cli, path, *options, allowed=(DONE,)):
    return json.loads(cli.must('rules', '--format', 'json', *options, path, allowed=allowed).stdout)


def evaluate(cli, inject, seed):
    with folder() as place:
        run = Path(place) / 'run'
        make(run, inject, seed)
        parameters = Path(place) / 'parameters.json'
        parameters.write_text(json.dumps(KINDS[inject][1]))
        return {name: result['Status'] for name, result in rules(cli, run, '--parameters', parameters).items()}


def test_confusion(cli):
    dice = random.Random(int(os.environ.get('LOOM_SEED', random.randrange(2 ** 32))))
    taken = {inject: range(N_SEEDS) if 'LOOM_LONG' in os.environ else dice.sample(range(N_SEEDS), 3) for inject in KINDS}
    jobs = [(inject, 1 + i * N_SEEDS + k) for i, inject in enumerate(KINDS) for k in taken[inject]]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: evaluate(cli, *job), jobs))
    print(f'# {"put in":16} ' + ' '.join(f'{name[:14]:>14}' for name in WATCHED))
    for inject in KINDS:
        mine = [result for (kind, _), result in zip(jobs, results) if kind == inject]
        print(f'# {inject or "nothing":16} ' + ' '.join(f'{sum(one[name] == "fired" for one in mine):11}/{len(mine)}' for name in WATCHED))
    for (inject, seed), result in zip(jobs, results):
        same({name for name in WATCHED if result[name] == 'fired'}, KINDS[inject][0], f'{inject or "nothing"} with seed {seed}')
        check(all(result[name] in ('fired', 'passed') for name in WATCHED if name != 'IOBottleneck'), f'{result}')


def test_sample(cli):
    result = rules(cli, SAMPLE)
    same(len(result), 27, 'rules: 21 of the program and 6 of its files')
    for name, one in result.items():
        same(sorted(one), ['Datapoints', 'Details', 'Marks', 'RuleParameters', 'RuleTriggered', 'Sentence', 'Status', 'Violations'], name)
        check(one['Sentence'] and one['Status'] in ('fired', 'passed', 'not enough data', 'not applicable'), str(one))
        same(one['RuleTriggered'], int(one['Status'] == 'fired'), f'{name}: triggered')
    same(list(result['CPUBottleneck']['Details']), ['algo-1', 'algo-2'], 'nodes in the details')
    same(result['Dataloader']['Status'], 'passed', 'two ranks of two workers each for four cores')
    with folder() as place:
        path = Path(place) / 'p.json'
        path.write_text('{"Dataloader_min_threshold": 120}')
        loader = rules(cli, SAMPLE, '--rule', 'Dataloader', '--parameters', path)['Dataloader']
    same(loader['Sentence'], 'On algo-1, 4 processes load data at a time, on 4 cores; between 5 and 8 processes are recommended; on 1 other node, the number is too low or too high as well',
         'a sentence of both nodes')
    same({mark['node'] for mark in loader['Marks']}, {'algo-1', 'algo-2'}, 'marks of both')
    text = cli.must('rules', '--format', 'text', SAMPLE).stdout
    check(all(name in text for name in result), text)


PARAMETERS = {
    'by rule': {'CPUBottleneck': {'threshold': '33', 'patience': 5}},
    'joined': {'CPUBottleneck_threshold': '33', 'cpubottleneck_Patience': '5'},
    'rule to invoke': {'rule_to_invoke': 'CPUBottleneck', 'threshold': '33', 'patience': '5'},
    'rule parameters': {'RuleParameters': {'rule_to_invoke': 'CPUBottleneck', 'threshold': '33', 'patience': '5'}},
    'a request': {'ProfilerRuleConfigurations': [{'RuleConfigurationName': 'x', 'RuleParameters': {
        'rule_to_invoke': 'CPUBottleneck', 'threshold': '33', 'patience': '5', 'cpu_threshold': 'None'}}]},
    'a report': [{'RuleParameters': {'rule_to_invoke': 'ProfilerReport', 'CPUBottleneck_threshold': '33', 'CPUBottleneck_patience': '5'}}],
    'a dictionary of Python': {'rule_to_invoke': 'ProfilerReport', 'custom_rule_parameters': "{'CPUBottleneck_threshold': 33, 'CPUBottleneck_patience': 5, }"},
}


def test_parameters(cli, document):
    with folder() as place:
        path = Path(place) / 'p.json'
        path.write_text(json.dumps(document))
        result = rules(cli, SAMPLE, '--rule', 'CPUBottleneck', '--parameters', path)
        same(list(result), ['CPUBottleneck'], 'rules')
        same(result['CPUBottleneck']['RuleParameters'], 'threshold:33\ngpu_threshold:10\ncpu_threshold:90\npatience:5\nscan_interval_us:60000000', 'parameters')


# Text of a parameter file: a part of the expected warning.
WARNED = {
    '{"CPUBottleneck": {"threshold": "101"}}': 'CPUBottleneck threshold must be a valid percentile!',
    '{"CPUBottleneck": {"threshold": "much"}}': 'CPUBottleneck threshold must be a valid percentile!',
    '{"BatchSize_window": "0"}': 'BatchSize window must be a positive integer!',
    '{"ProfilerReport": {"opt_out_telemetry": 3}, "ProfilerReport_opt_out_telemetry": 3}': 'ProfilerReport opt_out_telemetry must be a boolean!',
    '{"CPUBottleneck_limit": "1"}': 'CPUBottleneck has no parameter limit',
    '{"CPUBottleneck": {"threshold": {}}}': 'is no text and no number',
    '{"threshold": "1"}': 'neither a rule nor RULE_PARAMETER',
    '{"LoadBalancing": {"threshold": "0.84"}}': 'cannot fire',
    '{"custom_rule_parameters": "{a}"}': 'custom_rule_parameters cannot be read',
}


def test_warned(cli, text, words):
    with folder() as place:
        path = Path(place) / 'p.json'
        path.write_text(text)
        result = cli('rules', '--format', 'json', '--parameters', path, SAMPLE)
        check(words in result.stderr, result.stderr)
        same(result.returncode, DONE, 'exit status')
        limit = json.loads(result.stdout)['CPUBottleneck']['RuleParameters']
        check('threshold:50' in limit, limit)


def test_refused(cli):
    for text in ('', '{', '3', '[' * 100000, '{"a": "' + 'x' * (2 << 20) + '"}'):
        with folder() as place:
            path = Path(place) / 'p.json'
            path.write_text(text)
            result = cli('rules', '--parameters', path, SAMPLE)
            same(result.returncode, FAILED, text[:20])
            check('p.json' in result.stderr, result.stderr)


def test_unknown(cli):
    with folder() as place:
        path = Path(place) / 'p.json'
        path.write_text('{"NoSuchRule": {"a": 1}, "Other_a": "1"}')
        result = rules(cli, SAMPLE, '--rule', 'BatchSize', '--parameters', path)
        same(sorted(result), ['BatchSize', 'NoSuchRule', 'Other'], 'names')
        del result['BatchSize']
        same({one['Status'] for one in result.values()}, {'not applicable'}, 'status')


def test_shipped_parameters(cli):
    """The program's window saves changed limits of rules in a parameter file. For a rule in that file, these values
    override the values of the rule file; other rules keep their own values."""
    shipped = ROOT / 'data' / 'rules'
    with folder() as place:
        path = Path(place) / 'p.json'
        path.write_text('{"CommunicationShare": {"above": 75.0, "least": 20}, "CPUBottleneck": {"patience": 40}}')
        result = rules(cli, SAMPLE, '--rules', shipped, '--parameters', path)
        same(result['CommunicationShare']['Status'], 'passed', 'the limit of the file')
        same(result['CommunicationShare']['RuleParameters'], 'above:75.0 %\npatience:1\nleast:20', 'parameters')
        same(result['CPUBottleneck']['Status'], 'passed', 'with 48 samples')
        same(result['IdleGPU']['RuleParameters'], 'below:60.0 %\npatience:1\nleast:10', 'parameters of the file of the rule')
        path.write_text('{"CommunicationShare": {"above": "3 ms", "over": 1}}')
        told = cli('rules', '--rules', shipped, '--parameters', path, '--format', 'json', SAMPLE)
        same(json.loads(told.stdout)['CommunicationShare']['Status'], 'fired', 'the limit of the rule itself')
        for name in 'above', 'over':
            check(f'rule CommunicationShare: the value of “{name}” cannot be used; the default is kept' in told.stderr, told.stderr)


def test_misspelt(cli):
    """An unknown rule name is a usage error; the message lists all rules, including those of files."""
    result = cli('rules', '--rule', 'LowGPUUtilisation', SAMPLE)
    same((result.returncode, result.stdout), (USAGE, ''), 'exit status')
    for word in ('LowGPUUtilisation', 'CPUBottleneck', 'LowGPUUtilization', 'StepOutlier', 'Dataloader', 'LaunchBoundSteps'):
        check(word in result.stderr, result.stderr)
    same(list(rules(cli, SAMPLE, '--rule', 'LaunchBoundSteps')), ['LaunchBoundSteps'], 'a rule of a file that comes with the program')


def line(kind, name, dimension, value, second, node='algo-1'):
    return json.dumps({'Type': kind, 'Name': name, 'Dimension': dimension, 'Value': value, 'NodeId': node, 'Timestamp': 1700000000 + second}) + '\n'


def system(place, lines, node='algo-1'):
    path = Path(place) / 'system' / 'incremental' / '2023111422' / f'1700000000.{node}.json'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(''.join(lines))
    return Path(place) / 'system'


def test_cpu_only(cli):
    with folder() as place:
        lines = [line('cpu', 'cpu0', 'CPUUtilization', 50, second) for second in range(1200)]
        result = rules(cli, system(place, lines))
        for name in ('BatchSize', 'CPUBottleneck', 'IOBottleneck', 'LowGPUUtilization', 'GPUMemoryIncrease', 'LoadBalancing', 'StepOutlier'):
            same(result[name]['Status'], 'not applicable', name)


def timeline(place, events, rank=99, node='algo-1'):
    path = Path(place) / 'framework' / 'pevents' / '2023111422' / f'1700001500000000_{rank}-{node}_pythontimeline.json'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{'name': 'process_name', 'ph': 'M', 'pid': 0, 'args': {'start_time_since_epoch_in_micros': 1700000000000000}}, *events]))


def test_late_begin(cli):
    """Tests the rule MaxInitializationTime with 25 minutes of metrics. Without a timeline, there is not enough data.
    With a timeline without steps, the rule fires. Steps of training and of evaluation both count as the first step."""
    def run(*phases):
        with folder() as place:
            system(place, [line('cpu', 'cpu0', 'CPUUtilization', 50, second) for second in range(0, 1501, 10)])
            if phases:
                timeline(place, [{'name': 'process_name', 'ph': 'M', 'pid': 1, 'args': {'name': phases[0]}},
                                 {'name': phases[0], 'ph': 'X', 'pid': 1, 'ts': 1320000000, 'dur': 1000000, 'args': {'step_num': '0'}}])
            page = Path(place) / 'report.html'
            cli.must('report', '--output', page, place)
            findings = json.loads(cli.must('report', '--format', 'json', place).stdout)['findings']
            return rules(cli, place)['MaxInitializationTime'], 'MaxInitializationTime' in {one['rule'] for one in findings}, page.read_text()

    result, found, page = run()
    same((result['Status'], result['Sentence'], found), ('not enough data', 'not enough data (0 of 1 steps)', False), 'metrics alone')
    check('nothing is known about steps' in page, 'the overview')
    check(re.search(r'Training steps\s*–', re.sub(r'<[^>]*>', ' ', page)), 'the number of steps')
    for phase, sentence in (('DataLoaderIter', 'No step began during the 25 min of the job'),
                            ('Step:ModeKeys.EVAL', 'The first step began 22 min after the start of the job'), ('Step:ModeKeys.TRAIN', 'The first step began 22 min after the start of the job')):
        result, found, page = run(phase)
        same((result['Status'], result['Sentence'], found), ('fired', sentence, True), phase)


def test_steps_of_ranks(cli):
    """Two ranks record the same 120 steps, and one step of one rank is long. The report counts 120 steps. The rule
    counts the steps of each rank separately, 240 in all, and its sentence says so."""
    with folder() as place:
        for rank in range(2):
            timeline(place, [{'name': 'process_name', 'ph': 'M', 'pid': 1, 'args': {'name': 'Step:ModeKeys.TRAIN'}}] +
                     [{'name': 'Step:ModeKeys.TRAIN', 'ph': 'X', 'pid': 1, 'ts': 1000000 * i, 'dur': 900000 if (rank, i) == (1, 7) else 100000,
                       'args': {'step_num': str(i)}} for i in range(120)], rank)
        result = rules(cli, place, '--rule', 'StepOutlier')['StepOutlier']
        same((result['Violations'], result['Datapoints']), (1, 240), 'counted steps')
        same(result['Sentence'], 'outlier steps: 1 of 240, counted separately on each of 2 ranks', 'sentence')
        report = json.loads(cli.must('report', '--format', 'json', place).stdout)
        same((report['steps']['count'], [rank['count'] for rank in report['steps']['ranks']]), (120, [120, 120]), 'steps')


def loaders(place, n_workers, n_cores, seconds, node='algo-1'):
    """Writes a training process that fetches a batch from its workers each second; each worker is one event for its
    whole lifetime."""
    system(place, [line('cpu', f'cpu{core}', 'CPUUtilization', 50, second, node) for second in range(seconds) for core in range(n_cores)], node)
    events = [{'name': 'process_name', 'ph': 'M', 'pid': pid, 'args': {'name': name}} for pid, name in ((1, 'DataLoaderIter'), (2, 'DataLoaderWorker'))]
    events += [{'name': 'DataLoaderWorker', 'ph': 'X', 'pid': 2, 'ts': 1000 * i, 'dur': 1000000 * seconds - 2000 * i, 'args': {'pid': 100 + i, 'worker_id': i}}
               for i in range(n_workers)]
    events += [{'name': '_MultiProcessingDataLoaderIter::GetNext', 'ph': 'X', 'pid': 1, 'ts': 1000000 * second + 5, 'dur': 2000,
                'args': {'pid': 99, 'worker_id': second % n_workers}} for second in range(seconds)]
    timeline(place, events, node=node)


def test_loaders_of_nodes(cli):
    """Each node has its own cores and its own waits for batches: the two faulty nodes have 30 waits of 2 ms each."""
    with folder() as place:
        for node, n_workers, n_cores in (('algo-1', 4, 8), ('algo-2', 3, 3), ('algo-3', 3, 6)):
            loaders(place, n_workers, n_cores, 30, node)
        details = rules(cli, place)['Dataloader']['Details']
        same({node: detail['cores'] for node, detail in details.items()}, {'algo-1': 8, 'algo-2': 3, 'algo-3': 6}, 'cores')
        findings = json.loads(cli.must('report', '--format', 'json', place).stdout)['findings']
        same([finding['lost_ns'] for finding in findings if finding['rule'] == 'Dataloader'], [120000000], 'lost time')


def test_loaders(cli):
    """The rule about data loading and the report both count a worker during its whole lifetime."""
    for n_workers, n_cores, status, sentence in ((8, 8, 'passed', 'the number of loading processes suits the number of cores'),
                                                 (4, 8, 'fired', 'On algo-1, 4 processes load data at a time, on 8 cores; between 6 and 16 processes are recommended'),
                                                 (6, 8, 'passed', 'the number of loading processes suits the number of cores')):
        with folder() as place:
            loaders(place, n_workers, n_cores, 30)
            result = rules(cli, place)['Dataloader']
            same((result['Status'], result['Sentence']), (status, sentence), f'{n_workers} workers')
            same(result['Details'], {'algo-1': {'cores': n_cores, 'dataloaders': n_workers}}, f'details of {n_workers}')
            loading = json.loads(cli.must('report', '--format', 'json', place).stdout)['data_loading']
            same((loading['worker_processes'], loading['processes_at_a_time']), (n_workers, [{'node': 'algo-1', 'processes': n_workers, 'seconds': 30}]), 'report')
            page = Path(place) / 'report.html'
            cli.must('report', '--output', page, place)
            facts = re.sub(r'<[^>]*>', ' ', page.read_text())
            check(re.search(rf'Processes per node that load data at the same time\s+{n_workers}\b', facts), 'the page')
            part = rules(cli, place, '--unit', 'time', '--start', '1700000010000000', '--end', '1700000029999999')['Dataloader']
            same(part['Datapoints'], 20, 'seconds in the range')


def test_patience(cli):
    """A rule needs more than `patience` snapshots: it does not fire for exactly as many, but for one more. Here 60 of
    101 snapshots violate the threshold, which is more than 50 %."""
    def run(n, *options):
        with folder() as place:
            lines = [line('cpu', 'cpu0', 'CPUUtilization', 95 if second < 60 else 20, second) + line('gpu', 'gpu0', 'GPUUtilization', 5, second)
                     for second in range(n)]
            path = Path(place) / 'p.json'
            path.write_text('{"CPUBottleneck_patience": 100, "LowGPUUtilization_patience": 100}')
            return cli('rules', '--format', 'json', '--parameters', path, *options, system(place, lines))
    few, enough = json.loads(run(100).stdout), json.loads(run(101).stdout)
    same((few['CPUBottleneck']['Status'], few['CPUBottleneck']['Sentence']), ('not enough data', 'not enough data (100 of 101 sampled instants)'), 'at the patience')
    same(few['LowGPUUtilization']['Status'], 'not enough data', 'samples at the patience')
    bottleneck = enough['CPUBottleneck']
    same((bottleneck['Status'], bottleneck['Violations'], bottleneck['Datapoints']), ('fired', 60, 101), 'samples after the patience')
    same(bottleneck['Marks'], [{'start_ns': 1700000000000000000, 'end_ns': 1700000060000000000, 'node': 'algo-1', 'device': ''}], 'marks')
    same(enough['LowGPUUtilization']['Status'], 'fired', 'GPU at 5 %')
    same(enough['ProfilerReport']['Status'], 'fired', 'report')
    same(run(101, '--fail-on-findings').returncode, 4, 'exit status with findings')
    same(run(101, '--fail-on-findings', '--rule', 'StepOutlier').returncode, DONE, 'exit status without')


def test_memory(cli):
    """Memory that grows by 0.5 points per sample grows by 5 points between windows of 10 samples, which is above the limit."""
    def run(slope):
        with folder() as place:
            lines = [line('gpu', 'gpu0', 'GPUMemoryUtilization', 20 + slope * second, second) for second in range(100)]
            path = Path(place) / 'p.json'
            path.write_text('{"GPUMemoryIncrease_patience": 50}')
            return rules(cli, system(place, lines), '--parameters', path)['GPUMemoryIncrease']
    same((run(0.5)['Status'], run(0.5)['Details']['algo-1']['gpu0']['increase']), ('passed', 5.0), 'at the limit')
    fired = run(0.625)
    same((fired['Status'], fired['Details']['algo-1']['gpu0']['increase'], fired['Violations']), ('fired', 6.25, 50), 'above the limit')


def report(place, rule, text):
    path = Path(place) / 'rule-output' / 'ProfilerReport-1' / 'profiler-output' / 'profiler-reports' / f'{rule}.json'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_reports(cli):
    """SageMaker may store its own rule reports with a job. The program compares its results with them; here some are
    equal, some differ, and some cannot be read."""
    with folder() as place:
        lines = [line('cpu', 'cpu0', 'CPUUtilization', 95 if second < 60 else 20, second) + line('gpu', 'gpu0', 'GPUUtilization', 5, second)
                 for second in range(101)]
        system(place, lines)
        parameters = Path(place) / 'p.json'
        parameters.write_text('{"CPUBottleneck_patience": 100, "LowGPUUtilization_patience": 100}')
        path = report(place, 'CPUBottleneck', {'RuleTriggered': 2, 'Violations': 60, 'Datapoints': 101, 'Details': {},
                                               'RuleParameters': 'threshold:50.0\ncpu_threshold:90\ngpu_threshold:10\npatience:100'})
        report(place, 'LowGPUUtilization', {'RuleTriggered': 0, 'Violations': 0, 'Datapoints': 90, 'RuleParameters': 'threshold_p95:40'})
        report(place, 'StepOutlier', '{"RuleTriggered": ')
        report(place, 'BatchSize', {'Violations': 'many'})
        result = rules(cli, place, '--parameters', parameters, allowed=(DONE, INCOMPLETE))
        same(result['CPUBottleneck']['Report'], {'path': str(path), 'RuleTriggered': 2, 'Violations': 60, 'Datapoints': 101, 'Differences': []}, 'a report that agrees')
        same(result['LowGPUUtilization']['Report']['Differences'], ['the rule fires in Traceloom, but did not fire in the job’s report', 'values beyond the limit: 0 in the job’s report, 1 in Traceloom',
             'values examined: 90 in the job’s report, 1 in Traceloom', 'threshold_p95 was 40 in the job’s report and is 70 in Traceloom'], 'a report that differs')
        for name in ('StepOutlier', 'BatchSize'):
            check(result[name]['Report']['problem'], name)
        check('Report' not in result['IOBottleneck'], 'no report')
        text = cli.must('rules', '--format', 'text', '--parameters', parameters, place, allowed=(DONE, INCOMPLETE)).stdout
        check('the job’s own report: fired 2 times, 60 of 101 data points beyond the limit\n' in text, text)
        check('did not fire, 0 of 90 data points beyond the limit; the rule fires in Traceloom, but did not fire in the job’s report; ' in text, text)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for test in (test_sample, test_refused, test_unknown, test_shipped_parameters, test_misspelt, test_cpu_only, test_loaders, test_loaders_of_nodes, test_late_begin, test_steps_of_ranks, test_patience, test_memory, test_reports):
        tap.case(test.__name__[5:].replace('_', ' '), test, cli)
    for name, document in PARAMETERS.items():
        tap.case(f'parameters: {name}', test_parameters, cli, document)
    for text, words in WARNED.items():
        tap.case(f'warned: {words}', test_warned, cli, text, words)
    if TOOL.exists():
        tap.case('confusion', test_confusion, cli)
    tap.done()


main()
