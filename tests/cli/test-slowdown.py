#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the text of reports about the cost of slow ranks and slow links. The slowdown S includes the cost of both, and
the text says which of the two causes it. Also tests that the first finding is the cause that the generator planted in a
run, and that a run without a planted cause has no finding.

Usage: test-slowdown.py TRACELOOM-CLI"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import SAMPLE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
SLOW_DEVICE = 'The inputs have the same shapes as on other ranks, so this points to a slow device (clock, temperature, power limit).'
LINKS = 'slow links, not slow ranks: if each allreduce were typical'
# Planted causes, and the pattern of the stated saving per step
SAVINGS = (
    (('--dp', 4, '--tp', 2, '--pp', 2, '--slow-link', '1-3:6'), r'each step would be up to ([\d.]+) ms'),
    (('--dp', 4, '--tp', 2, '--pp', 1, '--slow-link', '0-4:4'), r'each step would be up to ([\d.]+) ms'),
    (('--dp', 4, '--pp', 2, '--slow-link', '1-3:6'), r'each step would be up to ([\d.]+) ms'),
    (('--dp', 2, '--tp', 2, '--pp', 2, '--straggler', '5:1.4'), r'Fixing this rank would save ([\d.]+) ms of each step'),
)


def write_report(cli, *options):
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--steps', 4, *options)
        return cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout


def test_link(cli):
    text = write_report(cli, '--slow-link', '1-3:6')
    check(LINKS in text and 'SlowRank' not in text and 'not covered' not in text, text)
    check('before that it spends' not in text, 'work is named as the cause, although no rank is slow')
    check(SLOW_DEVICE not in text, text)


def test_link_of_late_ranks(cli):
    """Where ranks are late because of a slow link, the page Stragglers says that their transfers are the cause, also in a range of one step.
    It does not say so where a rank is slow."""
    cause, legend = r'Ranks 1, 3, 5, 7 are late because transfers between them take [\d.]+ times as long as between other ranks, not because they compute longer\.', 'because its transfers are slow'
    with folder() as place:
        run, slow = Path(place) / 'run', Path(place) / 'slow'
        options = ('--dp', 4, '--pp', 1, '--tp', 2, '--steps', 4)
        generate_parallel(run, *options, '--slow-link', '1-3:6')
        generate_parallel(slow, *options, '--straggler', '1:1.4')
        step = json.loads(cli.must('query', '-q', run, 'SELECT start, start + duration AS stop FROM step WHERE rank = 0 AND number = 2').stdout)[0]
        pages = [range_page(cli, run, *times) for times in ((1, 2**62), (step['start'], step['stop']))]
        other = range_page(cli, slow, 1, 2**62)
    for _, page in pages:
        check(re.search(cause, page), page[:3000])
        bars = dict(re.findall(r'>(rank \d · [^<]*)</t.>.*?>([\d.]+ .?s)<', page[:page.index('How long each rank waits')], re.S))
        same({name for name, time in bars.items() if time[0] != '0' and legend in name} >= {f'rank 1 · {legend}', f'rank 3 · {legend}'}, True, f'{bars}')
    check('because transfers between them take' not in other[1] and legend not in other[1], other[0])


def test_savings(cli):
    """The stated saving per step is the time by which the run is shorter without the planted cause, although steps overlap: the next
    step begins on some ranks while others still transfer."""
    for options, pattern in SAVINGS:
        lengths = []
        with folder() as place:
            for name, planted in (('with', options), ('without', options[:-2])):
                run = Path(place) / name
                generate_parallel(run, *planted, '--steps', 6, '--seed', 6)
                sources = cli.info(run)['sources']
                lengths.append(max(one['end_ns'] for one in sources) - min(one['start_ns'] for one in sources))
            text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', Path(place) / 'with').stdout
        saved, wanted = 6 * float(re.search(pattern, text)[1]), (lengths[0] - lengths[1]) / 1e6
        check(abs(saved - wanted) < 0.02 * wanted, f'{options}: {saved} ms stated, {wanted} ms true')


def test_link_first(cli):
    """SlowLink is listed before CommunicationShare, which it causes, although less than half of the time that
    CommunicationShare counts is lost at the slow link itself."""
    text = write_report(cli, '--dp', '2', '--tp', '2', '--slow-link', '0-4:6')
    findings = re.search(r'Findings\n(.*?)\n\n', text, re.S).group(1)
    check('CommunicationShare' in findings and findings.split()[1] == 'SlowLink:', findings)


