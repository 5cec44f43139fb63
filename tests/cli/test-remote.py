# SPDX-License-Identifier: Apache-2.0
"""Tests remote locations: files are listed and fetched, and later only changed files are fetched; nothing is written outside of the
cache folder; failures are reported."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from harness import DONE, FAILED, INCOMPLETE, SAMPLE, Cli, Tap, check, folder, same

cli = Cli(sys.argv[1])
tap = Tap()
HERE = Path(__file__).resolve().parent


def events(n, first=0):
    return json.dumps([{'ph': 'X', 'name': 'op', 'ts': 1000 + i, 'dur': 1, 'pid': 1, 'tid': 1} for i in range(first, first + n)])


class Bucket:
    """A bucket of the fake aws, with its own cache folder and log of calls."""

    def __init__(self, where, **env):
        self.where = Path(where)
        self.root = self.where / 's3'
        self.cache = self.where / 'cache'
        bin_folder = self.where / 'bin'
        bin_folder.mkdir()
        (bin_folder / 'aws').symlink_to(HERE / 'fake-aws.py')
        python = self.where / 'bin' / 'python3'
        python.symlink_to(sys.executable)
        (self.root / 'b').mkdir(parents=True)
        self.env = {'PATH': f'{bin_folder}:/usr/bin:/bin', 'FAKE_S3': str(self.root), 'XDG_CACHE_HOME': str(self.cache), 'AWS_ENDPOINT_URL': '',
                    **env}

    def put(self, key, text):
        path = self.root / 'b' / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *args, **env):
        (self.root / 'calls').unlink(missing_ok=True)
        return cli(*args, env={**self.env, **env})

    def info(self, location, *args, **env):
        result = self.run('info', '--format', 'json', *args, location, **env)
        check(result.returncode in (DONE, INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
        return json.loads(result.stdout)

    def fetched(self):
        calls = [json.loads(line) for line in (self.root / 'calls').read_text().splitlines()]
        return sorted(call[-2].removeprefix('s3://b/') for call in calls if call[:2] == ['s3', 'cp'])

    def cached(self):
        return sorted(p for p in self.cache.rglob('*') if p.is_file() and p.name != 'known.json')


def sources(result):
    return sorted(source['path'] for source in result['sources'])


def as_folder():
    with folder() as where:
        bucket = Bucket(where)
        shutil.copytree(SAMPLE, bucket.root / 'b' / 'job')
        result = bucket.run('dump', '--quiet', 's3://b/job')
        same(result.stderr, '', 'messages')
        same(result.stdout, cli.must('dump', '--quiet', SAMPLE).stdout, 'the dump')
        same(sources(bucket.info('s3://b/job/')), sorted('s3://b/job' + s['path'].replace(str(SAMPLE), '') for s in
                                                        cli.info(SAMPLE)['sources']), 'the paths')
        same(bucket.fetched(), [], 'fetched the second time')


def only_changes():
    with folder() as where:
        bucket = Bucket(where)
        for name in 'abc':
            bucket.put(f'p/{name}.json', events(3))
        bucket.info('s3://b/p')
        same(bucket.fetched(), ['p/a.json', 'p/b.json', 'p/c.json'], 'the first time')
        bucket.put('p/b.json', events(3, 5))  # the new file has the same size as before
        bucket.put('p/d.json', events(1))
        (bucket.root / 'b/p/c.json').unlink()
        got = bucket.info('s3://b/p')
        same(bucket.fetched(), ['p/b.json', 'p/d.json'], 'the second time')
        same(sources(got), [f's3://b/p/{name}.json' for name in 'abd'], 'files in the cache')
        same([p.name for p in bucket.cached()], ['a.json', 'b.json', 'd.json'], 'the cache')
        bucket.cached()[0].write_text('cut')
        bucket.info('s3://b/p')
        same(bucket.fetched(), ['p/a.json'], 'a file that was damaged in the cache')


def neighbours():
    """A prefix is treated as a folder: objects whose names only begin with it are excluded. An object can be opened directly."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('run/a.json', events(1))
        bucket.put('run2/b.json', events(1))
        same(sources(bucket.info('s3://b/run')), ['s3://b/run/a.json'], 'a folder')
        same(sources(bucket.info('s3://b/run/a.json')), ['s3://b/run/a.json'], 'an object')
        same(len(sources(bucket.info('s3://b'))), 2, 'the bucket')


