#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the pages of a report are consistent: a quantity has the same value on each page, and parts add up to the whole.

Usage: test-agreement.py TRACELOOM-CLI"""

import html
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402
from kineto import Recording  # noqa: E402

CORPUS = shared_folder('corpus')
UNITS = {'ns': 1e-6, 'µs': 1e-3, 'ms': 1, 's': 1000}


def read_pages(cli, run, *options):
    """Returns the text of a run's HTML report as a list of lines. A card becomes two lines: its title, and its value with its note."""
    with folder() as place:
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', *options, '-o', page, run)
        text = page.read_text()
    text = re.sub(r'<(script|style)[^>]*>.*?</\1>|<svg.*?</svg>', '', text, flags=re.S)
    text = re.sub(r'</(tr|p|h\d|dt|dd|li|div|section|table)>', '\n', text)
    text = html.unescape(re.sub(r'<[^>]+>', ' ', text))
    return [line for line in (re.sub(r'\s+', ' ', line).strip() for line in text.split('\n')) if line]


def pages_of(cli, *options):
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, *options)
        return read_pages(cli, run)


def card(lines, title):
    check(title in lines, f'no card {title}')
    return lines[lines.index(title) + 1]


def milliseconds(text):
    return [float(number) * UNITS[unit] for number, unit in re.findall(r'([\d.]+) (ns|µs|ms|s)\b', text)]


def near(got, wanted, what):
    check(abs(got - wanted) <= 0.01 * max(abs(got), abs(wanted)), f'{what}: {got}, but {wanted}')


def write_without_launches(place, n_recorded, n_ranks=2):
    """Writes traces of 20 steps of 10 ms. Devices are recorded only in the first `n_recorded` steps. In each step, rank 1 computes for
    8 ms; the other ranks compute for 4 ms, and then wait 4 ms for rank 1. The file contains no calls that launch kernels."""
    for rank in range(n_ranks):
        recording = Recording(rank, n_ranks)
        for step in range(20):
            at, compute = 10_000 * step, 8000 if rank == 1 else 4000
            recording.step(step, at, 10_000)
            if step < n_recorded:
                recording.collective('AllReduce', at, at + compute, 10_000 - compute, range(n_ranks), n_ranks)
                recording.kernel('gemm', at, at, compute)
        recording.events = [event for event in recording.events if event.get('cat') not in ('cuda_runtime', 'ac2g')]
        recording.write(place)


def test_unrecorded_steps(cli):
    """Steps in which no device is recorded do not count in the exposed waiting. In each of 10 recorded steps, one of two ranks waits for
    4 ms of 10 ms."""
    with folder() as place:
        write_without_launches(place, 10)
        lines = read_pages(cli, place)
    waits, = milliseconds(card(lines, 'Exposed Waiting'))
    near(waits, 40, 'exposed waiting')
    check(card(lines, 'Exposed Waiting').startswith('20 %'), card(lines, 'Exposed Waiting'))
    check('of the 20 of 40 steps' in card(lines, 'Exposed Waiting'), card(lines, 'Exposed Waiting'))
    check('20 steps on each of 2 ranks' in card(lines, 'Median Step'), card(lines, 'Median Step'))


def test_unequal_steps(cli):
    """Two ranks with 3 and 5 steps do not have 4 steps each."""
    with folder() as place:
        for rank, n_steps in enumerate((3, 5)):
            recording = Recording(rank, 2)
            for step in range(n_steps):
                recording.step(step, 10_000 * step, 10_000)
                recording.kernel('gemm', 10_000 * step, 10_000 * step, 8000)
            recording.write(place)
        lines = read_pages(cli, place)
    check('median of 8 steps over all ranks' in card(lines, 'Median Step'), card(lines, 'Median Step'))


def test_no_launches(cli):
    """Without launches, steps cannot be replayed: no page says that no rank slows down the others."""
    with folder() as place:
        write_without_launches(place, 20, 4)
        text = '\n'.join(read_pages(cli, place))
    check('the calls that launch kernels were not recorded' in text and 'No rank slows down' not in text, 'text about the cost of slow ranks')


