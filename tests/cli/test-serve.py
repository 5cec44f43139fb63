#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests “serve --stdio”, which sends parts of files to another machine, and reading ranges through it: the events equal those of the
file read directly, requests for other files are refused, and connection failures are reported.

Usage: test-serve.py TRACELOOM-CLI"""

import collections
import gzip
import json
import os
import random
import re
import shlex
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, USAGE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
SSH = Path(__file__).resolve().parent / 'fake-ssh.py'
RUN = ['--dp', '2', '--tp', '1', '--pp', '1', '--steps', '6', '--micro', '4', '--layers', '4', '--clock-us', '300', '--seed', '5']
RANK = 1
MAGIC = b'LOOMSRV\n'


# --- an independent client of the protocol ---

class Server:
    def __init__(self, cli, *paths):
        self.process = subprocess.Popen([cli.program, 'serve', '--stdio', *map(str, paths)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.greeting, _ = self.receive()

    def send(self, head, body=b''):
        head = head if isinstance(head, bytes) else json.dumps(head).encode()
        self.raw(MAGIC + struct.pack('<II', len(head), len(body)) + head + body)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self):
        prefix = self.process.stdout.read(16)
        same(prefix[:8], MAGIC, 'magic')
        n_head, n_body = struct.unpack('<II', prefix[8:])
        return json.loads(self.process.stdout.read(n_head)), self.process.stdout.read(n_body)

    def ask(self, head, body=b''):
        self.send(head, body)
        return self.receive()

    def open(self, path):
        return self.ask({'id': 1, 'request': 'open'}, os.fsencode(path))[0]

    def end(self):
        _, stderr = self.process.communicate(timeout=20)
        return self.process.returncode, stderr.decode()


def test_protocol(cli, raw):
    path = trace_of(raw)
    data = path.read_bytes()
    server = Server(cli, raw)
    same(server.greeting['protocol'], 1, 'protocol')
    answer = server.open(path)
    same((answer['bytes'], answer['modified_s']), (len(data), int(path.stat().st_mtime)), 'size and time')
    for offset, n in ((0, 10), (5, 1 << 20), (len(data) - 3, 100), (len(data), 5), (1 << 60, 5)):
        head, body = server.ask({'id': 7, 'request': 'read', 'file': answer['file'], 'offset': offset, 'bytes': n})
        same((head, body), ({'id': 7}, data[offset:offset + n]), f'bytes at {offset}')
    same(server.ask({'id': 8, 'request': 'close', 'file': answer['file']}), ({'id': 8}, b''), 'close')
    same(server.ask({'id': 9, 'request': 'read', 'file': answer['file'], 'offset': 0, 'bytes': 1})[0]['error'], 'request', 'closed')
    same(server.end()[0], DONE, 'status')


def test_refused(cli, raw, place):
    """No file outside of the served folder can be read, through any spelling of its path or any link."""
    served = place / 'served'
    served.mkdir()
    (served / 'a.json').write_text('[]')
    (served / 'link').symlink_to(trace_of(raw))
    (served / 'inside').symlink_to(served / 'a.json')
    (place / 'served-not').mkdir()
    (place / 'served-not' / 'a.json').write_text('[]')
    os.mkfifo(served / 'fifo')
    server = Server(cli, served)
    for path, code in ((trace_of(raw), 'refused'), ('/etc/passwd', 'refused'), (f'{served}/../served-not/a.json', 'refused'),
                       (place / 'served-not' / 'a.json', 'refused'), (served / 'link', 'refused'), ('/nowhere', 'refused'),
                       (served / 'b.json', 'missing'), (served, 'missing'), (served / 'fifo', 'missing'),
                       ('served/a.json', 'request'), ('', 'request'), (f'{served}/a.json\0.png', 'request')):
        same(server.open(path)['error'], code, path)
    for path in (served / 'a.json', served / 'inside', f'{served}/../served//a.json'):
        same(server.open(path)['bytes'], 2, path)
    same(server.end()[0], DONE, 'status')


def test_hostile(cli, raw):
    server = Server(cli, raw)
    number = server.open(trace_of(raw))['file']
    for head in ({'id': 1}, {'id': 1, 'request': 'write'}, {'id': 1, 'request': 3}, {'id': 1, 'request': 'read'},
                 {'id': 1, 'request': 'read', 'file': number, 'offset': 0, 'bytes': (1 << 20) + 1},
                 {'id': 1, 'request': 'read', 'file': number, 'offset': -1, 'bytes': 1},
                 {'id': 1, 'request': 'read', 'file': number, 'offset': 0, 'bytes': 0},
                 {'id': 1, 'request': 'read', 'file': number, 'offset': 1.5, 'bytes': 1},
                 {'id': 1, 'request': 'read', 'file': 99, 'offset': 0, 'bytes': 1},
                 {'id': 1, 'request': 'read', 'file': 1 << 62, 'offset': 0, 'bytes': 1},
                 {'id': -5, 'request': 'open'}, {'id': 'x', 'request': 'open'}, {'request': 'open'}, {}):
        answer, body = server.ask(head)
        same((answer['error'], body), ('request', b''), head)
    same(server.end()[0], DONE, 'status')
    for data in (b'GET / HTTP/1.1\r\n\r\n', MAGIC + struct.pack('<II', 1 << 31, 0), MAGIC + struct.pack('<II', 2, 1 << 30) + b'{}',
                 MAGIC + struct.pack('<II', 3, 0) + b'{,}', MAGIC + struct.pack('<II', 2, 0) + b'[]', MAGIC + struct.pack('<II', 0, 0)):
        server = Server(cli, raw)
        server.raw(data)
        status, stderr = server.end()
        same(status, FAILED, data)
        check('does not follow the protocol' in stderr, stderr)
    server = Server(cli, raw)
    server.raw(MAGIC[:5])
    same(server.end()[0], DONE, 'an input that ends within a frame')


def test_many_files(cli, raw):
    """If the limit of open files is reached, further files are refused until one is closed."""
    server = Server(cli, raw)
    answers = [server.open(trace_of(raw)) for _ in range(1025)]
    same([answer['file'] for answer in answers[:-1]], list(range(1024)), 'numbers')
    same(answers[-1]['error'], 'limit', 'a file above the limit')
    server.ask({'id': 1, 'request': 'close', 'file': 5})
    same(server.open(trace_of(raw))['file'], 5, 'number of the next file')
    same(server.end()[0], DONE, 'status')


def test_changed(cli, place):
    """If an open file is overwritten, no answer mixes the old and the new content."""
    path = place / 'changing.json'
    path.write_text('[1]')
    server = Server(cli, path)
    number = server.open(path)['file']
    path.write_text('[2]')
    os.utime(path, (1, 1))
    same(server.ask({'id': 1, 'request': 'read', 'file': number, 'offset': 0, 'bytes': 3})[0]['error'], 'read', 'error')
    same(server.end()[0], DONE, 'status')


def test_links_that_change(cli, place):
    """No file outside is read, even if a served file is replaced by a link at the moment when it is opened."""
    served, secret = place / 'swapped', place / 'secret.json'
    served.mkdir()
    secret.write_text('secret')
    path, link, plain = served / 'a.json', served / 'link', served / 'plain'
    plain.write_text('public')
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for i in range(200):
                os.symlink(secret, link)
                os.rename(link, path)
                os.link(plain, link)
                os.rename(link, path)

    thread = threading.Thread(target=swap)
    os.link(plain, path)
    server = Server(cli, served)
    thread.start()
    try:
        end = time.monotonic() + 4
        while time.monotonic() < end:
            answer = server.open(path)
            if 'file' not in answer:
                continue
            body = server.ask({'id': 2, 'request': 'read', 'file': answer['file'], 'offset': 0, 'bytes': 10})[1]
            check(body in (b'public', b''), body)
            server.ask({'id': 3, 'request': 'close', 'file': answer['file']})
    finally:
        stop.set()
        thread.join()
    same(server.end()[0], DONE, 'status')


def test_signal(cli, place):
    """A signal ends a server that is blocked because its client does not read the answer."""
    path = place / 'large.json'
    path.write_bytes(bytes(4 << 20))
    server = Server(cli, path)
    number = server.open(path)['file']
    for i in range(4):
        server.send({'id': i, 'request': 'read', 'file': number, 'offset': i << 20, 'bytes': 1 << 20})
    time.sleep(0.5)
    same(server.process.poll(), None, 'status while the client does not read')
    server.process.send_signal(signal.SIGTERM)
    same(server.process.wait(timeout=10), DONE, 'status')
    server.process.stdout.close()
    server.process.stderr.close()


def test_usage(cli, raw):
    same(cli('serve', raw).returncode, USAGE, 'no --stdio')
    same(cli('serve', '--stdio').returncode, USAGE, 'no path')
    same(cli('serve', '--stdio', raw / 'nothing').returncode, FAILED, 'a missing path')


# --- reading ranges through the server ---

def trace_of(raw):
    return next(raw.glob(f'rank-{RANK}.*'))


def through(cli, *paths, mode='as-is'):
    return shlex.join([str(SSH), mode, cli.program, 'serve', '--stdio', *map(str, paths)])


def extent(cli, path):
    source = next(source for source in cli.info(path)['sources'] if source['rank'] == RANK)
    return source['start_ns'] + source['clock']['offset_ns'], source['end_ns'] + source['clock']['offset_ns']


def words(cli, run, begin=0.4, end=0.5):
    first, last = extent(cli, run)
    return '--rank', str(RANK), '--start-ns', str(first + int((last - first) * begin)), '--end-ns', str(first + int((last - first) * end)), run


def received(result):
    found = re.search(r'([\d.]+)\s(\w+) of .* read for the range', result.stderr)
    check(found, result.stderr)
    return float(found[1]) * {'bytes': 1, 'kB': 1000, 'MB': 1000000}[found[2]]


def test_equal(cli, raw, run):
    for part in ((0.4, 0.4), (0.3, 0.31), (0.1, 0.7), (-0.1, 1.1)):
        wanted = cli.must('dump', '--quiet', *words(cli, run, *part)).stdout
        result = cli.must('dump', '--through', through(cli, raw), *words(cli, run, *part))
        same(result.stdout, wanted, f'events of {part}')
        check('read for the range' in result.stderr, result.stderr)
    same(cli.must('dump', '--quiet', '--through', through(cli, raw), '--rank', str(RANK), run).stdout,
         cli.must('dump', '--quiet', '--rank', str(RANK), run).stdout, 'the whole rank')


def test_merge_and_query(cli, raw, run, place):
    files = [place / 'direct.json', place / 'through.json']
    cli.must('merge', '--quiet', *words(cli, run), '-o', files[0])
    cli.must('merge', '--quiet', '--through', through(cli, raw), *words(cli, run), '-o', files[1])
    same(files[1].read_text(), files[0].read_text(), 'merged events')
    answers = [cli.must('query', '--quiet', *more, *words(cli, run), 'SELECT count(*) AS n FROM span').stdout
               for more in ((), ('--through', through(cli, raw)))]
    same(answers[1], answers[0], 'spans')
    check(json.loads(answers[0])[0]['n'] > 100, answers[0])


def test_compressed(cli, raw, place):
    """Of a compressed trace little more than the range is transferred."""
    data = place / 'packed'
    data.mkdir()
    document = json.loads(trace_of(raw).read_text())
    events = document['traceEvents']
    period = max(event['ts'] + event.get('dur', 0) for event in events if event['ph'] != 'M')
    first = [event for event in events if event['ph'] == 'M']
    dice = random.Random(3)  # random texts make the compressed trace large, so that restart points are a small part of it
    later = [dict(event, ts=event['ts'] + i * period, args={'x': dice.randbytes(40).hex()}) for i in range(24) for event in events if event['ph'] != 'M']
    trace = data / f'{trace_of(raw).name}.gz'
    trace.write_bytes(gzip.compress(json.dumps(dict(document, traceEvents=first + later)).encode(), 6))
    small = data / f'{trace.name}-small.json.gz'
    small.write_bytes(gzip.compress(json.dumps(dict(document, traceEvents=events[:300])).encode()))
    for path in (trace, small):
        index = place / f'index-{path.name}'
        cli.must('index', path, '-o', index, allowed=(DONE,))
        result = cli.must('dump', '--through', through(cli, data), *words(cli, index, 0.5, 0.505))
        same(result.stdout, cli.must('dump', '--quiet', *words(cli, index, 0.5, 0.505)).stdout, path)
        if path == trace:
            check(received(result) < 0.5 * path.stat().st_size, result.stderr)


def test_elsewhere(cli, raw, place):
    """A file on another machine's disk is read only through a command, regardless of the name of the answering machine. It is not read
    if it is not the file that was indexed."""
    other, copy = place / 'other', place / 'copy'
    cli.must('index', '--host', 'node17', trace_of(raw), '-o', other, allowed=(DONE,))
    result = cli('dump', *words(cli, other))
    same(result.returncode, FAILED, 'without a command')
    check('is not on this machine' in result.stderr, result.stderr)
    check(cli.must('dump', '--through', through(cli, raw), *words(cli, other)).stdout.count('\n') > 100, 'no events')
    copy.mkdir()
    path = copy / trace_of(raw).name
    path.write_bytes(trace_of(raw).read_bytes())
    cli.must('index', '--host', 'node17', path, '-o', place / 'third', allowed=(DONE,))
    os.utime(path, (1, 1))
    result = cli('dump', '--through', through(cli, copy), *words(cli, place / 'third'))
    same(result.returncode, FAILED, 'another file')
    check('changed after its index was created' in result.stderr, result.stderr)


def test_bucket(cli, raw, run, place):
    """With a remote location instead of a command, parts of an object are read. The object is found below the location by the last
    components of the trace's former path."""
    root, programs = place / 's3', place / 'bin'
    programs.mkdir()
    (programs / 'aws').symlink_to(SSH.with_name('fake-aws.py'))
    (programs / 'python3').symlink_to(sys.executable)
    env = {'PATH': f'{programs}:/usr/bin:/bin', 'FAKE_S3': str(root), 'AWS_ENDPOINT_URL': ''}
    trace = root / 'bucket' / 'jobs' / raw.name / trace_of(raw).name
    trace.parent.mkdir(parents=True)
    trace.write_bytes(trace_of(raw).read_bytes())
    wanted = cli.must('dump', '--quiet', *words(cli, run)).stdout
    result = cli.must('dump', '--through', 's3://bucket/jobs', *words(cli, run), env=env)
    same(result.stdout, wanted, 'events')
    calls = [json.loads(line) for line in (root / 'calls').read_text().splitlines()]
    check(all(call[:2] in (['s3api', 'head-object'], ['s3api', 'get-object']) for call in calls), calls)
    check(0 < received(result) < 0.7 * trace.stat().st_size + (1 << 21), result.stderr)

    def fails(message, location='s3://bucket/jobs', **more):
        result = cli('dump', '--through', location, *words(cli, run), env={**env, **more})
        same((result.returncode, result.stdout), (FAILED, ''), result.stderr)
        check(message in result.stderr, lambda: f'{message}: {result.stderr}')

    fails('ended early while it was read', FAKE_SHORT='1')
    fails('aws was ended by signal 9', FAKE_EXIT='kill')
    fails('Unable to locate credentials', FAKE_FAIL='Unable to locate credentials')
    fails('Not Found', location='s3://bucket/elsewhere')
    fails('names of users and hosts cannot begin with a dash', location='sftp://-oProxyCommand=x/')
    (root / 'calls').unlink()
    fails('(503)', FAKE_DENY='503')
    same(len((root / 'calls').read_text().splitlines()), 1, 'requests after a failure of the service')
    (root / 'calls').unlink()
    fails('(403)', FAKE_DENY='403')
    check(len((root / 'calls').read_text().splitlines()) > 1, 'an object that is refused may not exist')
    fails(f'Cannot read “sftp://host.invalid/jobs{trace_of(raw)}”: ', location='sftp://host.invalid/jobs', GIO_USE_VFS='local')
    fails(f'Cannot read “sftp://host.invalid{trace_of(raw)}”: ', location='sftp://host.invalid/', GIO_USE_VFS='local')
    fails('needs the command aws or rclone', PATH=str(place / 'nothing'))
    whole = trace.read_bytes()
    fails('(PreconditionFailed)', FAKE_CUT=str(len(whole) - 100))
    trace.write_bytes(whole)
    trace.write_bytes(trace.read_bytes() + b' ')
    fails('changed after its index was created')


