# SPDX-License-Identifier: Apache-2.0
"""Tests custom rules: the shipped rule files on runs that trigger each of them and on one that does not, statistics
calculated by hand, error messages with line numbers, and malicious files."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, Cli, Tap, check, folder, same  # noqa: E402
from kineto import BEGIN, Recording  # noqa: E402

SHIPPED = Path(__file__).resolve().parents[2] / 'data' / 'rules'
STEP_US, STEPS = 10000, 20


class Rank:
    """The trace of one rank with steps of 10 ms; the arguments are the percentages of the time for each kind of work."""

    def __init__(self, number, compute=70, communicate=10, wait=5, launches=10, mallocs=(0,)):
        self.number, self.events = number, []
        for step in range(STEPS):
            self.step(step, step * STEP_US, compute, communicate, wait, launches, step in mallocs)

    def put(self, category, name, pid, tid, begin, length):
        self.events.append({'ph': 'X', 'cat': category, 'name': name, 'pid': pid, 'tid': tid, 'ts': begin, 'dur': length})

    def step(self, number, begin, compute, communicate, wait, launches, malloc):
        percent = STEP_US // 100
        self.put('user_annotation', f'ProfilerStep#{number}', 100, 100, begin, STEP_US)
        self.put('user_annotation', 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 100, 100, begin, wait * percent)
        for i in range(launches):
            self.put('cuda_runtime', 'cudaLaunchKernel', 100, 101, begin + i * 150, 100)
        if malloc:
            self.put('cuda_runtime', 'cudaMalloc', 100, 102, begin + 9000, 50)
        self.put('kernel', 'sgemm_128x64_nn', 0, 7, begin + 100, compute * percent)
        self.put('kernel', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', 0, 20, begin + 100 + compute * percent, communicate * percent)
        self.put('kernel', 'small', 0, 7, begin + STEP_US - 10, 10)

    def write(self, place):
        document = {'schemaVersion': 1, 'distributedInfo': {'rank': self.number, 'world_size': 3}, 'baseTimeNanoseconds': 1700000000000000000,
                    'traceEvents': self.events}
        (Path(place) / f'rank{self.number}.pt.trace.json').write_text(json.dumps(document))


# Each case: the rule that must fire, and the arguments of the ranks.
MADE = {
    'nothing': (None, [{}, {}, {}]),
    'communication': ('CommunicationShare', [{'compute': 50, 'communicate': 40}] * 3),
    'gaps between kernels': ('IdleGPU', [{'compute': 30}] * 3),
    'a slow rank': ('SlowRank', [{'compute': 50, 'communicate': 25}, {'compute': 70, 'communicate': 5}, {'compute': 50, 'communicate': 25}]),
    'memory that grows': ('MemoryGrowth', [{'mallocs': range(8, 20)}] * 3),
    'waits for data': ('DataLoadingStalls', [{'wait': 30}, {}, {}]),
    'launches': ('LaunchBoundSteps', [{'launches': 50}] * 3),
}


def make(place, ranks):
    for number, options in enumerate(ranks):
        Rank(number, **options).write(place)


def rules(cli, path, *files, options=()):
    given = [part for file in files for part in ('--rules', file)]
    return json.loads(cli.must('rules', '--format', 'json', *given, *options, path, allowed=(DONE,)).stdout)


def test_shipped(cli, made):
    fires, ranks = MADE[made]
    files = sorted(SHIPPED.glob('*.json'))
    same(len(files), 6, 'shipped files')
    with folder() as place:
        make(place, ranks)
        result = rules(cli, place, *files)
        own = {name: one for name, one in result.items() if name in {rule for rule, _ in MADE.values()}}
        same(len(own), 6, 'rules of the files')
        same({name for name, one in own.items() if one['Status'] == 'fired'}, {fires} - {None}, f'{made}: rules that fired')
        check(all(one['Status'] in ('fired', 'passed') for one in own.values()), str({name: one['Sentence'] for name, one in own.items()}))
        for name, one in own.items():
            check('{' not in one['Sentence'], one['Sentence'])
            same(bool(one['Marks']), name == fires, f'{name}: marks')


def test_slow_rank(cli):
    with folder() as place:
        make(place, MADE['a slow rank'][1])
        one = rules(cli, place, SHIPPED / 'slow-rank.json')['SlowRank']
        # In each step, rank 1 computes for 7010 µs, and the median rank for 5010 µs: one large kernel and one of 10 µs.
        check(f'({100 * 7010 / 5010:.1f} % of the median rank’s time)' in one['Sentence'] and 'computes 2.00 ms per step longer' in one['Sentence'], one['Sentence'])
        check('Rank 1 ' in one['Sentence'], one['Sentence'])
        same((one['Violations'], one['Datapoints']), (1, 3), 'ranks')


def test_cause_first(cli):
    """Ranks wait for a slow rank. The time that they spend in communication is reported as an effect of the finding
    about the slow rank, not as a finding of its own, although more time is lost to communication than the slow rank
    computes longer."""
    quick, slow = {'compute': 30, 'communicate': 60}, {'compute': 80, 'communicate': 10}
    with folder() as place:
        make(place, (quick, quick, slow))
        findings = json.loads(cli.must('report', '-o', '-', '--format', 'json', place, allowed=(DONE,)).stdout)['findings']
        same([(one['rule'], [effect['rule'] for effect in one.get('effects', [])]) for one in findings],
             [('SlowRank', ['CommunicationShare'])], 'cause and effect')
        check(re.match(r'Rank 2 computes .* per step longer .*; the other ranks wait .* for this rank$', findings[0]['sentence']), findings[0]['sentence'])
    with folder() as place:  # all ranks communicate equally long and none is late
        make(place, (quick, quick, quick))
        findings = json.loads(cli.must('report', '-o', '-', '--format', 'json', place, allowed=(DONE,)).stdout)['findings']
        same([one['rule'] for one in findings], ['CommunicationShare'], 'without a slow rank')


def test_waiting(cli):
    """The sentence about communication says for which ranks the others mostly wait. First case: two ranks communicate for
    60 % of each step, of which they wait 50 % of the step for the third. Second: all three communicate equally long, so
    the sentence names none. Third: one rank waits for two others that arrive together."""
    quick, slow, busy = {'compute': 30, 'communicate': 60}, {'compute': 80, 'communicate': 10}, {'compute': 30, 'communicate': 60}
    for ranks, says in (((quick, quick, slow), '; most of this time is spent waiting for rank 2, which arrives late'), ((busy, busy, busy), ''),
                        ((slow, quick, slow), '; most of this time is spent waiting for ranks 0, 2, which arrive late')):
        with folder() as place:
            make(place, ranks)
            one = rules(cli, place, SHIPPED / 'communication.json')['CommunicationShare']
            same((one['Status'], one['Sentence'].partition(' %)')[2]), ('fired', says), str(ranks))


def test_part_of_waiting(cli):
    """Less than half of the time in collectives is spent waiting: the sentence states both times, because a finding about the late rank
    counts only the waits."""
    with folder() as place:
        make(place, ({'compute': 30, 'communicate': 60}, {'compute': 30, 'communicate': 60}, {'compute': 50, 'communicate': 40}))
        one = rules(cli, place, SHIPPED / 'communication.json')['CommunicationShare']
        found = re.search(r'; of the ([\d.]+) ms lost on all devices with this finding, ([\d.]+) ms is spent waiting for late ranks$', one['Sentence'])
        check(found is not None, one['Sentence'])
        # Three ranks communicate for 60, 60 and 40 % of each step, together 160 %. Two of them wait for 20 % each,
        # together 40 %.
        check(abs(float(found[2]) / float(found[1]) - 40 / 160) < 0.01, one['Sentence'])


def test_hidden(cli):
    """Transfers that run while the device computes are not lost time. In each step, a collective runs for 40 % of the
    time, and a kernel computes during 30 of these 40 %. The shipped rule counts the other 10 % and passes. With
    "exposed": "no" it counts 40 % and fires."""
    rule = json.loads((SHIPPED / 'communication.json').read_text())
    same(rule['rules'][0]['exposed'], 'yes', 'the shipped rule')
    with folder() as place, folder() as other:
        rank, path = Rank(0, compute=20, communicate=40), Path(other) / 'r.json'
        for step in range(STEPS):
            rank.put('kernel', 'sgemm_hidden', 0, 7, step * STEP_US + 100 + 25 * 100, 30 * 100)
        rank.write(place)
        for exposed, status, share in (('yes', 'passed', 10), ('no', 'fired', 40)):
            rule['rules'][0]['exposed'] = exposed
            path.write_text(json.dumps(rule))
            one = rules(cli, place, path)['CommunicationShare']
            same((one['Status'], f' {share}.' in one['Sentence']), (status, True), one['Sentence'])


def test_counts(cli):
    """In a sentence about the worst rank, {count} and {windows} are numbers of steps of that rank and {groups} is the number of ranks.
    The rule that “explains” names may be unknown."""
    wait = MADE['waits for data'][1][0]
    with folder() as place, folder() as other:
        make(place, [wait, wait, {'compute': 50}])
        rule = json.loads((SHIPPED / 'data-loading.json').read_text())
        rule['rules'][0].update({'name': 'Mine', 'sentence': '{count} of {windows}, ranks: {groups}', 'explains': 'NoSuchRule'})
        path = Path(other) / 'r.json'
        path.write_text(json.dumps(rule))
        one = rules(cli, place, path)['Mine']
        n = int(one['Sentence'].split()[0])
        same(one['Sentence'], f'{n} of {n}, ranks: 2', 'steps of one rank')
        same(one['Violations'], 2 * n, 'steps of all ranks')


def test_mean(cli):
    """{mean} of a share is the share of the time of all steps. Here the waits take 500 µs of a step of 1000 µs and 600
    µs of a step of 3000 µs, together 27.5 %."""
    rule = {'name': 'Mine', 'of': 'spans', 'where': {'name': 'wait'}, 'per': 'rank', 'window': 'step', 'statistic': 'share', 'above': '30 %',
            'sentence': '{mean}, up to {value}, {count} of {windows}'}
    with folder() as place:
        recording = Recording(0, 1)
        for number, begin, length, wait in ((0, 0, 1000, 500), (1, 1000, 3000, 600)):
            recording.step(number, begin, length)
            recording.span('wait', 'user_annotation', begin, wait)
        recording.write(Path(place) / 'run')
        path = Path(place) / 'r.json'
        path.write_text(json.dumps({'traceloom-rules': 1, 'rules': [rule]}))
        same(rules(cli, Path(place) / 'run', path)['Mine']['Sentence'], '27.5 %, up to 50.0 %, 1 of 2', 'sentence')


def test_who(cli):
    """A finding names a rank by its number, and a file without a rank by its file name unless the run is a single file. An unknown node
    is not mentioned."""
    with folder() as place:
        make(place, MADE['waits for data'][1])
        path = Path(place) / 'rank0.pt.trace.json'
        sentence = rules(cli, path, SHIPPED / 'data-loading.json')['DataLoadingStalls']['Sentence']
        check(sentence.startswith('Rank 0 waits for data in '), sentence)
        alone = Path(place) / 'bench.json'
        alone.write_text(json.dumps({'traceEvents': json.loads(path.read_text())['traceEvents']}))
        sentence = rules(cli, alone, SHIPPED / 'data-loading.json')['DataLoadingStalls']['Sentence']
        check(sentence.startswith('The run waits for data in '), sentence)
        pair = Path(place) / 'pair'
        pair.mkdir()
        (pair / 'other.json').write_text(json.dumps({'traceEvents': json.loads((Path(place) / 'rank1.pt.trace.json').read_text())['traceEvents']}))
        braced = pair / '{node}.json'  # braces in a file name must not be replaced like a placeholder
        alone.rename(braced)
        sentence = rules(cli, pair, SHIPPED / 'data-loading.json')['DataLoadingStalls']['Sentence']
        check(sentence.startswith('“{node}.json” waits for data in '), sentence)
        for per, who in (('run', 'The run'), ('node', '“algo-1”')):
            rule = {'name': 'Mine', 'of': 'samples', 'per': per, 'statistic': 'mean', 'above': 0, 'sentence': '{who} is at {value}'}
            (Path(place) / 'rule.json').write_text(json.dumps({'traceloom-rules': 1, 'rules': [rule]}))
            sentence = rules(cli, samples(Path(place) / per, [50] * 20), Path(place) / 'rule.json')['Mine']['Sentence']
            same(sentence.replace('algo-1', '“algo-1”'), f'{who} is at 50', per)


def test_process(cli):
    """A process id in a SageMaker folder is not mistaken for a rank, also not after merging."""
    with folder() as place:
        path = Path(place) / 'job' / 'framework' / 'pevents' / '2023111422' / '1700001500000000_901-algo-1_pythontimeline.json'
        path.parent.mkdir(parents=True)
        step = {'name': 'Step:ModeKeys.TRAIN', 'ph': 'X', 'pid': 0, 'tid': 901, 'ts': 0, 'dur': 1000, 'args': {'step_num': '1'}}
        path.write_text(json.dumps([{'name': 'process_name', 'ph': 'M', 'pid': 0,
                                     'args': {'start_time_since_epoch_in_micros': 1700000000000000}}, step]))
        rule = {'name': 'Mine', 'of': 'spans', 'where': {'name': 'Step'}, 'per': 'rank', 'statistic': 'duration', 'above': '0 s', 'sentence': '{who} steps'}
        (Path(place) / 'rule.json').write_text(json.dumps({'traceloom-rules': 1, 'rules': [rule]}))
        merged = Path(place) / 'merged.json'
        cli.must('merge', '--quiet', '-o', merged, Path(place) / 'job')
        for run in (Path(place) / 'job', merged):
            one = rules(cli, run, Path(place) / 'rule.json')['Mine']
            check(one['Sentence'].startswith('Process 901 on algo-1 steps'), f'{run.name}: {one["Sentence"]}')


def test_filter(cli):
    with folder() as place:
        make(place, MADE['launches'][1])
        only = rules(cli, place, SHIPPED / 'launch-bound.json', options=('--rule', 'launchboundsteps'))
        same(list(only), ['LaunchBoundSteps'], 'names')
        result = cli('rules', '--rules', SHIPPED / 'launch-bound.json', '--rule', 'LaunchBoundSteps', '--fail-on-findings', place)
        same(result.returncode, 4, 'exit status')
        result = cli('rules', '--rules', SHIPPED / 'launch-bound.json', '--rules', SHIPPED / 'launch-bound.json', place)
        same(result.returncode, FAILED, 'the same rule twice')


def test_fail(cli):
    """Findings of the shipped rules determine the exit status, as in the report. A rule in a file of --rules replaces the shipped rule
    of the same name."""
    with folder() as place, folder() as other:
        make(place, MADE['waits for data'][1])
        found = [finding['rule'] for finding in json.loads(cli.must('report', '-o', '-', '--format', 'json', place).stdout)['findings']]
        fired = [name for name, one in rules(cli, place).items() if one['Status'] == 'fired']
        same(fired, found, 'findings of the report')
        same(cli('rules', '--fail-on-findings', place).returncode, 4, 'a finding')
        path = Path(other) / 'r.json'
        path.write_text((SHIPPED / 'data-loading.json').read_text().replace('10 %', '90 %'))
        same(cli('rules', '--rules', path, '--fail-on-findings', place).returncode, DONE, 'the limit of the given file')
    with folder() as place:
        make(place, MADE['nothing'][1])
        same(cli('rules', '--fail-on-findings', place).returncode, DONE, 'no finding')


def test_folder(cli):
    """If --rules names a folder, all rule files in it are used."""
    with folder() as place:
        make(place, MADE['launches'][1])
        files = sorted(SHIPPED.glob('*.json'))
        same(rules(cli, place, SHIPPED), rules(cli, place, *files), 'the same result as for single files')
        result = cli('rules', '--rules', place, Path(place))
        same(result.returncode, FAILED, 'a file in the folder without rules')
        empty = Path(place) / 'empty'
        empty.mkdir()
        result = cli('rules', '--rules', empty, place)
        same(result.returncode, FAILED, 'a folder without rule files')
        check('empty: no rules are in this folder' in result.stderr, result.stderr)


def samples(place, values):
    """Writes one sample of gpu0 per second."""
    path = Path(place) / 'system' / 'incremental' / '2023111422' / '1700000000.algo-1.json'
    path.parent.mkdir(parents=True)
    path.write_text(''.join(json.dumps({'Type': 'gpu', 'Name': 'gpu0', 'Dimension': 'GPUUtilization', 'Value': value, 'NodeId': 'algo-1',
                                        'Timestamp': 1700000000 + i}) + '\n' for i, value in enumerate(values)))
    return Path(place) / 'system'


def write(place, name='r.json', **members):
    rule = {'name': 'Mine', 'of': 'samples', 'where': {'dimension': 'GPUUtilization'}, 'per': 'device', 'sentence': '{value}|{count}|{windows}|{device}', **members}
    path = Path(place) / name
    path.write_text(json.dumps({'traceloom-rules': 1, 'rules': [rule]}))
    return path


def test_counters(cli):
    """A rule about samples examines counters of all formats. Here a metric has ten values of 20 and ten of 80, and a
    counter "memory" has two series. The rule finds one series by the dimension “memory allocated”, which consists of
    the name of the counter and that of the series."""
    with folder() as place:
        recording = Recording(3, 8)
        recording.step(0, 0, 20_000)
        for i in range(20):
            recording.events.append({'ph': 'C', 'name': 'SM Active', 'pid': 0, 'ts': BEGIN + 1000 * i, 'args': {'value': 20 if i < 10 else 80}})
            recording.events.append({'ph': 'C', 'name': 'memory', 'pid': 0, 'ts': BEGIN + 1000 * i, 'args': {'allocated': 7, 'reserved': 9}})
        recording.events.append({'ph': 'M', 'name': 'process_labels', 'pid': 0, 'args': {'labels': 'GPU 0'}})
        recording.write(Path(place) / 'run')
        run, says = Path(place) / 'run', '{value}|{count}|{windows}|{device}|{rank}'
        for where, members, options, wanted in (
                ({'dimension': '^SM Active$'}, {'statistic': 'mean', 'above': 49}, (), '50|1|1|GPU 0|3'),
                ({'dimension': '^SM Active$'}, {'statistic': 'mean', 'window': '5 samples', 'above': 50}, (), '80|2|4|GPU 0|3'),
                ({'dimension': '^memory allocated$'}, {'statistic': 'max', 'above': 6}, (), '7|1|1|GPU 0|3'),
                ({'dimension': '^SM Active$', 'name': '^GPU 1$'}, {'statistic': 'max', 'above': 6}, (), None),
                ({'dimension': '^SM Active$'}, {'statistic': 'max', 'above': 6}, (f'--start-ns={BEGIN * 1000}', f'--end-ns={BEGIN * 1000 + 5_000_000}'), '20|1|1|GPU 0|3')):
            path = write(place, where=where, sentence=says, **members)
            one = rules(cli, run, path, options=options)['Mine']
            same((one['Status'], one['Sentence']), ('not applicable', 'no samples match the rule') if wanted is None else ('fired', wanted), str(where))


TENS = [10 * (i % 10) for i in range(40)]  # 0, 10 … 90, four times
# Members of the rule: expected result for TENS. In each window of ten values the mean is 45 and the 95th percentile is
# 85.5.
ON_PAPER = {
    'mean': ({'statistic': 'mean', 'above': 44}, '45|1|1|gpu0'),
    'max': ({'statistic': 'max', 'above': 89}, '90|1|1|gpu0'),
    'min': ({'statistic': 'min', 'below': 1}, '0|1|1|gpu0'),
    'p95': ({'statistic': 'p95', 'window': '10 samples', 'above': 85}, '85.5|4|4|gpu0'),
    'share above': ({'statistic': 'share above', 'threshold': 70, 'above': 19}, '20.0 %|1|1|gpu0'),
    'share below': ({'statistic': 'share below', 'threshold': 20, 'above': '19 %'}, '20.0 %|1|1|gpu0'),
    'count': ({'statistic': 'count', 'window': '10 s', 'above': 9}, '10|4|4|gpu0'),
    # With all 40 values in one window, the first quarter equals the last. Within a window of ten values, the mean of
    # the first quarter (0 and 10) is 5, and that of the last quarter (80 and 90) is 85: a growth of 1600 %.
    'growth': ({'statistic': 'growth', 'window': '10 samples', 'above': 1500}, '1600.0 %|4|4|gpu0'),
    'mean of the windows': ({'statistic': 'mean', 'window': '5 samples', 'above': 50, 'sentence': '{mean}|{value}'}, '45|70'),
    'windows in a row': ({'statistic': 'mean', 'window': '5 samples', 'above': 50, 'patience': 1}, '70|4|8|gpu0'),
}


def test_on_paper(cli, name):
    members, says = ON_PAPER[name]
    with folder() as place:
        one = rules(cli, samples(place, TENS), write(place, **members))['Mine']
        same((one['Status'], one['Sentence']), ('fired', says), name)


def test_patience(cli):
    """The means of windows of five values alternate between 20 and 70, so a limit is never violated in two
            consecutive windows. Without a window size, the whole run is one window."""
    with folder() as place:
        run = samples(place, TENS)
        one = rules(cli, run, write(place, statistic='mean', window='5 samples', above=50, patience=2))['Mine']
        same((one['Status'], one['Sentence']), ('passed', 'highest value 70, above the limit of 50, but never in 2 windows in a row'), 'no two consecutive windows')
        one = rules(cli, run, write(place, statistic='mean', window='5 samples', below=30, patience=2))['Mine']
        same(one['Sentence'], 'lowest value 20, below the limit of 30, but never in 2 windows in a row', 'the same with a limit below')
        one = rules(cli, run, write(place, statistic='mean', window='5 samples', above=80, patience=2))['Mine']
        same((one['Status'], one['Sentence']), ('passed', 'highest value 70 (limit: 80)'), 'no window beyond the limit')
        one = rules(cli, run, write(place, statistic='mean', window='5 samples', above=80, measures='mean of five'))['Mine']
        same(one['Sentence'], 'mean of five: highest value 70 (limit: 80)', 'what the rule measures')
        one = rules(cli, run, write(place, statistic='mean', window='5 samples', above=50, patience=2, measures='mean of five'))['Mine']
        same(one['Sentence'], 'mean of five: highest value 70, above the limit of 50, but never in 2 windows in a row', 'the same with a violation')
        one = rules(cli, run, write(place, statistic='mean', above=40, patience=2))['Mine']
        same((one['Status'], one['Sentence']), ('not enough data', 'not enough data (1 of 2 windows)'), 'one window')
        one = rules(cli, run, write(place, statistic='mean', above=40, least=41))['Mine']
        same((one['Status'], one['Sentence']), ('not enough data', 'not enough data (40 of 41 samples)'), 'too few samples')
        one = rules(cli, run, write(place, statistic='mean', above=40, where={'node': 'elsewhere'}))['Mine']
        same(one['Status'], 'not applicable', 'no such samples')


# Each case: members of a rule about the kernel sgemm; its expected status; and its expected result in the range [6000,
# 43000) µs. The kernel runs in [100, 7100) µs of each step of 10,000 µs. In the range it runs for 1100 µs of step 0,
# 7000 µs of each of steps 1 to 3, and 2900 µs of step 4. The statistic “mean” uses whole spans.
IN_RANGE = {
    'duration': ({'per': 'rank', 'statistic': 'duration', 'above': '1 us'}, 'fired', '25.0 ms|1|1|rank-0'),
    'share': ({'per': 'rank', 'statistic': 'share', 'above': '1 %'}, 'fired', f'{25000 / 370:.1f} %|1|1|rank-0'),
    'mean': ({'per': 'rank', 'statistic': 'mean', 'above': '1 us'}, 'fired', '7.00 ms|1|1|rank-0'),
    'count': ({'per': 'rank', 'statistic': 'count', 'above': 1}, 'fired', '5|1|1|rank-0'),
    'share of a step': ({'per': 'rank', 'statistic': 'share', 'window': 'step', 'above': '69 %'}, 'fired', '70.0 %|3|3|rank-0'),
    'idle steps': ({'per': 'rank', 'statistic': 'share', 'window': 'step', 'below': '60 %'}, 'passed',
                   'lowest value 70.0 % (limit: 60.0 %)'),
}


def test_in_range(cli, name):
    members, status, says = IN_RANGE[name]
    range_us = (6000, 43000)
    with folder() as place, folder() as other:
        make(place, [{}])
        file = write(other, **{'of': 'spans', 'where': {'name': 'sgemm'}, **members})
        options = [f'--{end}-ns={1700000000000000000 + 1000 * at}' for end, at in zip(('start', 'end'), range_us)]
        one = rules(cli, place, file, options=options)['Mine']
        same((one['Status'], one['Sentence']), (status, says), name)


GOOD = '''{
 "traceloom-rules": 1,
 "rules": [
  {
   "name": "A",
   "where": { "type": "kernel",
              "name": "x" },
   "statistic": "mean",
   "above": "1 ms",
   "sentence": "{value}"
  }
 ]
}
'''
# Each case: text in the file above; its replacement; the line of the expected error; and a part of the expected
# message, written as in a JSON string.
REFUSED = {
    'no JSON': ('"above": "1 ms",', '"above": "1 ms"', 10, 'Parse error'),
    'a wrong version': ('"traceloom-rules": 1', '"traceloom-rules": 2', 2, 'version'),
    'no version': (' "traceloom-rules": 1,\n', '', 1, 'traceloom-rules'),
    'an unknown member': ('"name": "A"', '"name": "A", "patiense": 2', 5, 'patiense'),
    'an unknown field': ('"name": "x"', '"nmae": "x"', 7, 'nmae'),
    'no regular expression': ('"name": "x"', '"name": "(x"', 7, 'is not a valid regular expression'),
    'a field of samples': ('"name": "x"', '"dimension": "x"', 7, 'dimension'),
    'a number for a text': ('"name": "A"', '"name": 7', 5, 'must be a string'),
    'no name': ('   "name": "A",\n', '', 4, 'needs a “name”'),
    'a name that is taken': ('"name": "A"', '"name": "cpubottleneck"', 5, 'exists already'),
    'no statistic': ('   "statistic": "mean",\n', '', 4, '“statistic” is missing'),
    'an unknown statistic': ('"mean"', '"median"', 8, 'median'),
    'a quantile of more': ('"mean"', '"p101"', 8, 'p101'),
    'a threshold missing': ('"mean"', '"share above"', 8, 'threshold'),
    'a limit without unit': ('"1 ms"', '1', 9, 'a time with its unit'),
    'a limit with a unit': ('"mean"', '"count"', 9, 'must be a number'),
    'two limits': ('"above": "1 ms"', '"above": "1 ms", "below": "1 us"', 9, 'either'),
    'an unknown placeholder': ('{value}', '{values}', 10, '{values}'),
    'an unclosed placeholder': ('{value}', '{value', 10, '{value'),
    'a window of samples': ('"above"', '"window": "3 samples", "above"', 9, 'for samples'),
    'a window of nothing': ('"above"', '"window": "0 s", "above"', 9, 'window'),
    'patience of none': ('"above"', '"patience": 0, "above"', 9, 'patience'),
    'an unknown severity': ('"above"', '"severity": "bad", "above"', 9, r'“severity” must be one of \"info\", \"warning\", \"severe\"'),
    'steps compared': ('"above"', '"window": "step", "of median": "yes", "above"', 9, r'with \"window\": \"all\", because'),
    'a rule twice': ('  }\n ]', '  }, { "name": "a", "statistic": "mean", "below": "1 s", "sentence": "x" }\n ]', 11, 'two rules'),
}


def refuse(cli, place, text):
    path = Path(place) / 'mine.json'
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    run = Path(place) / 't.json'
    run.write_text('[{"ph":"X","cat":"kernel","name":"x","pid":1,"tid":1,"ts":1,"dur":5000}]')
    return cli('rules', '--format', 'json', '--rules', path, run)


def test_refused(cli, name):
    old, new, line, word = REFUSED[name]
    check(old in GOOD, old)
    with folder() as place:
        result = refuse(cli, place, GOOD.replace(old, new, 1))
        same(result.returncode, FAILED, 'exit status')
        check(f'mine.json: line {line}: ' in result.stderr and word in result.stderr, result.stderr)


def test_good(cli):
    with folder() as place:
        result = refuse(cli, place, GOOD)
        same(result.returncode, DONE, result.stderr)
        same(json.loads(result.stdout)['A']['Sentence'], '5.00 ms', 'value')


def test_hostile(cli):
    """Huge, deeply nested, non-UTF-8 and wrongly typed files cause an error message, not a crash."""
    rule = '{"name": "A", "statistic": "mean", "above": "1 s", "sentence": "x"}'
    texts = ('', '[]', '3', 'null', '{"traceloom-rules": 1}', '{"traceloom-rules": 1, "rules": [[]]}', '[' * 200000, '{"a":' * 200000,
             '{"traceloom-rules": 1, "rules": [' + '{},' * 300 + '{}]}', '{"traceloom-rules": 1, "rules": [' + rule + ' ' * (2 << 20) + ']}',
             b'{"traceloom-rules": 1, "rules": [{"name": "\xff\xfe"}]}', '{"traceloom-rules": 1, "rules": [{"name": "\\ud800"}]}',
             '{"traceloom-rules": 1, "rules": [{"name": "A", "where": {"name": "' + '(' * 999 + '"}}]}',
             '{"traceloom-rules": 1, "rules": [{"name": "A", "where": {"name": "((((a{1,1000}){1,1000}){1,1000}){1,1000})"}}]}')
    for text in texts:
        with folder() as place:
            result = refuse(cli, place, text)
            same(result.returncode, FAILED, f'{text[:40]}: {result.stderr[:200]}')
            check('mine.json: ' in result.stderr, result.stderr)


def test_catastrophic(cli):
    """Regular expressions with catastrophic backtracking are abandoned and reported, not treated as rules without
    findings."""
    for pattern in ('^(a+)+$', '^(a|aa)+$', '(x+x+)+y|^(a|a)*$'):
        with folder() as place:
            path = Path(place) / 'r.json'
            path.write_text(json.dumps({'traceloom-rules': 1, 'rules': [{'name': 'Mine', 'where': {'name': pattern}, 'statistic': 'count', 'above': 0,
                                                                         'sentence': '{count}'}]}))
            events = [{'ph': 'X', 'name': 'a' * 60 + f'!{i}', 'pid': 1, 'tid': 1, 'ts': i * 10, 'dur': 5} for i in range(2000)]
            (Path(place) / 't.json').write_text(json.dumps(events))
            one = rules(cli, Path(place) / 't.json', path)['Mine']
            same(one['Status'], 'not applicable', f'{pattern}: {one["Sentence"]}')
            check('takes too long' in one['Sentence'], one['Sentence'])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for made in MADE:
        tap.case(f'shipped rules: {made}', test_shipped, cli, made)
    for test in (test_slow_rank, test_cause_first, test_waiting, test_part_of_waiting, test_hidden, test_counts, test_counters, test_mean, test_who, test_process, test_filter, test_fail, test_folder, test_patience, test_good, test_hostile, test_catastrophic):
        tap.case(test.__name__[5:].replace('_', ' '), test, cli)
    for name in ON_PAPER:
        tap.case(f'on paper: {name}', test_on_paper, cli, name)
    for name in IN_RANGE:
        tap.case(f'in a range: {name}', test_in_range, cli, name)
    for name in REFUSED:
        tap.case(f'refused: {name}', test_refused, cli, name)
    tap.done()


main()