def test_rank(cli):
    text = write_report(cli, '--straggler', '2:1.4')
    check(LINKS not in text and 'SlowRank' in text and 'not covered' not in text, text)
    check(f'Nearly all kernels of rank 2 take about 40 % longer than the same kernels on the other ranks. {SLOW_DEVICE}' in text, text)


def test_saving_of_finding(cli):
    """The lost time of a slow rank or link is what the job would save, and JSON states it as such."""
    for options, rule in ((('--straggler', '2:1.4'), 'SlowRank'), (('--slow-link', '0-4:6'), 'SlowLink')):
        with folder() as place:
            run = Path(place) / 'run'
            generate_parallel(run, '--dp', 2, '--tp', 2, '--steps', 6, *options)
            first = json.loads(cli.must('report', '--quiet', '--format', 'json', run).stdout)['findings'][0]
        check(first['rule'] == rule and first['saved_ns'] == first['lost_ns'] > 0, first)


def test_cause_in_one_step(cli):
    """The kernels are compared only in the step in which the rank is slow: in all steps together, they take 5 % longer."""
    text = write_report(cli, '--dp', '8', '--pp', '1', '--steps', '12', '--straggler', '5:1.6:6-6')
    check(f'In its slow step, nearly all kernels of rank 5 take about 60 % longer than the same kernels on the other ranks. {SLOW_DEVICE}' in text, text)


def change_shapes(run, ranks, change):
    """Changes the input shapes in the trace files of the ranks: change(shape) returns the new shape, or None to remove it."""
    for rank in ranks:
        path, = run.glob(f'rank-{rank}.*')
        trace = json.loads(path.read_text())
        for args in (event['args'] for event in trace['traceEvents'] if 'Input Dims' in event.get('args', {})):
            shapes = [change(shape) for shape in args.pop('Input Dims')]
            if None not in shapes:
                args['Input Dims'] = shapes
        path.write_text(json.dumps(trace))


def test_inputs(cli):
    """A rank of which nearly all kernels take longer has a slow device if its inputs have the same shapes as those of other ranks, also if
    it runs more kernels; it has larger inputs if they have more elements. If shapes are not recorded, or if the inputs are smaller,
    both are possible. The report as text and JSON, and the finding, say the same."""
    either = 'This points to a slow device (clock, temperature, power limit) or to larger inputs.'
    larger = 'This points to larger inputs: on average, those of “autograd::aten::mm” have 40 % more elements than on other ranks.'
    for ranks, factor, answer, finding, written in (((), 1, SLOW_DEVICE, 'Its inputs have the same shapes as on other ranks', {'shapes': 'same'}),
                                                    ((3,), 1.4, larger, 'Its inputs are larger than on other ranks', {'shapes': 'larger', 'operator': 'autograd::aten::mm', 'elements_factor': 1.4}),
                                                    ((3,), 0.5, either, None, None), (range(4), None, either, None, None)):
        with folder() as place:
            run = Path(place) / 'run'
            generate_parallel(run, '--dp', 4, '--pp', 1, '--steps', 4, '--straggler', '3:1.4', '--jitter', 0)
            change_shapes(run, ranks, lambda shape: [round(shape[0] * factor), *shape[1:]] if factor else None)
            report = json.loads(cli.must('report', '--quiet', '--format', 'json', run).stdout)
            text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        cause, = (rank['cause'] for rank in report['computed']['slowdown']['ranks'] if 'cause' in rank)
        inputs = cause.get('inputs')
        check(f'take about 40 % longer than the same kernels on the other ranks. {answer}\n' in text, text)
        same({**inputs, 'elements_factor': round(inputs['elements_factor'], 3)} if inputs and 'operator' in inputs else inputs, written, f'inputs {factor}')
        sentence = report['findings'][0]['sentence']
        check(f'{finding}. ' in sentence if finding else 'inputs' not in sentence, sentence)


