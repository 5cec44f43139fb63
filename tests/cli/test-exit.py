# SPDX-License-Identifier: Apache-2.0
"""Tests exit statuses and messages: every failure names the file and leaves no partial file."""

import gzip
import json
import marshal
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, ROOT, USAGE, Cli, Tap, check, folder, same  # noqa: E402

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


def names_of_pages(cli):
    """Words that name pages, chapters of reports or queries are no verbs; the message says which command shows them. A path with such a
    name is a path."""
    for word, *parts in (('stragglers', '“Stragglers” is a chapter of “traceloom-cli report PATH -o report.html”', '--named late-ranks” lists its rows'),
                         ('kernels', '“Kernels”', '--named kernels-by-time”'), ('idle_time', '“Idle Time”', '--named idle-devices”'), ('bottlenecks', '“Bottlenecks” is a chapter'),
                         ('Utilization', '“Utilization” is a chapter'), ('findings', 'use “traceloom-cli rules PATH”'), ('late-ranks', '“traceloom-cli query PATH --named late-ranks”'),
                         ('reprt', 'Did you mean “report”?'), ('frobnicate', 'try “traceloom-cli --help”')):
        expect(cli(word, 'run'), USAGE, *parts)
    with folder() as place:
        (Path(place) / 'kernels').mkdir()
        expect(cli('kernels', cwd=place), USAGE, 'is a path')


def hinted_queries(cli):
    """The queries in hints exist."""
    names = {one['name'] for one in json.loads(cli('query', '--list', '--format', 'json').stdout)}
    hinted = re.findall(r'\{ "[a-z]+", "([a-z]+-[a-z-]+)" \}', (ROOT / 'src' / 'cli' / 'loom-cli-hint.c').read_text())
    check(len(hinted) > 5 and set(hinted) <= names, set(hinted) - names)


def help_texts(cli):
    for args in (['--help'], ['info', '--help'], ['dump', '--help'], ['merge', '--help'], ['render', '--help'], ['--version']):
        result = cli(*args)
        same(result.returncode, DONE, args)
        check('traceloom-cli' in result.stdout, result.stdout)
        check(result.stdout.splitlines()[1:2] in ([], ['  traceloom-cli VERB [OPTION…] PATH…']) or result.stdout.count('PATH…') == 1, result.stdout)
        check(('--format' in result.stdout) == (args[0] in ('info', 'merge', 'render')), f'--format in {args}')
    for verb in ('info', 'merge'):
        for args in (['help', verb], ['--help', verb]):
            same(cli(*args).stdout, cli(verb, '--help').stdout, args)
    expect(cli('help', 'frobnicate'), USAGE, 'frobnicate')


def translated_help(cli):
    """--help is translated; machine-readable output is not."""
    german = {'LC_ALL': 'C.UTF-8', 'LANGUAGE': 'de'}
    whole, merge, config = (cli(*args, env=german).stdout for args in (['--help'], ['merge', '--help'], ['config', '--help']))
    check(whole.startswith('Aufruf:\n') and '  align    prüfen, wie gut die Uhren der Quellen übereinstimmen' in whole, whole)
    check('Schreibt eine gemeinsame Zeitachse.' in merge and 'Nur Dateien, deren Name auf S endet (wiederholbar)' in merge, merge)
    check('  write  eine Konfiguration schreiben' in config, config)
    same(cli('frobnicate', env=german).stderr, cli('frobnicate').stderr, 'language of the error message')


def no_language(cli):
    """Messages contain non-ASCII letters also without a locale, which containers often do not set."""
    for place in {'LC_ALL': 'C'}, {'LC_ALL': '', 'LC_CTYPE': '', 'LANG': ''}, {'LC_ALL': 'POSIX'}:
        same(cli('frobnicate', env=place).stderr, cli('frobnicate').stderr, place)


def unreadable_path(cli):
    result = cli('info', '/nowhere/at all.json')
    expect(result, FAILED, '/nowhere/at all.json')
    same(result.stderr.count('/nowhere/at all.json'), 1, f'times the path is named: {result.stderr}')
    check(result.stderr.count(':') == 2, result.stderr)


