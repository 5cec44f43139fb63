# SPDX-License-Identifier: Apache-2.0
"""Tests transfers of collectives and messages: sizes, bandwidths and slow links of runs whose figures are calculated by hand
(formats/analysis-2.md, section 6), and of generated runs with tables of expected values, if these are available."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, Cli, Tap, check, folder, generate_parallel, same, shared_folder  # noqa: E402

ORACLE, SHARED = shared_folder('oracle'), shared_folder('.')
BASE_NS = 1700000000000000000
CASES = ('parallel-1f1b-ideal', 'parallel-experts', 'parallel-straggler-link', 'parallel-tp-pp')


def kernel(name, begin_us, dur_us, ranks, sequence, elements=None, dtype='BFloat16', ends=None, out=None):
    """Returns a NCCL kernel with the args that PyTorch writes. `ends` is (sender, receiver) of a message."""
    args = {'Collective name': name, 'Group size': len(ranks), 'Process Group Name': str(ranks[0]), 'Process Group Ranks': str(ranks),
            'Seq': sequence}
    if elements is not None:
        args |= {'In msg nelems': elements, 'Out msg nelems': out if out is not None else elements, 'dtype': dtype}
    if ends is not None:
        args |= {'Src Rank': ends[0], 'Dst Rank': ends[1]}
    kind = 'SendRecv' if ends is not None else 'AllReduce'
    return {'ph': 'X', 'cat': 'kernel', 'name': f'ncclDevKernel_{kind}_bf16', 'pid': 0, 'tid': 20, 'ts': begin_us, 'dur': dur_us, 'args': args}


def write_rank(place, rank, events, n_ranks=4):
    document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': n_ranks}, 'baseTimeNanoseconds': BASE_NS,
                'traceEvents': [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}, *events]}
    (Path(place) / f'rank{rank}.pt.trace.json').write_text(json.dumps(document))


def write(place, by_rank):
    for rank, events in by_rank.items():
        write_rank(place, rank, events, len(by_rank))


def groups(cli, place):
    document = json.loads(cli.must('report', '--format', 'json', '-o', '-', place, allowed=(DONE,)).stdout)
    return document, document['computed']['transfers']['groups']


def one(groups, name, ranks):
    found = [group for group in groups if group['name'] == name and group['ranks'] == ranks]
    same(len(found), 1, f'{name} of {ranks}')
    return found[0]


def test_bandwidth(cli):
    """Four ranks arrive 120, 100, 60 and 50 µs before they leave together, so the transfer of 8 MiB takes 50 µs."""
    ranks, lengths = [0, 1, 2, 3], (120, 100, 60, 50)
    for name, elements, out, factor in (('allreduce', 4194304, 4194304, 1.5), ('_reduce_scatter_base', 4194304, 1048576, 0.75),
                                        ('_allgather_base', 1048576, 4194304, 0.75), ('broadcast', 4194304, 4194304, 1)):
        with folder() as place:
            write(place, {rank: [kernel(name, 1000 * i - length, length, ranks, i, elements, out=out) for i in range(1, 6)]
                          for rank, length in zip(ranks, lengths)})
            group = one(groups(cli, place)[1], name, ranks)
            same((group['transfers'], group['bytes'], group['median_ns'], group['shortest_ns'], group['longest_ns']),
                 (5, 8388608, 50000, 50000, 50000), name)
            check(abs(group['bytes_per_s'] - 167.77216e9) < 1, f'{name}: {group["bytes_per_s"]}')
            check(abs(group['bus_bytes_per_s'] - factor * 167.77216e9) < 1, f'{name}: {group["bus_bytes_per_s"]}')
            same((group['slow'], group.get('typical_ns')), (False, None), 'a group without others to compare with')


def pair(first, second, transfer_us, elements=4096, name='allreduce', n=4):
    """Returns collectives of two ranks: the second rank arrives 20 µs late, and then the transfer takes place."""
    ranks = [first, second]
    return {first: [kernel(name, 1000 * i, 20 + transfer_us, ranks, i, elements) for i in range(1, n + 1)],
            second: [kernel(name, 1000 * i + 20, transfer_us, ranks, i, elements) for i in range(1, n + 1)]}


def test_slow(cli):
    """One of four pairs of ranks takes three times as long as the others and is slow. Transfers of another size take that long on all
    four pairs and are not slow."""
    with folder() as place:
        run = pair(0, 1, 10) | pair(2, 3, 10) | pair(4, 5, 30) | pair(6, 7, 10)
        for first in 0, 2, 4, 6:
            for rank, events in pair(first, first + 1, 30, elements=99999).items():
                run[rank] += [event | {'ts': event['ts'] + 500, 'args': event['args'] | {'Seq': event['args']['Seq'] + 100}} for event in events]
        write(place, run)
        document, found = groups(cli, place)
        same([group['ranks'] for group in found if group['slow']], [[4, 5]], 'slow groups')
        slow = found[0]
        same((slow['ranks'], slow['bytes'], slow['median_ns'], slow['typical_ns']), ([4, 5], 8192, 30000, 10000), 'order of groups')
        finding = [one for one in document['findings'] if one['rule'] == 'SlowLink'][0]
        check('ranks 4, 5 take 3.0 times' in finding['sentence'], finding['sentence'])
        same(finding['lost_ns'], 4 * 20000, 'time lost')
        same(finding['places'], 4, 'all slow transfers are marked')


def test_few(cli):
    """Groups with only two transfers are not compared; a factor of up to 1.5 is not a slow link."""
    with folder() as place:
        run = pair(0, 1, 10) | pair(2, 3, 14)
        for first, transfer_us in ((0, 10), (2, 30)):
            for rank, events in pair(first, first + 1, transfer_us, elements=99999, n=2).items():
                run[rank] += [event | {'ts': event['ts'] + 500, 'args': event['args'] | {'Seq': event['args']['Seq'] + 100}} for event in events]
        write(place, run)
        document, found = groups(cli, place)
        same(sorted((group['transfers'], group['slow'], group.get('typical_ns')) for group in found),
             [(2, False, None), (2, False, None), (4, False, 10000), (4, False, 14000)], 'groups')
        same([one for one in document['findings'] if one['rule'] == 'SlowLink'], [], 'no finding')


def test_messages(cli):
    """A message takes as long as the shorter one of its send and its receive, because the other side waits. The
    messages of each direction form a separate group."""
    with folder() as place:
        there = [(0, kernel('send', 1000 * i, 50, [0, 1], i, 2048, ends=(0, 1))) for i in range(4)] + \
                [(1, kernel('recv', 1000 * i + 40, 10, [0, 1], i, 2048, ends=(0, 1))) for i in range(4)]
        back = [(1, kernel('send', 1000 * i + 500, 20, [0, 1], i, 2048, ends=(1, 0))) for i in range(4)] + \
               [(0, kernel('recv', 1000 * i + 480, 40, [0, 1], i, 2048, ends=(1, 0))) for i in range(4)]
        write(place, {rank: [event for own, event in there + back if own == rank] for rank in (0, 1)})
        found = groups(cli, place)[1]
        for ranks, median_ns in (([0, 1], 10000), ([1, 0], 20000)):
            group = one(found, 'message', ranks)
            same((group['transfers'], group['median_ns'], group['bytes']), (4, median_ns, 4096), str(ranks))
        same(one(found, 'message', [1, 0])['slow'], True, 'one way takes twice as long')


def test_unknown_size(cli):
    """Collectives without a size, with an unknown type, an invalid or too large size, or different sizes on each rank have times but
    no bandwidth."""
    for change in ({'dtype': 'Complex'}, {'In msg nelems': 'many'}, {'In msg nelems': -1}, {'In msg nelems': 1 << 62}, {'Collective name': 'all_to_allv'}, None):
        with folder() as place:
            run = pair(0, 1, 10)
            for events in run.values():
                for event in events:
                    event['args'] |= change or {}
                    if change is None:
                        del event['args']['dtype'], event['args']['In msg nelems']
            write(place, run)
            group = groups(cli, place)[1][0]
            same((group.get('bytes'), group['bytes_per_s'], group['median_ns']), (None, None, 10000), str(change))


def test_places(cli):
    """Groups within a node and between nodes are not compared with each other."""
    with folder() as place:
        write(place, pair(0, 1, 10) | pair(2, 3, 30))
        for rank in range(4):
            path = Path(place) / f'rank{rank}.pt.trace.json'
            document = json.loads(path.read_text()) | {'host_name': 'a' if rank < 3 else 'b'}
            path.write_text(json.dumps(document))
        found = {tuple(group['ranks']): group for group in groups(cli, place)[1]}
        same({ranks: group['place'] for ranks, group in found.items()}, {(0, 1): 'node', (2, 3): 'network'}, 'places')
        same([group['slow'] for group in found.values()], [False, False], 'slow')


def message(kind, begin_us, dur_us, number, ends):
    return kernel(kind, begin_us, dur_us, [0, 1], number, 2048, ends=ends)


def test_bubbles(cli):
    """Rank 1 receives a message every 100 µs and waits 60 µs for it; rank 0 never waits. Both have a first kernel at 0 and a last one that
    ends at 2,000 µs."""
    with folder() as place:
        work = [{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': begin, 'dur': 10} for begin in (0, 1990)]
        write(place, {0: work + [message('send', 100 * i + 70, 10, i, (0, 1)) for i in range(19)],
                      1: work + [message('recv', 100 * i + 10, 70, i, (0, 1)) for i in range(19)]})
        findings = {one['rule']: one for one in groups(cli, place)[0]['findings']}
        check(f'Rank 1 waits for messages from other ranks for {100 * 19 * 60 / 2000:.1f} % of its time' in findings['PipelineBubbles']['sentence'] and
              'this affects 1 of 1 ranks' in findings['PipelineBubbles']['sentence'], findings['PipelineBubbles']['sentence'])
        same(findings['PipelineBubbles']['lost_ns'], 19 * 60000, 'time lost')


def test_experts(cli):
    """In every all-to-all of two ranks, rank 0 waits 30 µs, which is 30 % of its time: ExpertImbalance fires. It does not fire for an
    all-reduce."""
    for name, fires in (('all_to_allv', True), ('allreduce', False)):
        with folder() as place:
            write(place, {rank: [kernel(name, 100 * i + early, 100 - early, [0, 1], i, 2048) for i in range(1, 21)] for rank, early in ((0, 0), (1, 30))})
            found = [one for one in groups(cli, place)[0]['findings'] if one['rule'] == 'ExpertImbalance']
            same(len(found), fires, name)
            if fires:
                check('Rank 0 waits in all-to-all collectives for 30.0 % of its time' in found[0]['sentence'], found[0]['sentence'])
                same(found[0]['lost_ns'], 20 * 30000, 'time lost')


def test_oracle(cli, case):
    """Counts, median transfers and bandwidths of all groups equal those that the generator states. Two runs with planted faults
    (different clocks, a truncated file) are excluded, because a few of their medians differ."""
    expected = json.loads((ORACLE / case / 'expected.json').read_text())
    with folder() as place:
        words = [place if word == 'OUT' else word for word in shlex.split(expected['data'])]
        subprocess.run([sys.executable, str(SHARED / words[0]), *words[1:]], stdout=subprocess.DEVNULL, check=True, timeout=200)
        (Path(place) / 'truth.json').unlink()
        found, n = groups(cli, place)[1], 0
        for truth in expected['truth']['bandwidth']:
            own = [group for group in found if group['ranks'] == truth['ranks'] and group.get('bytes') in truth['bytes'] and
                   (group['name'] == 'message') == (truth['axis'] == 'pp')]
            same([group['transfers'] for group in own], [truth['count']], str(truth))
            check(abs(own[0]['median_ns'] - truth['median_transfer_ns']) <= 1, str((truth, own[0])))
            bus = truth['busbw_GBps_of_median']
            check(bus is None or abs(own[0]['bus_bytes_per_s'] / 1e9 - bus) <= 1e-4 * bus, str((truth, own[0])))
            n += 3
        print(f'# {case}: {n} values are equal')


def test_cut_wait(cli):
    """If a range cuts a wait, only the part inside the range counts: here 10 ms in a range of 80 ms, that is, 12.5
    %."""
    with folder() as place:
        gemms = [{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': 1000000 * i + 960000, 'dur': 1000} for i in range(4)]
        meet = [[kernel('all_to_allv', 1000000 * i + begin, 950000 - begin, [0, 1], i + 1, 1000) for i in range(4)] for begin in (10000, 900000)]
        write(place, {rank: sorted(meet[rank] + gemms, key=lambda event: event['ts']) for rank in (0, 1)})
        inside = json.loads(cli.must('rules', '--format', 'json', '--clock=none', f'--start-ns={BASE_NS + 890000000}', f'--end-ns={BASE_NS + 970000000}',
                                     place, allowed=(DONE,)).stdout)['ExpertImbalance']
        same(' 12.5 %' in inside['Sentence'], True, inside['Sentence'])


def of_range(cli, command, place, begin_us, end_us):
    return json.loads(cli.must(*command, '--format', 'json', '--clock=none', f'--start-ns={BASE_NS + begin_us * 1000}', f'--end-ns={BASE_NS + end_us * 1000}',
                               place, allowed=(DONE,)).stdout)


def test_cut_lateness(cli):
    """In a range that begins after the last rank arrived, no rank waits: all time in collectives is transfer."""
    with folder() as place:
        gemms = [{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': ts, 'dur': 2000} for ts in (1000, 1950000)]
        for rank in range(4):
            arrival = 1000000 if rank == 3 else 10000
            meet = [kernel('allreduce', arrival, 1600000 - arrival, [0, 1, 2, 3], 1, 1000)]
            meet += [kernel('allreduce', 1610000 + 15000 * i, 2000, [0, 1, 2, 3], i + 2, 1000) for i in range(12)]
            write_rank(place, rank, sorted(meet + gemms, key=lambda event: event['ts']))
        after = of_range(cli, ('rules',), place, 1010000, 2000000)['CommunicationShare']
        same((after['Status'], 'waiting for' in after['Sentence']), ('fired', False), after['Sentence'])
        whole = of_range(cli, ('rules',), place, 10000, 2000000)['CommunicationShare']
        check('waiting for rank 3, which arrives late' in whole['Sentence'], whole['Sentence'])


def test_cut_transfer(cli):
    """If a range cuts a transfer, only the part inside the range counts. For the pair of ranks 0 and 1, this is 1 ms of
    a transfer of 1.5 s, besides 19 whole transfers of 5 ms. Transfers of the other two pairs take 1 ms, so the link of
    ranks 0 and 1 is slow."""
    with folder() as place:
        for rank in range(6):
            pair = [rank // 2 * 2, rank // 2 * 2 + 1]
            slow = pair[0] == 0
            write_rank(place, rank, [kernel('allreduce', 10000, 1500000 if slow else 1000, pair, 1, 1000)] +
                       [kernel('allreduce', 1520000 + 15000 * i, 5000 if slow else 1000, pair, i + 2, 1000) for i in range(19)])
        report = of_range(cli, ('report', '-o', '-'), place, 1509000, 1809000)
        group = one(report['computed']['transfers']['groups'], 'allreduce', [0, 1])
        same((group['transfers'], group['total_ns']), (20, 96000000), 'transfers and their time inside the range')
        same([finding['lost_ns'] for finding in report['findings'] if finding['rule'] == 'SlowLink'], [76999333], 'time lost')


def write_job(place, node, late_us):
    """Writes a job of four ranks on one node: an all-reduce of ranks 0 and 1 and of ranks 2 and 3, in which the later rank arrives
    `late_us` late, and 12 messages from rank 0 to 2 and from rank 1 to 3, in which the receiver arrives 30 µs late."""
    for rank in range(4):
        pair, ends = [rank // 2 * 2, rank // 2 * 2 + 1], [rank % 2, rank % 2 + 2]
        late = rank % 2 * late_us
        events = []
        for i in range(12):
            begin = 10_000 * i + late_us
            events.append(kernel('allreduce', begin + late, 500 - late, pair, i, 1000))
            receives = 30 if rank > 1 else 0
            events.append(kernel('recv' if rank > 1 else 'send', begin + 1000 + receives, 100 - receives, ends, i, 1000, ends=ends))
        write_rank(place, rank, events)
        (Path(place) / f'rank{rank}.pt.trace.json').rename(Path(place) / f'{node}_{100 + rank}.1700000000000.pt.trace.json')


def test_two_jobs(cli):
    """Two jobs with equal ranks and groups on different nodes, as files or merged into one: each keeps its messages, and its ranks have
    rows of their own. Messages wait 30 µs and take 70 µs."""
    with folder() as place, folder() as other:
        write_job(place, 'nodea', 20)
        write_job(place, 'nodeb', 50)
        cli.must('merge', '--quiet', place, '-o', Path(other) / 'jobs.json')
        found = [groups(cli, path)[0]['computed'] for path in (place, other)]
    for computed in found:
        messages = [group for group in computed['transfers']['groups'] if group['name'] == 'message']
        same([(group['ranks'], group['transfers'], group['median_ns']) for group in sorted(messages, key=lambda group: group['ranks'])],
             [([0, 2], 24, 70_000), ([1, 3], 24, 70_000)], 'messages')
        same(computed['transfers']['count'], 2 * (24 + 24), 'transfers of both jobs')
        same(sorted((rank['node'], rank['rank'], rank['collectives'], rank['last'], rank['others_wait_ns'])
                    for rank in computed['collectives']['ranks']),
             [(node, rank, 12, 12 * (rank % 2), 12_000 * late * (rank % 2)) for node, late in (('nodea', 20), ('nodeb', 50)) for rank in range(4)],
             'ranks of both jobs')


def test_apart(cli):
    """The data-parallel ranks of each pipeline stage share collectives, but the two stages share only messages, so their clocks are not
    aligned with each other. All places say so: the text and JSON of the report, and the verdicts of the clocks."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--steps', 4)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', run).stdout
        transfers = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', run).stdout)['computed']['transfers']
        n = sum(group['transfers'] for group in transfers['groups'] if group['name'] == 'message')
        same(transfers['unaligned_messages'], n, 'messages between clocks that are not aligned')
        check(f'  {n} of {n} messages are between clocks that are not aligned with each other' in text, text)
        for page in ('Collectives', 'Parallelism'):
            check(f'  {page}: {n} of {n} messages connect ranks whose clocks are not aligned with each other.' in text, text)
        verdicts = [line.split(':')[0].split() for line in cli.must('align', '--quiet', '--format', 'text', run).stdout.splitlines() if line.startswith('    verdict ')]
        same(verdicts, [['verdict', 'good', 'in', 'its', 'group']] * 8, 'verdicts')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for test in (test_bandwidth, test_slow, test_few, test_messages, test_unknown_size, test_places, test_bubbles, test_experts, test_cut_wait, test_cut_lateness,
                 test_cut_transfer, test_two_jobs, test_apart):
        tap.case(test.__name__[5:].replace('_', ' '), test, cli)
    for case in CASES if ORACLE.exists() else ():
        tap.case(case, test_oracle, cli, case)
    tap.done()


main()