def test_waits(cli):
    """The waits on the summary (those during which the device computes nothing) are a part of all waits, as the page Stragglers says."""
    lines = pages_of(cli, '--dp', 2, '--pp', 2, '--micro', 4, '--steps', 3, '--straggler', '1:1.3', '--seed', 3)
    in_collectives, for_messages, for_data = milliseconds(card(lines, 'Exposed Waiting'))
    waiting = float(card(lines, 'Exposed Waiting').split()[0]) / 100 * 3 * 4 * milliseconds(card(lines, 'Median Step'))[0]
    # steps differ by a few percent from their median
    check(abs(in_collectives + for_messages + for_data - waiting) < 0.05 * waiting, f'{in_collectives} + {for_messages} + {for_data} ms, but {waiting} ms')
    for title, exposed in (('Waiting in Collectives', in_collectives), ('Waiting for Messages', for_messages)):
        whole, part = milliseconds(card(lines, title))
        same(part, exposed, title)
        check(part < whole, card(lines, title))
    # the page Idle Time begins with the same waits, as a share of the time of all four devices, because they exceed the idle time
    share = float(re.search(r'The devices wait for other ranks for ([\d.]+) % of their time', '\n'.join(lines))[1])
    steps = 3 * 4 * milliseconds(card(lines, 'Median Step'))[0]
    check(abs(share - 100 * (in_collectives + for_messages) / steps) < 0.5, f'{share} %, but {in_collectives} and {for_messages} of {steps} ms')


def test_idle_of_first_work(cli):
    """The report as text counts the wait of a device for its first work as idle time, as the page Idle Time does; JSON states this wait
    beside the idle time."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 1, '--steps', 3, '--load-us', 1500, '--seed', 3)
        lines = read_pages(cli, run)
        text = cli.must('report', '--quiet', '--format', 'text', run).stdout
        devices = json.loads(cli.must('report', '--quiet', '--format', 'json', run).stdout)['computed']['idle']['devices']
    for rank, device in enumerate(devices):
        idle, share = next(found.groups() for line in lines if (found := re.match(rf'rank {rank} · GPU 0 ([\d.]+ ms) ([\d.]+ %)', line)))
        in_text = re.search(rf'GPU 0 of rank {rank}: idle ([\d.]+ %) \(([\d.]+ ms)\)', text)
        same(in_text[1], share, f'share of rank {rank}')
        near(milliseconds(in_text[2])[0], milliseconds(idle)[0], f'idle time of rank {rank}')
        check(re.search(rf'rank {rank} .*, idle {share}', text), f'idle {share} of rank {rank}: {text}')
        check(device['first_wait_ns'] > 1_500_000, device)
        near((device['idle_ns'] + device['first_wait_ns']) / 1e6, milliseconds(in_text[2])[0], f'idle time of rank {rank} in JSON')


def test_waits_in_range(cli):
    """The share of waits on the page Idle Time is the mean of the bars of its chart, also in a range that cuts steps off."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--pp', 4, '--micro', 4, '--steps', 4, '--seed', 3)
        for options in ((), ('--unit', 'step', '--start', 2, '--end', 3)):
            lines = read_pages(cli, run, *options)
            at = lines.index('Idle Time', next(i for i, line in enumerate(lines) if 'The devices wait for other ranks for' in line) - 3)
            share = float(re.search(r'The devices wait for other ranks for ([\d.]+) % of their time', '\n'.join(lines[at:]))[1])
            bars = [float(found[1]) for line in lines[at:] if (found := re.match(r'rank \d+ · .*Waiting for other ranks ([\d.]+) %$', line))]
            check(len(bars) == 8 and abs(share - sum(bars) / 8) < 0.3, f'{share} %, but {bars}')


def test_busy(cli):
    """With two devices in one file, pages state their mean utilization, and busy and idle time add up to 100 %."""
    lines = read_pages(cli, CORPUS / 'nsight' / 'mfu_2gpu_before.sqlite')
    busy = float(re.match(r'([\d.]+) %', card(lines, 'GPUs Busy (from Trace)'))[1])
    text = '\n'.join(lines)
    same(float(re.search(r'According to the trace, .* ([\d.]+) % on average', text)[1]), busy, 'utilization')
    same(float(re.search(r'devices are idle for ([\d.]+) % of their time', text)[1]), round(100 - busy, 1), 'idle time')


