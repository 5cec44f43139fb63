# SPDX-License-Identifier: Apache-2.0
"""Tests archives: an archive gives the same timeline as its folder, no member is written outside of the temporary folder, and
damage is reported."""

import gzip
import io
import json
import os
import pickle
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from functools import cache
from pathlib import Path

from harness import DONE, INCOMPLETE, SAMPLE, Cli, Tap, check, folder, same

cli = Cli(sys.argv[1])
tap = Tap()

MTIME = 1718618400
HUGE = 8**11 - 1  # the largest size that a plain tar header can state


def events(n, first=0):
    return json.dumps({'traceEvents': [
        {'ph': 'X', 'name': f'op{i % 7}', 'ts': 1000 + 10 * i, 'dur': 5, 'pid': 1, 'tid': 1, 'args': {'number': i}}
        for i in range(first, first + n)]}).encode()


def add(tar, name, data=b'', **fields):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    entry.mtime = MTIME
    for key, value in fields.items():
        setattr(entry, key, value)
    tar.addfile(entry, io.BytesIO(data))


def make_tar(path, members, mode='w'):
    with tarfile.open(path, mode) as tar:
        for name, data in members:
            add(tar, name, data)
    return path


def make_zip(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, 'w', method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (2024, 6, 17, 10, 0, 0)), data, method)
    return path


def names(result):
    return sorted(Path(source['path']).name for source in result['sources'])


def reasons(result):
    return {ignored['path']: ignored['reason'] for ignored in result['ignored']}


def tar_folder(path, source, mode):
    with tarfile.open(path, mode) as tar:
        tar.add(source, '.')


def zip_folder(path, source, method):
    with zipfile.ZipFile(path, 'w', method) as archive:
        for file in sorted(Path(source).rglob('*')):
            archive.write(file, file.relative_to(source))


# --- equal to the folder ---

def pack_sample(where, kind):
    path = Path(where) / f'job.{kind}'
    if kind.startswith('tar.zst'):
        tar_folder(Path(where) / 'plain', SAMPLE, 'w')
        subprocess.run(['zstd', '-q', Path(where) / 'plain', '-o', path], check=True)
    elif kind.startswith('tar'):
        tar_folder(path, SAMPLE, {'tar': 'w', 'tar.gz': 'w:gz', 'tar.xz': 'w:xz', 'tar.bz2': 'w:bz2'}[kind])
    else:
        zip_folder(path, SAMPLE, {'zip': zipfile.ZIP_DEFLATED, 'stored.zip': zipfile.ZIP_STORED, 'bzip2.zip': zipfile.ZIP_BZIP2}[kind])
    return path


def read_all(path):
    """Returns what the command line prints about a path: the dump, the sources, the merged events with args."""
    return (cli.must('dump', '--quiet', path).stdout, cli.info(path)['sources'],
            json.loads(cli.must('merge', '--quiet', path, '-o', '-').stdout)['traceEvents'])


@cache
def read_sample():
    return read_all(SAMPLE)


def as_folder(kind):
    if kind == 'tar.zst' and shutil.which('zstd') is None:
        return 'skip: no zstd here'
    with folder() as where:
        path = pack_sample(where, kind)
        (dump, sources, merged), (wanted_dump, wanted_sources, wanted_merged) = read_all(path), read_sample()
        same(dump, wanted_dump, 'the dump')
        same([s['path'].replace(str(path), '') for s in sources], [s['path'].replace(str(SAMPLE), '') for s in wanted_sources], 'the paths')
        same([s['rank'] for s in sources], [s['rank'] for s in wanted_sources], 'the ranks')
        same([s['events'] for s in sources], [s['events'] for s in wanted_sources], 'the events')
        same(merged, wanted_merged, 'the merged events with their args')
        left = [p for p in Path(where).iterdir() if p not in (path, Path(where) / 'plain')]
        same(left, [], 'files next to the archive')