def test_failures(cli, raw, run, place):
    def fails(command, message, *more):
        result = cli('dump', '--through', command, *(more or words(cli, run)))
        same((result.returncode, result.stdout), (USAGE if more else FAILED, ''), f'status of {command}: {result.stderr}')
        check(message in result.stderr, lambda: f'{message}: {result.stderr}')

    fails('false', 'false ended before it answered')
    fails('no-such-program-here x', 'cannot be started')
    fails("ssh 'node17", 'is not a command')
    fails('', 'is not a command')
    fails('cat /etc/passwd', 'does not follow the protocol')
    fails("printf 'a\\0b'", 'does not follow the protocol of traceloom-cli serve: “a b”')
    fails("printf 'LOOMSRV\\n\\2\\0\\0\\0\\0\\0\\0\\0{}'", 'does not follow the protocol of traceloom-cli serve: “{}”')
    fails("""printf 'LOOMSRV\\n\\31\\0\\0\\0\\0\\0\\0\\0{"protocol":2,"host":"x"}'""", 'another version')
    fails(through(cli, raw, mode='noise'), '“Welcome to node17')
    fails(through(cli, '/usr'), 'is not among the files that')
    fails(through(cli, raw, mode='cut=400'), 'closed by remote host')
    fails(through(cli, raw, mode='cut=20000'), 'closed by remote host')
    fails(through(cli, raw / 'nothing'), 'nothing')
    fails(through(cli, raw), '--rank', run)
    same(list(place.glob('injected*')), [], 'files')
    fails(f'false; touch {place}/injected', 'cannot be started')
    fails(f'false && touch {place}/injected', 'ended before it answered')
    fails(f'echo $(touch {place}/injected)', 'does not follow the protocol')
    same(list(place.glob('injected*')), [], 'files that only a shell would create')


