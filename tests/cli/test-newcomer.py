# SPDX-License-Identifier: Apache-2.0
"""Tests what new users see who follow the help pages on a server: the output that the pages quote, and the messages about common
mistakes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, SAMPLE, USAGE, Cli, Tap, check, folder, same  # noqa: E402

RUN = SAMPLE / 'llama-8b'
HELP = SAMPLE.parent / 'help' / 'C'


def answers(cli):
    """The text report begins with the sentences that slow-step.md, data-loader.md and align-clocks.md quote."""
    text = cli.must('report', '-q', RUN, '--format', 'text', allowed=[DONE]).stdout
    same(text.splitlines()[0], 'Answers', 'first line')
    chapter = text.split('\n\n')[0]
    for sentence in ('Steps: Step 6 takes up to 3.93 s; the median step takes 1.05 s. In step 6, these ranks wait for data up to 2.89 s longer than in their mean step: algo-2 rank 2, algo-2 rank 3. '
                     'In step 6, these ranks wait for other ranks up to 2.75 s longer than in their mean step: algo-1 rank 0, algo-1 rank 1.',
                     'Stragglers: The others wait for ranks 2 and 3: fixing these ranks would save up to 2.88 s (12.2 % of the run).',
                     'Data Loading: Waits for data are longest on ranks 2 and 3: up to 3.00 s in total; the other ranks wait less. Most of it is one wait of 2.90 s in step 6.',
                     'GPUs Busy (from Trace): 72.2 %',
                     'Clocks: For 4 of 21 clocks, the order of events of different ranks can be trusted if they are more than 12.4 µs apart; for the other clocks, the order is not known.'):
        check(sentence in chapter, f'{sentence} is missing in:\n{chapter}')
    html = cli.must('report', '-q', RUN, '--format', 'html', allowed=[DONE]).stdout
    check('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ (× 43.7)' in html, 'suspect of the page of steps')
    for page, quoted in (('slow-step', '44 times'), ('align-clocks', '“For 4 of 21 clocks, the order of events of different ranks can be trusted if they are more than 12.4 µs apart; for the other clocks, the order is not known.”')):
        check(quoted in (HELP / f'{page}.md').read_text(), f'{page}.md no longer quotes {quoted}')


def smdebug_numbers(cli):
    text = cli.must('report', '-q', RUN, '--format', 'text', '--numbers', 'smdebug', allowed=[DONE]).stdout
    check('Answers' not in text, text)


def clocks(cli):
    lines = cli.must('align', '-q', RUN, '--format', 'text', allowed=[DONE]).stdout.splitlines()
    same(lines[1], 'For 4 of 21 clocks, the order of events of different ranks can be trusted if they are more than 12.4 µs apart; for the other clocks, the order is not known.', 'second line')


def two_profilers(cli):
    text = cli.must('report', '-q', RUN, '--format', 'text', allowed=[DONE]).stdout
    chapter = text[text.index('\nWaits for data\n'):].split('\n\n')[0]
    check('Several profilers recorded the same ranks' in chapter, chapter)
    same((chapter.count('recorded by composer'), chapter.count('recorded by kineto')), (4, 4), chapter)


def offsets(cli):
    """--offset accepts a source by its number, its path, or the end of its path."""
    sources = cli.info('-q', RUN)['sources']
    number, path = next((i, s['path']) for i, s in enumerate(sources) if s['format'] == 'kineto' and s['rank'] == 1)
    moved = lambda name: [s['clock']['offset_ns'] for s in cli.info('-q', '--offset', f'{name}=1000', RUN)['sources']]  # noqa: E731
    wanted = moved(number)
    check(wanted != [s['clock']['offset_ns'] for s in sources], 'nothing was moved')
    for name in (path, Path(path).relative_to(RUN), Path(path).name):
        same(moved(name), wanted, name)
    for name in ('nothing.json', len(sources), 'json'):
        result = cli('info', '--offset', f'{name}=1000', RUN)
        same(result.returncode, USAGE, name)
        check('no source, or several, with this number or path; “traceloom-cli info” lists both' in result.stderr, result.stderr)


def sums_of_the_work(cli):
    """The sample has four ranks and a file of unknown rank: its sums are not called those of five ranks."""
    html = cli.must('report', '-q', RUN, '--format', 'html', allowed=[DONE]).stdout
    check('Device time by kind of work, sum over all files' in html, 'title of the pie')


def forgotten_unit(cli):
    for args in (('--start', 6, '--end', 7), ('--end', 7)):
        result = cli('report', '--format', 'text', *args, RUN)
        same((result.returncode, result.stdout), (FAILED, ''), args)
        check('Nothing is in the range' in result.stderr, result.stderr)
        check('The steps are 0 to 11; with --unit step, --start and --end are numbers of steps' in result.stderr, result.stderr)
    result = cli('report', '--format', 'text', '--start', 60, '--end', 70, RUN)
    check(result.returncode == FAILED and '--unit' not in result.stderr, result.stderr)
    cli.must('report', '--unit', 'step', '--start', 6, '--end', 7, RUN, allowed=[DONE])


def says_what_it_wrote(cli):
    with folder() as place:
        out = Path(place) / 'report.txt'
        result = cli.must('report', '-o', out, RUN, allowed=[DONE])
        check(f'report written to {out}' in result.stderr and result.stdout == '', result.stderr)
        result = cli.must('report', '-q', '-o', out, RUN, allowed=[DONE])
        same((result.stdout, result.stderr), ('', ''), 'quiet')


def typing_errors(cli):
    result = cli('info', 'nosuch')
    same((result.returncode, result.stderr), (FAILED, 'traceloom-cli: Cannot open “nosuch”: there is no such file or folder\n'), 'path')
    result = cli('query', 'SELECT 1', RUN)
    check('no such file or folder; the run is given before the SQL' in result.stderr, result.stderr)
    with folder() as place:
        rules = Path(place) / 'rules.json'
        for text, wanted in (('{', 'line 1: the file ends before its JSON is complete'),
                             ('{"traceloom-rules": 1,\n "rules": [\n', 'the file ends before its JSON is complete'),
                             ('{"a" 1}', 'Parse error')):
            rules.write_text(text)
            result = cli('rules', '--rules', rules, RUN)
            check(result.returncode == FAILED and wanted in result.stderr, f'{text}: {result.stderr}')
            same('complete' in result.stderr, 'complete' in wanted, text)


def help_text(cli):
    text = cli.must('--help', env={'LC_ALL': 'C.UTF-8', 'LANGUAGE': ''}, allowed=[DONE]).stdout
    check('\n  rules    evaluate rules\n' in text and '4 done and a rule fired' in text, text)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for case in (answers, smdebug_numbers, clocks, two_profilers, sums_of_the_work, offsets, forgotten_unit, says_what_it_wrote, typing_errors, help_text):
        tap.case(case.__name__, case, cli)
    tap.done()


if __name__ == '__main__':
    main()
