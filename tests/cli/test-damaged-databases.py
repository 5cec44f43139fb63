# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of SQLite databases that are cut off or damaged: every row that is whole in the file is shown, and no other.

A second reader, which knows only leaves and overflow pages, finds the rows of the intact database that are whole in the damaged one.
All other rows are deleted from a copy of the intact database with SQLite. The events of this copy and of the damaged database must be
the same."""

import gzip
import json
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import zlib
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

CUTS = (20, 40, 60, 80, 95)
LOST = re.compile(r'Rows kept: (\d+), of these found only by searching the file: (\d+)\. Rows lost: about (\d+)')


def number(data, at):
    value = 0
    for i in range(9):
        value = value << 8 | data[at] if i == 8 else value << 7 | data[at] & 127
        at += 1
        if i < 8 and data[at - 1] < 128:
            break
    return value, at


class Pages:
    """The pages of an intact database."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.size = self.u(16, 2) if self.u(16, 2) > 1 else 65536
        self.interiors, self.leaves = {}, {}  # root → pages

    def u(self, at, n):
        return int.from_bytes(self.data[at:at + n], 'big')

    def walk(self, root, page=None):
        """Lists (page, position of a cell) of the tree of a table."""
        page = page or root
        begin = (page - 1) * self.size
        head = begin + (100 if page == 1 else 0)
        count = self.u(head + 3, 2)
        if self.data[head] == 13:
            self.leaves.setdefault(root, []).append(page)
            for i in range(count):
                yield page, begin + self.u(head + 8 + 2 * i, 2)
        elif self.data[head] == 5:
            self.interiors.setdefault(root, []).append(page)
            for i in range(count):
                yield from self.walk(root, self.u(begin + self.u(head + 12 + 2 * i, 2), 4))
            yield from self.walk(root, self.u(head + 8, 4))

    def row(self, at):
        """Returns the row id, and the ranges of bytes of the row."""
        begin = at
        length, at = number(self.data, at)
        row_id, at = number(self.data, at)
        most, least = self.size - 35, (self.size - 12) * 32 // 255 - 23
        local = least + (length - least) % (self.size - 4)
        local = length if length <= most else local if local <= most else least
        ranges = [(begin, at + local + (4 if local < length else 0))]
        left, page = length - local, self.u(at + local, 4) if local < length else 0
        while left > 0:
            ranges.append(((page - 1) * self.size, (page - 1) * self.size + 4 + min(left, self.size - 4)))
            left -= self.size - 4
            page = self.u((page - 1) * self.size, 4)
        return row_id if row_id < 1 << 63 else row_id - (1 << 64), ranges

    def rows(self, root):
        """Returns {row id: (page of its leaf, ranges of bytes)}."""
        return {row_id: (page, ranges) for page, at in self.walk(root) for row_id, ranges in [self.row(at)]}


def tables_of(path):
    base = sqlite3.connect(f'file:{path}?mode=ro&immutable=1', uri=True)
    rows = base.execute("select name, rootpage, rowid from sqlite_master where type = 'table'").fetchall()
    base.close()
    return rows


def reduce(intact, target, is_whole):
    """Copies an intact database without the rows for which is_whole(ranges of bytes) is false. Returns the number of rows that remain."""
    pages, kept = Pages(intact), 0
    shutil.copyfile(intact, target)
    target.chmod(0o600)
    schema = pages.rows(1)
    base = sqlite3.connect(target)
    for (name,) in base.execute("select name from sqlite_master where type in ('view', 'trigger')").fetchall():
        base.execute(f'drop view if exists "{name}"')
    for name, root, entry in tables_of(intact):
        rows = pages.rows(root)
        lost = [row_id for row_id, (_, ranges) in rows.items() if not is_whole(ranges)]
        kept += len(rows) - len(lost)
        if not is_whole(schema[entry][1]) and not name.startswith('sqlite_'):
            base.execute(f'drop table "{name}"')
        else:
            base.executemany(f'delete from "{name}" where rowid = ?', ((row_id,) for row_id in lost))
    base.commit()
    base.close()
    return kept