def pages():
    """A long listing comes in several pages, and only the needed pages are requested."""
    with folder() as where:
        bucket = Bucket(where)
        for i in range(10):
            bucket.put(f'p/{i}.json', events(1))
        same(len(sources(bucket.info('s3://b/p', FAKE_PAGE='3'))), 10, 'the sources')
        calls = (bucket.root / 'calls').read_text()
        same(calls.count('list-objects-v2'), 4, 'pages')
        result = bucket.run('info', 's3://b/p', FAKE_PAGE='3', LOOM_LIMIT_FILES='4')
        check('more than 4 files' in result.stderr, result.stderr)
        same((bucket.root / 'calls').read_text().count('list-objects-v2'), 2, 'pages looked at')


def narrowed():
    with folder() as where:
        bucket = Bucket(where)
        for hour in (2024061709, 2024061710, 2024061711):
            bucket.put(f'p/{hour}/a{hour}.json', events(1))
        bucket.put('p/b.txt', 'x')
        bucket.put('p/c.json', events(1))
        bucket.info('s3://b/p#suffix=.json&hours=2024061710-2024061711')
        same(len(bucket.fetched()), 3, 'files of two hours, and files without an hour')
        bucket.info('s3://b/p', '--suffix', '9.json')
        same(bucket.fetched(), ['p/2024061709/a2024061709.json'], 'with --suffix')
        result = bucket.run('info', 's3://b/p#hours=today')
        same(result.returncode, FAILED, 'an odd filter')
        check('YYYYMMDDHH' in result.stderr, result.stderr)


def twice():
    """A location with two different filters has two cache entries; the scheme may be in capitals."""
    with folder() as where:
        bucket = Bucket(where)
        for name in ('a.json', 'b.trace', 'c.txt'):
            bucket.put(f'p/{name}', events(1))
        result = bucket.run('info', '--format', 'json', 's3://b/p#suffix=.json', 'S3://b/p#suffix=.trace')
        same(sources(json.loads(result.stdout)), ['s3://b/p/a.json', 's3://b/p/b.trace'], 'the sources')