def test_below_limit(cli):
    """A rank that is slow in one step computes less than 115 % of the median rank in all: no rule finds it, but the
    report names the rank and the step. It names no rank of a run without a planted cause."""
    text = write_report(cli, '--dp', '8', '--pp', '1', '--steps', '12', '--straggler', '5:1.6:6-6')
    place = re.search(r'Findings\n  none; largest loss below a limit: The others wait for rank 5, mostly in step (\d+)\. Fixing this rank would save [0-9.]+ ms \(([0-9.]+) % of the time of all steps\)', text)
    check(place and 2 <= float(place.group(2)) < 6, text)
    text = write_report(cli, '--dp', '8', '--pp', '1', '--steps', '12')
    check('Findings\n  none\n' in text, text)


def test_range_of_slow_step(cli):
    """The range of the slow step of this rank has too few steps to replay: its finding and its page state the saving of the whole run,
    which is all in this step. Steps of other ranks, which begin earlier, do not count as further steps."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--steps', 8, '--straggler', '5:1.6:4-4', '--seed', 3)
        whole = cli.must('report', '--quiet', '--format', 'text', run).stdout
        number, saved = re.search(r'Stragglers: The others wait for rank 5, mostly in step (\d+): fixing this rank would save ([\d.]+ ms) ', whole).groups()
        row, = json.loads(cli.must('query', '-q', run, f'SELECT start, start + duration AS stop FROM step WHERE number = {number} AND rank = 5').stdout)
        part = cli.must('report', '--quiet', '--format', 'text', '--start-ns', row['start'], '--end-ns', row['stop'], run).stdout
    check(re.search('Idle Time: The devices wait for other ranks for [0-9.]+ % of their time, (mostly|partly) for rank 5\\. ', part), part)
    for words in (f'in total: fixing this rank would save {saved} (', f'. Fixing rank 5 would save {saved} in this range', f'about {saved} lost', '  1 training step of',
                  f'This step is {saved} longer because the ranks wait for rank 5: '):
        check(words in part, f'{words} is missing in:\n{part[:6000]}')


def range_page(cli, run, begin, end):
    """Returns the sentences about stragglers in a range, and the HTML page with its charts and tables."""
    options = ('report', '--quiet', '--start-ns', begin, '--end-ns', end)
    text = cli.must(*options, '--format', 'text', run).stdout
    html = cli.must(*options, '--format', 'html', '-o', '-', run).stdout
    return '\n'.join(re.findall(r'  Stragglers: .*', text)), html[html.index('id="stragglers"'):html.index('id="collectives"')]


def sum_ms(texts):
    return sum(float(number) * {'ms': 1, 'µs': 1e-3, 'ns': 1e-6}[unit] for number, unit in texts)


def test_range_of_ordinary_step(cli):
    """A range that is one step has too few steps to replay, but the whole run has the typical times: in a step in which no rank is slow,
    the page says so, and names neither the rank that is slow in another step nor ranks that are late by chance. The waits that it states
    are those of its chart. The cost of slow ranks is unknown only if the whole run has too few steps."""
    unknown = 'The cost of slow ranks is unknown: at least two steps are needed'
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--pp', 2, '--tp', 2, '--steps', 8, '--straggler', '3:1.4:6-6', '--seed', 3)
        steps = json.loads(cli.must('query', '-q', run, 'SELECT number, start, start + duration AS stop FROM step WHERE rank = 0 ORDER BY number').stdout)
        ordinary, slow = steps[3], steps[6]
        answer, page = range_page(cli, run, ordinary['start'], ordinary['stop'])
        third = (slow['stop'] - slow['start']) // 3
        in_slow, _ = range_page(cli, run, slow['start'], slow['stop'])
        part, _ = range_page(cli, run, slow['start'] + third // 2, slow['start'] + third)
        next(run.glob('rank-7.*')).unlink()
        missing, _ = range_page(cli, run, ordinary['start'], ordinary['stop'])
        short = Path(place) / 'short'
        generate_parallel(short, '--dp', 2, '--pp', 1, '--steps', 1, '--straggler', '1:1.4')
        one = cli.must('report', '--quiet', '--format', 'text', short).stdout
    waits = re.fullmatch(r'  Stragglers: No rank slows down the others in this range: each computes about as long as is typical of the whole run\. '
                         r'All ranks together wait ([\d.]+) (.s) in collectives and ([\d.]+) (.s) for messages\.', answer)
    check(waits, answer)
    bars = re.search(r'How long each rank waits, in collectives and for messages.*?<table>(.*?)</table>', page, re.S)[1]
    stated, shown = (sum_ms(texts) for texts in ((waits.group(1, 2), waits.group(3, 4)), re.findall(r'>([\d.]+) (ms|µs|ns)<', bars)))
    check(abs(stated - shown) < 0.01 * shown, f'{stated} ms stated, {shown} ms shown')
    check('What late ranks do before they arrive' not in page and unknown not in page, page[:3000])
    check(in_slow.endswith(' Others wait for ranks 2, 7 and 6 mostly because of that.\n  Stragglers: In its slow step, nearly all kernels of rank 3 '
                           f'take about 40 % longer than the same kernels on the other ranks. {SLOW_DEVICE}'), in_slow)
    check(re.search(r'In step 6, rank 3 computes 4\d % longer than is typical', part) and unknown not in part, part)
    check('No open rank slows down the others. Some ranks of the job are not open' in missing, missing)
    check(unknown in one and 'that all ranks wait in collectives' in one, one[:3000])


def test_idle_names_cause(cli):
    """Where devices wait for other ranks, the page Idle Time names the cause of the waits and the page about it."""
    for options, cause, page in ((('--dp', 8, '--pp', 1, '--straggler', '5:1.6'), 'mostly for rank 5', 'Stragglers'),
                                 (('--dp', 4, '--pp', 1, '--tp', 2, '--slow-link', '0-1:6'), 'mostly because transfers between ranks ', 'Collectives'),
                                 (('--dp', 1, '--pp', 4, '--micro', 4), 'mostly in pipeline bubbles', 'Parallelism')):
        text = write_report(cli, *map(str, options))
        check(re.search(r'The devices wait for other ranks for [0-9.]+ % of their time, ' + cause, text), f'{options}: {text}')
        check(f'See also “{page}”.' in text, f'{options}: {text}')


def test_sample(cli):
    """The cost of slow ranks is found by simulating the steps (replay). Without changes, the simulated steps of the
    sample must take as long as the recorded ones, although its steps come from three profilers, only two steps have
    kernels, and one profiler records no launches. The critical path must include the whole stall of 2.9 s."""
    report = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', SAMPLE).stdout)['computed']
    slowdown, path = report['slowdown'], report['critical_path']
    check(abs(slowdown['fit'] - 1) < 0.01 and len(slowdown['steps']) == 2, f'fit {slowdown["fit"]}, {len(slowdown["steps"])} steps')
    name = path['names'][0]
    check('DataLoader' in name['name'] and name['path_ns'] > 2.9e9, name)
    check(name['saved_if_free_ns'] > 0.99 * name['path_ns'], f'free saves {name["saved_if_free_ns"]} of {name["path_ns"]} ns')
    check(abs(name['saved_if_faster_ns'] / name['path_ns'] - 0.2) < 0.001, f'20 % faster saves {name["saved_if_faster_ns"]} ns')


# Rule of the expected first finding: options of the generator, and a part of the finding's sentence.
PLANTED = {
    'SlowRank': (('--tp', '2', '--dp', '2', '--micro', '8', '--straggler', '5:1.3'), 'Rank 5 computes'),
    'SlowLink': (('--tp', '2', '--dp', '2', '--micro', '8', '--slow-link', '6-7:4'), '6, 7'),
    'PipelineBubbles': (('--dp', '1', '--tp', '2', '--pp', '4', '--micro', '4'), 'the schedule alone causes 42.9 %, because it has only 4 microbatches for 4 stages'),
    'ExpertImbalance': (('--dp', '8', '--pp', '1', '--ep', '8', '--expert-skew', '0.9'), ''),
    'HostBound': (('--dp', '2', '--tp', '2', '--hidden', '64', '--seq', '64', '--layers', '6'), ''),
    'HostStall': (('--tp', '2', '--dp', '2', '--micro', '8', '--host-stall', '6:1:40000'), 'GPU 0 of rank 6 waits 40'),
    'DataLoadingStalls': (('--pp', '2', '--dp', '4', '--micro', '4', '--load-us', '3000'), 'waits for data in 3 of 3 steps'),
    None: (('--tp', '2', '--dp', '2', '--micro', '8'), ''),
}


def find_all(cli, options, seed):
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, *options, '--steps', 3, '--seed', seed)
        return json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', run).stdout)['findings']


def find_first(cli, options, seed):
    findings = find_all(cli, options, seed)
    return (findings[0]['rule'], findings[0]['sentence']) if findings else (None, '')


def test_planted(cli, rule):
    options, part = PLANTED[rule]
    first, sentence = find_first(cli, options, seed=3)
    check(first == rule and part in sentence, f'{first}: {sentence}')


def test_stall(cli):
    """The host of rank 2 stalls in one step: the pages say so, although no rank is slow in general and other ranks wait equally long for
    the next rank of its pipeline."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--pp', 2, '--dp', 4, '--micro', 8, '--steps', 5, '--host-stall', '2:2:20000', '--seed', 1)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
    for part in ('fixing this rank would save up to 20.0 ms (12.2 % of the run). Before it arrives, its host spends 20.0 ms longer in “host stall”', 'times as long.',
                 'rank 2 · GPU 0 is idle longest: for ', 'Without host stall, 20.0 ms would be saved ('):
        check(part in text, f'{part}: {text[:4000]}')


