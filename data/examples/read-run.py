# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Read a run in Python
#
# Editors that support `# %%` open this file as a notebook. Usage: `python3 read-run.py RUN [TRACELOOM-CLI]`.

# %% The paths of the run and of the program
import json
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = sys.argv[1] if len(sys.argv) > 1 else 'run'
CLI = sys.argv[2] if len(sys.argv) > 2 else 'traceloom-cli'


def ask(*words):
    """Returns the JSON that a command prints. Exit status 3 means that the command succeeded but some input was incomplete."""
    done = subprocess.run([CLI, words[0], '--quiet', '--format', 'json', *words[1:]], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 3):
        sys.exit(done.returncode)
    return json.loads(done.stdout)


# %% The report: one document with every analysis (data/schemas/report-1.schema.json)
report = ask('report', RUN)
for rank in report['steps']['ranks']:
    print(f"{rank['node']}: {rank['count']} steps, median {rank['median_ns'] / 1e6:.1f} ms")
for finding in report['findings']:
    print(f"{finding['severity']}: {finding['sentence']}")

# %% A query: returns rows as objects. Pass values as parameters, never as part of the SQL text
rows = ask('query', RUN, 'SELECT name, count(*) AS calls, sum(duration) AS total_ns FROM span WHERE kind = :kind GROUP BY name',
           '--param', 'kind=compute')
for row in sorted(rows, key=lambda row: -row['total_ns'])[:5]:
    print(f"{row['total_ns'] / 1e6:10.1f} ms {row['calls']:6} {row['name'][:60]}")

# %% All tables as a SQLite file, for many queries
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / 'run.sqlite'
    subprocess.run([CLI, 'merge', '--quiet', RUN, '--layout', 'sqlite', '-o', str(path)], check=True)
    database = sqlite3.connect(path)
    slowest = database.execute('SELECT number, rank, duration FROM step ORDER BY duration DESC LIMIT 3').fetchall()
    for number, rank, duration in slowest:
        print(f'step {number} of rank {rank}: {duration / 1e6:.1f} ms')

    # With pandas, if it is installed. Columns of whole numbers without empty cells stay integers, so times are exact to the
    # nanosecond; pandas makes doubles of others. Their texts keep all digits
    try:
        import pandas
    except ImportError:
        pandas = None
    if pandas is not None:
        steps = pandas.read_sql('SELECT rank, duration FROM step', database)
        print(steps.groupby('rank', dropna=False)['duration'].describe())
        findings = pandas.read_sql('SELECT message, CAST(start AS TEXT) AS start FROM finding', database)
        print(findings['start'].astype('Int64').head())
    database.close()
