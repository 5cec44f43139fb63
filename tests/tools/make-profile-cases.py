#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Python profiles of tests/import/cases: small dumps in every version of the marshal format, and reports and
sessions of pyinstrument. Run it in the top folder of the source tree and commit its output."""

import json
import marshal
import struct
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / 'import' / 'cases'
START = 1932984100000000  # in µs


def put(path, data):
    path = CASES / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def profile(step=1):
    """Returns the content of a profile in which the function main calls work twice, and work calls sleep. The times are
    multiplied by `step`."""
    main, work, sleep = ('t.py', 1, 'main'), ('t.py', 5, 'work'), ('~', 0, '<built-in method time.sleep>')
    return {main: (1, 1, 0.001 * step, 0.006 * step, {}), work: (2, 2, 0.002 * step, 0.005 * step, {main: (2, 2, 0.002 * step, 0.005 * step)}),
            sleep: (4, 4, 0.003 * step, 0.003 * step, {work: (4, 4, 0.003 * step, 0.003 * step)})}


# --- Python 2, written byte by byte ---

class Python2:
    def __init__(self):
        self.interned = []

    def text(self, value, interned=True):
        data = value.encode()
        if interned and value in self.interned:
            return b'R' + struct.pack('<I', self.interned.index(value))
        if interned:
            self.interned.append(value)
        return (b't' if interned else b's') + struct.pack('<I', len(data)) + data

    def write(self, value):
        if isinstance(value, dict):
            return b'{' + b''.join(self.write(key) + self.write(item) for key, item in value.items()) + b'0'
        if isinstance(value, tuple):
            return b'(' + struct.pack('<I', len(value)) + b''.join(map(self.write, value))
        if isinstance(value, str):
            return self.text(value, interned='<' not in value)
        return b'g' + struct.pack('<d', value) if isinstance(value, float) else b'i' + struct.pack('<i', value)


# --- folders ---------------------------------------------------------------------------------------------------------------

def intervals():
    """Yields (folder name, index) for each interval between two consecutive points of a job. The points are: before
    step 0, three points in each of steps 9 to 11, and the end."""
    points = [('prestepzero', '%2A', 'start')]
    for step in (9, 10, 11):
        points += [('train', step, 'stepstart'), ('train', step, 'forwardpassend'), ('train', step, 'stepend')]
    points += [('posthookclose', '%2A', 'end')]
    for i, (first, second) in enumerate(zip(points, points[1:])):
        ends = (START + i * 1000000 + 0.5, START + (i + 1) * 1000000 - 0.25)
        yield '_'.join('-'.join(map(str, (*point, end))) for point, end in zip((first, second), ends)), i


def folders():
    for name, i in intervals():
        put(f'python-profiles-folder/framework/pytorch/cprofile/151-algo-1/{name}/python_stats', marshal.dumps(profile(i + 1)))
    old = 'python-profiles-2020/framework/tensorflow/cProfile'
    put(f'{old}/{START}.5_{START + 900000}.0_151-algo-1_-1/python_stats', marshal.dumps(profile()))
    # end before start
    put(f'{old}/{START + 1900000}.25_{START + 1000000}_151-algo-1_2/python_stats', marshal.dumps(profile()))
    put(f'{old}/{START + 2000000}_{START + 2500000}_7-algo-2_2/python_stats', marshal.dumps(profile()))


def files():
    base = 'python-profiles-files'
    whole = marshal.dumps(profile())
    put(f'{base}/empty-dict.prof', b'{0')
    put(f'{base}/cut.prof', whole[:-20])
    put(f'{base}/trailing.prof', whole + b'more')
    put(f'{base}/python2.prof', Python2().write(profile()))
    put(f'{base}/version1.prof', marshal.dumps(profile(), 1))
    put(f'{base}/nan.prof', marshal.dumps({('a.py', 7, 'f'): (2, 2, float('nan'), 1e300, {})}))
    put(f'{base}/example.prof', bytes.fromhex('7B29037A04612E7079690700000 07A0166290569020000006902000000'.replace(' ', '') +
                                              '67000000000000D03F67000000000000E03F7B3030'))
    put(f'{base}/zero/python_stats', b'')
    put(f'{base}/wrong/python_stats', b'\x80\x04pickle')
    put(f'{base}/shape.prof', marshal.dumps({('a.py', 7): (1, 1, 0.5, 0.5, {})}))
    put(f'{base}/page/python_stats.html', '<html></html>')


# --- pyinstrument -----------------------------------------------------------------------------------------------------------

def frame(name, line, time, *children, **more):
    return {'function': name, 'file_path_short': 't.py', 'file_path': '/w/t.py', 'line_no': line, 'time': time, 'await_time': 0.0,
            'is_application_code': True, 'children': list(children), **more}


def report(**more):
    root = frame('run', 3, 0.4, frame('load', 9, 0.25), frame('<module>', 0, 0.1, frame('[self]', None, 0.1), group_id='g1'))
    return {'start_time': 1932984100.25, 'duration': 0.4, 'sample_count': 390, 'target_description': 'step 9', 'cpu_time': 0.31,
            'root_frame': root, **more}


def info(name, line, *attributes):
    return '\x01'.join((f'{name}\0/w/t.py\0{line}', *attributes))


def session():
    records = [[[info('run', 3, 'l4'), info('load', 9, 'cLoader')], 0.1], [[info('run', 3, 'l5'), info('load', 9, 'cLoader')], 0.15],
               [[info('run', 3)], 0.05], [[info('run', 3), info('save', 20)], 0.1]]
    return {'frame_records': records, 'start_time': 1932984100.25, 'duration': 0.4, 'sample_count': 4, 'start_call_stack': [info('run', 3)],
            'target_description': 'x', 'cpu_time': 0.3, 'sys_path': ['/a']}


def pyinstrument():
    base = 'python-profiles-pyinstrument'
    folder = f'{base}/framework/pytorch/pyinstrument/7-algo-2'
    step = 'train-{0}-stepstart-19329841{1:02}200000.5_train-{0}-stepend-19329841{1:02}700000'
    text = json.dumps(report())
    put(f'{folder}/{step.format(9, 0)}/python_stats.json', text)
    put(f'{folder}/{step.format(9, 0)}/python_stats.html', '<html></html>')
    put(f'{folder}/{step.format(10, 1)}/python_stats.json', '{"root_frame": null}')
    put(f'{folder}/{step.format(11, 2)}/python_stats.html', '<html></html>')
    put(f'{base}/report.json', json.dumps(report(), indent=1))
    put(f'{base}/report-cut.json', text[:text.index('[self]')])
    put(f'{base}/report-old.json', json.dumps({'duration': 0.4, 'sample_count': 1, 'program': 'x.py', 'cpu_time': None,
                                               'root_frame': frame('run', 3, 0.4)}))
    put(f'{base}/session.pyisession', json.dumps(session()))
    put(f'{base}/session-cut.pyisession', json.dumps(session())[:200])


if __name__ == '__main__':
    folders()
    files()
    pyinstrument()
