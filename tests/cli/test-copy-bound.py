# SPDX-License-Identifier: Apache-2.0
"""Tests CopyBound, the rule about devices that copy memory while they compute nothing, on runs whose shares are calculated by hand."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, Cli, Tap, check, folder, same, shared_folder  # noqa: E402

COPY = 'Memcpy HtoD (Pinned -> Device)'


def work(category, name, begin_us, dur_us, stream=7, device=0):
    return {'ph': 'X', 'cat': category, 'name': name, 'pid': device, 'tid': stream, 'ts': begin_us, 'dur': dur_us}


def copies(n, copy_us, device=0):
    """Returns `n` periods of 100 us: a copy, then a kernel of 20 us. During the kernel a second copy runs on another stream."""
    events = []
    for i in range(n):
        events += [work('gpu_memcpy', COPY, 100 * i, copy_us, device=device),
                   work('kernel', 'sgemm', 100 * i + 80, 20, device=device),
                   work('gpu_memcpy', 'Memcpy DtoH (Device -> Pinned)', 100 * i + 82, 10, stream=9, device=device)]
    return events


def judge(cli, events, *options):
    """Returns the result of the rule CopyBound for a run of one rank."""
    with folder() as place:
        document = {'schemaVersion': 1, 'distributedInfo': {'rank': 3, 'world_size': 4}, 'baseTimeNanoseconds': 1700000000000000000, 'traceEvents': events}
        (Path(place) / 'rank3.pt.trace.json').write_text(json.dumps(document))
        return json.loads(cli.must('rules', '--format', 'json', '--rule', 'CopyBound', *options, place, allowed=(DONE,)).stdout)['CopyBound']


def test_finding(cli):
    """GPU 0: 40 copies of 50 us in 4,000 us are 50 %; GPU 1: 40 of 5 us are 5 %. Copies during kernels do not count.
    The file does not name the devices, so their names are made from their pids."""
    result = judge(cli, copies(40, 50) + copies(40, 5, device=1))
    same(result['Status'], 'fired', result['Sentence'])
    same(result['Sentence'], f'GPU 0 of rank 3 does nothing but copy memory for 50.0 % of its time; the longest of these periods is in “{COPY}”; this affects 1 of 2 devices', 'sentence')
    same(result['Details'], {'GPU 0 of rank 3': 50, 'GPU 1 of rank 3': 5}, 'details')
    same((result['Violations'], result['Datapoints'], len(result['Marks'])), (1, 2, 40), 'counts')
    same({mark['end_ns'] - mark['start_ns'] for mark in result['Marks']}, {50000}, 'marks')


def test_several(cli):
    """If several devices only copy for long, the sentence states their mean and names the device with the longest period, and the page Idle
    Time begins with the copies: 40 copies of 50 us and 40 of 60 us in twice 4,000 us."""
    events = copies(40, 50) + copies(40, 60, device=1)
    same(judge(cli, events)['Sentence'],
         f'2 of 2 devices do nothing but copy memory for 55.0 % of their time; the longest of these periods is in “{COPY}” on GPU 1 of rank 3', 'sentence')
    with folder() as place:
        (Path(place) / 'rank3.pt.trace.json').write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
    check('  Idle Time: The devices do nothing but copy memory for 55.0 % of their time, and are idle for 25.0 % of it.' in text, text[:3000])


def test_marks(cli):
    """If there are many stretches of time with copies only, the result marks the 50 longest."""
    events = [work('gpu_memcpy', COPY, 1000 * i, 400 + i) for i in range(200)]
    result = judge(cli, events + [work('kernel', 'sgemm', 200000, 1)])
    same(sorted(mark['end_ns'] - mark['start_ns'] for mark in result['Marks']), [(400 + i) * 1000 for i in range(150, 200)], 'marks')


def test_limits(cli):
    with folder() as place:
        limits = Path(place) / 'limits.json'
        for threshold, status in ((49, 'fired'), (50, 'passed')):
            limits.write_text(json.dumps({'CopyBound': {'threshold': threshold}}))
            same(judge(cli, copies(40, 50), '--parameters', limits)['Status'], status, f'limit {threshold}')
    same(judge(cli, copies(4, 50))['Sentence'], 'not enough data (8 of 10 copies)', 'few copies')
    hidden = [work('gpu_memcpy', COPY, 20 * i, 5, stream=9, device=1) for i in range(40)] + [work('kernel', 'sgemm', 0, 1000, device=1)]
    same(judge(cli, copies(1, 50) + hidden)['Status'], 'passed', 'a device with few copies beside one whose copies are hidden')
    same(judge(cli, [work('kernel', 'sgemm', 0, 10)])['Sentence'], 'GPU 0 of rank 3 does nothing but copy memory for 0.0 % of its time', 'no copies')
    same(judge(cli, [work('cpu_op', 'aten::mm', 0, 10)])['Status'], 'not applicable', 'no devices')


def test_page(cli):
    """Copies keep a device as busy as kernels, so the page Utilization says how much of the time is copying."""
    with folder() as place:
        document = {'schemaVersion': 1, 'distributedInfo': {'rank': 3, 'world_size': 4}, 'baseTimeNanoseconds': 1700000000000000000, 'traceEvents': copies(40, 50)}
        (Path(place) / 'rank3.pt.trace.json').write_text(json.dumps(document))
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
    line = next(line for line in text.splitlines() if 'Utilization: According to the trace' in line)
    same(line.partition(' on average. ')[2], 'GPUs compute for 20 % of the time, and do nothing but copy memory for 50 %.', line)


def write_page(cli, events):
    """Returns the lines of the text report about the balance of a run of one rank."""
    with folder() as place:
        document = {'schemaVersion': 1, 'distributedInfo': {'rank': 3, 'world_size': 4}, 'baseTimeNanoseconds': 1700000000000000000, 'traceEvents': events}
        (Path(place) / 'rank3.pt.trace.json').write_text(json.dumps(document))
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
    return [line.strip() for line in text.splitlines() if line.strip().startswith('Load Balance')]


def test_balance(cli):
    """A run of one rank without counters of GPUs: the page Load Balance compares its GPUs, or says that there is only one. The file is one
    recording, so a GPU that works for half of the time is idle in the other half."""
    same(write_page(cli, copies(40, 50) + copies(40, 30, device=1)),
         ['Load Balance: 2 GPUs compute about equally long: for 20 % of their recorded time each.'], 'equal')
    half = [work('kernel', 'sgemm', 0, 1000, device=1), work('gpu_memcpy', COPY, 1000, 1000, device=1)]
    same(write_page(cli, copies(40, 50) + half),
         ['Load Balance: The GPUs compute for 20 % (GPU 0) to 25 % (GPU 1) of their recorded time.'], 'unequal')
    with folder() as place:
        (Path(place) / 'one.json').write_text(json.dumps({'traceEvents': copies(40, 50)}))
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, Path(place) / 'one.json')
        check('There is only one GPU, so there is none to compare it with.' in page.read_text(), 'one GPU')


def test_real(cli):
    """Real traces: a program that copies its data to two H100 for a second, and a TPU whose core waits for asynchronous copies."""
    for name, devices in (('nsight/h100_2gpu_1s.sqlite', 2), ('xplane/tpu_inference_2.xplane.pb', 4)):
        path = shared_folder('corpus') / name
        result = json.loads(cli.must('rules', '--format', 'json', '--rule', 'CopyBound', path, allowed=(DONE,)).stdout)['CopyBound']
        same((result['Status'], result['Violations']), ('fired', devices), result['Sentence'])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for test in (test_finding, test_several, test_marks, test_limits, test_page, test_balance):
        tap.case(test.__name__[5:], test, cli)
    if shared_folder('corpus').exists():
        tap.case('real files', test_real, cli)
    tap.done()


main()