def packed_members(kind):
    """Members may be gzip files themselves, as PyTorch writes them."""
    with folder() as where:
        data = [(f'run/rank{i}.pt.trace.json.gz', gzip.compress(events(3000, i), mtime=MTIME)) for i in range(3)]
        plain = Path(where) / 'run'
        plain.mkdir()
        for name, content in data:
            (Path(where) / name).write_bytes(content)
            os.utime(Path(where) / name, (MTIME, MTIME))
        path = Path(where) / 'a'
        if kind == 'tar.gz':
            make_tar(path, data, 'w:gz')
        else:
            make_zip(path, data, {'deflated': zipfile.ZIP_DEFLATED, 'stored': zipfile.ZIP_STORED}[kind])
        same(cli.dump(path), cli.dump(plain), 'the dump')
        same([s['rank'] for s in cli.info(path)['sources']], [0, 1, 2], 'the ranks')


def with_offsets():
    with folder() as where:
        path = make_zip(Path(where) / 'a.zip', [('x/a.json', events(2)), ('x/b.json', events(2, 5))])
        for source in (f'{path}/x/b.json', f'{path} › x/b.json', '1'):
            got = cli.must('dump', '--quiet', '--offset', f'{source}=7', path).stdout.splitlines()
            same(json.loads(got[-1])['ts_ns'] % 10, 7, source)


def with_suffix():
    with folder() as where:
        path = make_zip(Path(where) / 'a.zip', [('x/a.pt.json', events(2)), ('x/b.json', events(2, 5))])
        same(names(cli.info('--suffix', '.pt.json', path)), ['a.pt.json'], 'members with the suffix')


def beside_files():
    """Archives can be opened together with a folder, and two archives together."""
    with folder() as where:
        make_zip(Path(where) / 'one.zip', [('a.json', events(2))])
        make_tar(Path(where) / 'two.tgz', [('b.json', events(2, 5))], 'w:gz')
        (Path(where) / 'c.json').write_bytes(events(2, 9))
        same(names(cli.info(where)), ['a.json', 'b.json', 'c.json'], 'sources of the folder')
        same(names(cli.info(Path(where) / 'one.zip', Path(where) / 'two.tgz')), ['a.json', 'b.json'], 'sources of two archives')