def at_once():
    """Two processes that fetch the same file at the same time both get all of it."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(300))
        env = {**os.environ, **bucket.env, 'FAKE_SLOW': '1'}
        both = []
        for _ in range(2):
            both.append(subprocess.Popen([sys.argv[1], 'info', '--format', 'json', 's3://b/p'], env=env, stdout=subprocess.PIPE, text=True))
            time.sleep(0.5)
        for process in both:
            text = process.communicate()[0]
            same(process.returncode, DONE, 'the status')
            same(sources(json.loads(text)), ['s3://b/p/a.json'], 'the sources')
        same([p.name for p in bucket.cached()], ['a.json'], 'the cache')


def by_rclone():
    """rclone is used if aws is not installed: for a folder and for a single object."""
    with folder() as where:
        bucket = Bucket(where)
        bin_folder = Path(bucket.env['PATH'].split(':')[0])
        (bin_folder / 'aws').unlink()
        (bin_folder / 'rclone').symlink_to(HERE / 'fake-rclone.py')
        bucket.put('p/a.json', events(1))
        bucket.put('p/q/b.json', events(1))
        for location, wanted in (('s3://b/p', ['s3://b/p/a.json', 's3://b/p/q/b.json']), ('s3://b/p/q/b.json', ['s3://b/p/q/b.json'])):
            same(sources(bucket.info(location, PATH=str(bin_folder))), wanted, location)


def archives_there():
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/x/a.json', events(2))
        subprocess.run(['tar', 'czf', str(bucket.root / 'b/p/job.tgz'), '-C', str(bucket.root / 'b/p'), 'x'], check=True)
        same(sources(bucket.info('s3://b/p')), ['s3://b/p/job.tgz/x/a.json', 's3://b/p/x/a.json'], 'the sources')


def evil_names():
    with folder() as where:
        bucket = Bucket(where, FAKE_EVIL=json.dumps(['p/../../../../evil.json', 'p//etc/evil.json', 'p/./evil.json', 'p/a\nb.json',
                                                     'p/' + 'x' * 300, 'p/' + 'd/' * 70 + 'deep', 'p/mark/']))
        bucket.put('p/a.json', events(1))
        result = bucket.run('info', '--format', 'json', 's3://b/p')
        same(result.returncode, INCOMPLETE, 'the status')
        same(sources(json.loads(result.stdout)), ['s3://b/p/a.json'], 'the sources')
        same([i['reason'] for i in json.loads(result.stdout)['ignored']].count(
            'the name of the file would place it outside of the folder'), 3, 'messages')
        same([p.name for p in bucket.cached()], ['a.json'], 'the cache')
        same(bucket.fetched(), ['p/a.json'], 'fetched objects')
        same([str(p) for p in bucket.where.rglob('*evil*')], [], 'files outside of the cache')


def no_shell():
    with folder() as where:
        bucket = Bucket(where)
        odd = 'p/$(touch evil); `x` & "y" \'z\' *.json'
        bucket.put(odd, events(1))
        same(sources(bucket.info('s3://b/p')), [f's3://b/{odd}'], 'the name')
        same(bucket.fetched(), [odd], 'the fetched object')


def no_local_files():
    """No command is run for keys that aws would replace by a file's content, or for buckets that rclone would take for
    a connection string."""
    with folder() as where:
        bucket = Bucket(where)
        (bucket.where / 'secret.txt').write_text('TOPSECRET')
        for location in (f's3://b/file://{where}/secret.txt', f's3://b/fileb://{where}/secret.txt', 's3://b/http://127.0.0.1/x',
                         's3://b/https://127.0.0.1/x', f's3://:local:{where}/secret.txt', 's3://-b/x', 'sftp://-oProxyCommand=x/y'):
            result = bucket.run('info', location)
            same(result.returncode, FAILED, location)
            check('is not allowed' in result.stderr or 'does not contain a bucket' in result.stderr, result.stderr)
            check(not (bucket.root / 'calls').exists(), f'{location}: a command was run')


def sessions_ask():
    """Remote locations of a session are fetched only if that is allowed, or if they are also given on the command line."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(1))
        session = Path(where) / 'theirs.traceloom'
        session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 's3://b/p'}]}))
        result = bucket.run('info', session)
        same(result.returncode, FAILED, 'the status')
        check('s3://b/p' in result.stderr and '--allow-remote' in result.stderr, result.stderr)
        check(not (bucket.root / 'calls').exists(), 'a command was run')
        same(sources(bucket.info(str(session), '--allow-remote')), ['s3://b/p/a.json'], 'sources with --allow-remote')
        same(set(sources(bucket.info(str(session), 's3://b/p/'))), {'s3://b/p/a.json'}, 'location named on the command line')
        same(bucket.run('info', session, 's3://b/q').returncode, FAILED, 'another location on the command line')