def find_answers(cli, raw):
    """Returns the lengths of the server's greeting and of its answer to “open”."""
    server = Server(cli, raw)
    heads = [server.greeting, server.open(trace_of(raw))]
    server.end()
    return [len(json.dumps(head, separators=(',', ':'), ensure_ascii=False).encode()) for head in heads]


def test_damaged(cli, raw, run):
    """A damaged byte in the header of a frame is an error; one in the transferred text changes only that text."""
    greeting, opened = find_answers(cli, raw)
    second = 16 + greeting
    third = second + 16 + opened

    def ask(mode):
        return cli('dump', '--through', through(cli, raw, mode=mode), *words(cli, run), env={'LOOM_LIMIT_ANSWER_SECONDS': '2'}, timeout=30)

    for at, message in ((3, 'does not follow the protocol'), (8, 'cannot be used'), (9, 'does not follow the protocol'), (13, 'cannot be used'),
                        (16, 'does not follow the protocol'), (second, 'does not follow the protocol'), (second + 9, 'does not follow the protocol'),
                        (second + 16, 'does not follow the protocol'), (second + 18, 'does not match the request'), (second + 21, 'does not follow the protocol'),
                        (third + 5, 'does not follow the protocol'), (third + 15, 'does not follow the protocol'), (third + 18, 'does not match the request')):
        result = ask(f'flip={at}')
        same((result.returncode, result.stdout), (FAILED, ''), f'byte {at}: {result.stderr}')
        check(message in result.stderr, lambda: f'byte {at}: {result.stderr}')
    good = ask('as-is')
    same(good.returncode, DONE, good.stderr)
    name = collections.Counter(json.loads(line)['name'] for line in good.stdout.splitlines()).most_common(1)[0][0]
    spoilt = ask(f'spoil={name}')
    same(spoilt.returncode, DONE, spoilt.stderr)
    check(spoilt.stdout != good.stdout, 'the damaged text did not change')
    same(spoilt.stdout.replace(f'{name[:-1]}?', name), good.stdout, 'text after the damage')