def empty_folder(cli):
    with folder() as place:
        expect(cli('info', place), FAILED, place)
        empty = Path(place) / 'empty'
        (empty / 'inner').mkdir(parents=True)
        good = with_trace(place)
        for paths in ([empty, good], [good, empty]):
            result = cli('info', '--format', 'json', *paths)
            expect(result, INCOMPLETE, f'{empty}: the folder contains no files')
            same([entry['path'] for entry in json.loads(result.stdout)['ignored']], [str(empty)], 'ignored')


def long_path(cli):
    """A path too long for the system is truncated in messages, and the reason follows it."""
    name = 'b' * 100 + '/'
    with folder() as place:
        long = Path(place) / (name * 60 + 'end.json')
        for args in (['info', long], ['info', long, with_trace(place)], ['render', '-o', f'{long}.bmp', with_trace(place)]):
            result = cli(*args)
            check(len(result.stderr) < 1500 and place in result.stderr and 'end.json' in result.stderr, f'{len(result.stderr)}: {result.stderr}')


def incomplete_results(cli):
    """A report and a merged file state which input is missing, because their readers may not have seen the messages on the
    terminal."""
    with folder() as place:
        place = Path(place)
        good, cut, bad = with_trace(place), place / 'cut.json', place / 'bad.json'
        cut.write_text(TRACE[:-20])
        bad.write_text('<html>')
        cli.must('merge', '-o', place / 'merged', good, cut, bad, allowed=[INCOMPLETE])
        merged = json.loads((place / 'merged').read_text())['otherData']['traceloom']['incomplete']
        report = json.loads(cli.must('report', '--format', 'json', good, cut, bad, allowed=[INCOMPLETE]).stdout)['incomplete']
        same(report, merged, 'the list of problems')
        same([(one['file'], one['code']) for one in merged], [(str(bad), 'unreadable'), (str(cut), 'truncated')], 'incomplete input')
        check('inside an event' in merged[1]['message'], merged[1])
        text = cli.must('report', '--format', 'text', good, cut, bad, allowed=[INCOMPLETE]).stdout
        check(text.startswith('Incomplete: ') and f'{cut}: The file ends' in text, text[:300])
        cli.must('report', '-o', place / 'r.html', good, cut, bad, allowed=[INCOMPLETE])
        page = (place / 'r.html').read_text()
        check('Incomplete: some of the input' in page and '. 1 more problem is listed under Sources.' in page, 'the page does not mention it')
        for numbers in ('intended', 'smdebug'):
            whole = cli.must('report', '--format', 'json', '--numbers', numbers, good, allowed=[DONE]).stdout
            check('"incomplete"' not in whole, numbers)
        check('"incomplete"' not in cli.must('merge', '-o', '-', good, allowed=[DONE]).stdout, 'a merged file of complete input has the member incomplete')


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
        same([len(document['sources']), [entry['path'] for entry in document['ignored']]], [1, [str(bad)]], 'number of sources and ignored files')


def profile_without_times(cli):
    """A profile without times is reported, although it contains no events."""
    with folder() as place:
        path = Path(place) / 'a.prof'
        path.write_bytes(marshal.dumps({('a.py', 1, 'f'): (1, 1, 0.25, 0.25, {})}, 2))
        words = (path.name, 'a profile without times: 1 function, 250', 'open it in the window')
        expect(cli('dump', path), DONE, *words)
        expect(cli('dump', '--raw', path), DONE, *words)
        expect(cli('merge', '-o', Path(place) / 'm.json', path), FAILED, 'no events to merge', *words)
        check(words[1] in cli('info', '--format', 'text', path).stdout, 'info does not mention it')
        same(cli('dump', '--quiet', path).stderr, '', 'quiet')


def unreadable_profile(cli):
    """An unreadable profile is reported like other unreadable files, with advice."""
    with folder() as place:
        path, good = Path(place) / 'cut.prof', with_trace(place)
        whole = marshal.dumps({('a.py', i, 'f'): (1, 1, 0.25, 0.25, {}) for i in range(20)}, 2)
        for n in (3, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:n])
            for args in (['info'], ['dump'], ['align'], ['report'], ['merge', '-o', f'{place}/m.json'], ['render', '-o', f'{place}/m.png'],
                         ['dump', '--quiet']):
                expect(cli(*args, path), FAILED, path, 'truncated', 'dump the profile again', f'byte {n}')
            result = cli('info', '--format', 'json', path, good)
            expect(result, INCOMPLETE, path, 'dump the profile again')
            same(json.loads(result.stdout)['events'], 50, 'events of the other file')
        same(sorted(p.name for p in Path(place).iterdir()), ['cut.prof', 'good.json'], 'files in the folder')