def failing():
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(1))
        for env, location, words in (
                ({'FAKE_FAIL': 'Unable to locate credentials. You can configure credentials by running "aws configure".'}, 's3://b/p',
                 'aws reports: Unable to locate credentials'),
                ({}, 's3://nobody/p', 'The specified bucket does not exist'),
                ({}, 's3://b/nothing', 'contains no files'),
                ({}, 's3://', 'bucket'),
                ({}, 's3:/b/p', '“s3://b/p” is meant'),
                ({'PATH': str(bucket.where)}, 's3://b/p', 'neither is installed'),
                ({'FAKE_EXIT': '7'}, 's3://b/p', 'aws ended with status 7 and without an error message'),
                ({'FAKE_EXIT': 'kill'}, 's3://b/p', 'aws was ended by signal 9'),
                ({'FAKE_LISTING': '<html>'}, 's3://b/p', 'aws did not answer with a listing'),
                ({'FAKE_LISTING': '[1]'}, 's3://b/p', 'aws did not answer with a listing'),
                ({'FAKE_LISTING': '{"NextToken": "5"}'}, 's3://b/p', 'the same page again'),
                ({'FAKE_LISTING': '{"NextToken": "PID"}'}, 's3://b/p', 'the same page again'),
                ({'FAKE_SHORT': '1'}, 's3://b/p', 'listed bytes arrived'),
                ({}, 'nosuchthing://host/p', 'install gvfs-backends')):
            result = bucket.run('info', location, **env)
            same(result.returncode, FAILED, location)
            check(words in result.stderr, f'{words}: {result.stderr}')
            same(bucket.cached(), [], 'the cache')


def failing_beside_others():
    """If one location fails, the others are loaded; the message and exit status report the failure, as for a missing
    file."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(3))
        good = Path(where) / 'good.json'
        good.write_text(events(2))
        for bad, words in (('s3://nobody/x', 'The specified bucket does not exist'), ('s3://b/nothing', 'contains no files'),
                           ('nosuchthing://host/p', 'install gvfs-backends'), ('s3:/b/p', '“s3://b/p” is meant')):
            for others, wanted in (([good], [str(good)]), ([good, 's3://b/p'], [str(good), 's3://b/p/a.json'])):
                result = bucket.run('info', '--format', 'json', bad, *others)
                same(result.returncode, INCOMPLETE, f'{bad}: {result.stderr}')
                got = json.loads(result.stdout)
                same(sources(got), sorted(wanted), bad)
                same([i['path'] for i in got['ignored']], [bad], 'failed locations')
                check(words in result.stderr and bad in result.stderr, result.stderr)
        result = bucket.run('info', 's3://nobody/x', f'{where}/missing.json')
        same(result.returncode, FAILED, 'a single location that fails')
        check('does not exist' in result.stderr and 'missing.json' in result.stderr, result.stderr)
        result = bucket.run('info', 's3://nobody/x', 's3://b/nothing')
        same(result.returncode, FAILED, 'a missing location')
        check('does not exist' in result.stderr and 'contains no files' in result.stderr, result.stderr)


def failing_in_part():
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(1))
        bucket.put('p/b.json', events(1))
        result = bucket.run('info', '--format', 'json', 's3://b/p', FAKE_DENY='b.json')
        same(result.returncode, INCOMPLETE, 'the status')
        check('s3://b/p/b.json: ' in result.stderr and 'Forbidden' in result.stderr, result.stderr)
        same(sources(json.loads(result.stdout)), ['s3://b/p/a.json'], 'the sources')
        same(len(sources(bucket.info('s3://b/p'))), 2, 'the next time')
        same(bucket.fetched(), ['p/b.json'], 'fetched then')


def gone():
    """If the network fails after the listing, fetching stops after a few failures."""
    with folder() as where:
        bucket = Bucket(where)
        for i in range(60):
            bucket.put(f'p/{i:02}.json', events(1))
        result = bucket.run('info', 's3://b/p', FAKE_GONE='none')
        same(result.returncode, FAILED, 'the status')
        check('None of 60 files' in result.stderr and 'Could not connect' in result.stderr, result.stderr)
        check(5 <= len(bucket.fetched()) <= 8, f'{len(bucket.fetched())} asked for')
        bucket.info('s3://b/p', '--suffix', '00.json')
        result = bucket.run('info', '--format', 'json', 's3://b/p', FAKE_GONE='none')
        same(result.returncode, INCOMPLETE, 'status with a local file')
        same(sources(json.loads(result.stdout)), ['s3://b/p/00.json'], 'the local file')
        n = len(bucket.fetched())
        check(f's3://b/p: {59 - n} more files were not requested after' in result.stderr, result.stderr)
        many = ' '.join(f'{i:02}.json' for i in range(50))
        same(len(sources(bucket.info('s3://b/p', FAKE_DENY=many))), 11, 'objects after fifty denied ones')


def other_kind():
    """A name in the bucket that was a folder becomes an object, or an object becomes a folder; the files are fetched in
    both cases. If a name is a folder and an object at the same time, a message says so and only the files of the folder
    are used."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json/x.json', events(1))
        bucket.put('p/b.json', events(1))
        bucket.info('s3://b/p')
        shutil.rmtree(bucket.root / 'b/p')
        bucket.put('p/a.json', events(1))
        bucket.put('p/b.json/x.json', events(1))
        same(sources(bucket.info('s3://b/p')), ['s3://b/p/a.json', 's3://b/p/b.json/x.json'], 'the sources')
        for path in bucket.cache.rglob('known.json'):
            path.unlink()  # removes the cache index, so the cached files are unknown
        shutil.rmtree(bucket.root / 'b/p')
        bucket.put('p/a.json/x.json', events(1))
        bucket.put('p/b.json', events(1))
        same(sources(bucket.info('s3://b/p')), ['s3://b/p/a.json/x.json', 's3://b/p/b.json'], 'the sources again')
        result = bucket.run('info', '--format', 'json', 's3://b/p', FAKE_EVIL='["p/a.json"]')
        same(result.returncode, INCOMPLETE, 'status if the name is a folder and an object')
        check('s3://b/p/a.json: a folder has the same name' in result.stderr, result.stderr)
        same(sources(json.loads(result.stdout)), ['s3://b/p/a.json/x.json', 's3://b/p/b.json'], 'sources if the name is a folder and an object')