def test_schedule(cli):
    """Pipeline stages that are idle only as long as their schedule requires give no finding, although ranks wait long for messages."""
    options = ('--dp', '1', '--pp', '4', '--micro', '8')
    same(find_first(cli, options, seed=1), (None, ''), 'findings')


def test_host_pipeline(cli):
    """HostBound is the first finding, and PipelineBubbles its effect, if stages wait for late hosts of others, although the schedule
    also has too few microbatches."""
    options = ('--dp', '1', '--tp', '1', '--pp', '4', '--micro', '4', '--hidden', '64', '--seq', '64', '--layers', '2')
    findings = find_all(cli, options, seed=3)
    same([(one['rule'], 'PipelineBubbles' in [effect['rule'] for effect in one.get('effects', [])]) for one in findings[:1]], [('HostBound', True)], 'first finding')


def test_effects(cli):
    """SlowRank has the bubbles and the communication that it causes as effects."""
    findings = find_all(cli, PLANTED['SlowRank'][0], seed=3)
    same([(one['rule'], sorted(effect['rule'] for effect in one.get('effects', []))) for one in findings],
         [('SlowRank', ['CommunicationShare', 'PipelineBubbles'])], 'findings')


def test_effects_in_pipeline(cli):
    """SlowLink and LaunchGaps have the pipeline bubbles that they cause as effects."""
    pipeline = ('--dp', '4', '--pp', '2', '--micro', '4')
    for rule, options in (('SlowLink', ('--slow-link', '4-5:6')), ('LaunchGaps', ('--gap-us', '20', '--launch-us', '60'))):
        findings = find_all(cli, (*pipeline, *options), seed=3)
        same([one['rule'] for one in findings], [rule], f'findings: {findings}')
        check('PipelineBubbles' in [effect['rule'] for effect in findings[0]['effects']], findings)