def test_recorded_time(cli):
    """The pages Summary, Utilization and Load Balance state shares of the same recorded time. It includes the wait of a device for its
    first work in a step."""
    lines = pages_of(cli, '--tp', 2, '--dp', 2, '--pp', 2, '--steps', 4, '--straggler', '5:1.4')
    text = '\n'.join(lines)
    busy = re.match(r'([\d.]+) %', card(lines, 'GPUs Busy (from Trace)'))[1]
    same(re.search(r'According to the trace, .*? ([\d.]+) % (?:busy )?on average', text)[1], busy, 'busy')
    sentences = re.findall(r'The GPUs compute most on .*? of all ranks is [\d.]+ %\.', text)
    same(len(sentences), 4, 'sentences of Utilization and Load Balance, at the top of the report and on the pages')
    same(len(set(sentences)), 1, f'different sentences: {sentences}')


def test_recorded_time_of_gpus(cli):
    """One rank has two GPUs and six steps of 1 ms. GPU 0 computes for 0.8 ms in each of the first four steps, GPU 1 in the other two.
    Both are idle while only the other one works, so all pages state half of the share of GPU 0 for GPU 1."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(6):
            recording.step(i, 1000 * i, 1000)
            recording.kernel('gemm', 1000 * i + 10, 1000 * i + 100, 800)
            kernel = next(event for event in reversed(recording.events) if event.get('cat') == 'kernel')
            kernel['pid'] = kernel['args']['device'] = recording.events[-1]['pid'] = 0 if i < 4 else 1
        recording.write(place)
        lines = read_pages(cli, place)
        plain = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
        document = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', place).stdout)
    same([(device['first_wait_ns'], device['last_wait_ns']) for device in document['computed']['idle']['devices']],
         [(100_000, 2_000_000), (4_100_000, 0)], 'time before the first and after the last work')
    check(re.search(r'rank 0 +5\.90 ms: computing 81\.4 %', plain), plain)
    text = '\n'.join(lines)
    sentences = re.findall(r'The GPUs compute for [\d.]+ % \([^)]*1\) to [\d.]+ % \([^)]*0\) of their recorded time', text)
    same(len(sentences), 4, 'sentences of Utilization and Load Balance, at the top of the report and on the pages')
    same(len(set(sentences)), 1, f'different sentences: {sentences}')
    low, high = map(float, re.findall(r'([\d.]+) %', sentences[0]))
    near(2 * low, high, 'shares of the GPUs')
    busy = float(re.match(r'([\d.]+) %', card(lines, 'GPUs Busy (from Trace)'))[1])
    near(busy, (low + high) / 2, 'busy on the summary')
    near(100 - float(re.search(r'devices are idle for ([\d.]+) % of their time', text)[1]), busy, 'idle time')


def test_saving(cli):
    """The sentence and the cards of the page Stragglers and the finding state the same saving, relative to the mean step time of the
    summary."""
    lines = pages_of(cli, '--tp', 1, '--dp', 4, '--pp', 2, '--micro', 4, '--steps', 4, '--straggler', '5:1.3', '--seed', 3)
    text = '\n'.join(lines)
    saved, percent = re.search(r'Fixing this rank would save ([\d.]+ \wm?s) of each step \(([\d.]+) %\)', text).groups()
    same(re.search(r'Fixing rank 5 would save ([\d.]+) % of a step', text)[1], percent, 'saving of the finding')
    step, = milliseconds(card(lines, 'Time per Step'))
    length, ideal, slowdown = re.search(r'a step takes ([\d.]+ \wm?s); it would take ([\d.]+ \wm?s) if .*: S = ([\d.]+)\.', text).groups()
    near(milliseconds(length)[0] / float(slowdown), milliseconds(ideal)[0], 'ideal step')
    caused, exposed = re.search(r'In collectives, ranks wait ([\d.]+ .?s) in total because of slow ranks; during (\d+) % of all waits in collectives, nothing is computed\.', text).groups()
    same(re.search(r'this causes ([\d.]+ .?s) of the total of', text)[1], caused, 'waits caused, in the sentence and in the finding')
    check(f'\n{caused} of ' in text, 'waits caused, in the sentence and below')
    waits, costly = milliseconds(card(lines, 'Waiting in Collectives'))
    check(abs(100 * costly / waits - int(exposed)) <= 1, f'{costly} of {waits} ms is not {exposed} %')
    check('late mostly because of waiting for this rank' in text, 'the waits caused by the rank include those through other ranks')
    near(step, milliseconds(card(lines, 'Median Step'))[0], 'step')
    check(abs(100 * milliseconds(saved)[0] / step - float(percent)) < 0.1, f'{saved} of {step} ms is not {percent} %')
    left = milliseconds(card(lines, 'Step Time Without Slow Ranks'))[0]
    near(left + milliseconds(saved)[0], step, 'step without slow ranks')


def test_extra_time(cli):
    """The work that takes longest on a slow rank does not take longer than all its work: for a rank that is slow in one step, the page
    Stragglers states the extra time in this step, without the noise of all others. It states only one sum of all extra time."""
    for straggler, whole, part in (('3:1.4:6-6', r'([\d.]+ .?s) in total \(\+\d+ % in step 6\)', r', ([\d.]+ .?s) in step 6'),
                                   ('3:1.4', r'([\d.]+ .?s) per step \(\+\d+ %\)', r', ([\d.]+ .?s) per step')):
        lines = pages_of(cli, '--tp', 2, '--dp', 2, '--pp', 2, '--steps', 8, '--straggler', straggler)
        text = '\n'.join(lines)
        all_, = milliseconds(re.search(r'Computation beyond what is typical of its stage\s+' + whole, text)[1])
        longest, = milliseconds(re.search(r'Most extra time, compared with the median rank\s+\S+' + part, text)[1])
        check(0.5 * all_ < longest < all_, f'{longest} ms of {all_} ms for {straggler}')
        check('Extra time of all kernels' not in text, f'a second sum for {straggler}')


def test_overlap(cli):
    """The page Stragglers states the sum of all waits, which is that of its two cards and of its bars, and the waits in its pie, in which
    those that overlap in time count once. The waits in the table of ranks are of collectives only, and the table says so. Without messages,
    no waits overlap."""
    lines = pages_of(cli, '--tp', 2, '--dp', 2, '--pp', 2, '--steps', 4)
    text = '\n'.join(lines)
    total, once = re.search(r'The waits of all ranks add up to ([\d.]+ .?s): where waits of a rank overlap in time, each counts\. Counted once, they take ([\d.]+ .?s)\.', text).groups()
    cards = [milliseconds(card(lines, f'Waiting {name}'))[0] for name in ('in Collectives', 'for Messages')]
    near(milliseconds(total)[0], sum(cards), 'sum of the cards')
    chart = text[text.rindex('Numbers', 0, text.index(' %\ntransferring')):text.index(' %\ntransferring')]
    near(milliseconds(once)[0], milliseconds(re.search(r'waiting ([\d.]+ .?s)', chart)[1])[0], 'the pie')
    check(milliseconds(once)[0] < milliseconds(total)[0], 'overlaps')
    check('Lateness by rank, in collectives' in lines, 'the table does not say that its waits are only those in collectives')
    check('Counted once' not in '\n'.join(pages_of(cli, '--dp', 4, '--pp', 1, '--steps', 4, '--straggler', '1:1.3')), 'a run without messages')


def test_link(cli):
    """The finding and four pages state the same cost of a slow link, which is slow in both directions: the time lost is not divided by
    the two groups of messages."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--micro', 4, '--steps', 5, '--slow-link', '4-5:6', '--seed', 3)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        finding, = (one for one in json.loads(cli.must('report', '--quiet', '-o', '-', run).stdout)['findings'] if one['rule'] == 'SlowLink')
    percent = int(re.search(r'steps would be up to (\d+) % shorter', text)[1])
    for page in 'Stragglers', 'Parallelism', 'Steps':
        check(re.search(rf'\n  {page}: .*Transfers between ranks 4–7 take 6.0 times .* up to {percent} % shorter', text), page)
    check(re.search(rf'\n  Collectives: 1 group of ranks is slow: .* up to \S+ ms \({percent} %\) shorter', text), 'Collectives')
    same(finding['lost_mean_ns'], finding['lost_ns'], 'time lost, mean')
    lost, = milliseconds(re.search(r'SlowLink: .*; about (.*?) lost', text)[1])
    end, = milliseconds(re.search(r'\n  end +\+(.*?) \(', text)[1])
    check(abs(100 * lost / end - percent) < 1, f'{lost} of {end} ms is not {percent} %')