def left_behind():
    """Partial files of a killed process are removed; those of a running process and other files stay."""
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/q/a.json', events(1))
        bucket.info('s3://b/p')
        inside = bucket.cached()[0].parent
        for name in ('a.json.1f-0.part', 'b.1f-1.part', 'c.json.part', 'd.1-2.part'):
            (inside / name).write_text('x')
            if name != 'd.1-2.part':
                os.utime(inside / name, (1, 1))
        with open(inside / 'b.1f-1.part') as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            bucket.info('s3://b/p')
        same([p.name for p in bucket.cached()], ['a.json', 'b.1f-1.part', 'c.json.part', 'd.1-2.part'], 'the cache')


def cancelled():
    with folder() as where:
        bucket = Bucket(where)
        bucket.put('p/a.json', events(1))
        process = subprocess.Popen([cli.program, 'info', 's3://b/p'], env={**os.environ, **bucket.env, 'FAKE_SLOW': '30'},
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
        deadline = time.monotonic() + 20
        while not any(p.name.endswith('.part') and p.stat().st_size for p in bucket.cache.rglob('*')) and time.monotonic() < deadline:
            time.sleep(0.05)
        begun = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        message = process.communicate(timeout=20)[1]
        check(time.monotonic() - begun < 10, 'fetching continues too long')
        same(process.returncode, FAILED, message)
        same(message, 'traceloom-cli: Cancelled\n', 'a verb that writes nothing')
        same(bucket.cached(), [], 'the cache')
        same(len(sources(bucket.info('s3://b/p'))), 1, 'the next time')


def killed():
    """Files that were complete when the program was killed are not fetched again."""
    with folder() as where:
        bucket = Bucket(where)
        for name in 'ab':
            bucket.put(f'p/{name}.json', events(1))
        process = subprocess.Popen([cli.program, 'info', 's3://b/p'], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
                                   env={**os.environ, **bucket.env, 'FAKE_SLOW': '30', 'FAKE_QUICK': 'a.json'})
        deadline = time.monotonic() + 20
        while not list(bucket.cache.rglob('known.json')) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        same(len(sources(bucket.info('s3://b/p'))), 2, 'the next time')
        same(bucket.fetched(), ['p/b.json'], 'fetched the next time')


def bounded():
    """If the cache exceeds its limit, the entries opened longest ago are removed, but none that may be in use."""
    with folder() as where:
        bucket = Bucket(where)
        text = events(20)
        for name in 'abcd':
            bucket.put(f'{name}/{name}.json', text)
            bucket.info(f's3://b/{name}', LOOM_LIMIT_CACHE_BYTES=str(len(text)))
        same(sorted(path.name for path in bucket.cached()), ['a.json', 'b.json', 'c.json', 'd.json'], 'young partial files')
        for age, name in enumerate('cbad'):
            known = next(path for path in bucket.cached() if path.name == f'{name}.json').parent.parent / 'known.json'
            os.utime(known, (time.time() - 7200 - age * 100,) * 2)
        bucket.put('e/e.json', text)
        room = sum(path.stat().st_size for path in bucket.cache.rglob('*') if path.is_file()) - len(text)
        bucket.info('s3://b/e', LOOM_LIMIT_CACHE_BYTES=str(room))
        same(sorted(path.name for path in bucket.cached()), ['b.json', 'c.json', 'e.json'], 'removed entries')
        same(len(sources(bucket.info('s3://b/a'))), 1, 'entries fetched again')


def real_server():
    """Fetches from a real server: Debian's awscli with npm's s3rver, if both are installed."""
    server = os.environ.get('TRACELOOM_S3RVER') or shutil.which('s3rver')
    aws = '/usr/bin/aws'
    if server is None or not os.access(aws, os.X_OK):
        return 'skip: no s3rver, or no awscli'
    with folder() as where, socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
        probe.close()
        url = f'http://127.0.0.1:{port}'
        env = {'PATH': '/usr/bin:/bin', 'XDG_CACHE_HOME': f'{where}/cache', 'AWS_ENDPOINT_URL': url, 'AWS_ACCESS_KEY_ID': 'S3RVER',
               'AWS_SECRET_ACCESS_KEY': 'S3RVER', 'AWS_DEFAULT_REGION': 'us-east-1', 'HOME': where}
        process = subprocess.Popen([server, '-d', f'{where}/data', '-a', '127.0.0.1', '-p', str(port), '--configure-bucket', 'bucket'],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with socket.socket() as client:
                    if client.connect_ex(('127.0.0.1', port)) == 0:
                        break
                time.sleep(0.1)
            subprocess.run([aws, '--endpoint-url', url, 's3', 'cp', '--recursive', '--only-show-errors', SAMPLE / 'llama-8b' / 'composer',
                            's3://bucket/job'], check=True, env={**os.environ, **env})
            wanted = cli.must('dump', '--quiet', SAMPLE / 'llama-8b' / 'composer').stdout
            same(cli.must('dump', '--quiet', 's3://bucket/job', env=env).stdout, wanted, 'the dump')
            begun = time.monotonic()
            same(cli.must('dump', '--quiet', 's3://bucket/job', env=env).stdout, wanted, 'the dump again')
            missing = cli('info', 's3://nobody/job', env=env)
            same(missing.returncode, FAILED, 'no bucket')
            check('aws reports: ' in missing.stderr and 'NoSuchBucket' in missing.stderr, missing.stderr)
            return None if time.monotonic() - begun < 60 else 'slow'
        finally:
            process.terminate()
            process.wait()


for case in (as_folder, only_changes, neighbours, pages, narrowed, twice, at_once, by_rclone, archives_there, evil_names, no_shell, no_local_files, sessions_ask, failing, failing_beside_others,
             failing_in_part, gone, other_kind, left_behind,
             cancelled, killed, bounded, real_server):
    tap.case(case.__name__.replace('_', ' '), case)
tap.done()
