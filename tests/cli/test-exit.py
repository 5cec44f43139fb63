# SPDX-License-Identifier: Apache-2.0
"""Exit statuses and messages as a user meets them: every failure names the file and leaves nothing half written."""

import gzip
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, USAGE, Cli, Tap, check, folder, same  # noqa: E402

TRACE = json.dumps([{'name': 'a', 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': 1, 'args': {'i': i}} for i in range(50)])


def expect(result, status, *words):
    same(result.returncode, status, f'exit status (stderr: {result.stderr})')
    for word in words:
        check(str(word) in result.stderr, f'“{word}” is not in: {result.stderr}')
    if status in (FAILED, USAGE):
        same(result.stdout, '', 'standard output')


def with_trace(place, name='good.json'):
    path = Path(place) / name
    path.write_text(TRACE)
    return path


def usage(cli):
    with folder() as place:
        good = with_trace(place)
        expect(cli('frobnicate'), USAGE, 'frobnicate')
        expect(cli('info'), USAGE, 'missing', '--help')
        expect(cli('info', '--nonsense', good), USAGE, '--nonsense')
        expect(cli('info', '--clock', 'sun', good), USAGE, 'sun')
        expect(cli('info', '--format', 'xml', good), USAGE, 'xml')
        expect(cli('info', '--unit', 'hours', good), USAGE, 'hours')
        expect(cli('info', '--start', 'soon', good), USAGE, 'start')
        expect(cli('info', '--start', '9', '--end', '3', good), USAGE, 'range')
        expect(cli('info', '--start', '9', '--start-ns', '3', good), USAGE, 'start')
        expect(cli('info', '--offset', 'x', good), USAGE, 'SOURCE=')
        expect(cli('info', '--offset', 'nowhere=5', good), USAGE, 'nowhere')
        expect(cli('merge', good), USAGE, '-o')
        expect(cli('merge', '--layout', 'round', '-o', '-', good), USAGE, 'round')
        expect(cli('render', good), USAGE, '-o')
        expect(cli('info', '--start', '"5"', good), USAGE, 'start')
        expect(cli('info', '--offset', '0=99999999999999999999', good), USAGE, 'SOURCE=')
        expect(cli('info', '--rank-from', '(', good), USAGE, '--rank-from', '“(”')
        expect(cli('info', '--rank-from', 'rank', good), USAGE, '--rank-from', 'group')
        for size in ('0', 'much', '5X', '-1G', '1.2.3M', '5MB5', ''):
            expect(cli('info', '--memory-budget', size, good), USAGE, '--memory-budget', f'“{size}”')
        for size in ('6G', '6g', '1.5GiB', '900 MB', '4000000000'):
            expect(cli('info', '--memory-budget', size, good), DONE)
        expect(cli('info', ''), USAGE, 'empty')
        expect(cli('render', '-o', Path(place) / 'a.bmp', good), USAGE, 'a.bmp', '.png')
        expect(cli('render', '--size', '100000x100000', '-o', Path(place) / 'a.png', good), USAGE, '32767')
        for size in ('-5x5', '5x', 'x5', '5x5x', '5,5', ' 5x5', '0x5'):
            expect(cli('render', '--size', size, '-o', Path(place) / 'a.png', good), USAGE, 'WIDTHxHEIGHT')
        expect(cli('render', '--size', 'big', '-o', Path(place) / 'a.png', good), USAGE, 'big')
        expect(cli('render', '--theme', 'pink', '-o', Path(place) / 'a.png', good), USAGE, 'pink')
    same(cli().returncode, USAGE, 'no verb')


def help_texts(cli):
    for args in (['--help'], ['info', '--help'], ['dump', '--help'], ['merge', '--help'], ['render', '--help'], ['--version']):
        result = cli(*args)
        same(result.returncode, DONE, args)
        check('traceloom-cli' in result.stdout, result.stdout)
        check(result.stdout.splitlines()[1:2] in ([], ['  traceloom-cli VERB [OPTION…] PATH…']) or result.stdout.count('PATH…') == 1, result.stdout)
        check(('--format' in result.stdout) == (args == ['info', '--help']), f'--format in {args}')
    for verb in ('info', 'merge'):
        for args in (['help', verb], ['--help', verb]):
            same(cli(*args).stdout, cli(verb, '--help').stdout, args)
    expect(cli('help', 'frobnicate'), USAGE, 'frobnicate')


def unreadable_path(cli):
    result = cli('info', '/nowhere/at all.json')
    expect(result, FAILED, '/nowhere/at all.json')
    same(result.stderr.count('/nowhere/at all.json'), 1, f'times the path is named: {result.stderr}')
    check(result.stderr.count(':') == 2, result.stderr)


def empty_folder(cli):
    with folder() as place:
        expect(cli('info', place), FAILED, place)


def without_traces(cli):
    with folder() as place:
        (Path(place) / 'notes.txt').write_text('hello')
        (Path(place) / 'events.out.tfevents.1').write_bytes(b'\0\1')
        expect(cli('merge', '-o', Path(place) / 'out.json', place), FAILED, place)
        same(sorted(os.listdir(place)), ['events.out.tfevents.1', 'notes.txt'], 'folder')


def garbage(cli):
    with folder() as place:
        bad = Path(place) / 'bad.json'
        bad.write_bytes(bytes(range(256)) * 40)
        expect(cli('info', bad), FAILED, bad)
        with_trace(place)
        result = cli('info', '--format', 'json', place)
        expect(result, INCOMPLETE, bad)
        document = json.loads(result.stdout)
        same([len(document['sources']), [entry['path'] for entry in document['ignored']]], [1, [str(bad)]], 'the rest is loaded')


def filtered(cli):
    with folder() as place:
        with_trace(place)
        expect(cli('info', '--suffix', 'zzz', place), FAILED, place, '--suffix', '“zzz”')


def quiet(cli):
    """Nothing but what ended the program; the status tells the rest."""
    with folder() as place:
        bad, cut = Path(place) / 'bad.json', Path(place) / 'cut.json'
        bad.write_text('hello')
        cut.write_text(TRACE[:-30])
        for verb, *args in (['info'], ['dump'], ['merge', '-o', '-'], ['merge', '--layout', 'composer', '-o', Path(place) / 'out.json']):
            check(str(bad) in cli(verb, *args, bad, cut).stderr, 'not told without --quiet')
            result = cli(verb, '--quiet', *args, bad, cut)
            same((result.returncode, result.stderr), (INCOMPLETE, ''), verb)
        expect(cli('info', '--quiet', bad), FAILED, bad, 'not JSON')


def lost_traces(cli):
    """What is a trace by its name is missed when it cannot be read; of other company it is said that it is there."""
    for name, data in (('good_rank2.pt.trace.json', b''), ('ep0-ba1-rank3.json', b''), ('1600000000000000_1-algo-1_pythontimeline.json', b''),
                       ('rep.nsys-rep', b'x'), ('trace.pftrace', b'x'), ('host.xplane.pb', b'x')):
        with folder() as place:
            with_trace(place, 'good.json')
            (Path(place) / name).write_bytes(data)
            result = cli('merge', '-o', Path(place) / 'out', place)
            expect(result, INCOMPLETE, f'{name}: ')
            check('\ntraceloom-cli: 1 file was not loaded; “traceloom-cli info” lists it\n' in result.stderr, result.stderr)
            same(cli('dump', '--quiet', place).stderr, '', 'quiet')
    for name in ('login.html', 'empty.json', '9-h_pythontimeline.tmp'):
        with folder() as place:
            with_trace(place, 'good.json')
            (Path(place) / name).write_bytes(b'')
            result = cli('dump', place)
            expect(result, DONE)
            same(result.stderr, 'traceloom-cli: 1 file was not loaded; “traceloom-cli info” lists it\n', name)
            result = cli('info', '--format', 'text', place)
            same([result.stderr, name in result.stdout], ['', True], f'info of {name}')


def written_twice(cli):
    with folder() as place:
        with_trace(place, 'host.trace.json')
        (Path(place) / 'host.xplane.pb').write_bytes(b'x')
        expect(cli('merge', '-o', Path(place) / 'out', place), DONE, '1 file was not loaded')


def nothing_of_use(cli):
    """info says of each file what it is, in a folder and in an archive."""
    with folder() as place:
        inside = Path(place) / 'inside'
        inside.mkdir()
        (inside / 'host.xplane.pb').write_bytes(b'x')
        (inside / 'notes.txt').write_text('hello')
        with zipfile.ZipFile(Path(place) / 'all.zip', 'w') as archive:
            for name in ('host.xplane.pb', 'notes.txt'):
                archive.write(inside / name, name)
        for path in (inside, Path(place) / 'all.zip'):
            result = cli('info', path)
            expect(result, FAILED, 'host.xplane.pb: an XPlane file', 'notes.txt: ', '2 files were looked at')
            same(len(result.stderr.splitlines()), 3, result.stderr)
        for i in range(30):
            (inside / f'{i}.txt').write_text('hello')
        result = cli('info', inside)
        same(len(result.stderr.splitlines()), 33, 'each is listed')
        expect(cli('merge', '-o', inside / 'out', inside), FAILED, '“traceloom-cli info” says what they are')


def control_in_names(cli):
    """Nothing of a file's name reaches the terminal but what can be printed."""
    with folder() as place:
        name = '\x1b[31m\x07new\nline'
        with_trace(place, f'{name}.json')
        for data, ending in ((b'', '.pt.trace.json'), (b'x', '.nsys-rep'), (b'', '.txt')):
            (Path(place) / f'{name}{ending}').write_bytes(data)
        texts = [cli('info', '--format', 'text', place), cli('merge', '-o', Path(place) / f'{name}.out', place),
                 cli('info', Path(place) / f'{name}.txt'), cli('info', Path(place) / f'{name}.none')]
        for result in texts:
            shown = result.stdout + result.stderr
            check('\\x1b[31m\\x07new\\nline' in shown, shown)
            check('\x1b' not in shown and '\x07' not in shown and '\nline' not in shown, repr(shown))


def dangling_link(cli):
    with folder() as place:
        gone = Path(place) / 'only.json'
        gone.symlink_to(Path(place) / 'nothing.json')
        expect(cli('info', gone), FAILED, 'a link to nothing')
        gone.unlink()
        with_trace(place)
        (Path(place) / 'gone.json').symlink_to(Path(place) / 'nothing.json')
        result = cli('info', place)
        check(result.returncode in (DONE, INCOMPLETE), result.stderr)
        check('gone.json' in result.stdout + result.stderr, 'the link is not mentioned')


def truncated_gzip(cli):
    with folder() as place:
        whole = gzip.compress(json.dumps([{'name': f'n{i * 7919 % 1000}', 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': i % 5}
                                          for i in range(5000)]).encode())
        path = Path(place) / 'cut.json.gz'
        path.write_bytes(whole[:len(whole) // 2])
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path)
        check(json.loads(result.stdout)['events'] > 100, 'nothing was kept')
        result = cli('merge', '-o', Path(place) / 'out.json', path)
        expect(result, INCOMPLETE, path)
        check((Path(place) / 'out.json').exists(), 'what could be read was not merged')
        check('incomplete' in result.stderr.splitlines()[-1], result.stderr)
        check('incomplete' not in cli('merge', '-o', Path(place) / 'out.json', with_trace(place)).stderr, 'called incomplete')


def truncated_text(cli):
    with folder() as place:
        path = Path(place) / 'cut.json'
        path.write_text('{"traceEvents":' + TRACE[:-30])
        expect(cli('info', path), INCOMPLETE, path, 'byte')


def no_place_to_write(cli):
    with folder() as place:
        good = with_trace(place)
        for target in (Path(place) / 'missing' / 'out.json', good / 'out.json'):
            expect(cli('merge', '-o', target, good), FAILED, target)
        locked = Path(place) / 'locked'
        locked.mkdir()
        if os.geteuid() != 0:
            locked.chmod(0o500)
            expect(cli('merge', '-o', locked / 'out.json', good), FAILED, locked / 'out.json')
            locked.chmod(0o700)
        same(sorted(os.listdir(place)), ['good.json', 'locked'], 'folder')


def full_disk(cli):
    with folder() as place:
        good = with_trace(place)
        expect(cli('merge', '-o', '/dev/full', good), FAILED, '/dev/full')
        with open('/dev/full', 'w') as full:
            for verb in ('info', 'dump'):
                result = subprocess.run([cli.program, verb, good], stdout=full, stderr=subprocess.PIPE, text=True)
                same(result.returncode, FAILED, f'{verb} to a full device')
        big = Path(place) / 'big.json'
        big.write_text(json.dumps([{'name': 'n' * 50, 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': 1} for i in range(20000)]))
        target = Path(place) / 'out.json'
        target.write_text('old')
        result = cli('merge', '-o', target, big, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        expect(result, FAILED, target)
        same(target.read_text(), 'old', 'the old file')
        same(sorted(os.listdir(place)), ['big.json', 'good.json', 'out.json'], 'folder')


def interrupted(cli):
    """SIGINT in the middle of writing: status 1, a word, no trace of the file."""
    with folder() as place:
        big, out = Path(place) / 'big.json', Path(place) / 'out'
        out.mkdir()
        with open(big, 'w') as file:
            file.write('[\n')
            for i in range(400000):
                file.write('{"name":"span %d","ph":"X","ts":%d,"dur":9,"pid":1,"tid":%d,"args":{"i":%d,"text":"%s"}},\n' % (i % 99, i * 10, i % 7, i, 'x' * 90))
        process = subprocess.Popen([cli.program, 'merge', '-o', str(out / 'merged.json.gz'), str(big)], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not os.listdir(out) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        same(process.returncode, FAILED, f'exit status ({errors})')
        check('ancelled' in errors, errors)
        same(os.listdir(out), [], 'left behind')


def interrupted_loading(cli):
    with folder() as place:
        big = Path(place) / 'big.json'
        big.write_text('[' + ','.join('{"name":"n","ph":"X","ts":%d,"dur":1,"pid":1,"tid":1}' % i for i in range(300000)) + ']')
        process = subprocess.Popen([cli.program, 'info', str(big)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        # Too early (before the signal is caught), cancelled, or quicker than the signal: never anything else.
        check(process.returncode in (DONE, FAILED, -signal.SIGTERM), process.returncode)


def little_memory(cli):
    with folder() as place:
        big, out, n = Path(place) / 'big.json', Path(place) / 'out.json', 400000
        big.write_text('[' + ',\n'.join('{"name":"n%d","ph":"X","ts":%d,"dur":1,"pid":1,"tid":%d}' % (i % 977, i, i % 9) for i in range(n)) + ']')
        result = cli('info', '--format', 'json', '--memory-budget', '12M', big)
        expect(result, INCOMPLETE, big, 'budget of 12', '--memory-budget', 'byte')
        source = json.loads(result.stdout)['sources'][0]
        problem = source['problems'][0]
        check(source['events'] < n, source)
        same((problem['code'], problem['severity']), ('memory-budget', 'error'), problem)
        check(problem['offset'] < big.stat().st_size, problem)
        expect(cli('merge', '--memory-budget', '12M', '-o', out, big), INCOMPLETE, 'budget')
        packed = Path(place) / 'big.json.gz'
        packed.write_bytes(gzip.compress(big.read_bytes(), 1))
        expect(cli('info', '--memory-budget', '12M', packed), INCOMPLETE, packed, 'of the unpacked text)')
        result = cli('info', '--memory-budget', '4K', big)
        expect(result, FAILED, 'budget of 4', 'nothing was read')
        check('no traces' not in result.stderr, result.stderr)
        same([line.count(str(big)) for line in result.stderr.splitlines()], [1, 1], result.stderr)
        check(len(json.loads(out.read_text())['traceEvents']) >= source['events'] // 2, 'what was read is written')
        expect(cli('info', '--memory-budget', '20G', big), DONE)


def progress_on_terminals_only(cli):
    with folder() as place:
        big = Path(place) / 'big.json'
        big.write_text('[' + ','.join('{"name":"n%d","ph":"X","ts":%d,"dur":1,"pid":1,"tid":%d}' % (i % 977, i, i % 9) for i in range(900000)) + ']')
        out = Path(place) / 'out.json.gz'
        for quiet in ([], ['--quiet']):
            ours, theirs = pty.openpty()
            process = subprocess.Popen([cli.program, 'merge', *quiet, '-o', str(out), str(big)], stderr=theirs)
            os.close(theirs)
            seen = b''
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:
                    break
                if not piece:
                    break
                seen += piece
            os.close(ours)
            same(process.wait(), DONE, 'exit status')
            same(b'%' in seen, not quiet, f'a bar with {quiet}: {seen[:200]}')
        check('%' not in cli('merge', '-o', out, big).stderr, 'a bar without a terminal')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for case in (usage, help_texts, unreadable_path, empty_folder, without_traces, garbage, filtered, quiet, lost_traces, written_twice,
                 nothing_of_use, control_in_names, dangling_link, truncated_gzip,
                 truncated_text, no_place_to_write, full_disk, interrupted, interrupted_loading, little_memory, progress_on_terminals_only):
        tap.case(case.__name__, case, cli)
    tap.done()


if __name__ == '__main__':
    main()
