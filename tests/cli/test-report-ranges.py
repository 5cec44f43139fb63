# SPDX-License-Identifier: Apache-2.0
"""Tests reports of a part of the run: in each kind of report every total counts only what lies in the range, so that
the parts of a run add up to the whole."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, SAMPLE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

BASE_NS = 1735632360000000000
MS = 1000  # a millisecond in µs, the unit of the trace
CUT_NS = BASE_NS + 50 * 10**6
RULE = 'Totals and shares count only the time inside the range; means, medians and longest times are those of whole spans.'
DLRM = shared_folder('corpus') / 'param' / 'dlrm_kineto'


class Tables(HTMLParser):
    """Collects the tables of an HTML report: {label: rows of cells}. Tables without a label are lists of facts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tables, self.label, self.cell, self.facts = {}, None, None, {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get('role') == 'region':
            self.label = attributes['aria-label']
            self.tables.setdefault(self.label, [])
        elif tag == 'tr':
            self.tables[self.label].append([])
        elif tag in ('td', 'th', 'dt', 'dd'):
            self.cell = ''

    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.tables[self.label][-1].append(self.cell)
        elif tag == 'dt':
            self.name = self.cell
        elif tag == 'dd':
            self.facts[self.name] = self.cell

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def column(self, label, name):
        """Returns, for each row of a table, its first cell → its cell in the column `name`."""
        head, *rows = self.tables[label]
        return {row[0]: row[head.index(name)] for row in rows}


def span(name, cat, tid, begin_ms, end_ms, pid=900, **args):
    return {'ph': 'X', 'name': name, 'cat': cat, 'pid': pid, 'tid': tid, 'ts': begin_ms * MS, 'dur': (end_ms - begin_ms) * MS, 'args': args}


def write_rank(place, rank):
    """Writes the trace of a rank. The cut at 50 ms lies in a kernel [40, 70) ms, a wait for data [45, 60) ms, a step
    [30, 80) ms, and a collective, which one rank reaches at 20 ms, the other at 60 ms, and which both leave at 90 ms.
    Three short collectives align the clocks."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
    for number, (begin, end) in enumerate(((0, 10), (10, 20), (20, 30), (30, 80), (80, 90))):
        events.append(span(f'ProfilerStep#{number}', 'user_annotation', 900, begin, end))
    events += [span('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 'user_annotation', 900, 45, 60),
               span('aten::mm', 'cpu_op', 900, 61, 76), span('gemm', 'kernel', 7, 40, 70, pid=0), span('relu', 'kernel', 7, 72, 80, pid=0),
               span('ncclDevKernel_AllReduce', 'kernel', 20, 20 + 40 * rank, 90, pid=0, **{'Seq': 1, 'Collective name': 'allreduce'})]
    events += [span('ncclDevKernel_AllReduce', 'kernel', 20, begin + rank, begin + 4, pid=0, **{'Seq': number, 'Collective name': 'allreduce'})
               for number, begin in ((0, 2), (2, 92), (3, 97))]
    path = Path(place) / f'rank{rank}.1.pt.trace.json'
    path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': BASE_NS, 'traceEvents': events}))
    return path


def report(cli, paths, *options):
    """Writes the report with the given options in three forms: returns the JSON document, the text, and the HTML
    page."""
    common = ('report', '--quiet', *options)
    with folder() as place:
        page = Path(place) / 'report.html'
        cli.must(*common, '-o', page, *paths)
        html = page.read_text()
    return (json.loads(cli.must(*common, '--format', 'json', *paths).stdout), cli.must(*common, '--format', 'text', *paths).stdout, html)


def parts(cli, paths):
    """Returns the JSON reports of the whole run, of the part before the cut, and of the part after it."""
    return [json.loads(cli.must('report', '--quiet', '--format', 'json', *options, *paths).stdout)
            for options in ([], ['--end-ns', str(CUT_NS)], ['--start-ns', str(CUT_NS)])]


def by(rows, key):
    return {row[key]: row for row in rows}


def adds_up(what, whole, first, second):
    same(first + second, whole, f'{what}: {first} before and {second} behind the cut')


def test_parts(cli):
    with folder() as place:
        whole, first, second = parts(cli, [write_rank(place, rank) for rank in range(2)])
    for name in ('gemm', 'ncclDevKernel_AllReduce'):
        adds_up(name, *(by(one['computed']['kernels']['kernels'], 'name')[name]['in_range_ns'] for one in (whole, first, second)))
    for key in ('wait_ns', 'transfer_ns'):
        adds_up(f'collectives, {key}', *(one['computed']['collectives'][key] for one in (whole, first, second)))
    for key in ('wait_ns', 'transfer_ns', 'others_wait_ns', 'late_ns'):
        adds_up(f'rank 1, {key}', *(by(one['computed']['collectives']['ranks'], 'rank')[1][key] for one in (whole, first, second)))
    for key in ('in_range_ns', 'in_steps_ns', 'steps_ns'):
        adds_up(f'waits for data, {key}', *(one['computed']['data_loading']['ranks'][0][key] for one in (whole, first, second)))
    adds_up('steps', *(one['steps']['ranks'][0]['in_range_ns'] for one in (whole, first, second)))
    same([one['steps']['ranks'][0]['total_ns'] for one in (whole, first, second)], [90 * 10**6, 80 * 10**6, 60 * 10**6], 'whole steps')
    same([one['computed']['data_loading']['ranks'][0]['total_ns'] for one in (whole, first, second)], 3 * [15 * 10**6], 'whole waits')
    adds_up('the loop', *(one['phases']['training_loop_ns'] for one in (whole, first, second)))
    causes = [by(one['root_cause']['in_outlier_steps']['metrics'], 'metric')['gemm'] if one is whole else None for one in (whole, first, second)]
    same((causes[0]['total_ns'], causes[0]['in_range_ns']), 2 * (60 * 10**6,), 'parts of the whole run')


def test_pages(cli):
    """For a kernel that the range cuts, the pie chart, the bar chart and the tables of the page agree with the text
    report and the JSON report."""
    with folder() as place:
        json_, text, html = report(cli, [write_rank(place, rank) for rank in range(2)], '--start-ns', str(CUT_NS))
    page = Tables(html)
    kinds = by(json_['computed']['work']['kinds'], 'kind')
    same((kinds['compute']['self_ns'], kinds['communication']['self_ns']), (56 * 10**6, 84 * 10**6), 'the pie of the JSON')
    bars = [row for row in page.tables['Kernels and copies that take longest in total, sum of 2 ranks'][1:] if row[1] != '0 ms']
    wanted = [('gemm · compute', '40.0 ms'), ('ncclDevKernel_AllReduce · Waiting for other ranks', '12.0 ms'), ('ncclDevKernel_AllReduce · communication', '72.0 ms'), ('relu · compute', '16.0 ms')]
    same(sorted(map(tuple, bars)), wanted, 'bars')
    same({row[0]: row[1] for row in page.tables['Device time by kind of work, sum of 2 ranks'][1:]}, {'compute': '56.0 ms', 'communication': '84.0 ms'}, 'slices')
    same(page.column('Kernels and copies', 'Total'), {'gemm': '40.0 ms', 'ncclDevKernel_AllReduce': '84.0 ms', 'relu': '16.0 ms'}, 'the table')
    check(re.search(r'  +\S+ %  40.0 ms in 2, median 30.0 ms: gemm\n', text), text)
    same(page.column('Steps by rank', 'Total'), {'rank 0': '40.0 ms', 'rank 1': '40.0 ms'}, 'steps')
    same(page.column('Waits by rank', 'Total'), {'rank 0': '10.0 ms', 'rank 1': '10.0 ms'}, 'waits for data')
    check('Median' not in page.tables['Waits by rank'][0], 'a single wait has a median, or an empty column is shown')
    same({row[0]: row[1] for row in page.tables['Time of all ranks in collectives'][1:]}, {'waiting': '12.0 ms', 'transferring': '72.0 ms'}, 'collectives')
    same(by(json_['root_cause']['in_outlier_steps']['metrics'], 'metric').get('aten::mm', {}).get('in_range_ns'), None, 'outliers of two steps')


def test_rule(cli):
    """The rule for totals in a range is stated once in each report of a range, and in none of the whole run."""
    with folder() as place:
        paths = [write_rank(place, 0)]
        some, all_ = report(cli, paths, '--start-ns', str(CUT_NS)), report(cli, paths)
    same([some[0]['about'].get('range_rule'), all_[0]['about'].get('range_rule')], [RULE, None], 'in JSON')
    same([one.count(RULE) for one in some[1:] + all_[1:]], [1, 1, 0, 0], 'in text and page')


def test_steps(cli):
    """The time of a range of step numbers overlaps other steps of ranks that started late. In the report and in rules, only steps with
    these numbers count on every rank."""
    with folder() as place:
        for rank in (0, 1):
            late = 8 * rank
            events = [span(f'ProfilerStep#{number}', 'user_annotation', 900, 20 * number + late, 20 * number + late + 20) for number in range(6)]
            events += [span('enumerate(DataLoader)#x', 'user_annotation', 900, 20 * number + late, 20 * number + late + 10) for number in range(6)]
            path = Path(place) / f'rank{rank}.1.pt.trace.json'
            path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': BASE_NS, 'traceEvents': events}))
        options = ('--unit', 'step', '--start', '2', '--end', '4')
        document = json.loads(cli.must('report', '--quiet', '--format', 'json', *options, '-o', '-', place).stdout)
        same([rank['count'] for rank in document['steps']['ranks']], [2, 2], 'steps')
        limits = Path(place) / 'limits.json'
        limits.write_text(json.dumps({'DataLoadingStalls': {'least': 1}}))
        rules = json.loads(cli.must('rules', '--quiet', '--format', 'json', '--rules', ROOT / 'data/rules/data-loading.json', '--parameters', limits, *options, place).stdout)
        same(rules['DataLoadingStalls']['Datapoints'], 4, 'steps of the rule')
    for step in range(3, 11):
        text = cli.must('report', '--quiet', '--format', 'text', '--unit', 'step', '--start', step, '--end', step + 1, '-o', '-', SAMPLE).stdout
        same(set(re.findall(r'^  algo-\d rank \d +(\d+) training step', text, re.M)), {'1'}, f'step {step} of the sample')


def test_times(cli):
    """Every kind of report states the origin of its times as a date; a range with an open end extends to the end of the
    run."""
    with folder() as place:
        json_, text, html = report(cli, [write_rank(place, 0)], '--start-ns', str(CUT_NS))
    page, about = Tables(html), json_['about']
    same((about['origin_ns'], about['origin'], about['origin_date']), (BASE_NS, 'the first event', '2024-12-31T08:06:00.000000000Z'), 'zero in JSON')
    same((about['start_ns'], about['end_ns']), (CUT_NS, BASE_NS + 101 * 10**6 + 1), 'the range goes to the end of the run')
    check(re.search(r'^  count from +2024-12-31T08:06:00.000000000Z, the first event$', text, re.M), text[:500])
    check(re.search(r'^  begin +\+50.000 ms \(2024-12-31T08:06:00.050000000Z\)$', text, re.M), text[:500])
    same(page.facts['Times count from'], '2024-12-31 08:06:00.000000000 UTC, the first event', 'zero in the page')
    check(page.facts['Duration of the range'].endswith('ms'), page.facts['Duration of the range'])
    check('2024-12-31 08:06:00.050000000 UTC (+' in html, 'the page lacks the start')


def test_zero_of_metrics(cli):
    """In a SageMaker folder times count from the begin of the first metrics file, as on the ruler."""
    json_, text, html = report(cli, [SAMPLE])
    about, zero = json_['about'], 'the start of the first file of system metrics'
    same((about['origin'], about['origin_date']), (zero, '2025-06-17T09:59:00.000000000Z'), 'zero in JSON')
    check(f'2025-06-17T09:59:00.000000000Z, {zero}\n' in text, 'zero in the text')
    same(Tables(html).facts['Times count from'], f'2025-06-17 09:59:00.000000000 UTC, {zero}', 'zero in the page')
    for finding in json_['findings']:
        same(finding['since_origin_ns'], finding['start_ns'] - about['origin_ns'], 'origin of times in a finding')
        begin = f'+{finding["since_origin_ns"] // 1000 / 1e6:.6f} s'
        check(begin in text, f'{begin} in the text')
    check(re.search(r'<td class="n" title="2025-06-17 \d\d:\d\d:\d\d\.\d{9} UTC">\+', html), 'dates of instants in tables')


def test_eight_ranks(cli):
    """For eight real ranks and the middle fifth of their run, pie slices, bars and tables about communication agree."""
    need(DLRM)
    paths = sorted(DLRM.glob('*.json'))
    json_, text, html = report(cli, paths, '--start-ns', '1694128201429463200', '--end-ns', '1694128201433665800')
    kind = by(json_['computed']['work']['kinds'], 'kind')['communication']
    bars = [row for row in json_['computed']['kernels']['kernels'] if row['kind'] == 'communication']
    same(sum(row['in_range_ns'] for row in bars), kind['self_ns'], 'kernels of communication')
    check(sum(row['total_ns'] for row in bars) > 2 * kind['self_ns'], 'few kernels exceed the range')
    rows = [row for row in Tables(html).tables['Kernels and copies that take longest in total, sum of 8 ranks'][1:] if 'nccl' in row[0].lower()]
    longest = max(row['in_range_ns'] for row in bars)
    first = rows[0][0].split(' · ')[0]
    parts = [float(row[1].split()[0]) * {'ms': 1e6, 'µs': 1e3, 'ns': 1}[row[1].split()[1]] for row in rows if row[0].split(' · ')[0] == first]
    check(abs(sum(parts) - longest) < 0.01 * longest, f'the longest bar: {parts}, not {longest}')
    check(f'{longest / 1e6:.3g} ms in ' in text, 'the text lacks the figure with three digits')


def test_one_step(cli):
    """A range that is a step of one rank cuts slivers from the steps before and after it on the other ranks, which begin a little
    earlier or later. They do not count as steps: times per step are those of the step, not a half or a third of it."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 1, '--steps', 4, '--straggler', '1:1.5', '--seed', 5)
        rows = json.loads(cli.must('query', '-q', run, 'SELECT rank, start, start + duration AS stop FROM step WHERE number = 2').stdout)
        whole = cli.must('report', '-q', '--format', 'text', run).stdout
        for row in rows:
            text = cli.must('report', '-q', '--format', 'text', '--start', row['start'] / 1000, '--end', row['stop'] / 1000, run).stdout
            check('  1 training step of' in text, f'number of steps of {row}')
            longer = float(re.search(r'Rank 1 computes ([\d.]+) ms longer', text)[1])
            in_all = float(re.search(r'Rank 1 computes ([\d.]+) ms per step longer', whole)[1])
            check(0.8 < longer / in_all < 1.2, f'{longer} ms in the step of rank {row["rank"]}, {in_all} ms in all steps')


def test_cut_steps(cli):
    """If the range cuts a step, the summary says that waits count only in steps. It does not say so of the whole run."""
    note = 'Exposed waiting counts only the time of steps inside the range'
    with folder() as place:
        paths = [write_rank(place, rank) for rank in range(2)]
        same([note in report(cli, paths, *options)[2] for options in ((), ('--start-ns', str(CUT_NS)))], [False, True], 'notes')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('the parts add up to the whole', test_parts, cli)
    tap.case('the summary says which time counts if the range cuts steps', test_cut_steps, cli)
    tap.case('pie, bar, table, text and JSON agree', test_pages, cli)
    tap.case('the rule for totals is stated once', test_rule, cli)
    tap.case('a range of steps excludes other steps', test_steps, cli)
    tap.case('reports state the origin of times', test_times, cli)
    tap.case('the origin of times in a folder with metrics', test_zero_of_metrics, cli)
    tap.case('eight real ranks', test_eight_ranks, cli)
    if (shared_folder('tools') / 'make-parallel-run.py').exists():
        tap.case('a range of one step', test_one_step, cli)
    tap.done()


main()
