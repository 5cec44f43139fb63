# SPDX-License-Identifier: Apache-2.0
"""Tests the idle time of devices by cause, and the finding about devices that wait for their host, on runs whose gaps are
calculated by hand (formats/analysis-2.md, section 2)."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, Cli, Tap, check, folder, same  # noqa: E402

BASE_NS = 1700000000000000000
LABEL = {'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}


def launch(number, call_us, begin_us, dur_us, call_dur_us=5, stream=7, flow=True):
    """Returns a call on the host, the kernel that it launches, and the flow between them."""
    events = [{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 100, 'tid': 100, 'ts': call_us, 'dur': call_dur_us},
              {'ph': 'X', 'cat': 'kernel', 'name': 'sgemm', 'pid': 0, 'tid': stream, 'ts': begin_us, 'dur': dur_us}]
    if flow:
        events += [{'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': number, 'pid': 100, 'tid': 100, 'ts': call_us},
                   {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': number, 'pid': 0, 'tid': stream, 'ts': begin_us, 'bp': 'e'}]
    return events


def write(place, rank, events):
    document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 2}, 'baseTimeNanoseconds': BASE_NS, 'traceEvents': [LABEL, *events]}
    (Path(place) / f'rank{rank}.pt.trace.json').write_text(json.dumps(document))


def report(cli, place, *options):
    return json.loads(cli.must('report', '--format', 'json', '-o', '-', *options, place, allowed=(DONE,)).stdout)


def test_gaps(cli):
    """Tests the example of formats/analysis-2.md. Its four kernels have gaps of 1, 9 and 44 µs between them, and delays
    of 1, 4, 1 and 45 µs between the end of the launching call and the start of the kernel."""
    with folder() as place:
        write(place, 0, [event for number, (call, begin) in enumerate(((0, 6), (8, 17), (30, 36), (40, 90))) for event in launch(number + 1, call, begin, 10)])
        idle = report(cli, place)['computed']['idle']
        same('missing' in idle, False, 'nothing is missing')
        row = idle['streams'][0]
        same({cause: (gaps['gaps'], gaps['total_ns']) for cause, gaps in row['causes'].items()},
             {'host': (1, 9000), 'launch_gap': (1, 1000), 'other': (1, 44000), 'unknown': (0, 0)}, 'causes')
        same((row['rank'], row['device'], row['idle_ns'], row['recorded_ns'], row['spans'], row['longest_queue'], row['queued_ns']),
             (0, 'GPU 0', 54000, 94000, 4, 1, 71000), 'stream')
        same({member: idle['launches'][0][member] for member in ('name', 'launches', 'delay_ns', 'longest_delay_ns', 'short_kernels')},
             {'name': 'cudaLaunchKernel', 'launches': 4, 'delay_ns': 51000, 'longest_delay_ns': 45000, 'short_kernels': 0}, 'launches')


def sum_launches(cli, place, *options):
    row, = report(cli, place, *options)['computed']['idle']['launches']
    return row['launches'], row['host_ns'], row['device_ns'], row['delay_ns'], row['longest_delay_ns']


def test_launches_in_range(cli):
    """The time of launches counts only as far as it lies inside the range, so that the parts of a run add up to the
    whole. Three calls at 0, 100 and 200 µs take 20 µs each. Their kernels begin 50 µs after the call begins, and take
    60, 30 and 30 µs. Cuts at 60 and 160 µs lie in a kernel, the cut at 110 µs lies in the second call, and cuts at 130
    and 230 µs lie between a call and its kernel. A launch counts if any part of it is inside the range."""
    with folder() as place:
        write(place, 0, [event for number, (call, dur) in enumerate(((0, 60), (100, 30), (200, 30)))
                         for event in launch(number + 1, call, call + 50, dur, call_dur_us=20)])
        same(sum_launches(cli, place), (3, 60000, 120000, 90000, 30000), 'launches')
        for cut_us, before, after in ((60, (1, 20000, 10000, 30000, 30000), (3, 40000, 110000, 60000, 30000)),
                                      (110, (2, 30000, 60000, 30000, 30000), (2, 30000, 60000, 60000, 30000)),
                                      (130, (2, 40000, 60000, 40000, 30000), (2, 20000, 60000, 50000, 30000)),
                                      (160, (2, 40000, 70000, 60000, 30000), (2, 20000, 50000, 30000, 30000)),
                                      (230, (3, 60000, 90000, 70000, 30000), (1, 0, 30000, 20000, 30000))):
            cut_ns = BASE_NS + 1000 * cut_us
            same(sum_launches(cli, place, f'--end-ns={cut_ns}'), before, f'launches up to {cut_us} µs')
            same(sum_launches(cli, place, f'--start-ns={cut_ns}'), after, f'launches from {cut_us} µs on')


def with_id(event, number):
    return {**event, 'args': {'correlation': number}}


def test_ids(cli):
    """Launches without flow events are found by equal correlation ids, both for single kernels and for the kernels of a
    CUDA graph, of which only the first has a flow event. If a call contains another call with the same id, only the
    inner call counts as the launch."""
    (call, first), flows = launch(7, 100, 110, 10)[:2], launch(7, 100, 110, 10)[2:]
    graph = [with_id({**call, 'name': 'cudaGraphLaunch'}, 7), *(with_id({**first, 'ts': 110 + 20 * i}, 7) for i in range(3)), *flows]
    inner = with_id({'ph': 'X', 'cat': 'cuda_driver', 'name': 'cuLaunchKernel', 'pid': 100, 'tid': 100, 'ts': 301, 'dur': 2}, 9)
    events = [with_id(event, 3) for event in launch(3, 0, 6, 10, flow=False)] + graph + [with_id(event, 9) for event in launch(9, 300, 306, 10, flow=False)] + [inner]
    events += [with_id(event, 0) for event in launch(0, 400, 406, 10, flow=False)] + [with_id({**first, 'ts': 430}, 5)]  # no id, and no call with this id
    with folder() as place:
        write(place, 0, events)
        computed = report(cli, place)['computed']
        same({row['name']: (row['launches'], row['host_ns'], row['device_ns'], row['delay_ns']) for row in computed['idle']['launches']},
             {'cudaLaunchKernel': (1, 5000, 10000, 1000), 'cudaGraphLaunch': (1, 5000, 30000, 5000), 'cuLaunchKernel': (1, 2000, 10000, 3000)}, 'launches')
        same((computed['operators']['kernels'], computed['operators']['unlinked']), (7, 2), 'kernels without launch')


def host_bound(first_us, n):
    """Returns kernels of 10 µs every 100 µs, each launched 20 µs before it begins. In the middle of each gap the host decodes an image."""
    events = []
    for i in range(n):
        begin = first_us + 100 * i
        events += launch(i + 1, begin - 20, begin, 10)
        events.append({'ph': 'X', 'cat': 'cpu_op', 'name': 'decode_image', 'pid': 100, 'tid': 100, 'ts': begin + 20, 'dur': 50})
    return events


def test_finding(cli):
    """The finding HostBound names the device, its share of idle time and the number of affected devices. IdleGPU is listed as its
    effect, not as a finding."""
    with folder() as place:
        write(place, 0, host_bound(100, 40))
        write(place, 1, host_bound(100, 40))
        document = report(cli, place)
        finding = document['findings'][0]
        same(finding['rule'], 'HostBound', 'first finding')
        same([effect['rule'] for effect in finding['effects']], ['IdleGPU'], 'effects')
        check(all(other['rule'] != 'IdleGPU' for other in document['findings']), 'an effect is listed twice')
        # 39 gaps of 90 µs in 3,910 µs.
        check(f'waits for the host for {100 * 39 * 90 / 3910:.1f} % of its time; this affects 2 of 2 devices' in finding['sentence'], finding['sentence'])
        same(finding['lost_ns'], 2 * 39 * 90000, 'time lost')


def test_named(cli):
    """The sentence names the device that loses the most time, and not one that loses a larger share of a short recording: rank 0 waits
    for 90 of 110 µs, rank 1 for 39 gaps of 70 µs."""
    with folder() as place:
        write(place, 0, host_bound(100, 2))
        write(place, 1, [event for i in range(40) for event in launch(i + 1, 80 + 100 * i, 100 + 100 * i, 30)])
        sentence = report(cli, place)['findings'][0]['sentence']
        check(f'GPU 0 of rank 1 waits for the host for {100 * 39 * 70 / 3930:.1f} % of its time; this affects 2 of 2 devices' in sentence, sentence)


def loading(n, data_us):
    """Returns `n` steps of 1 ms: a wait for data of `data_us`, then ten kernels of 18 µs, one launched every 20 µs."""
    events = []
    for step in range(n):
        begin = 1000 * step
        events.append({'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{step}', 'pid': 100, 'tid': 100, 'ts': begin, 'dur': 1000})
        events.append({'ph': 'X', 'cat': 'user_annotation', 'name': 'enumerate(DataLoader)#_Iter.__next__', 'pid': 100, 'tid': 100, 'ts': begin + 1, 'dur': data_us})
        for i in range(10):
            events += launch(10 * step + i + 1, begin + 790 + 20 * i, begin + 800 + 20 * i, 18)
    return events


def test_hidden_data(cli):
    """Waits for data cost nothing if the host runs ahead of the device, which then always has queued work."""
    events = []
    for step in range(12):
        begin = step * 1000
        events.append({'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{step}', 'pid': 100, 'tid': 100, 'ts': begin, 'dur': 1000})
        events.append({'ph': 'X', 'cat': 'user_annotation', 'name': 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 'pid': 100, 'tid': 100, 'ts': begin + 1, 'dur': 150})
        for i in range(10):
            events += launch(10 * step + i + 1, begin + 160 + 80 * i, begin + 900 + 100 * i, 100)
    with folder() as place:
        write(place, 0, events)
        document = report(cli, place)
        same([finding['rule'] for finding in document['findings'] if finding['rule'] == 'DataLoadingStalls'], [], 'findings')
        result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['DataLoadingStalls']
        same(result['Status'], 'passed', result['Sentence'])
        check('the devices were not held up, because they had queued work meanwhile' in result['Sentence'], result['Sentence'])
        rule = {'name': 'InputWaits', 'of': 'spans', 'where': {'name': 'DataLoader'}, 'per': 'rank', 'window': 'step', 'statistic': 'share', 'above': '10 %', 'sentence': '{who} waits'}
        for devices, status in (('any', 'fired'), ('idle', 'passed')):
            own = Path(place).parent / f'{devices}.json'
            own.write_text(json.dumps({'traceloom-rules': 1, 'rules': [{**rule, 'devices': devices}]}))
            result = json.loads(cli.must('rules', '--rules', str(own), '--format', 'json', place, allowed=(DONE,)).stdout)['InputWaits']
            same(result['Status'], status, f'a rule with the devices "{devices}"')


def test_queue_in_range(cli):
    """Ten kernels of 10 ms are all launched at the beginning. While the fifth one runs, five others are queued."""
    with folder() as place:
        write(place, 0, [event for i in range(10) for event in launch(i + 1, i, 1000 + 10000 * i, 10000)])
        begin, end = BASE_NS + 41000000, BASE_NS + 51000000
        report = cli.must('report', '--format', 'json', '-o', '-', f'--start-ns={begin}', f'--end-ns={end}', place, allowed=(DONE,))
        stream = json.loads(report.stdout)['computed']['idle']['streams'][0]
        same((stream['longest_queue'], stream['mean_queue'], stream['queued_ns']), (5, 5, 10000000), 'queue')


def test_data(cli):
    """Time in which a rank waits for its batch counts as lost only once: in the finding DataLoadingStalls, which lists
    IdleGPU as its effect. HostBound counts only other time. The sentence states the number of steps of the rank that it
    names."""
    with folder() as place:
        write(place, 0, loading(12, 700))
        write(place, 1, loading(12, 650))
        document = report(cli, place)
        same([finding['rule'] for finding in document['findings']], ['DataLoadingStalls'], 'findings')
        finding = document['findings'][0]
        same([effect['rule'] for effect in finding['effects']], ['IdleGPU'], 'effects')
        check('Each of 2 ranks waits for data in 12 of 12 steps, for 70.0 % of the time of all steps, up to 70.0 % of one step' in finding['sentence'], finding['sentence'])
        same(finding['lost_ns'], 12 * 1350000, 'time lost')
        devices = document['computed']['idle']['devices']
        # The wait in the first step precedes the first kernel, so it is not idle time between kernels and does not
        # count.
        same([device['data_wait_ns'] for device in devices], [11 * 700000, 11 * 650000], 'waits for data of devices')
        result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['HostBound']
        same(result['Status'], 'passed', result['Sentence'])
        check('waits for data (another' in result['Sentence'], result['Sentence'])
    with folder() as place:
        write(place, 0, loading(12, 300))
        document = report(cli, place)
        # There are 11 gaps of 802 µs between steps, each with a wait of 300 µs, and short gaps between the kernels of a
        # step.
        host = next(finding for finding in document['findings'] if finding['rule'] == 'HostBound')
        device = document['computed']['idle']['devices'][0]
        same(host['lost_ns'], device['causes']['host']['total_ns'] - 11 * 300000, 'lost to the host')
        check(host['lost_ns'] >= 11 * 502000, host['sentence'])


def test_unnamed_data(cli):
    """Without steps DataLoadingStalls cannot fire: HostBound counts the waits for data and mentions them."""
    with folder() as place:
        write(place, 0, [event for event in loading(12, 700) if not event['name'].startswith('ProfilerStep')])
        document = report(cli, place)
        same([finding['rule'] for finding in document['findings']], ['HostBound'], 'findings')
        host, device = document['findings'][0], document['computed']['idle']['devices'][0]
        total_ns = device['causes']['host']['total_ns']
        same(host['lost_ns'], total_ns, 'lost to the host')
        check(f'; for {100 * 11 * 700000 / total_ns:.0f} % of this time, the rank of the device waits for data' in host['sentence'], host['sentence'])


def test_short_data(cli):
    """The finding HostBound does not mention waits for data of less than 1 % of the time."""
    for data_us, said in ((5, False), (20, True)):
        with folder() as place:
            write(place, 0, loading(12, data_us))
            result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['HostBound']
            same((result['Status'], 'waits for data' in result['Sentence']), ('fired', said), result['Sentence'])


def test_fetching_thread(cli):
    """Waits of a thread that prefetches batches delay no launch, so they change neither the finding nor the figures."""
    with folder() as place:
        events = loading(12, 700)
        for event in events:
            if event['name'].startswith('enumerate'):
                event['tid'] = 101
        write(place, 0, events)
        document = report(cli, place)
        same([finding['rule'] for finding in document['findings']], ['HostBound'], 'findings')
        same(document['computed']['data_loading'].get('ranks', []), [], 'waits for data of ranks')
        same(document['computed']['idle']['devices'][0]['data_wait_ns'], 0, 'waits for data of the device')
        result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['HostBound']
        same((result['Status'], 'data' in result['Sentence']), ('fired', False), result['Sentence'])


def test_two_causes(cli):
    """One rank waits for data, the other for its host. IdleGPU is an effect of both findings together and is listed under the
    larger one, which comes first."""
    with folder() as place:
        write(place, 0, loading(12, 700))
        write(place, 1, [event for event in loading(12, 700) if not event['name'].startswith('enumerate')])
        findings = report(cli, place)['findings']
        same([finding['rule'] for finding in findings], ['HostBound', 'DataLoadingStalls'], 'findings')
        same([[effect['rule'] for effect in finding.get('effects', [])] for finding in findings], [['IdleGPU'], []], 'effects')


def queued(n, pause_us):
    """Returns `n` kernels of 40 µs, all launched at the beginning, with a pause before each."""
    return [event for i in range(n) for event in launch(i + 1, 6 * i, 1000 + (40 + pause_us) * i, 40)]


def test_pauses(cli):
    """Pauses before queued kernels are a finding if they take much time; then HostBound does not fire."""
    for pause_us, status in ((1, 'passed'), (4, 'passed'), (10, 'fired')):
        with folder() as place:
            write(place, 0, queued(150, pause_us))
            write(place, 1, queued(150, 2))
            result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)
            one = result['LaunchGaps']
            same((one['Status'], result['HostBound']['Status']), (status, 'passed'), one['Sentence'])
            if status == 'fired':
                share = 100 * 149 * 10 / (149 * 50 + 40)
                same(one['Sentence'], f'GPU 0 of rank 0 spends {share:.1f} % of its time in pauses before kernels that are already queued; a pause takes 10.0 µs on average, and a kernel takes '
                     '40.0 µs; this affects 1 of 2 devices', 'sentence')
                finding = report(cli, place)['findings'][0]
                same((finding['lost_ns'], finding['places']), (149 * 10000, 50), 'time lost; the longest pauses of both devices are kept, and those of the first are marked')
    with folder() as place:
        write(place, 0, queued(100, 20))
        one = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['LaunchGaps']
        same((one['Status'], one['Sentence']), ('not enough data', 'not enough data (99 of 100 pauses of a device)'), 'few kernels')
    # Pauses of other devices do not explain the idle time of GPU 0 of rank 5, whose kernels wait for something else.
    with folder() as place:
        for rank in range(5):
            write(place, rank, queued(400, 10 if rank == 0 else 4))
        write(place, 5, queued(220, 40.5))
        findings = {finding['rule']: finding for finding in report(cli, place)['findings']}
        same(set(findings), {'LaunchGaps', 'IdleGPU'}, 'an idle device')
        check('GPU 0 of rank 5' in findings['IdleGPU']['sentence'], findings['IdleGPU']['sentence'])


def test_queue(cli):
    """A launch adds a kernel to the queue of a stream, the start of a kernel removes one. A queue of 1000 or more counts as full:
    here from the 1000th launch to the third start."""
    for n, full_us in ((999, 0), (1002, 7000 + 2 * 50 - 999 * 6)):
        with folder() as place:
            write(place, 0, [event for i in range(n) for event in launch(i + 1, 6 * i, 7000 + 50 * i, 40)])
            row = report(cli, place)['computed']['idle']['streams'][0]
            same((row['longest_queue'], row['full_queue_ns']), (n, 1000 * full_us), f'{n} launches')


def test_graph(cli):
    """A CUDA graph launches 1,500 kernels with one call, so it adds one entry to the queue. Streams 7 and 17 are distinguished."""
    call, _, start, _ = launch(1, 6, 0, 0)
    kernels = [event for i in range(1500) for event in launch(1, 6, 7000 + 50 * i, 40)[1::2]]
    with folder() as place:
        write(place, 0, [call, start, *kernels, *launch(2, 80, 90000, 40, stream=17)])
        row = report(cli, place)['computed']['idle']['streams'][0]
        same((row['longest_queue'], row['full_queue_ns']), (1500, 0), 'a graph')
        for stream, longest in (('7', 1500), ('17', 1), ('%', 1501)):
            query = cli.must('query', '-q', '--format', 'json', '--named', 'launch-queue', '--param', f'stream={stream}', place)
            same(max(moment['queue'] for moment in json.loads(query.stdout)), longest, f'stream {stream}')


def test_limit(cli):
    """The limit of HostBound can be changed. If the launches were not recorded, the cause of gaps is unknown. A device
    that is busy gives no finding."""
    with folder() as place, folder() as other:
        write(place, 0, host_bound(100, 40))
        limits = Path(other) / 'limits.json'
        for threshold, status in ((20, 'fired'), (95, 'passed')):
            limits.write_text(json.dumps({'HostBound': {'threshold': threshold}}))
            result = json.loads(cli.must('rules', '--format', 'json', '--parameters', limits, place, allowed=(DONE,)).stdout)['HostBound']
            same(result['Status'], status, f'limit {threshold}')
    with folder() as place:
        write(place, 0, [event for event in host_bound(100, 40) if event.get('cat') != 'ac2g'])
        result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['HostBound']
        same((result['Status'], result['Sentence']), ('not applicable', 'there are no kernels whose launches are recorded'), 'without flows')
        check('do not contain the launches of the kernels' in report(cli, place)['computed']['idle']['missing'], 'what is missing')
    with folder() as place:
        write(place, 0, [event for i in range(40) for event in launch(i + 1, 95 * i - 300, 100 * i, 98)])
        result = json.loads(cli.must('rules', '--format', 'json', place, allowed=(DONE,)).stdout)['HostBound']
        same(result['Status'], 'passed', result['Sentence'])


def test_messages(cli):
    """A custom rule that excludes messages does not count a waiting send; a rule without this exclusion counts it."""
    with folder() as place, folder() as other:
        send = {'Collective name': 'send', 'Src Rank': 0, 'Dst Rank': 1, 'Process Group Ranks': '[0, 1]', 'Seq': 1, 'Group size': 2}
        write(place, 0, launch(1, 0, 10, 10) + [
            {'ph': 'X', 'cat': 'kernel', 'name': 'ncclDevKernel_SendRecv', 'pid': 0, 'tid': 20, 'ts': 20, 'dur': 70, 'args': send},
            {'ph': 'X', 'cat': 'kernel', 'name': 'ncclDevKernel_AllReduce', 'pid': 0, 'tid': 20, 'ts': 90, 'dur': 20}])
        for messages, share in (('yes', 90), ('no', 20)):
            rule = {'name': 'Mine', 'messages': messages, 'where': {'type': '^kernel$', 'name': 'nccl'}, 'per': 'device', 'statistic': 'share',
                    'above': 1, 'sentence': '{value}'}
            path = Path(other) / 'rule.json'
            path.write_text(json.dumps({'traceloom-rules': 1, 'rules': [rule]}))
            result = json.loads(cli.must('rules', '--format', 'json', '--rules', path, place, allowed=(DONE,)).stdout)['Mine']
            same(result['Sentence'], f'{share}.0 %', messages)


def test_merged(cli):
    """The shortest launch delay of a rank counts as its normal delay: 3 µs for rank 0, and 40 µs for rank 1, whose 59
    gaps of 30 µs are therefore due to the host. A merged file of both ranks gives the same causes and the same critical
    path."""
    with folder() as place:
        run = Path(place) / 'run'
        run.mkdir()
        for rank, delay in enumerate((3, 40)):
            events, call, end = [], 1000, 0
            for i in range(60):
                begin = max(call + delay, end + 1)
                events += launch(i + 1, call, begin, 20, call_dur_us=2)
                end, call = begin + 20, begin + 10
            write(run, rank, events)
        merged = Path(place) / 'merged.json'
        cli.must('merge', '--quiet', '-o', merged, run)
        whole, found = report(cli, run)['computed'], report(cli, merged)['computed']
    for computed in (whole, found):
        same([device['causes']['host']['total_ns'] for device in computed['idle']['devices']], [0, 59 * 30_000], 'idle time due to the host')
    same(found['critical_path']['kinds'], whole['critical_path']['kinds'], 'critical path')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for test in (test_gaps, test_launches_in_range, test_ids, test_finding, test_named, test_data, test_hidden_data, test_unnamed_data, test_short_data,
                 test_fetching_thread, test_two_causes, test_pauses, test_queue, test_graph, test_limit, test_messages, test_queue_in_range,
                 test_merged):
        tap.case(test.__name__[5:].replace('_', ' '), test, cli)
    tap.done()


main()