def filtered(cli):
    with folder() as place:
        with_trace(place)
        expect(cli('info', '--suffix', 'zzz', place), FAILED, place, '--suffix', '“zzz”')


def quiet(cli):
    """With --quiet only errors that end the program are printed; other problems change only the exit status."""
    with folder() as place:
        bad, cut = Path(place) / 'bad.json', Path(place) / 'cut.json'
        bad.write_text('hello')
        cut.write_text(TRACE[:-30])
        for verb, *args in (['info'], ['dump'], ['merge', '-o', '-'], ['merge', '--layout', 'composer', '-o', Path(place) / 'out.json']):
            check(str(bad) in cli(verb, *args, bad, cut).stderr, 'there is no message without --quiet')
            result = cli(verb, '--quiet', *args, bad, cut)
            same((result.returncode, result.stderr), (INCOMPLETE, ''), verb)
        expect(cli('info', '--quiet', bad), FAILED, bad, 'not JSON')


def company(cli):
    """Files in a folder that are not traces are listed with a sentence and do not make the input incomplete. If they are named
    on the command line or are the only files, they are an error."""
    for name, data, words in (('good_rank2.pt.trace.json', b'', 'empty'), ('ep0-ba1-rank3.json', b'', 'empty'),
                              ('1600000000000000_1-algo-1_pythontimeline.json', b'', 'empty'), ('rep.nsys-rep', b'x', 'nsys export'),
                              ('trace.pftrace', b'x', 'Perfetto'), ('host.xplane.pb', b'x', 'XSpace'),
                              ('login.html', b'', 'web page'), ('empty.json', b'', 'empty'), ('9-h_pythontimeline.tmp', b'', 'empty'),
                              ('truth.json', b'{"options": {"dp": 8}}', 'no traceEvents array'), ('numbers.json', b'[1, 2, 3]', 'no trace events'),
                              ('list.json', b'[{"rank": 3}]', 'without “ph”')):
        with folder() as place:
            path = Path(place) / name
            path.write_bytes(data)
            is_trace = name not in ('login.html', 'empty.json', '9-h_pythontimeline.tmp')
            expect(cli('merge', '-o', Path(place) / 'out', place), FAILED, f'{name}: ' if is_trace else 'no traces found')
            result = cli('info', path)
            expect(result, FAILED, f'{name}: ', words)
            good = with_trace(place, 'good.json')
            result = cli('dump', place)
            expect(result, DONE)
            same(result.stderr, 'traceloom-cli: 1 file is not on the timeline; “traceloom-cli info” says why\n', name)
            ignored = cli.info(place)['ignored']
            same([Path(entry['path']).name for entry in ignored], [name], 'listed')
            check(words in ignored[0]['reason'], ignored)
            result = cli('info', '--format', 'text', place)
            same([result.stderr, f'{name}: ' in result.stdout], ['', True], f'info of {name}')
            expect(cli('dump', good, path), INCOMPLETE, f'{name}: ', words)
            same(cli('dump', '--quiet', place).stderr, '', 'quiet')


def hidden(cli):
    """Hidden files are not read, and a message says so."""
    with folder() as place:
        with_trace(place, 'good.json')
        inside = Path(place) / 'inside'
        inside.mkdir()
        for i in range(5):
            (inside / f'.{i}.json').write_text(TRACE)
            document = cli.info(place)
            same([entry['path'] for entry in document['ignored']], [str(inside / f'.{k}.json') for k in range(i + 1)], 'each file')
            same([entry['reason'] for entry in document['ignored']], ['hidden, because its name begins with a dot; open it directly'] * (i + 1), 'reasons')
        (inside / '.more').mkdir()
        result = cli('info', '--format', 'json', place)
        expect(result, DONE)
        document = json.loads(result.stdout)
        same([(entry['path'], entry['reason'][:27]) for entry in document['ignored']], [(str(place), '6 hidden files and folders ')], 'number of files')
        same(document['events'], 50, 'hidden files are not read')
        same(cli.info(inside / '.0.json')['events'], 50, 'a hidden file named directly')


