# SPDX-License-Identifier: Apache-2.0
"""Tests the report as a document: well-formed, complete or absent, without external references, and safe against names
in a trace."""

import base64
import json
import re
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, SAMPLE, USAGE, Cli, Tap, check, folder, same  # noqa: E402

PAGES = ['run', 'findings', 'overview', 'utilization', 'steps', 'bottlenecks', 'balance', 'loading', 'work', 'operators', 'sources']
RULES = Path(__file__).resolve().parents[2] / 'data' / 'rules'
VOID = {'meta', 'img', 'source', 'br'}
HOSTILE = '<script>alert("1")</script><img src=http://evil.example/x onerror=alert(2)>&\x1b[31m\n\u0085end'


class Page(HTMLParser):
    """Collects parts of a page for the tests; asserts that tags are closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.addresses, self.cells, self.pictures = [], [], [], [], [], 0
        self.text = ''
        self.feed(text)
        self.close()
        same(self.open, [], 'tags left open')

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        attributes = dict(attributes)
        check(not any(name.startswith('on') for name in attributes), f'a handler in {tag}: {attributes}')
        if 'id' in attributes:
            self.ids.append(attributes['id'])
        for name in ('src', 'srcset', 'href', 'action', 'data', 'poster'):
            if name in attributes:
                self.addresses.append(attributes[name])
        self.pictures += tag == 'img' or tag == 'svg' and attributes.get('role') == 'img'
        check(tag != 'svg' or 'aria-label' in attributes or 'aria-hidden' in attributes, 'a drawing without a name')
        if tag not in VOID:
            self.open.append(tag)
        if tag in ('td', 'th', 'dd', 'p', 'h2'):
            self.cells.append('')

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, f'</{tag}> inside {self.open}')
        self.open.pop()

    def handle_data(self, data):
        self.text += data
        if self.cells and self.open and self.open[-1] in ('td', 'th', 'dd', 'p', 'h2'):
            self.cells[-1] += data


def check_page(text):
    """Checks the properties that every report must have."""
    page = Page(text)
    same(len(page.ids), len(set(page.ids)), 'unique ids')
    check(not {'script', 'iframe', 'object', 'link', 'base', 'form'} & set(page.tags), f'tags: {set(page.tags)}')
    for address in page.addresses:
        if address.startswith('#'):
            check(address[1:] in page.ids, f'{address} leads nowhere')
            continue
        check(address.startswith('data:image/svg+xml;base64,'), f'outside: {address[:80]}')
        svg = base64.b64decode(address.split(',', 1)[1], validate=True).decode()
        check(svg.rstrip().endswith('</svg>'), 'a picture is incomplete')
        check('<script' not in svg and not re.search(r'href="(?!#|data:image/png)', svg), 'a picture refers to an external address')
    check(not re.search(r'url\(|@import', text.split('</style>')[0]), 'the style loads something')
    check(not re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f]', text), 'control characters')
    return page


def write(cli, place, *paths, name='report.html', allowed=(DONE, INCOMPLETE), options=()):
    path = Path(place) / name
    cli.must('report', '--quiet', *options, '-o', path, *paths, allowed=allowed)
    same([other.name for other in Path(place).glob(f'{name}*')], [name], 'files next to the report')
    return path


def test_sample(cli):
    with folder() as place:
        text = write(cli, place, SAMPLE).read_text()
    page = check_page(text)
    same([one for one in page.ids if one in PAGES], PAGES, 'chapters')
    check(page.pictures >= 20, f'{page.pictures} charts')
    same(text.count('<figcaption>'), page.pictures, 'charts with tables of their figures')
    check('<img' not in text and len(text) < 1_050_000, f'{len(text)} bytes: what drawings share stands once')
    # Two loader processes for each of four ranks; the number of cores comes from the metrics of one node.
    for name, value in ('Worker processes, on all nodes', 8), ('Cores per node', 4):
        check(f'<dt>{name}</dt><dd>{value}</dd>' in text, f'{name}: {value}')


def test_figures(cli):
    """The figures of the JSON report appear in the HTML document."""
    result = json.loads(cli.must('report', '--quiet', '--format', 'json', SAMPLE).stdout)
    info = cli.info(SAMPLE)
    with folder() as place:
        page = check_page(write(cli, place, SAMPLE).read_text())
    for source in info['sources']:
        check(any(cell.replace(' › ', '//').endswith(source['path'].replace('//', '/').rsplit('/', 1)[-1]) for cell in page.cells), source['path'])
    check(f"{info['events']:,}" in page.cells, 'the number of events is missing')
    for rank in result['computed']['ranks']['ranks']:
        # The document adds up the busy times of all devices of a rank. The member "ranks" counts the time in which at
        # least one of them works.
        devices = [device for device in result['computed']['devices']['devices'] if (device['node'], device['rank']) == (rank['node'], rank['rank'])]
        busy_ns, recorded_ns = (sum(device[key] for device in devices) for key in ('busy_ns', 'recorded_ns'))
        shares = {'idle time': 1 - busy_ns / recorded_ns}
        if len(devices) == 1:
            shares |= {part: rank[part] / rank['recorded_ns'] for part in ('compute_ns', 'idle_ns')}
        for part, share in shares.items():
            check(any(cell.startswith(f'{100 * share:.1f}') and cell.endswith('%') for cell in page.cells), f'{part} of rank {rank["rank"]}: {share}')
    for kernel in result['computed']['kernels']['kernels']:
        check(kernel['name'] in page.cells, kernel['name'])
        check(str(kernel['count']) in page.cells, f'{kernel["count"]} of {kernel["name"]}')
    for name in ('high_gpu_usage', 'suboptimal_gpu_usage', 'low_gpu_usage', 'cpu_bottleneck'):
        check(str(result['usage'][name]['samples']) in page.cells, f'{name}: {result["usage"][name]}')


def test_answers(cli):
    """The HTML document begins with the sentences with which the text begins."""
    answers = cli.must('report', '--quiet', '--format', 'text', SAMPLE).stdout.split('\n\n')[0]
    with folder() as place:
        html = write(cli, place, SAMPLE).read_text()
    first = Page(html[html.index('<section id="answers"'):html.index('<section id="run"')])
    sentences = dict(reversed(re.findall(r'^  ([^:]+): (.*)$', answers, re.MULTILINE)))  # the first one of each page
    check(len(sentences) > 10, answers)
    for title in sentences.keys() - {'Summary', 'Clocks'}:  # the first has numbers in place of a sentence, the second is not a page
        check(sentences[title] in first.cells, f'{title}: {sentences[title]}')


def test_findings(cli):
    """Findings of the rules appear in each kind of report."""
    result = json.loads(cli.must('report', '--quiet', '--format', 'json', SAMPLE).stdout)
    fired = {name for name, rule in json.loads(cli.must('rules', '--quiet', '--format', 'json', '--rules', RULES, SAMPLE).stdout).items()
             if rule['Status'] == 'fired' and name != 'ProfilerReport'}
    same({finding['rule'] for finding in result['findings']}, fired, 'the findings')
    check(fired, 'there are no findings')
    text = cli.must('report', '--quiet', '--format', 'text', SAMPLE).stdout
    with folder() as place:
        page = check_page(write(cli, place, SAMPLE).read_text())
    for finding in result['findings']:
        check(f'{finding["rule"]}: {finding["sentence"]}' in text, f'{finding["rule"]} in the text')
        check(finding['sentence'] in page.cells, f'{finding["rule"]} in the page')


def test_named(cli):
    """The list of files shows the names that a session gave to files. If the session gave none, the list has no column
    of names."""
    with folder() as place:
        for name in ('a.json', 'b.json'):
            (Path(place) / name).write_text(json.dumps([{'ph': 'X', 'name': 'x', 'pid': 1, 'tid': 1, 'ts': 1, 'dur': 2}]))
        session = Path(place) / 'mine.traceloom'
        session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'a.json'}, {'path': 'b.json'}],
                                       'source-edits': [{'path': 'b.json', 'name': 'the “slow” one'}]}))
        named = check_page(write(cli, place, session, name='named.html').read_text())
        plain = check_page(write(cli, place, Path(place) / 'a.json', name='plain.html').read_text())
    check('the “slow” one' in named.cells and any(cell.endswith('b.json') for cell in named.cells), 'the name or the file is missing')
    check(len([cell for cell in named.cells if cell == 'the “slow” one']) == 1, 'the name occurs several times')
    check('the “slow” one' not in plain.cells, 'a name that was not given is shown')


def test_named_rank(cli):
    """If all files of a rank have one name, every page shows it beside the rank; other ranks are unchanged."""
    with folder() as place:
        kineto = SAMPLE / 'llama-8b' / 'kineto'
        session = Path(place) / 'mine.traceloom'
        session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': str(kineto)}],
                                       'source-edits': [{'path': str(next(kineto.glob('algo-2_977.*'))), 'name': 'the late one'}]}))
        page = check_page(write(cli, place, session, name='named.html').read_text())
    ranks = {cell for cell in page.cells if re.fullmatch(r'(algo-\d )?rank \d.*', cell)}
    check('algo-2 rank 2 · the late one' in ranks and 'algo-2 rank 2' not in ranks, ranks)
    check('algo-1 rank 0' in ranks and 'algo-2 rank 3' in ranks, ranks)


def hostile_run(place):
    events = [{'ph': 'M', 'name': 'process_name', 'pid': HOSTILE, 'args': {'name': HOSTILE}}]
    for i in range(20):
        events.append({'ph': 'X', 'name': HOSTILE, 'cat': 'kernel', 'pid': 0, 'tid': 7, 'ts': 1000 * i, 'dur': 500, 'args': {'stream': 7, 'device': 0}})
        events.append({'ph': 'X', 'name': f'ProfilerStep#{i}', 'cat': 'user_annotation', 'pid': 1, 'tid': 1, 'ts': 1000 * i, 'dur': 900})
    path = Path(place) / 'a<script>&"\x1b.json'
    path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': 0}, 'traceEvents': events}))
    return path


def test_hostile(cli):
    with folder() as place:
        text = write(cli, place, hostile_run(place)).read_text()
        plain = write(cli, place, hostile_run(place), name='report.txt').read_text()
    page = check_page(text)
    check('&lt;script&gt;alert' in text and 'evil.example' in text, 'the name is not shown as text')
    check('alert(' in plain and not re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f]', plain), 'the text contains control characters')
    check(any('␛[31m␊\\x85end' in cell for cell in page.cells), 'control characters are not shown as symbols')
    check(any('a<script>&"\\x1b.json' in cell for cell in page.cells), 'control characters of the file name are not shown as symbols')


def test_damaged(cli):
    with folder() as place:
        path = hostile_run(place)
        path.write_text(path.read_text()[:-40])
        page = check_page(write(cli, place, path, allowed=(INCOMPLETE,)).read_text())
        check('Problems' in page.text, 'unread input is not mentioned')
        empty = Path(place) / 'empty.json'
        empty.write_text('{"traceEvents": []}')
        same(cli('report', '-o', Path(place) / 'none.html', Path(place) / 'nowhere').returncode, FAILED, 'no such file')
        same(cli('report', '-o', Path(place) / 'no' / 'folder.html', path).returncode, FAILED, 'status for an output that cannot be written')
        check(not (Path(place) / 'none.html').exists(), 'a file was written')


def test_range(cli):
    with folder() as place:
        whole = check_page(write(cli, place, SAMPLE, name='whole.html').read_text())
        info = cli.info(SAMPLE)
        part = check_page(write(cli, place, SAMPLE, name='part.html', options=('--start-ns', info['start_ns'], '--end-ns', info['start_ns'] + 2 * 10**9)).read_text())
        check('Duration of the range' in part.cells or 'Duration of the range' in part.text, 'the range is not mentioned')
        check('2.00 s' in part.cells and '2.00 s' not in whole.cells[:12], f'{part.cells[:12]}')
        as_written = check_page(write(cli, place, SAMPLE, name='as-written.html', options=('--numbers', 'smdebug')).read_text())
        same([one for one in as_written.ids if one in PAGES], [one for one in PAGES if one != 'findings'], 'the same chapters; the rules need the figures as intended')


def test_thresholds(cli):
    def figures(*options):
        result = json.loads(cli.must('report', '--quiet', '--format', 'json', *options, SAMPLE).stdout)
        return len(result['bottlenecks']['instants']), sum(rank['outliers'] for rank in result['steps']['ranks'])

    def different(*options):
        result = json.loads(cli.must('report', '--quiet', '--format', 'json', *options, SAMPLE).stdout)
        return sum(pair['differs'] for pair in result['balance']['pairs'])
    same(figures(), (5, 4), 'findings with default thresholds')
    same(figures('--high-cpu', '100'), (0, 4), 'findings with a CPU threshold of 100')
    same(figures('--outlier-factor', '5'), (5, 0), 'outliers above five medians')
    check(figures('--high-cpu', '30', '--low-gpu', '60')[0] > 5, 'the number of findings did not grow')
    with folder() as place:
        check('4 × that' in cli.must('report', '--quiet', '--format', 'text', '--outlier-factor', '4', SAMPLE).stdout, 'the text does not state the threshold')
        page = write(cli, place, SAMPLE, options=('--high-cpu', '80', '--low-gpu', '20')).read_text()
        check('saturated: cores above 80 %; starved: GPUs at or below 20 %' in page, 'the page does not state the threshold')
    same(different(), 8, 'pairs with a distance above 0.5')
    same(different('--balance-distance', '0.58'), 2, 'pairs with a distance above 0.58')
    same(different('--balance-distance', '0'), 12, 'pairs with a distance above 0')
    check('by more than 0.7' in cli.must('report', '--quiet', '--format', 'text', '--balance-distance', '0.7', SAMPLE).stdout, 'the text does not state the distance')
    for wrong in (('--balance-distance', '2'), ('--balance-distance', 'nan'), ('--high-cpu', '101'), ('--low-gpu', '-1'), ('--outlier-factor', '0.5'), ('--outlier-factor', 'nan'), ('--high-cpu', 'much')):
        same(cli('report', *wrong, SAMPLE).returncode, USAGE, str(wrong))


def test_suffix(cli):
    with folder() as place:
        for name in ('report.doc', 'report', 'html'):
            result = cli('report', '-o', Path(place) / name, SAMPLE)
            same(result.returncode, USAGE, name)
            check('.html' in result.stderr and '.pdf' in result.stderr and name in result.stderr, result.stderr)
        same(list(Path(place).iterdir()), [], 'files after a failure')
        same(json.loads(write(cli, place, SAMPLE, name='r.json').read_text())['about']['numbers'], 'intended', 'JSON')
        check(write(cli, place, SAMPLE, name='r.txt').read_text().startswith('Answers'), 'the suffix .txt does not give text')
        check(write(cli, place, SAMPLE, name='R.HTML').read_text().startswith('<!DOCTYPE html>'), 'a suffix in capitals is not recognized')
    check_page(cli.must('report', '--quiet', '--format', 'html', SAMPLE).stdout)


def n_pages(data):
    """Returns the number of pages of a PDF, from its page tree, and from page objects that are not compressed."""
    check(data.startswith(b'%PDF-') and data.rstrip().endswith(b'%%EOF'), 'the PDF is incomplete')
    counts = [int(count) for count in re.findall(rb'/Count (\d+)', unpacked(data))]
    check(counts, 'the PDF has no page tree')
    return max(counts)


def unpacked(data):
    """Returns the file followed by the decompressed text of its streams."""
    texts = [data]
    for match in re.finditer(rb'/FlateDecode[^>]*>>\s*stream\r?\n', data):
        try:
            texts.append(zlib.decompressobj().decompress(data[match.end():]))
        except zlib.error:
            continue
    return b'\n'.join(texts)


def test_pdf(cli):
    with folder() as place:
        whole = write(cli, place, SAMPLE, name='report.PDF').read_bytes()
        n = n_pages(whole)
        check(5 <= n <= 40, f'{n} pages')
        text = unpacked(whole)
        for name in PAGES:  # each chapter is a link target of the contents and the outline
            check(f'({name})'.encode() in text, f'no place {name}')
        long_run = Path(place) / 'long.json'
        events = [{'ph': 'X', 'name': f'{HOSTILE}{i}' * 5, 'cat': 'kernel', 'pid': 0, 'tid': 7, 'ts': 1000 * i, 'dur': 500, 'args': {'stream': 7, 'device': 0}}
                  for i in range(300)]
        long_run.write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
        few = Path(place) / 'few.json'
        few.write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events[:3]}))
        n_long, n_few = (n_pages(write(cli, place, path, name=f'{path.stem}.pdf').read_bytes()) for path in (long_run, few))
        check(n_few < n_long < n_few + 8, f'{n_few} pages for three rows, {n_long} for what is shown of three hundred')
        same(cli('report', '-o', Path(place) / 'none.pdf', Path(place) / 'nowhere').returncode, FAILED, 'no such file')
        check(not (Path(place) / 'none.pdf').exists(), 'a file was written')


def kineto(place, name, base_ns, steps, rank=None):
    """Writes steps one second apart; each contains a kernel that no other file has."""
    events = []
    for i in range(steps):
        events += [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{i}', 'pid': 1, 'tid': 1, 'ts': 1000000 * i, 'dur': 600000},
                   {'ph': 'X', 'cat': 'user_annotation', 'name': 'enumerate(DataLoader)', 'pid': 1, 'tid': 1, 'ts': 1000000 * i + 9, 'dur': 10},
                   {'ph': 'X', 'cat': 'kernel', 'name': f'gemm of {name}', 'pid': 0, 'tid': 7, 'ts': 1000000 * i + 1000, 'dur': 30000}]
    ranked = {'distributedInfo': {'rank': rank}} if rank is not None else {}
    path = Path(place) / f'{name}.pt.trace.json'
    path.write_text(json.dumps({'schemaVersion': 1, 'baseTimeNanoseconds': base_ns, 'traceEvents': events, **ranked}))
    return path


def test_counts(cli):
    """A count of one uses the singular."""
    with folder() as place:
        text = cli.must('report', '--format', 'text', kineto(place, 'one', 1700000000 * 10**9, 1)).stdout
        for words in ('1 step,', '1 training step,', ' in 1 wait,', ' in 1 span,'):
            check(words in text, f'{words!r} is missing\n{text}')
        check(not re.search(r'(?<![\d.,])1 (?:training )?(?:rows|steps|samples|spans|waits|devices|instants|names|GPUs)\b', text), text)
        text = cli.must('report', '--format', 'text', kineto(place, 'two', 1700000000 * 10**9, 2)).stdout
        check('2 training steps,' in text, text)
        check('Waits for data\n  two.pt.trace.json ' in text and 'source 0' not in text, text)


def test_apart(cli):
    """A report over runs that are years apart begins with a warning; a report of one run does not."""
    with folder() as place:
        paths = [kineto(place, 'now', 1700000000 * 10**9, 5), kineto(place, 'then', 1600000000 * 10**9, 6)]
        result = cli.must('report', '--format', 'text', *paths)
        check(result.stdout.startswith('Warning: These files are 1157 days apart, and nothing was recorded in between. '), result.stdout[:200])
        check('Make a separate report of each run' in result.stdout.splitlines()[0], result.stdout[:200])
        check('Give the files of one run alone' in result.stderr, result.stderr)
        document = json.loads(cli.must('report', '--format', 'json', *paths).stdout)
        same(list(document)[0], 'warnings', 'the first member')
        check('1157 days apart' in document['warnings'][0], str(document['warnings']))
        cli.must('report', *paths, '-o', Path(place) / 'r.html')
        html = (Path(place) / 'r.html').read_text()
        check('Make a separate report of each run' in html[:html.index('id="findings"')], 'the warning is not in the first chapter')
        for alone in ('text', 'json'):
            result = cli.must('report', '--format', alone, paths[0])
            check('apart' not in result.stdout + result.stderr and '"warnings"' not in result.stdout, result.stdout[:300])


def test_copies(cli):
    """Files that are open twice count twice, and the report says so."""
    with folder() as place:
        for name in 'ab':
            (Path(place) / name).mkdir()
            for path in (SAMPLE / 'llama-8b' / 'kineto').iterdir():
                (Path(place) / name / path.name).write_bytes(path.read_bytes())
        text = cli.must('report', '--format', 'text', place).stdout
        check(re.match(r'Warning: “b/algo-1_1042\S+” is the same recording as “a/algo-1_1042\S+”, and 3 more recordings are open twice', text), text[:300])
        check('separate report of each run' not in text, 'files of one run are called separate runs')
        cli.must('report', place, '-o', Path(place) / 'r.html')
        html = (Path(place) / 'r.html').read_text()
        same(html.count('is the same recording as'), 1, 'number of warnings about the same recording')
        later = kineto(place, 'later', 2000000000 * 10**9, 5)
        result = cli.must('report', '--format', 'text', Path(place) / 'a', Path(place) / 'b', later)
        for words, advice in (result.stdout.splitlines()[0], 'a separate report'), (result.stderr, 'alone'):
            check('days apart' in words and words.count('is the same recording as') == 1 and advice in words, f'both are told: {words}')
        check('Warning' not in cli.must('report', '--format', 'text', Path(place) / 'a').stdout.splitlines()[0], 'a single copy is reported as open twice')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('HTML report of the sample', test_sample, cli)
    tap.case('HTML and JSON have the same figures', test_figures, cli)
    tap.case('HTML begins with the answers', test_answers, cli)
    tap.case('findings are in each kind of report', test_findings, cli)
    tap.case("the user's names in the list of files", test_named, cli)
    tap.case("the user's names on the pages", test_named_rank, cli)
    tap.case('names with markup', test_hostile, cli)
    tap.case('damaged input, whole or absent', test_damaged, cli)
    tap.case('a range, and smdebug\'s numbers', test_range, cli)
    tap.case('pdf', test_pdf, cli)
    tap.case('singular for a count of one', test_counts, cli)
    tap.case('runs that are years apart', test_apart, cli)
    tap.case('recordings that are open twice', test_copies, cli)
    tap.case('thresholds', test_thresholds, cli)
    tap.case('format by the suffix of the output', test_suffix, cli)
    tap.done()


main()