def neighbours():
    """TensorFlow's clock is found in the name of another file of the run, also inside an archive."""
    inner = 'framework/tensorflow/detailed_profiling/2020060217/000000010/plugins/profile/2020_06_02_17_40_11'
    data = {'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': [
        {'ph': 'M', 'pid': 1, 'name': 'process_name', 'args': {'name': '/host:CPU'}},
        {'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 5.0, 'dur': 2.0, 'name': 'op'}]}
    stamp = 1591119611 * 10**6
    with folder() as where:
        members = [(f'{inner}/host.trace.json.gz', gzip.compress(json.dumps(data).encode(), mtime=MTIME)),
                   (f'{inner}/host_{stamp}_{stamp + 5000000}.metadata', b'')]
        plain = Path(where) / 'plain'
        for name, content in members:
            (plain / name).parent.mkdir(parents=True, exist_ok=True)
            (plain / name).write_bytes(content)
        path = make_zip(Path(where) / 'a.zip', members)
        same(cli.dump(path), cli.dump(plain), 'the dump')
        check('.metadata' in cli.info(path)['sources'][0]['clock']['basis'], 'the clock is not found')


# --- damaged ---------------------------------------------------------------------------------------------------------

def count(result):
    return sum(source['events'] for source in result['sources'])


def flipped():
    """A flipped bit in stored data makes the checksum wrong: all events are read, and the damage is reported."""
    with folder() as where:
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode='w') as tar:
            for name in ('a.json', 'b.json'):
                add(tar, name, events(50))
        packed = bytearray(gzip.compress(plain.getvalue(), 0))
        packed[packed.index(b'"ph"') + 1] ^= 1
        path = Path(where) / 'flipped.tar.gz'
        path.write_bytes(packed)
        result = cli('info', '--format', 'json', path)
        same(result.returncode, INCOMPLETE, result.stderr)
        check('checksum' in result.stderr and 'all files were found' in result.stderr and 'not known' not in result.stderr, result.stderr)
        same(len(json.loads(result.stdout)['sources']), 2, 'the sources')


def cut(kind):
    """Archives truncated at many places: no crash, the events before the cut are read, and the cut is reported."""
    if kind == 'tar.zst' and shutil.which('zstd') is None:
        return 'skip: no zstd here'
    with folder() as where:
        members = [(f'd/{i}.json', events(200, i)) for i in range(8)]
        path = Path(where) / 'a'
        if kind == 'zip':
            make_zip(path, members)
        else:
            make_tar(path, members, 'w:gz' if kind == 'tar.gz' else 'w')
        if kind == 'tar.zst':  # several compressed frames, as in large archives
            blocks = b''.join(subprocess.run(['zstd', '-q', '-c'], input=path.read_bytes()[i:i + 8192], capture_output=True, check=True).stdout
                              for i in range(0, path.stat().st_size, 8192))
            path.write_bytes(blocks)
        data, seen = path.read_bytes(), []
        for share in (0.02, 0.2, 0.45, 0.7, 0.93):
            path.write_bytes(data[:int(len(data) * share)])
            result = cli('info', '--format', 'json', path)
            check(result.returncode in (INCOMPLETE, 1), f'exit {result.returncode} at {share}: {result.stderr}')
            check('a' in result.stderr, 'there is no message')
            if kind in ('tar.gz', 'tar.zst') and result.returncode == INCOMPLETE:
                told = [line for line in result.stderr.splitlines() if 'later files were not found' in line]
                check(len(told) == 1 and 'at decompressed byte' in told[0], f'one message of it: {result.stderr}')
            seen.append(count(json.loads(result.stdout)) if result.returncode == INCOMPLETE else 0)
        same(seen, sorted(seen), 'a longer file gives fewer events')
        check(seen[-1] >= 1200, f'nearly all of 1,600: {seen}')


def wrong_checksum():
    with folder() as where:
        path = make_zip(Path(where) / 'a.zip', [('x/a.json', events(500)), ('x/b.json', events(5))])
        data = bytearray(path.read_bytes())
        data[14] ^= 1  # corrupts the header of the first member
        path.write_bytes(data)
        result = cli('info', '--format', 'json', path)
        same(result.returncode, INCOMPLETE, 'the status')
        same(count(json.loads(result.stdout)), 505, 'number of events')
        check('a.zip › x/a.json' in result.stderr and 'checksum' in result.stderr, result.stderr)


def field(number, content):
    """Returns an encoded field of a protobuf message: a number below 128, or fewer than 128 bytes."""
    data = content if isinstance(content, bytes) else b''
    return bytes([number << 3 | 2, len(data)]) + data if isinstance(content, bytes) else bytes([number << 3, content])


def binaries(where):
    """Returns {name: bytes} of a small file of each format that is not text."""
    with sqlite3.connect(where / 'a.sqlite') as base:
        base.executescript('create table StringIds (id integer primary key, value text); insert into StringIds values (1, \'kernel_one\');'
                           'create table CUPTI_ACTIVITY_KIND_KERNEL (start int, end int, deviceId int, streamId int, demangledName int);'
                           'insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 20, 0, 7, 1);')
    plane = field(2, b'/device:GPU:0') + field(4, field(1, 1) + field(2, field(1, 1) + field(2, b'kernel_one'))) + field(
        3, field(1, 1) + field(2, b'Stream #1') + field(4, field(1, 1) + field(2, 5) + field(3, 9)))
    snapshot = {'segments': [], 'device_traces': [[{'action': 'alloc', 'addr': 1, 'size': 512, 'stream': 0, 'time_us': 1, 'frames': []}]]}
    cli.must('merge', '--quiet', SAMPLE, '-o', where / 'a.pftrace')
    return {'a.sqlite': (where / 'a.sqlite').read_bytes(), 'a.xplane.pb': field(1, plane), 'a.pickle': pickle.dumps(snapshot, 4),
            'a.pftrace': (where / 'a.pftrace').read_bytes(), 'a.json': events(20)}


def binary_damage():
    """Wrong checksums and missing ends are reported for each format, in gzip files and in members that a zip stores as they are."""
    with folder() as name:
        where = Path(name)
        files = binaries(where)
        for name, data in files.items():
            (where / f'good-{name}.gz').write_bytes(gzip.compress(data))
            same(cli('info', where / f'good-{name}.gz').returncode, DONE, f'exit, {name}')
            packed = gzip.compress(data, 6)
            for kind, bad in (('checksum-gzip', packed[:-8] + b'1234' + packed[-4:]), ('truncated-gzip', packed[:-8])):
                path = where / f'{kind}-{name}.gz'
                path.write_bytes(bad)
                result = cli('info', '--format', 'json', path)
                same(result.returncode, INCOMPLETE, f'exit, {kind}, {name}: {result.stderr}')
                check(kind in {problem['code'] for problem in json.loads(result.stdout)['sources'][0]['problems']}, f'{kind}, {name}: {result.stdout}')
            path = make_zip(where / f'{name}.zip', [(name, data)], zipfile.ZIP_STORED)
            same(cli('info', path).returncode, DONE, f'exit, stored {name}')
            path.write_bytes(path.read_bytes().replace(struct.pack('<I', zlib.crc32(data)), b'1234'))
            result = cli('info', '--format', 'json', path)
            same(result.returncode, INCOMPLETE, f'exit, stored {name}: {result.stderr}')
            same([problem['code'] for problem in json.loads(result.stdout)['sources'][0]['problems'] if problem['severity'] == 'error'], ['checksum-gzip'],
                 f'problems of the stored {name}')


def broken_event():
    """Byte offsets in messages count from the start of the member, not of the archive."""
    with folder() as where:
        text = b'[{"ph":"X","name":"a","ts":1,"dur":1},\n{"ph":"X",,"name":"b"},\n{"ph":"X","name":"c","ts":3,"dur":1}]'
        path = make_tar(Path(where) / 'a.tar.gz', [('x/a.json', events(50)), ('x/b.json', text)], 'w:gz')
        (Path(where) / 'b.json').write_bytes(text)
        told = cli('info', path).stderr
        alone = cli('info', Path(where) / 'b.json').stderr
        check('a.tar.gz › x/b.json: ' in told, told)
        same(told.split('b.json: ')[1], alone.split('b.json: ')[1], 'the message')


def encrypted():
    with folder() as where:
        path = make_zip(Path(where) / 'a.zip', [('secret.json', events(5)), ('open.json', events(5, 5))])
        data = bytearray(path.read_bytes())
        data[6] |= 1
        data[data.index(b'PK\1\2') + 8] |= 1
        path.write_bytes(data)
        result = cli('info', '--format', 'json', path)
        same(result.returncode, INCOMPLETE, 'the status')
        same(names(json.loads(result.stdout)), ['open.json'], 'members that are read')
        check('secret.json: encrypted' in result.stderr, result.stderr)


def rubbish():
    with folder() as where:
        for start in (b'PK\3\4', b'\x28\xb5\x2f\xfd', b'\xfd7zXZ\0', b'BZh9'):
            path = Path(where) / 'a'
            path.write_bytes(start + bytes(range(256)) * 20)
            result = cli('info', path)
            same(result.returncode, 1, start)
            check(len(result.stderr.splitlines()) >= 1 and 'a: ' in result.stderr, result.stderr)


# --- hostile ---------------------------------------------------------------------------------------------------------

def hostile_names():
    with folder() as where:
        inner = Path(where) / 'inner'
        inner.mkdir()
        (Path(where) / 'outside.json').write_bytes(events(3))
        path = inner / 'a.tar'
        with tarfile.open(path, 'w') as tar:
            add(tar, '/etc/rooted.json', events(1))
            add(tar, '../outside.json', events(2))
            add(tar, 'a/../../../../climbs.json', events(1, 3))
            add(tar, 'link.json', type=tarfile.SYMTYPE, linkname='../outside.json')
            add(tar, 'hard.json', type=tarfile.LNKTYPE, linkname='/etc/passwd')
            add(tar, 'pipe.json', type=tarfile.FIFOTYPE)
            add(tar, 'disk.json', type=tarfile.BLKTYPE)
            add(tar, '.hidden.json', events(1))
            add(tar, 'good//./name.json', events(1, 7))
            add(tar, 'x' * 5000 + '.json', events(1))
            add(tar, '/'.join('d' * 70) + '/deep.json', events(1))
            add(tar, '..', events(1))
        result = cli('info', '--format', 'json', path)
        got = json.loads(result.stdout)
        same(sorted(s['path'] for s in got['sources']),
             sorted(f'{path}/{n}' for n in ('etc/rooted.json', 'outside.json', 'climbs.json', 'good/name.json')), 'the sources')
        same(sum(s['events'] for s in got['sources'] if 'outside' in s['path']), 2, 'sources of the archive')
        told = reasons(got)
        for name in ('link.json', 'hard.json', 'pipe.json', 'disk.json'):
            check(f'{path}/{name}' in told, name)
        check('“..”' in result.stderr and 'too long' in result.stderr, result.stderr)
        same(sorted(p.name for p in Path(where).rglob('*')), ['a.tar', 'inner', 'outside.json'], 'files outside of the archive')


def twice():
    with folder() as where:
        members = [('x.json', events(1)), ('y.json', events(1)), ('x.json', events(9))]
        for path in (make_tar(Path(where) / 'a.tar', members), make_zip(Path(where) / 'a.zip', members)):
            got = cli.info(path)
            same({Path(s['path']).name: s['events'] for s in got['sources']}, {'x.json': 9, 'y.json': 1}, 'events of the last member of a name')
            check(any('more than once' in reason for reason in reasons(got).values()), 'there is no message')


def claims():
    """The header of a member states a size that is larger than the archive. All events are read, and the exit status
    reports incomplete input."""
    for mode in ('w', 'w:gz'):
        with folder() as where:
            path = make_tar(Path(where) / 'a', [('a.json', events(20)), ('b.json', events(30))])
            data = bytearray(path.read_bytes())
            at = data.index(b'b.json')
            entry = tarfile.TarInfo('b.json')
            entry.size = HUGE
            data[at:at + 512] = entry.tobuf(tarfile.USTAR_FORMAT)
            path.write_bytes(data if mode == 'w' else gzip.compress(bytes(data)))
            result = cli('info', '--format', 'json', path)
            same(result.returncode, INCOMPLETE, 'the status')
            same(count(json.loads(result.stdout)), 50, 'number of events')


def peak(*args):
    """Returns the result and the peak memory in MB, or 0 MB under sanitizers, which use more."""
    if cli.is_sanitized():
        return cli(*args), 0
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    result = cli(*args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return result, max(before, after) / 1024


def bomb():
    with folder() as where:
        path = Path(where) / 'a.tar.gz'
        entry = tarfile.TarInfo('zeros.json')
        entry.size = 5 << 28
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        start = packer.compress(entry.tobuf(tarfile.USTAR_FORMAT)) + packer.flush(zlib.Z_FULL_FLUSH)
        block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)  # equal blocks, compressed once
        path.write_bytes(start + block * (5 << 8))  # too large to be read to its end
        result, memory = peak('info', path)
        same(result.returncode, 1, 'the status')
        check('200 times' in result.stderr, result.stderr)
        check(memory < 400, f'{memory} MB')


def overlapping():
    """Several entries of a zip directory refer to the same bytes, which are read only once. Otherwise an attacker could multiply the size
    of an archive with such entries."""
    with folder() as where:
        path = make_zip(Path(where) / 'a.zip', [('a.json', events(1000)), ('b.json', events(10))])
        data = path.read_bytes()
        at = data.index(b'PK\1\2')
        end = data.index(b'PK\5\6')
        first = data[at:data.index(b'PK\1\2', at + 4)]
        copies = b''.join(first.replace(b'a.json', f'{i}.json'.encode()) for i in range(5))
        whole = bytearray(data[:end] + copies + data[end:])
        end += len(copies)
        struct.pack_into('<HHI', whole, end + 8, 7, 7, end - at)
        path.write_bytes(whole)
        result = cli('info', '--format', 'json', path)
        check(result.returncode in (DONE, INCOMPLETE), result.stderr)
        same(count(json.loads(result.stdout)), 1010, 'each byte is read once')


def many():
    """An archive with 20,000 files can be opened; with LOOM_LONG 100,000 files, as large jobs have."""
    n = 100000 if 'LOOM_LONG' in os.environ else 20000
    with folder() as where:
        path = Path(where) / 'a.zip'
        with zipfile.ZipFile(path, 'w') as archive:
            for i in range(n):
                archive.writestr(zipfile.ZipInfo(f'd/{i}.txt'), 'x')
            archive.writestr(zipfile.ZipInfo('d/a.json'), events(5))
        result, memory = peak('info', '--format', 'json', path)
        same(result.returncode, DONE, result.stderr)
        got = json.loads(result.stdout)
        same((len(got['sources']), len(got['ignored'])), (1, n), 'sources, ignored')
        check(memory < 100 + n / 200, f'{memory} MB')


def too_many():
    with folder() as where:
        path = Path(where) / 'a.tar'
        make_tar(path, [(f'{i}.json', events(1)) for i in range(5)])
        result = cli('info', '--format', 'json', path, env={'LOOM_LIMIT_FILES': '3'})
        same(result.returncode, INCOMPLETE, 'the status')
        same(len(json.loads(result.stdout)['sources']), 3, 'the sources')
        check('more than 3 files in the archive' in result.stderr, result.stderr)


def all_twice():
    """Each of two archives contains every name twice: the later member of each name is read, in the order of the archive."""
    with folder() as where:
        for archive in 'ab':
            make_tar(Path(where) / f'{archive}.tar', [(f'{i}.json', events(n)) for n in (1, 2) for i in range(5)])
        result = cli.info(where)
        same([s['path'].replace(where, '') for s in result['sources']], [f'/{a}.tar/{i}.json' for a in 'ab' for i in range(5)], 'the sources')
        same({s['events'] for s in result['sources']}, {2}, 'the events')
        same(len(result['ignored']), 10, 'members that messages name')


def profile_configuration():
    """In an archive, as on disk, a profiler configuration in a parent folder of Python profiles is used."""
    profiles = Path(__file__).resolve().parent.parent / 'import/cases/python-profiles-folder/framework'
    config = b'{"ProfilingParameters": {"PythonProfilingConfig": "{\\"cProfileTimer\\": \\"CPU_time\\"}"}}'
    with folder() as where:
        members = [(f'job/framework/{path.relative_to(profiles)}', path.read_bytes()) for path in sorted(profiles.rglob('*')) if path.is_file()]

        def timers(path):
            lines = cli.must('dump', path).stdout.splitlines()
            return [json.loads(line)['args'].get('timer') for line in lines]

        plain = timers(make_tar(Path(where) / 'plain.tar', members))
        check(len(set(plain)) > 1, f'timers of the steps: {plain}')
        for name, make in (('a.tar', make_tar), ('a.zip', make_zip)):
            same(timers(make(Path(where) / name, members + [('job/profilerconfig.json', config)])), ['cpu'] * len(plain), name)


def nested():
    with folder() as where:
        inner = make_zip(Path(where) / 'in.zip', [('a.json', events(5))]).read_bytes()
        tgz = make_tar(Path(where) / 'in.tgz', [('a.json', events(5))], 'w:gz').read_bytes()
        path = make_zip(Path(where) / 'a.zip', [('in.zip', inner), ('in.tgz', tgz), ('b.json', events(5))])
        got = cli.info(path)
        same(names(got), ['b.json'], 'members that are read')
        for name in ('in.zip', 'in.tgz'):
            check('inside an archive' in reasons(got)[f'{path}/{name}'], name)
        twice = Path(where) / 'b.zip.gz'
        twice.write_bytes(gzip.compress(inner))
        check('compressed twice' in cli('info', twice).stderr or 'inside' in cli('info', twice).stderr, 'a zip file in gzip is not reported')


def empty():
    with folder() as where:
        for path in (make_zip(Path(where) / 'a.zip', []), make_tar(Path(where) / 'a.tgz', [], 'w:gz')):
            result = cli('info', path)
            same(result.returncode, 1, path.name)


for kind in ('zip', 'stored.zip', 'bzip2.zip', 'tar', 'tar.gz', 'tar.xz', 'tar.bz2', 'tar.zst'):
    tap.case(f'equals the folder: {kind}', as_folder, kind)
for kind in ('deflated', 'stored', 'tar.gz'):
    tap.case(f'packed members: {kind}', packed_members, kind)
for kind in ('zip', 'tar', 'tar.gz', 'tar.zst'):
    tap.case(f'truncated: {kind}', cut, kind)
for case in (with_offsets, with_suffix, beside_files, neighbours, wrong_checksum, binary_damage, flipped, broken_event, encrypted, rubbish, hostile_names,
             twice, claims, bomb, overlapping, many, too_many, all_twice, profile_configuration, nested, empty):
    tap.case(case.__name__.replace('_', ' '), case)
tap.done()