def test_slow(cli, raw, run):
    """Waiting for a command ends with an error if it stops sending, sends too slowly, or sends unrequested data."""
    for mode, message in (('stall=5', 'the command sent nothing for 1 second'), ('stall=20000', 'the command sent only 1'),
                          ('trickle=5', 'in 1 second'), ('trickle=20000', 'in 1 second'), ('flood', 'does not match the request'),
                          ('complain', 'reports: No route to node17')):
        begin = time.monotonic()
        result = cli('dump', '--through', through(cli, raw, mode=mode), *words(cli, run), env={'LOOM_LIMIT_ANSWER_SECONDS': '1'}, timeout=40)
        same((result.returncode, result.stdout), (FAILED, ''), f'{mode}: {result.stderr}')
        check(message in result.stderr, lambda: f'{mode}: {result.stderr}')
        check(time.monotonic() - begin < 20, f'{mode}: late')


def test_cancelled(cli, raw, run):
    """If the user interrupts the program, it stops waiting for a silent command at once."""
    process = subprocess.Popen([cli.program, 'dump', '--through', through(cli, raw, mode='silent'), *map(str, words(cli, run))],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    check(time.monotonic() - begin < 10, 'the program did not end in time')
    same(process.returncode, FAILED, stderr)
    check(b'Cancelled' in stderr, stderr)


def main(program):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    with folder() as place:
        place = Path(place)
        raw, run = place / 'raw', place / 'run.loomrun'
        generate_parallel(raw, *RUN)
        cli.must('index', raw, '-o', place / 'index', allowed=(DONE,))
        cli.must('index', '--join', place / 'index', '-o', run)
        tap.case('requests', test_protocol, cli, raw)
        tap.case('files that are not served', test_refused, cli, raw, place)
        tap.case('hostile requests', test_hostile, cli, raw)
        tap.case('many files', test_many_files, cli, raw)
        tap.case('a file that changes', test_changed, cli, place)
        tap.case('links that change', test_links_that_change, cli, place)
        tap.case('a signal', test_signal, cli, place)
        tap.case('usage', test_usage, cli, raw)
        tap.case('equal events', test_equal, cli, raw, run)
        tap.case('merge and query', test_merge_and_query, cli, raw, run, place)
        tap.case('compressed traces', test_compressed, cli, raw, place)
        tap.case('files of other machines', test_elsewhere, cli, raw, place)
        tap.case('objects of a bucket', test_bucket, cli, raw, run, place)
        tap.case('failures', test_failures, cli, raw, run, place)
        tap.case('damaged answers', test_damaged, cli, raw, run)
        tap.case('slow and flooding commands', test_slow, cli, raw, run)
        tap.case('cancelling', test_cancelled, cli, raw, run)
    tap.done()


main(sys.argv[1])
