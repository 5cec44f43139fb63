#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the SQL table “finding” contains the same findings as the command “traceloom-cli rules” and the report.
The table is read from trace files, from indexes, from an exported SQLite file, and through the tool server for AI
assistants (traceloom-cli mcp).

Usage: test-findings.py TRACELOOM-CLI"""

import json
import re
import shutil
import sqlite3
import sys
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, SAMPLE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
SQL = 'SELECT rule, status, severity, message, lost, start, duration, places, rank, explained, own_lost FROM finding'
WORDS = {'info': 'Hint', 'warning': 'Warning', 'severe': 'Severe'}
EXPECTED = {'sample': {'CommunicationShare'}, 'late rank': {'SlowRank', 'CommunicationShare'}, 'slow link': {'SlowLink', 'CommunicationShare'}}
PLANTED = {'late rank': ('--dp', 4, '--straggler', '3:1.4'), 'slow link': ('--dp', 2, '--tp', 2, '--slow-link', '1-3:6')}


@contextmanager
def planted(name):
    """Yields the path of a run. “late rank” means a generated run whose rank 3 computes longer than the other ranks; “slow
link” means a generated run in which transfers between two ranks take longer; any other name means the sample run."""
    with folder() as place:
        run = Path(place) / 'run'
        if name in PLANTED:
            generate_parallel(run, '--pp', 1, '--steps', 4, *PLANTED[name])
        yield run if name in PLANTED else SAMPLE


def ask(cli, *run, env=None):
    rows = json.loads(cli.must('query', '-q', '--format', 'json', *run, SQL, env=env).stdout)
    return {row['rule']: row for row in rows}


def compare_with_rules(cli, run, env=None):
    rules, found = json.loads(cli.must('rules', '-q', '--format', 'json', run).stdout), ask(cli, run, env=env)
    same(sorted(found), sorted(rules), 'rules')
    for name, rule in rules.items():
        row, marks = found[name], rule['Marks']
        same((row['status'], row['message']), (rule['Status'], rule['Sentence']), name)
        same(row['places'], len(marks) + rule.get('MarksLeftOut', 0), f'places of {name}')
        if marks and 'MarksLeftOut' not in rule:
            end = max(mark['end_ns'] for mark in marks)
            same((row['start'], row['start'] + row['duration']), (marks[0]['start_ns'], end), f'range of {name}')
    return found


def compare_with_report(cli, run, found):
    findings = json.loads(cli.must('report', '-q', '--format', 'json', '-o', '-', run).stdout)['findings']
    text = cli.must('report', '-q', '--format', 'text', '-o', '-', run).stdout
    check(findings, 'the report has no findings')
    for finding in findings:
        row = found[finding['rule']]
        same((row['status'], row['message'], row['lost']), ('fired', finding['sentence'], finding.get('lost_ns')), finding['rule'])
        same(row['explained'], finding.get('explained_ns'), f'explained part of {finding["rule"]}')
        same(row['own_lost'], finding.get('own_lost_ns'), f'own lost time of {finding["rule"]}')
        if row['lost'] is not None:
            same(row['own_lost'], row['lost'] - row['explained'], f'own lost time of {finding["rule"]}')
        if row['explained']:
            own, explained = (f'{row[key] / 1e6:.1f} ms' for key in ('own_lost', 'explained'))
            check(re.search(f'{finding["rule"]}: .*; about {own} lost.*, besides {explained} that other findings explain', text), text)
        same(WORDS[row['severity']], finding['severity'], f'severity of {finding["rule"]}')
    fired = {finding['rule'] for finding in findings} | {effect['rule'] for finding in findings for effect in finding.get('effects', [])}
    # ProfilerReport only summarizes other rules, so the report does not list it as a finding
    same({name for name, row in found.items() if row['status'] == 'fired'} - {'ProfilerReport'}, fired, 'rules that fired')


def test_agreement(cli, name):
    with planted(name) as run:
        found = compare_with_rules(cli, run)
        compare_with_report(cli, run, found)
        fired = {rule for rule, row in found.items() if row['status'] == 'fired'}
        check(EXPECTED[name] <= fired, f'fired: {fired}')
        if name == 'late rank':
            same(found['SlowRank']['rank'], 3, 'rank')
            details = json.loads(cli.must('rules', '-q', '--format', 'json', run).stdout)['SlowRank']['Details']
            same((details['slow_steps'], details['steps']), (4, 4), 'steps in which the rank is slow')
        named = json.loads(cli.must('query', '-q', '--format', 'json', run, '--named', 'findings').stdout)
        same({row['rule']: row['message'] for row in named}, {rule: found[rule]['message'] for rule in fired}, 'named query')
        request = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'list_findings', 'arguments': {}}}
        answer = json.loads(cli.must('mcp', run, input=json.dumps(request) + '\n').stdout.splitlines()[-1])
        rows = json.loads(answer['result']['content'][0]['text'])
        rows = rows.get('result', rows)
        same([dict(zip(rows['columns'], row)) for row in rows['rows']],
             [found[row['rule']] for row in named], 'answer to an assistant')


def list_findings(cli, run, *limits):
    findings = json.loads(cli.must('report', '-q', '--format', 'json', '-o', '-', run, *limits).stdout)['findings']
    return {finding['rule']: [effect['rule'] for effect in finding.get('effects', [])] for finding in findings}


def test_range(cli):
    """A step has the same findings as the run. Ranks communicate without computing for 37 % of their time, which is more than the
    limit of 30 %, but only because they wait for rank 5: so CommunicationShare is an effect of SlowRank, and not a finding."""
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--pp', 1, '--steps', 4, '--dp', 4, '--tp', 2, '--straggler', '5:1.3')
        whole = list_findings(cli, run)
        same(whole, {'SlowRank': ['CommunicationShare']}, 'findings of the run')
        same(list_findings(cli, run, '--unit', 'step', '--start', 2, '--end', 3), whole, 'findings of a step')


def test_files(cli):
    """The exported file and the indexes give the same results. Indexes omit small events, so for them only SlowRank is compared."""
    with planted('late rank') as run:
        found, base = ask(cli, run), run.parent
        cli.must('merge', '-q', '--layout', 'sqlite', '-o', base / 'run.sqlite', run)
        with closing(sqlite3.connect(base / 'run.sqlite')) as file:
            file.row_factory = sqlite3.Row
            same({row['rule']: dict(row) for row in file.execute(SQL)}, found, 'exported file')
        cli.must('index', '-q', '-o', base / 'indexes', run)
        cli.must('index', '-q', '--join', '-o', base / 'run.loomrun', base / 'indexes')
        joined = compare_with_rules(cli, base / 'run.loomrun')
        slow, known = joined['SlowRank'], found['SlowRank']
        # The time that a repair of the slow rank would save is computed by simulating the steps without its delays. The
        # simulation needs the calls that launch kernels, which indexes do not contain. Therefore the severity is lower
        # for indexes.
        same((slow['status'], slow['rank'], known['severity'], slow['severity']), ('fired', 3, 'severe', 'warning'), 'slow rank of the joined indexes')
        check(0.9 * known['lost'] < slow['lost'] < 1.1 * known['lost'], (slow['lost'], known['lost']))


def test_own(cli):
    """Rules in the user's folder give results, and a rule file that cannot be read is reported as a row."""
    with folder() as place:
        rules = Path(place) / 'traceloom' / 'rules'
        rules.mkdir(parents=True)
        text = (ROOT / 'data' / 'rules' / 'slow-rank.json').read_text(encoding='utf-8').replace('"SlowRank"', '"MyRank"')
        (rules / 'mine.json').write_text(text, encoding='utf-8')
        (rules / 'wrong.json').write_text('{', encoding='utf-8')
        found = ask(cli, SAMPLE, env={'XDG_DATA_HOME': place})
        check('MyRank' in found and 'SlowRank' in found, sorted(found))
        wrong = [row for row in found.values() if 'wrong.json' in row['message']]
        same([row['status'] for row in wrong], ['not applicable'], 'unreadable file')
        shutil.rmtree(rules)


def main(program):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    for name in EXPECTED:
        tap.case(f'rules, report and table agree: {name}', test_agreement, cli, name)
    tap.case('findings of a step and of the run', test_range, cli)
    tap.case('indexes and exported files', test_files, cli)
    tap.case("the user's own rules", test_own, cli)
    tap.done()


main(sys.argv[1])