def test_start(cli):
    """The time lost in a finding about data loading includes waits before the first kernel. The page Idle Time and the
    chapter of the text report count them, too; the page also states their length beside the idle time from the first kernel."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 2, '--pp', 2, '--micro', 4, '--steps', 3, '--load-us', 6000, '--seed', 3)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        # In a report of a later step, the idle time of a device counts from the start of the step, because the device
        # has worked before the step.
        page, later = (cli.must('report', '--quiet', '--format', 'html', *options, run).stdout
                       for options in ((), ('--unit=step', '--start=1', '--end=2')))
    check('before the first and after the last kernel' not in later, 'time before the first step counts twice')
    lost, = milliseconds(re.search(r'DataLoadingStalls: .*; about (.*?) lost', text)[1])
    before, = milliseconds(re.search(r'Idle time includes (.*?) before the first and after the last kernel', page)[1])
    after, = milliseconds(re.search(r'leaves that part out: its idle time is (.*?), or', page)[1])
    idle = sum(milliseconds(part)[0] for part in re.findall(r': idle [\d.]+ % \((.*?)\); of this', text))
    near(after + before, idle, 'idle time on the page and in the text')
    check(after < lost, f'{after} ms of idle time, {lost} ms lost')
    check(lost <= idle, f'{lost} ms lost, but {idle} ms')


def test_correlation(cli):
    """A rank may arrive last in two collectives at once. The figures of its waits do not depend on the order of the files."""
    with folder() as name:
        run, merged = Path(name) / 'run', Path(name) / 'merged.json'
        generate_parallel(run, '--dp', 2, '--tp', 2, '--pp', 1, '--steps', 4, '--layers', 2, '--micro', 2, '--straggler', '1:1.4', '--seed', 3)
        cli.must('merge', '--quiet', run, '-o', merged)
        ranks = [json.loads(cli.must('report', '--quiet', '--format', 'json', path).stdout)['computed']['collectives']['ranks']
                 for path in (run, merged)]
        same(*[[rank['correlation'] for rank in own] for own in ranks], 'correlations')


def test_limit(cli):
    """Pauses take about 10 % of the time of each device. The limit of 10 % must not report some of these similar devices and pass others."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--micro', 4, '--steps', 3, '--gap-us', 20, '--launch-us', 60, '--seed', 3)
        gaps = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', run).stdout)['findings'][0]
    check('this affects 8 of 8 devices' in gaps['sentence'], gaps['sentence'])