def test_severity(cli):
    """The time in collectives is not severe if a slow link explains most of it, and is no finding at all in the same run without the slow
    link, because collectives then run mostly while the GPUs compute."""
    options = ('--dp', '4', '--tp', '2', '--pp', '1')
    findings = find_all(cli, (*options, '--slow-link', '0-4:4'), seed=3)
    same([(one['rule'], one['severity']) for one in findings], [('SlowLink', 'Severe'), ('CommunicationShare', 'Warning')], 'slow link')
    same(find_all(cli, options, seed=3), [], 'findings of the run without a slow link')


def test_order_of_answers(cli):
    """Reports list the answers in the order of the findings, so the one about what costs most time comes first; the others follow in their
    order. A loss below the limit counts, too. No answer names pages, which only the window has."""
    for options, page in ((('--straggler', '2:1.4'), 'Stragglers'), (('--slow-link', '1-3:6'), 'Collectives'), (('--load-us', 9000), 'Data Loading'),
                          (('--dp', 8, '--pp', 1, '--steps', 12, '--straggler', '5:1.6:6-6'), 'Stragglers'), ((), 'Critical Path')):
        with folder() as place:
            run = Path(place) / 'run'
            generate_parallel(run, '--dp', 4, '--pp', 2, '--steps', 4, *options)
            text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
            html = cli.must('report', '--quiet', '--format', 'html', '-o', '-', run).stdout
        titles = list(dict.fromkeys(re.findall(r'^  ([A-Z][A-Za-z ]+): ', text[text.index('Answers'):text.index('\nTimes')], re.M)))
        same(titles[:2], ['Summary', page], f'first answers with {options}')
        others = [title for title in titles[1:] if title not in (page, 'Parallelism', 'Collectives')]
        check(others == sorted(others, key=['Critical Path', 'Utilization', 'Idle Time', 'Steps', 'Load Balance', 'Stragglers', 'Trace Health', 'Data Loading', 'Kernels', 'Operators', 'Efficiency', 'Clocks'].index), others)
        glance = html[html.index('At a Glance</h'):]
        same(re.search(r'<dt>(.*?)</dt>', glance)[1], page, 'first answer in HTML')
        check(' page' not in text[text.index('Answers'):text.index('\nTimes')] and 'Each cell' not in text, text)