def nothing_of_use(cli):
    """info states what each file is, in a folder and in an archive."""
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
            expect(result, FAILED, 'host.xplane.pb: named like an XSpace file', 'notes.txt: ', '2 files were looked at')
            same(len(result.stderr.splitlines()), 3, result.stderr)
        for i in range(30):
            (inside / f'{i}.txt').write_text('hello')
        result = cli('info', inside)
        same(len(result.stderr.splitlines()), 33, 'listed files')
        expect(cli('merge', '-o', inside / 'out', inside), FAILED, '“traceloom-cli info” says what they are')


def left_out(cli):
    """Events that cannot be drawn make the input incomplete; objects that are not events do not."""
    with folder() as place:
        bad = [{'ph': 'X', 'ts': 'soon', 'dur': 1}, {'ph': 'X', 'ts': 1, 'dur': -5}, {'ph': 'q', 'ts': 1}]
        path, good = Path(place) / 'bad.json', Path(place) / 'good.json'
        path.write_text(json.dumps(json.loads(TRACE) + bad))
        good.write_text(json.dumps(json.loads(TRACE) + [{}]))
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path)
        source = json.loads(result.stdout)['sources'][0]
        same((source['events'], source['left_out']), (53, 3), 'counts')
        check('53 events, 3 of them skipped' in cli('info', '--format', 'text', path).stdout, 'the text does not state the number of dropped events')
        same(len(cli('dump', path).stdout.splitlines()), 50, 'dumped events')
        expect(cli('dump', good), DONE)


def control_in_names(cli):
    """Control characters in file names never reach the terminal."""
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


def control_in_traces(cli):
    """Control characters in a trace (names of tracks, nodes, quoted text) never reach the terminal."""
    with folder() as place:
        path = Path(place) / 'bad.json'
        wild = '\x1b[31m\x9b31m'
        path.write_text(json.dumps([{'name': 'process_name', 'ph': 'M', 'pid': 1, 'args': {'name': wild}},
                                    {'name': 'thread_name', 'ph': 'M', 'pid': 1, 'tid': 1, 'args': {'name': wild}},
                                    {'name': 'clock_sync', 'ph': 'c', 'ts': 1, 'pid': 1, 'args': {'sync_id': wild}},
                                    {'name': wild, 'ph': 'C', 'ts': 1, 'pid': 1, 'args': {wild: 1}},
                                    {'name': wild, 'ph': 'X', 'ts': 1, 'dur': 1, 'pid': 1, 'tid': 1, 'args': {}}]))
        for result in (cli('info', '--format', 'text', path), cli('info', '--format', 'text', '--offset', f'{wild}=1', path)):
            shown = result.stdout + result.stderr
            check('\\x9b31m' in shown and '\x1b' not in shown and '\x9b' not in shown, repr(shown))


def dangling_link(cli):
    with folder() as place:
        gone = Path(place) / 'only.json'
        gone.symlink_to(Path(place) / 'nothing.json')
        expect(cli('info', gone), FAILED, 'a link whose target does not exist')
        gone.unlink()
        with_trace(place)
        gone.symlink_to('only.json')
        expect(cli('info', gone), FAILED, 'a link that leads back to itself')
        gone.unlink()
        (Path(place) / 'gone.json').symlink_to(Path(place) / 'nothing.json')
        result = cli('info', place)
        check(result.returncode in (DONE, INCOMPLETE), result.stderr)
        check('gone.json' in result.stdout + result.stderr, 'the link is not mentioned')
        session = Path(place) / 'moved.traceloom'
        session.write_text('{"traceloom-session": 1, "sources": [{"path": "elsewhere/a.json"}, {"path": "elsewhere/b.json"}]}')
        expect(cli('info', session), FAILED, 'put the files back')
        partly = Path(place) / 'partly.traceloom'
        partly.write_text('{"traceloom-session": 1, "sources": [{"path": "elsewhere/a.json"}, {"path": "only.json"}]}')
        (Path(place) / 'only.json').write_text('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]')
        result = cli('info', partly)
        same((result.returncode, result.stdout.count('"path"') > 0), (INCOMPLETE, True), result.stderr)
        check('elsewhere/a.json: not found; restore the file or folder, or open it from its new location' in result.stderr, result.stderr)
        check('No such file' not in result.stdout + result.stderr, result.stderr)