def test_cards(cli):
    """A run without communication has no cards about exposed communication, which would show 0 %."""
    lines = read_pages(cli, CORPUS / 'nsight' / 'healthy_1pct.sqlite')
    card(lines, 'GPUs Busy (from Trace)')
    same([line for line in lines if line in ('Exposed Communication', 'Exposed Waiting')], [], 'cards')


def main():
    need(shared_folder('tools'), CORPUS)
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('steps without devices', test_unrecorded_steps, cli)
    tap.case('unequal numbers of steps', test_unequal_steps, cli)
    tap.case('kernels without launches', test_no_launches, cli)
    tap.case('waits on the summary and the page Stragglers', test_waits, cli)
    tap.case('busy and idle devices', test_busy, cli)
    tap.case('shares of the recorded time', test_recorded_time, cli)
    tap.case('shares of the recorded time of several GPUs', test_recorded_time_of_gpus, cli)
    tap.case('the cost of a slow rank', test_saving, cli)
    tap.case('extra time of a slow rank', test_extra_time, cli)
    tap.case('waits that overlap', test_overlap, cli)
    tap.case('the cost of a slow link', test_link, cli)
    tap.case('waits before the first kernel', test_start, cli)
    tap.case('idle time on the page, as text and in JSON', test_idle_of_first_work, cli)
    tap.case('lateness of ranks, and that of a merged file', test_correlation, cli)
    tap.case('similar devices near a limit', test_limit, cli)
    tap.case('no cards without communication', test_cards, cli)
    tap.done()


if __name__ == '__main__':
    main()