def events(cli, path):
    """Returns the events of a database. A database is not recognised if important tables are not in its list of tables."""
    result = cli('dump', path)
    if result.returncode != harness.FAILED:
        check(result.returncode in (harness.DONE, harness.INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
    return sorted(result.stdout.splitlines())


def problems(cli, path):
    result = cli('info', '--format', 'json', path)
    check(result.returncode in (harness.DONE, harness.INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
    return {problem['code']: problem['message'] for problem in json.loads(result.stdout)['sources'][0]['problems']}


def compare(cli, intact, damaged, is_whole, what):
    reference = damaged.parent / 'reference' / damaged.name
    reference.parent.mkdir(exist_ok=True)
    reduce(intact, reference, is_whole)
    got, wanted = events(cli, damaged), events(cli, reference)
    if got != wanted:
        check(False, f'{what}: {len(got)} events, {len(wanted)} wanted; missing {sorted(set(wanted) - set(got))[:2]}, not wanted {sorted(set(got) - set(wanted))[:2]}')
    return len(wanted)


def check_cuts(cli, intact, folder, least):
    """Cuts the file at parts of its length, in the middle of a page and at its end. `least`: number of events that are kept, at least, of all cuts."""
    damaged, kept = Path(folder) / intact.name, 0
    data, size = intact.read_bytes(), Pages(intact).size
    for percent in CUTS:
        for n in {len(data) * percent // 100, len(data) * percent // 100 // size * size}:
            damaged.write_bytes(data[:n])
            kept += compare(cli, intact, damaged, lambda ranges, n=n: all(end <= n for _, end in ranges), f'cut at {n}')
    check(kept >= least, f'{kept} events kept')


# --- databases ---------------------------------------------------------------------------------------------------------------

NSIGHT = '''
create table StringIds (id integer primary key, value text);
create table PROCESSES (globalPid integer, pid integer, name text);
create table CUPTI_ACTIVITY_KIND_RUNTIME (start integer not null, end integer not null, eventClass integer not null, globalTid integer,
  correlationId integer, nameId integer not null, returnValue integer);
create table CUPTI_ACTIVITY_KIND_KERNEL (start integer not null, end integer not null, deviceId integer, contextId integer,
  streamId integer, correlationId integer, globalPid integer, demangledName integer, gridX integer);
create table NVTX_EVENTS (start integer not null, end integer, eventType integer, text text, globalTid integer);
insert into StringIds values (1, 'cudaLaunchKernel_v7000'), (2, 'gemm');
insert into PROCESSES values (1291845632, 77, 'train');
'''
RPD = '''
create table rocpd_string (id integer primary key, string text);
create table rocpd_api (id integer primary key, pid integer, tid integer, start integer, end integer, apiName_id integer, args_id integer);
create table rocpd_op (id integer primary key, gpuId integer, queueId integer, sequenceId integer, start integer, end integer,
  description_id integer, opType_id integer);
create table rocpd_api_ops (id integer primary key, api_id integer, op_id integer);
insert into rocpd_string values (1, 'hipLaunchKernel'), (2, 'KernelExecution'), (3, ''), (4, 'gemm');
'''
ROCPD = '''
create table rocpd_metadata_m (id integer primary key, tag text, value text);
create table rocpd_string_m (id integer primary key, guid text, string text);
create table rocpd_info_process_m (id integer primary key, nid integer, pid integer, environment text);
create table rocpd_info_thread_m (id integer primary key, nid integer, pid integer, tid integer);
create table rocpd_info_kernel_symbol_m (id integer primary key, kernel_name text, display_name text);
create table rocpd_event_m (id integer primary key, category_id integer, stack_id integer, parent_stack_id integer);
create table rocpd_region_m (id integer primary key, nid integer, pid integer, tid integer, start integer, end integer, name_id integer, event_id integer);
create table rocpd_kernel_dispatch_m (id integer primary key, nid integer, pid integer, tid integer, agent_id integer, kernel_id integer,
  dispatch_id integer, queue_id integer, start integer, end integer, event_id integer);
insert into rocpd_metadata_m values (1, 'schema_version', '3'), (2, 'uuid', '_m');
insert into rocpd_string_m values (1, 'm', 'hipLaunchKernel'), (2, 'm', 'HIP_RUNTIME_API_EXT');
insert into rocpd_info_process_m values (1, 1, 77, '{}');
insert into rocpd_info_thread_m values (1, 1, 1, 77);
insert into rocpd_info_kernel_symbol_m values (1, 'gemm.kd', 'gemm');
'''


def make(path, script, inserts, n, size=512, order=None):
    """Makes a database with small pages, so that its trees have several levels, and with the rows of its tables in turns."""
    base = sqlite3.connect(path)
    base.execute(f'pragma page_size = {size}')
    base.executescript(script)
    for i in order or range(n):
        for command, values in inserts(i):
            base.execute(command, values)
    base.commit()
    base.close()
    return path


def nsight_rows(i):
    process = 77 << 24
    yield 'insert into CUPTI_ACTIVITY_KIND_RUNTIME (rowid, start, end, eventClass, globalTid, correlationId, nameId, returnValue) values (?, ?, ?, 0, ?, ?, 1, 0)', \
        (i + 1, 1000 * i + 100, 1000 * i + 300, process | 77, i)
    yield 'insert into CUPTI_ACTIVITY_KIND_KERNEL (rowid, start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, gridX) values (?, ?, ?, 0, 1, 7, ?, ?, ?, 64)', \
        (i + 1, 1000 * i + 400, 1000 * i + 900 + i % 7, i, process, 2 if i % 5 else 3 + i // 5)
    if i % 5 == 0:
        yield 'insert into StringIds values (?, ?)', (3 + i // 5, f'kernel {i} ' + 'x' * (i % 9 * 150))
    if i % 3 == 0:
        yield 'insert into NVTX_EVENTS (rowid, start, end, eventType, text, globalTid) values (?, ?, ?, 59, ?, ?)', \
            (i // 3 + 1, 1000 * i, 1000 * i + 950, f'step {i}' + 'y' * (i % 11 * 70), process | 77)


def rpd_rows(i):
    yield 'insert into rocpd_api values (?, 77, 77, ?, ?, 1, 3)', (i + 1, 1000 * i + 100, 1000 * i + 300)
    yield 'insert into rocpd_op values (?, 0, 0, ?, ?, ?, 4, 2)', (i + 1, i, 1000 * i + 400, 1000 * i + 900)
    yield 'insert into rocpd_api_ops values (?, ?, ?)', (i + 1, i + 1, i + 1)


def rocpd_rows(i):
    for k in range(2):
        yield 'insert into rocpd_event_m values (?, 2, ?, ?)', (2 * i + k + 1, i + 1, k * (i + 1))
    yield 'insert into rocpd_region_m values (?, 1, 1, 1, ?, ?, 1, ?)', (i + 1, 1000 * i + 100, 1000 * i + 300, 2 * i + 1)
    yield 'insert into rocpd_kernel_dispatch_m values (?, 1, 1, 1, 2, 1, ?, 1, ?, ?, ?)', (i + 1, i, 1000 * i + 400, 1000 * i + 900, 2 * i + 2)


KINDS = {'nsight': ('a.sqlite', NSIGHT, nsight_rows), 'rpd': ('a.rpd', RPD, rpd_rows), 'rocpd': ('a.db', ROCPD, rocpd_rows)}


def make_kind(folder, kind, n=1500, **options):
    name, script, inserts = KINDS[kind]
    (Path(folder) / 'intact').mkdir()
    return make(Path(folder) / 'intact' / name, script, inserts, n, **options)


# --- tests -------------------------------------------------------------------------------------------------------------------

def check_kind(cli, folder, kind):
    check_cuts(cli, make_kind(folder, kind), folder, 10000)


def check_order(cli, folder, kind):
    """Rows that were inserted in any order have their leaves in any order, so that leaves are missing between others."""
    order = list(range(1500))
    random.Random(5).shuffle(order)
    check_cuts(cli, make_kind(folder, kind, order=order), folder, 5000)


def check_sizes(cli, folder, size):
    """The numbers of a page with 65,536 bytes do not fit into two bytes."""
    check_cuts(cli, make_kind(folder, 'nsight', n=6000, size=size), folder, 10000)


def check_compressed(cli, folder):
    """A compressed database is salvaged in memory."""
    intact = make_kind(folder, 'rpd')
    packed = gzip.compress(intact.read_bytes(), mtime=0)
    damaged = Path(folder) / 'a.rpd.gz'
    damaged.write_bytes(packed[:len(packed) * 7 // 10])
    n = len(zlib.decompressobj(31).decompress(damaged.read_bytes()))
    reference = Path(folder) / 'reference' / 'a.rpd'
    reference.parent.mkdir()
    reduce(intact, reference, lambda ranges: all(end <= n for _, end in ranges))
    got, wanted = events(cli, damaged), [event.replace('a.rpd', 'a.rpd.gz') for event in events(cli, reference)]
    check(len(wanted) > 1000 and got == wanted, f'{len(got)} events, {len(wanted)} wanted')


def check_interiors(cli, folder, fill):
    """If pages above the leaves are damaged, no row is lost."""
    intact = make_kind(folder, 'nsight')
    pages, data = Pages(intact), bytearray(intact.read_bytes())
    roots = {name: root for name, root, _ in tables_of(intact)}
    n_rows = len(pages.rows(roots['CUPTI_ACTIVITY_KIND_KERNEL'])) + len(pages.rows(roots['NVTX_EVENTS']))
    damaged = Path(folder) / intact.name
    n_pages = 0
    for name in ('CUPTI_ACTIVITY_KIND_KERNEL', 'NVTX_EVENTS'):
        for page in pages.interiors[roots[name]]:
            data[(page - 1) * 512:page * 512] = fill * 512
            n_pages += 1
    check(n_pages >= 8, f'{n_pages} interior pages')
    damaged.write_bytes(data)
    compare(cli, intact, damaged, lambda ranges: True, 'interior pages')
    found = [int(text) for text in LOST.search(problems(cli, damaged)['damaged-table']).groups()]
    same(found, [n_rows, n_rows, 0], 'rows kept, found and lost')


def check_leaf(cli, folder):
    """If leaves in the middle are damaged, only their rows are lost, and the message says how many."""
    intact = make_kind(folder, 'nsight')
    pages, data = Pages(intact), bytearray(intact.read_bytes())
    roots = {name: root for name, root, _ in tables_of(intact)}
    rows = pages.rows(roots['CUPTI_ACTIVITY_KIND_KERNEL'])
    zeroed = sorted(pages.leaves[roots['CUPTI_ACTIVITY_KIND_KERNEL']])[10:20:2]
    for page in zeroed:
        data[(page - 1) * 512:page * 512] = bytes(512)
    damaged = Path(folder) / intact.name
    damaged.write_bytes(data)
    compare(cli, intact, damaged, lambda ranges: not any(begin // 512 + 1 in zeroed for begin, _ in ranges), 'leaves')
    message = problems(cli, damaged)['damaged-table']
    n_lost = sum(page in zeroed for page, _ in rows.values())
    same([int(text) for text in LOST.search(message).groups()], [len(rows) - n_lost, 0, n_lost], 'rows kept, found and lost')
    check(f'from byte {(zeroed[0] - 1) * 512} ' in message, message)


def check_alike(cli, folder):
    """Leaves that fit two damaged tables are reported and not used: nothing is guessed."""
    intact = make_kind(folder, 'nsight')
    base = sqlite3.connect(intact)
    base.executescript('create table CUPTI_ACTIVITY_KIND_MEMSET as select * from CUPTI_ACTIVITY_KIND_KERNEL where rowid <= 700')
    base.close()
    pages, data = Pages(intact), bytearray(intact.read_bytes())
    roots = {name: root for name, root, _ in tables_of(intact)}
    alike = [roots['CUPTI_ACTIVITY_KIND_KERNEL'], roots['CUPTI_ACTIVITY_KIND_MEMSET']]
    rows = [pages.rows(root) for root in alike]
    for root in alike:
        data[(root - 1) * 512:root * 512] = bytes(512)
    damaged = Path(folder) / intact.name
    damaged.write_bytes(data)
    tables = sum(([table for table in page] for page in rows), [])
    wanted = events(cli, intact)
    got = events(cli, damaged)
    check(not set(got) - set(wanted), f'events that are not in the file: {sorted(set(got) - set(wanted))[:2]}')
    found = problems(cli, damaged)
    check(f'rows: {len(tables)}' in found['unassigned-pages'], found['unassigned-pages'])


def check_deleted(cli, folder, list_is_damaged):
    """Rows that were deleted, but are still in the file, are not shown. If the list of deleted pages is damaged too, no leaf is used."""
    intact = make_kind(folder, 'nsight')
    base = sqlite3.connect(intact)
    base.execute('pragma secure_delete = 0')
    base.execute('delete from CUPTI_ACTIVITY_KIND_KERNEL where rowid between 300 and 900')
    base.commit()
    base.close()
    pages, data = Pages(intact), bytearray(intact.read_bytes())
    root = {name: root for name, root, _ in tables_of(intact)}['CUPTI_ACTIVITY_KIND_KERNEL']
    n_rows, n_deleted = len(pages.rows(root)), pages.u(36, 4)
    check(n_deleted >= 30, f'{n_deleted} deleted pages')
    for page in pages.interiors[root] + ([pages.u(32, 4)] if list_is_damaged else []):
        data[(page - 1) * 512:page * 512] = bytes(512)
    damaged = Path(folder) / intact.name
    damaged.write_bytes(data)
    if not list_is_damaged:
        compare(cli, intact, damaged, lambda ranges: True, 'deleted rows')
        return
    check(not any('"kernel"' in event for event in events(cli, damaged)), 'kernels')
    text = problems(cli, damaged)['unassigned-pages']
    check(int(re.search(r'rows: (\d+)', text).group(1)) >= n_rows, text)


def check_hostile(cli, folder):
    """Pages that refer to each other in circles, and wrong numbers of pages, cells and bytes, end with a message."""
    intact, dice = make_kind(folder, 'nsight', n=300), random.Random(3)
    data, damaged = intact.read_bytes(), Path(folder) / intact.name
    for n in range(60):
        content = bytearray(data)
        for _ in range(40):
            at = dice.randrange(1024, len(content) - 4)
            content[at:at + 4] = dice.choice((dice.randrange(1, len(data) // 512).to_bytes(4, 'big'), bytes([255] * 4), b'\5\0\0\0', b'\r\0\0\0'))
        if n % 3 == 0:
            content[28:32] = dice.randrange(1 << 32).to_bytes(4, 'big')
        if n % 5 == 0:
            content[32:40] = dice.randrange(1 << 40).to_bytes(8, 'big')
        damaged.write_bytes(content[:dice.randrange(2048, len(content))])
        result = cli('info', '--format', 'json', damaged)
        check(result.returncode in (harness.FAILED, harness.INCOMPLETE), f'{n}: exit {result.returncode}: {result.stderr}')


def in_folder(function, *args):
    with tempfile.TemporaryDirectory() as folder:
        return function(args[0], folder, *args[1:])


def check_real(cli, folder, path):
    check_cuts(cli, path, folder, 100)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for kind in KINDS:
        tap.case(f'{kind}, cut', in_folder, check_kind, cli, kind)
        tap.case(f'{kind} in any order, cut', in_folder, check_order, cli, kind)
    tap.case('large pages', in_folder, check_sizes, cli, 65536)
    tap.case('compressed', in_folder, check_compressed, cli)
    tap.case('interior pages without data', in_folder, check_interiors, cli, b'\0')
    tap.case('interior pages with garbage', in_folder, check_interiors, cli, b'\xa5')
    tap.case('leaves without data', in_folder, check_leaf, cli)
    tap.case('tables alike', in_folder, check_alike, cli)
    tap.case('deleted rows', in_folder, check_deleted, cli, False)
    tap.case('deleted rows, list damaged', in_folder, check_deleted, cli, True)
    tap.case('hostile', in_folder, check_hostile, cli)
    corpus = harness.shared_folder('corpus').resolve()
    for path in sorted([*corpus.glob('nsight/*.sqlite'), *corpus.glob('rocm/*.rpd')]):
        if path.read_bytes()[:15] == b'SQLite format 3':
            tap.case(path.name, in_folder, check_real, cli, path)
    tap.done()


main()