def test_alike_ranks(cli):
    """If all ranks wait for their batches, no rank is named as delaying the others. The time that would be saved
    without data loading is stated before the time that faster kernels would save."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, *PLANTED['DataLoadingStalls'][0], '--load-us', 6000, '--steps', 5, '--seed', 4)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
    answer = re.search(r'  Critical Path: .*', text).group()
    check('Without data loading, 30.0 ms would be saved (27 % of the critical path).' in answer and 'other ranks wait' not in answer, answer)
    check('Each of 8 ranks waits for data in 5 of 5 steps' in text, text)


def test_named_straggler(cli):
    """If the other ranks wait for a single rank, which has most of the critical path, the answer about the critical path names it."""
    for straggler, percent in (('1:1.5', 100), ('1:1.5:1-4', 87)):
        with folder() as place:
            run = Path(place) / 'run'
            generate_parallel(run, '--dp', 2, '--pp', 1, '--steps', 6, '--straggler', straggler, '--jitter', 0)
            text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        answer = re.search(r'  Critical Path: .*', text).group()
        check(f'{percent} % of the critical path runs on rank 1, for which other ranks wait.' in answer, answer)


def test_late_work(cli):
    """The table of kernels, and the text, name the slow rank. They omit ranks whose extra time is only noise, and rank 0, which
    is late only because it waits for rank 1 in another group. In a range of one step, the waits are attributed as in the whole
    run."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--tp', 2, '--pp', 1, '--steps', 6, '--straggler', '1:1.5')
        page = cli.must('report', '--quiet', '--format', 'html', '-o', '-', run).stdout
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        step = cli.must('report', '--quiet', '--format', 'text', '--unit=step', '--start=2', '--end=3', '-o', '-', run).stdout
    answer = re.search(r'  Stragglers: .*', step).group()
    check(re.match(r'  Stragglers: In this range, the others wait for rank 1, [\d.]+ ms in total: fixing this rank would save [\d.]+ ms \([\d.]+ % of this range\)\. In the whole run, it computes 5\d % longer than is typical', answer),
          answer)
    table = page[page.rindex('Kernels of slow ranks'):]
    same(set(re.findall(r'rank \d', table[:table.index('</table>')])), {'rank 1'}, 'slow ranks')
    check('What late ranks do before they arrive' not in page, 'a second table of the same kernels')
    for report in (text, step):
        same(re.findall(r'^  (rank \d) .*; before that it spends', report, re.MULTILINE), ['rank 1'], 'late ranks in the text')
        same(len(re.findall(r'; it is not a slow rank itself$', report, re.MULTILINE)), 3, 'other ranks in the text')