def truncated_gzip(cli):
    with folder() as place:
        whole = gzip.compress(json.dumps([{'name': f'n{i * 7919 % 1000}', 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': i % 5}
                                          for i in range(5000)]).encode())
        path = Path(place) / 'cut.json.gz'
        path.write_bytes(whole[:len(whole) // 2])
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path)
        check(json.loads(result.stdout)['events'] > 100, 'no events were kept')
        result = cli('merge', '-o', Path(place) / 'out.json', path)
        expect(result, INCOMPLETE, path)
        check((Path(place) / 'out.json').exists(), 'what could be read was not merged')
        check('incomplete' in result.stderr.splitlines()[-1], result.stderr)
        check('incomplete' not in cli('merge', '-o', Path(place) / 'out.json', with_trace(place)).stderr, 'complete input is reported as incomplete')


def damaged_gzip(cli):
    """Data decompressed shortly before a damaged place may be wrong: the message states from which byte on, and statistics
    exclude events after this byte."""
    with folder() as place:
        good = [{'name': 'good', 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': 1} for i in range(3)] + \
               [{'name': 'late', 'ph': 'X', 'ts': 1000, 'dur': 1, 'pid': 1, 'tid': 1}]
        wrong = [{'name': 'open', 'ph': 'X', 'ts': 4, 'd~r': 1, 'pid': 1, 'tid': 1}, {'name': 'far', 'ph': 'X', 'ts': 7e9, 'dur': 7e9, 'pid': 1, 'tid': 1},
                 {'name': 'mark', 'ph': 'i', 'ts': 9e9, 'pid': 1, 'tid': 1}]
        text = ('[' + ',\n'.join(json.dumps(event) for event in good + wrong)).encode()
        stored = b'\0' + len(text).to_bytes(2, 'little') + (len(text) ^ 0xFFFF).to_bytes(2, 'little') + text
        path = Path(place) / 'damaged.json.gz'
        path.write_bytes(b'\x1f\x8b\x08' + bytes(7) + stored + b'\x07' * 40)
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path, 'of the decompressed text', 'could not be read')
        source = json.loads(result.stdout)['sources'][0]
        problem = next(problem for problem in source['problems'] if problem['code'] == 'doubtful-event')
        same((problem['offset'], problem['offset_in'], problem['count']), (text.index(b'{"name": "open"'), 'unpacked text', 3), 'offset in the message')
        same((source['events'], source['start_ns'], source['end_ns']), (7, 0, 1001000), 'spans in the statistics')
        spans = {line['name']: line['dur_ns'] for line in map(json.loads, cli('dump', path).stdout.splitlines())}
        same((spans['late'], spans['open'], spans['far']), (1000, 0, 7 * 10**12), 'durations of all events')


def wrong_checksum(cli):
    """If stored (uncompressed) data is corrupt, decompression succeeds but the checksum is wrong, which is reported."""
    with folder() as place:
        text = json.dumps([{'name': f'e{i}', 'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': 1} for i in range(6)]).encode()
        packed = gzip.compress(text, 0)
        path = Path(place) / 'wrong.json.gz'
        path.write_bytes(packed.replace(b'"ts": 3, "dur"', b'"ts": 3, "d~r"'))
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path, 'checksum')
        source = json.loads(result.stdout)['sources'][0]
        problem = next(problem for problem in source['problems'] if problem['code'] == 'doubtful-event')
        same((problem['offset'], problem['count'], source['end_ns']), (text.index(b'{"name": "e3"'), 3, 6000), 'offset, and spans in the statistics')
        spans = [json.loads(line)['dur_ns'] for line in cli('dump', path).stdout.splitlines()]
        same(spans, [1000, 1000, 1000, 0, 1000, 1000], 'durations')


def damaged_gzip_header(cli):
    with folder() as place:
        path = Path(place) / 'header.json.gz'
        packed = bytearray(gzip.compress(TRACE.encode()))
        packed[2] = 7  # invalid compression method
        path.write_bytes(packed)
        result = cli('info', path)
        check('gzip header' in result.stderr + result.stdout, f'{result.stderr}{result.stdout}')
        check('shortly before' not in result.stderr + result.stdout, f'{result.stderr}{result.stdout}')


def damaged_gzip_middle(cli):
    """Events after the damage are not reported as present."""
    with folder() as place:
        path = Path(place) / 'middle.json.gz'
        text = json.dumps([{'name': f'e{i * 7919 % 10007}', 'ph': 'X', 'ts': i, 'dur': i % 97, 'pid': 1, 'tid': 1} for i in range(20000)]).encode()
        parts = [text[i:i + 60000] for i in range(0, 300000, 60000)]
        packed = b'\x1f\x8b\x08' + bytes(7) + b''.join(
            b'\0' + len(part).to_bytes(2, 'little') + (len(part) ^ 0xFFFF).to_bytes(2, 'little') + part for part in parts)
        half = len(packed)
        packed += b'\x07' * 200000  # invalid block type
        path.write_bytes(packed)
        result = cli('info', '--format', 'json', path)
        expect(result, INCOMPLETE, path, 'the text could not be read from byte', 'compressed bytes')
        problems = json.loads(result.stdout)['sources'][0]['problems']
        message = next(p['message'] for p in problems if p['code'] == 'damaged-gzip')
        first, lost, at = map(int, re.search(r'from byte (\d+) to the end \((\d+) compressed bytes from compressed byte (\d+)', message).groups())
        check(0 < first < len(text) and abs(at - half) < 40000 and lost + at == len(packed), message)
        for problem in problems:
            check('went on at the next' not in problem['message'] and 'event was kept' not in problem['message'], problem['message'])


def garbage_behind_gzip(cli):
    with folder() as place:
        path = Path(place) / 'behind.json.gz'
        packed = gzip.compress(TRACE.encode())
        for zeros in (0, 5):
            path.write_bytes(packed + bytes(zeros) + b'something else')
            text = cli.must('info', '--format', 'json', path).stdout
            check(f'from compressed byte {len(packed) + zeros}, was ignored' in text, text)


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
            for option in ('--help', '--version'):
                result = subprocess.run([cli.program, option], stdout=full, stderr=subprocess.PIPE, text=True)
                same(result.returncode, FAILED, f'{option} to a full device')
                check('standard output: ' in result.stderr, result.stderr)
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
    """SIGINT during writing gives exit status 1 and a message, and leaves no partial file."""
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
        same(os.listdir(out), [], 'files in the folder')


def interrupted_loading(cli):
    with folder() as place:
        big = Path(place) / 'big.json'
        big.write_text('[' + ','.join('{"name":"n","ph":"X","ts":%d,"dur":1,"pid":1,"tid":1}' % i for i in range(300000)) + ']')
        process = subprocess.Popen([cli.program, 'info', str(big)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        # The signal may arrive before the handler is installed, in time, or after the end; no other status is allowed.
        check(process.returncode in (DONE, FAILED, -signal.SIGTERM), process.returncode)


def little_memory(cli):
    if cli.is_sanitized():
        return 'skip: a sanitizer alone holds most of the budget, or more than it'
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
        merged = cli('merge', '--memory-budget', '12M', '-o', out, big)
        expect(merged, INCOMPLETE, 'budget')
        read_to = int(re.search(r'byte (\d+)', merged.stderr)[1])
        written = sum(event['ph'] == 'X' for event in json.loads(out.read_text())['traceEvents'])
        same(written, big.read_bytes()[:read_to].count(b'"ph":"X"'), 'events in the merged file')
        packed = Path(place) / 'big.json.gz'
        packed.write_bytes(gzip.compress(big.read_bytes(), 1))
        expect(cli('info', '--memory-budget', '12M', packed), INCOMPLETE, packed, 'of the decompressed text)')
        result = cli('info', '--memory-budget', '4K', big)
        expect(result, FAILED, 'budget of 4', 'nothing was read')
        check('no traces' not in result.stderr, result.stderr)
        same([line.count(str(big)) for line in result.stderr.splitlines()], [1, 1], result.stderr)
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
    for case in (usage, names_of_pages, hinted_queries, help_texts, translated_help, no_language, unreadable_path, empty_folder, long_path, incomplete_results, without_traces, garbage, profile_without_times, unreadable_profile, filtered, quiet, company, hidden,
                 nothing_of_use, control_in_names, control_in_traces, left_out, dangling_link, truncated_gzip, damaged_gzip, damaged_gzip_header,
                 damaged_gzip_middle, garbage_behind_gzip, wrong_checksum,
                 truncated_text, no_place_to_write, full_disk, interrupted, interrupted_loading, little_memory, progress_on_terminals_only):
        tap.case(case.__name__, case, cli)
    tap.done()


if __name__ == '__main__':
    main()