def test_slow_link(cli):
    """If most of the critical path runs on a rank with a slow link, the answer about the path names the link instead of the rank."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--tp', 2, '--dp', 2, '--pp', 2, '--steps', 4, '--slow-link', '1-5:5')
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
    answer = re.search(r'  Critical Path: .*', text).group()
    check('other ranks wait' not in answer and re.search(r'runs on rank [15], which has a slow link: transfers of ranks (1, 5|5, 1) take', answer),
          answer)


def test_data(cli):
    """In step 6 of the sample, ranks 2 and 3 wait 3 s for data. The simulation of the steps, from which the cost of
    slow ranks is computed, does not cover such waits, and the report says so."""
    text = cli.must('report', '--quiet', '--format', 'text', '--unit', 'step', '--start', '6', '--end', '8', '-o', '-', SAMPLE).stdout
    check(re.search(r'  not covered: ranks 2 and 3: up to 2\.88 s longer in enumerate\(DataLoader\)\S+ on the host, without which up to 2\.88 s would be saved\n', text), text)


def test_range(cli):
    """A step that the range cuts does not count: with half of its kernels, it would seem to lose hardly any time. The
    slowdown S is the same for three ranges: the step numbers 2 and 3, the times of these two steps, and a range that
    also has the second half of step 1 and the first half of step 4."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--tp', 2, '--pp', 1, '--steps', 6, '--micro', 2, '--straggler', '1:1.4', '--seed', 3)
        rows = json.loads(cli.must('query', '-q', '--format', 'json', run, 'SELECT number, start, start + duration AS end FROM step').stdout)
        begin, end = ([choose(row[key] for row in rows if row['number'] == i) for i in range(6)] for key, choose in (('start', min), ('end', max)))

        def measure(*options):
            found = json.loads(cli.must('report', '-q', '--format', 'json', '-o', '-', *options, run).stdout)['computed']['slowdown']
            return [step['step'] for step in found['steps']], found['slowdown']

        numbers, wanted = measure('--unit', 'step', '--start', 2, '--end', 4)
        check(numbers == [2, 3] and 1.2 < wanted < 1.23, (numbers, wanted))
        for times in (begin[2], end[3]), ((begin[1] + end[1]) // 2, (begin[4] + end[4]) // 2):
            numbers, found = measure(f'--start-ns={times[0]}', f'--end-ns={times[1]}')
            check(numbers == [2, 3] and abs(found - wanted) < 0.001, f'{times}: {numbers}, {found} instead of {wanted}')


def test_cut(cli):
    """If the file of a rank ends early, the missing kernels must not make other ranks look slow, and must not be reported as kernels that
    the profiler dropped."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--pp', 1, '--steps', 6, '--seed', 1)
        path = next(run.glob('rank-1.*'))
        data = path.read_bytes()
        path.write_bytes(data[:len(data) // 2])
        document = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', run, allowed=(0, 3)).stdout)
        same([one['sentence'] for one in document['findings'] if one['rule'] == 'SlowRank'], [], 'slow ranks')
        alarms = {check['check'] for trace in document['computed']['health']['traces'] for check in trace['checks'] if check['alarm']}
        same(alarms, {'cut-off'}, 'alarms')


def remove_launches(path):
    document = json.loads(path.read_text(encoding='utf-8'))
    document['traceEvents'] = [event for event in document['traceEvents'] if event.get('cat') not in ('cuda_runtime', 'cuda_driver', 'ac2g')]
    path.write_text(json.dumps(document), encoding='utf-8')


def test_some_launches(cli):
    """If the launches of some ranks are not recorded, no cost is stated: the kernels of these ranks could begin at any time."""
    for ranks in ((1,), (0, 1, 2)):
        with folder() as place:
            run = Path(place) / 'run'
            generate_parallel(run, '--dp', 4, '--layers', 3, '--steps', 4, '--straggler', '3:1.4')
            for rank, path in enumerate(sorted(run.glob('*.json'))):
                if rank in ranks:
                    remove_launches(path)
            text = cli.must('report', '-q', '--format', 'text', '-o', '-', run).stdout
        check('the calls that launch kernels were recorded only on some ranks' in text and 'No rank slows down' not in text, text)


def test_merged(cli, name, *options):
    """The report of a merged file, in which ranks have equal launch ids, equals the report of the run: same costs, severities and waits of
    devices. Only clocks differ: one for the file, one per rank for the run, in which the stages are not aligned with each other. The file
    lacks the models of the GPUs, so rates of operators (TFLOP/s) have no peak."""
    with folder() as place:
        run, merged = Path(place) / 'run', Path(place) / name
        generate_parallel(run, '--dp', 2, '--pp', 2, '--steps', 4, '--straggler', '1:1.3', '--clock-us', 500)
        cli.must('merge', '-q', run, '-o', merged, *options)
        texts = [[line for line in cli.must('report', '--quiet', '--format', 'text', '-o', '-', path).stdout.splitlines() if 'FLOP' not in line]
                 for path in (run, merged)]
        apart = [line for line in texts[0] if 'not aligned with each other' in line]
        same(len(apart), 3, 'lines about messages between clocks that are not aligned')
        texts[0] = [line for line in texts[0] if line not in apart]
        check('SlowRank' in str(texts[0]) and 'free saves' in str(texts[0]), texts[0])
        same([line for line in texts[1] if line not in texts[0] and not line.startswith('  Trace Health: ')],
             ['  Clocks: The order of events of different ranks is as certain as it was when their files were merged.'], 'lines of the merged file')
        same(len(texts[1]), len(texts[0]), 'number of lines')


def test_nodes(cli):
    """Two jobs on two nodes have ranks of the same numbers. In a merged file, too, each rank of each node is one worker: only rank 1 of
    the second job is slow, and computes 1.5 times as long as rank 1 of the first job. The page does not take the one for the other."""
    with folder() as place:
        for node, options in (('node-a', ()), ('node-b', ('--straggler', '1:1.5'))):
            generate_parallel(Path(place) / 'run' / node, '--dp', 2, '--steps', 4, *options)
            for path in (Path(place) / 'run' / node).glob('*.pt.trace.json'):
                path.write_text(json.dumps(json.loads(path.read_text()) | {'host_name': node}))
        cli.must('merge', '-q', Path(place) / 'run', '-o', Path(place) / 'merged.json')
        run, merged = (sorted(json.loads(cli.must('report', '-q', '--format', 'json', '-o', '-', Path(place) / name).stdout)['computed']['slowdown']['ranks'], key=str)
                       for name in ('run', 'merged.json'))
        same([(rank['rank'], rank['node']) for rank in run], [(rank, f'node-{node}') for rank in range(4) for node in 'ab'], 'ranks')
        same([(rank['rank'], rank['node']) for rank in run if rank['slowdown'] > 1.4], [(1, 'node-b')], 'slow ranks')
        same(merged, run, 'ranks of the merged file')
        page = cli.must('report', '-q', '--format', 'html', '-o', '-', Path(place) / 'run').stdout
        check('for this rank, the rest for rank 3, late mostly because' in page, 'ranks that are late because of the slow one')


def main(program):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    tap.case('a slow link', test_link, cli)
    tap.case('a slow link makes ranks late', test_link_of_late_ranks, cli)
    tap.case('stated and true savings', test_savings, cli)
    tap.case('a slow link first', test_link_first, cli)
    tap.case('a slow rank', test_rank, cli)
    tap.case('a slow rank in one step', test_cause_in_one_step, cli)
    tap.case('the saving of a finding', test_saving_of_finding, cli)
    tap.case('the inputs of a slow rank', test_inputs, cli)
    tap.case('a loss below the limit', test_below_limit, cli)
    tap.case('a range of the slow step', test_range_of_slow_step, cli)
    tap.case('a range of an ordinary step', test_range_of_ordinary_step, cli)
    tap.case('waits for data', test_data, cli)
    tap.case('replays of the sample', test_sample, cli)
    tap.case('a merged file', test_merged, cli, 'merged.json.gz')
    tap.case('a merged file for Perfetto', test_merged, cli, 'merged.pftrace', '--layout', 'perfetto')
    tap.case('two nodes with the same ranks', test_nodes, cli)
    tap.case('launches of some ranks', test_some_launches, cli)
    tap.case('a stall of one step', test_stall, cli)
    tap.case('bubbles that the schedule requires', test_schedule, cli)
    tap.case('late hosts of a pipeline', test_host_pipeline, cli)
    tap.case('effects of a slow rank', test_effects, cli)
    tap.case('a range that cuts steps', test_range, cli)
    tap.case('a file that ends early', test_cut, cli)
    tap.case('effects in a pipeline', test_effects_in_pipeline, cli)
    tap.case('severity of what a slow link causes', test_severity, cli)
    tap.case('order of answers', test_order_of_answers, cli)
    tap.case('equal ranks', test_alike_ranks, cli)
    tap.case('one rank delays the others', test_named_straggler, cli)
    tap.case('work of late ranks', test_late_work, cli)
    tap.case('a slow link delays the others', test_slow_link, cli)
    for rule in PLANTED:
        tap.case(f'first finding: {rule}', test_planted, cli, rule)
    tap.done()


main(sys.argv[1])
