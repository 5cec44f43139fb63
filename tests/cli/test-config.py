# SPDX-License-Identifier: Apache-2.0
"""Tests profiler configurations: each pitfall of the parser in the container, each error message of the SDK, and
lossless writing. Row numbers refer to formats/profiler-config-and-rules.md, part A."""

import ast
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, USAGE, Cli, Tap, check, folder, same  # noqa: E402

DETAILED, LOADER, PYTHON = 'DetailedProfilingConfig', 'DataloaderProfilingConfig', 'PythonProfilingConfig'
HOROVOD, SMDDP = 'HorovodProfilingConfig', 'SMDataParallelProfilingConfig'


def request(parameters=None, **fields):
    document = {'DisableProfiler': False, **fields}
    if parameters is not None:
        document['ProfilingParameters'] = parameters
    return json.dumps(document)


def metric(text, key=DETAILED, **more):
    return request({key: text, **more})


# Each case: name, text of the file, values in the output of `show` (path of keys: value), codes of the notes.
SHOWN = {
    'empty parameters': (request({}), {('framework', 'on'): False, ('system', 'on'): True, ('system', 'interval_ms'): 500}, []),
    'no parameters': (request(), {('framework', 'on'): False}, []),
    'disabled': (request({DETAILED: '{"StartStep": 1}'}, DisableProfiler=True),
                 {('framework', 'on'): False, ('system', 'on'): False, ('metrics', DETAILED, 'state'): 'off'}, []),
    'disabled by a text': (request({}, DisableProfiler='false'), {('system', 'on'): False}, ['disable-text']),
    'not disabled by an empty text': (request({}, DisableProfiler=''), {('system', 'on'): True}, []),
    'disabled by a number': (request({}, DisableProfiler=1), {('system', 'on'): False}, []),
    'an unknown switch': (request({}, ProfilerEnabled=True), {('system', 'on'): True}, ['unknown-switch']),
    'interval': (request({}, ProfilingIntervalInMilliseconds=1000), {('system', 'interval_ms'): 1000}, []),
    'interval not allowed': (request({}, ProfilingIntervalInMilliseconds=250), {('system', 'interval_ms'): 250}, ['interval']),
    'both steps': (metric('{"StartStep": 3, "NumSteps": 2, }'),
                   {('metrics', DETAILED, 'state'): 'steps', ('metrics', DETAILED, 'start_step'): 3, ('metrics', DETAILED, 'num_steps'): 2,
                    ('metrics', DETAILED, 'means'): 'steps 3 to 4'}, []),
    'start only': (metric('{"StartStep": 3}'), {('metrics', DETAILED, 'means'): 'step 3'}, []),
    'number only': (metric('{"NumSteps": 3}'), {('metrics', DETAILED, 'means'): 'the first 3 steps'}, []),
    'step 0 alone': (metric('{"StartStep": 0}'), {('metrics', DETAILED, 'state'): 'never'}, ['zero-step']),
    'step 0 with a number': (metric('{"StartStep": 0, "NumSteps": 1}'), {('metrics', DETAILED, 'state'): 'steps'}, []),
    'steps in quotes': (metric('{"StartStep": "3", "NumSteps": " 2 "}'), {('metrics', DETAILED, 'means'): 'steps 3 to 4'}, []),
    'a step that is no number': (metric('{"StartStep": "x"}'), {('metrics', DETAILED, 'means'): 'off: a step is not a number'},
                                 ['no-number']),
    'a step in words beside a number': (metric('{"StartStep": "five", "NumSteps": 2}'),
                                        {('metrics', DETAILED, 'means'): 'off: a step is not a number'}, ['no-number']),
    'no steps': (metric('{"StartStep": 3, "NumSteps": 0}'), {('metrics', DETAILED, 'means'): 'step 3'}, ['sdk']),
    'fewer than no steps': (metric('{"StartStep": 3, "NumSteps": -1}'), {('metrics', DETAILED, 'state'): 'never'}, ['sdk']),
    'a step before the first': (metric('{"StartStep": -3}'), {('metrics', DETAILED, 'state'): 'steps'}, ['sdk']),
    'a time before 1970': (metric('{"StartTimeInSecSinceEpoch": -5, "DurationInSeconds": 1}'), {('metrics', DETAILED, 'state'): 'time'}, ['sdk']),
    'no time at all': (metric('{"StartTimeInSecSinceEpoch": 5, "DurationInSeconds": -1}'), {('metrics', DETAILED, 'state'): 'time'}, ['sdk']),
    'a time in words': (metric('{"DurationInSeconds": "long"}'), {('metrics', DETAILED, 'state'): 'off'}, ['no-number']),
    'a misspelt metric': (request({'DetailProfilingConfig': '{"StartStep": 3}', 'LocalPth': '/a/', 'Mine': '1', 'localpath': '/a/'}), {},
                          ['unknown-parameter', 'unknown-parameter']),
    'another configuration': (request({'SomethingElseConfig': '{}'}), {}, ['unknown-parameter']),
    'time and seconds': (metric('{"StartTimeInSecSinceEpoch": 1932984000, "DurationInSeconds": 2.5}'),
                         {('metrics', DETAILED, 'state'): 'time', ('metrics', DETAILED, 'start_s'): 1932984000,
                          ('metrics', DETAILED, 'duration_s'): 2.5}, []),
    'time only': (metric('{"StartTimeInSecSinceEpoch": 1932984000}'),
                  {('metrics', DETAILED, 'means'): 'from 1932984000 until the next step'}, []),
    'time as the sdk writes it': (metric('{"StartTimeInSecSinceEpoch": 1932984000, "Duration": 2.5}'),
                                  {('metrics', DETAILED, 'means'): 'from 1932984000 until the next step'}, ['duration-key']),
    'duration as the sdk writes it': (metric('{"Duration": 2.5}'), {('metrics', DETAILED, 'state'): 'never'}, ['duration-key']),
    'both durations': (metric('{"Duration": 2.5, "DurationInSeconds": 2.5}'), {('metrics', DETAILED, 'state'): 'time'}, []),
    'steps and time': (metric('{"StartStep": 1, "DurationInSeconds": 2}'), {('metrics', DETAILED, 'state'): 'off'}, ['steps-and-time']),
    'single quotes': (metric("{'StartStep': 3,}"), {('metrics', DETAILED, 'means'): 'step 3'}, []),
    'an empty metric': (metric('{}'), {('metrics', DETAILED, 'state'): 'off'}, []),
    'a metric that is no text': (metric({'StartStep': 3}), {('metrics', DETAILED, 'state'): 'steps'}, ['not-text']),
    'a metric that cannot be read': (metric('{"StartStep": 3'), {('metrics', DETAILED, 'means'): 'off: the setting of this metric cannot be parsed'},
                                     ['bad-metric-text']),
    'a metric with code': (metric('{"StartStep": __import__("os").getpid()}'), {('metrics', DETAILED, 'state'): 'off'}, ['bad-metric-text']),
    'a word in a metric': (metric('{"StartStep": 3, "x": True}'), {}, ['word-in-metric']),
    'horovod is ignored': (metric('{"StartStep": 3}', HOROVOD), {('metrics', HOROVOD, 'state'): 'off'}, ['ignored-metric']),
    'smdataparallel': (metric('{"StartStep": 3}', SMDDP), {('metrics', SMDDP, 'state'): 'steps'}, []),
    'classes of a regular expression': (metric('{"StartStep": 3, "MetricsRegex": "\\\\D+x"}', LOADER, LocalPath='/a/'),
                                        {('metrics', LOADER, 'regex'): '\\d+x'}, ['lower-case-class']),
    'no regular expression': (metric('{"StartStep": 3, "MetricsRegex": "("}', LOADER, LocalPath='/a/'), {}, ['bad-regex']),
    'loader without a slash': (metric('{"StartStep": 3}', LOADER, LocalPath='/a'), {}, ['no-slash']),
    'local path in capitals': (request({'LocalPath': '/Opt/ML'}), {('framework', 'local_path'): '/opt/ml'}, ['lower-case-path']),
    'python with steps': (metric('{"StartStep": 9, "NumSteps": 3, "ProfilerName": "cProfile", "cProfileTimer": "Default"}', PYTHON),
                          {('metrics', PYTHON, 'profiler'): 'cprofile', ('metrics', PYTHON, 'timer'): 'default'}, ['python-always']),
    'numbers as texts': (request({'RotateMaxFileSizeInBytes': '1e6', 'RotateFileCloseIntervalInSeconds': '30.5', 'FileOpenFailThreshold': '7'}),
                         {('framework', 'rotate_bytes'): 1000000, ('framework', 'rotate_s'): 30.5, ('framework', 'fail_threshold'): 7}, []),
    'numbers as numbers': (request({'RotateMaxFileSizeInBytes': 5, 'FileOpenFailThreshold': 7.9}),
                           {('framework', 'rotate_bytes'): 5, ('framework', 'fail_threshold'): 7}, []),
    'one bad number spoils four': (request({'LocalPath': '/a', 'RotateMaxFileSizeInBytes': 5, 'FileOpenFailThreshold': '7.9'}),
                                   {('framework', 'rotate_bytes'): 10485760, ('framework', 'fail_threshold'): 50,
                                    ('framework', 'local_path'): '/opt/ml/output/profiler'}, ['bad-number']),
    'small letters': (request({DETAILED: '{"StartStep": 3}'}).lower(), {('layer',): 'container', ('metrics', DETAILED, 'state'): 'steps'}, []),
    'wrapped': (json.dumps({'JobName': 'x', 'ProfilerConfig': json.loads(request({DETAILED: '{"StartStep": 3}'}))}),
                {('layer',): 'wrapped', ('metrics', DETAILED, 'state'): 'steps'}, []),
    'python words': ('{"DisableProfiler": False, "ProfilingParameters": {"a": True}}', {('framework', 'on'): True}, ['only-lower-case']),
    'two profilers': (request({DETAILED: '{"StartStep": 3}', 'CPUProfilingDuration': '3600'}), {}, ['two-profilers']),
    'the newer profiler': (request({'CPUProfilingDuration': '3600', 'SMPFileRotationSecs': '600'}), {('framework', 'on'): True}, []),
}

REFUSED = {
    'no json': ('{"DisableProfiler": ', 'not JSON'),
    'no object': ('[1]', 'not a profiler configuration'),
    'something else': ('{"traceEvents": []}', 'not a profiler configuration'),
    'deep': ('{"ProfilingParameters": ' + '[' * 200000, 'not strict JSON'),
    'huge': ('{"DisableProfiler": "' + 'x' * (2 << 20) + '"}', 'larger than'),
    'no utf-8': (b'{"DisableProfiler": "\xff"}', 'not UTF-8 (byte 21)'),
    'empty': ('', 'not'),
    'cut in a text': ('{"a": 1,\n\t"DisableProfiler": "fal', 'not JSON (byte 29)'),
    'cut in a name': ('{"DisableProfiler": false,\n\t"Profiling', 'not JSON (byte 28)'),
    'cut behind a comma': (b'\xef\xbb\xbf\n{"DisableProfiler": false,\n', 'not JSON (byte 30)'),
    'a wrong word behind others': ('{"a": "\u00e9",\n "DisableProfiler": nil}', 'not JSON (byte 32)'),
    'utf-16': ('{"DisableProfiler": false}'.encode('utf-16'), 'UTF-16 text: save it as UTF-8'),
    'utf-16 without a mark': ('{"DisableProfiler": false}'.encode('utf-16-le'), 'UTF-16 text: save it as UTF-8'),
    'a word that small letters do not make': ('{"DisableProfiler": None}', 'not JSON'),
}

# Message of the SDK: options of write that cause it.
INVALID = {
    'start_step must be integer greater or equal to 0!': ['--start-step', '-1'],
    'num_steps must be integer greater than 0!': ['--num-steps', '0'],
    'start_unix_time must be valid integer unix time!': ['--start-time', '-5'],
    'duration must be float greater than 0!': ['--duration', '0'],
    'Both step and time fields cannot be specified in the metrics config!': ['--start-step', '1', '--duration', '2'],
    'metrics_regex is invalid!': ['--regex', '('],
    'python_profiler must be of type PythonProfiler!': ['--profiler', 'perf'],
    'cprofile_timer must be of type cProfileTimer': ['--timer', 'wall'],
    'Profiler will not work when Framework Profiler is ON': ['--sagemaker-profiler', '--start-step', '1'],
    'must be 100, 200, 500, 1000, 5000 or 60000': ['--interval', '250'],
    '--rotate-bytes has to be above 0': ['--rotate-bytes', '0'],
    'file_max_size must be an integer greater than 0!': ['--rotate-bytes', '-1'],
    '--num-steps is a whole number': ['--num-steps', '1.5'],
    '--metric is one of': ['--metric', 'gpu'],
}


def at(document, path):
    for key in path:
        document = document[key]
    return document


def write_file(place, text):
    path = Path(place) / 'profilerconfig.json'
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_shown(cli, text, wanted, codes):
    with folder() as place:
        path = write_file(place, text)
        shown = json.loads(cli.must('config', 'show', path, allowed=(DONE,)).stdout)
        for keys, value in wanted.items():
            same(at(shown, keys), value, '/'.join(keys))
        same([note['code'] for note in shown['notes']], codes, 'notes')
        lines = cli('config', 'show', '--format', 'text', path).stdout
        for note in shown['notes']:
            check(note['message'] in lines, f'the text has no “{note["message"]}”')
        bad = any(note['severity'] == 'error' for note in shown['notes'])
        result = cli('config', 'check', path)
        same(result.returncode, FAILED if bad else DONE, 'exit status of check')
        same(len(result.stdout.splitlines()), len(codes), 'lines of check')


def test_refused(cli, text, words):
    with folder() as place:
        for verb in ('show', 'check'):
            result = cli('config', verb, write_file(place, text))
            same(result.returncode, FAILED, 'exit status')
            check(words in result.stderr, result.stderr)
            same(result.stdout, '', 'standard output')


def test_invalid(cli, message, options):
    with folder() as place:
        target = Path(place) / 'out.json'
        result = cli('config', 'write', '--kind', 'request', *options, '-o', target)
        same(result.returncode, USAGE, 'exit status')
        check(message in result.stderr, result.stderr)
        check(not target.exists(), 'a file was written')


def written(cli, *options):
    return cli.must('config', 'write', *options, '-o', '-', allowed=(DONE,)).stdout


def metrics_of(document):
    """Returns the values of the …ProfilingConfig strings, which must be strict JSON and Python literals with the same value."""
    parameters = document['ProfilingParameters']
    texts = {key: text for key, text in parameters.items() if key.endswith('ProfilingConfig')}
    for text in texts.values():
        same(json.loads(text), ast.literal_eval(text), text)
    return {key: json.loads(text) for key, text in texts.items()}


def test_ranges(cli):
    def of(*options):
        return metrics_of(json.loads(written(cli, '--kind', 'request', *options)))
    plain = of()
    same({key: (value['StartStep'], value['NumSteps']) for key, value in plain.items()},
         {DETAILED: (5, 1), LOADER: (7, 1), PYTHON: (9, 3), HOROVOD: (13, 1), SMDDP: (15, 1)}, 'defaults')
    same(plain[PYTHON]['cProfileTimer'], 'default', 'timer of all defaults')
    same(plain[LOADER]['MetricsRegex'], '.*', 'regular expression')
    general = of('--start-step', '4')
    same({(value['StartStep'], value['NumSteps']) for value in general.values()}, {(4, 1)}, 'start without a number of steps')
    same(general[PYTHON]['cProfileTimer'], 'total_time', 'timer of a general range')
    same({(value['StartStep'], value['NumSteps']) for value in of('--num-steps', '4').values()}, {(0, 4)}, 'number of steps without a start')
    chosen = of('--metric', 'python', '--metric', 'detailed')
    same(sorted(chosen), [DETAILED, PYTHON], 'the chosen values')
    same(chosen[PYTHON], {'StartStep': 9, 'NumSteps': 3, 'ProfilerName': 'cprofile', 'cProfileTimer': 'total_time'}, 'python alone')
    defaults = of('--metric', 'python', '--default-steps', '--start-step', '1')
    same(defaults[PYTHON], {'StartStep': 9, 'NumSteps': 3, 'ProfilerName': 'cprofile', 'cProfileTimer': 'default'}, 'default steps')
    timed = of('--metric', 'detailed', '--start-time', '100', '--duration', '2.5')[DETAILED]
    same(timed, {'StartTimeInSecSinceEpoch': 100, 'DurationInSeconds': 2.5, 'Duration': 2.5}, 'both duration keys')
    one = of('--metric', 'detailed', '--duration', '2.5', '--one-duration-key')[DETAILED]
    same(one, {'DurationInSeconds': 2.5}, 'one duration key')
    same('cProfileTimer' in of('--metric', 'python', '--profiler', 'pyinstrument')[PYTHON], False, 'pyinstrument has no timer')


def test_other_requests(cli):
    disabled = json.loads(written(cli, '--kind', 'request', '--disable', '--s3-output-path', 's3://b/p'))
    same(disabled, {'DisableProfiler': True}, 'disabled')
    system = json.loads(written(cli, '--kind', 'request', '--system-only', '--interval', '100', '--s3-output-path', 's3://b/p'))
    same(system, {'DisableProfiler': False, 'S3OutputPath': 's3://b/p', 'ProfilingIntervalInMilliseconds': 100}, 'system only')
    newer = json.loads(written(cli, '--kind', 'container', '--sagemaker-profiler'))
    same(newer['ProfilingParameters'], {'CPUProfilingDuration': '3600', 'SMPFileRotationSecs': '600'}, 'the newer profiler')
    all_texts = json.loads(written(cli, '--kind', 'container', '--rotate-seconds', '30.5'))['ProfilingParameters']
    check(all(isinstance(value, str) for value in all_texts.values()), 'a parameter is not a text')
    same(all_texts['RotateFileCloseIntervalInSeconds'], '30.5', 'seconds')


def test_round_trip(cli):
    """Unknown members survive on every level; the written file reads back as requested."""
    base = {'JobName': 'mine', 'ProfilerConfig': {'disableprofiler': False, 'x': [1, {'y': None}], 'ProfilingParameters': {
        'localpath': '/Mine/', 'Z': 'z', DETAILED: "{'StartStep': 1, 'mine': 'kept', }", PYTHON: '{"ProfilerName": "pyinstrument"}'}}}
    with folder() as place:
        path = write_file(place, json.dumps(base))
        text = written(cli, '--kind', 'request', '--from', path, '--start-step', '3', '--num-steps', '2')
        document = json.loads(text)
        same(document['JobName'], 'mine', 'the outermost level')
        config = document['ProfilerConfig']
        same((config['x'], config['disableprofiler'], 'DisableProfiler' in config), ([1, {'y': None}], False, False), 'the request')
        same((config['ProfilingParameters']['Z'], config['ProfilingParameters']['localpath']), ('z', '/Mine/'), 'the parameters')
        metrics = metrics_of(config)
        same(metrics[DETAILED], {'mine': 'kept', 'StartStep': 3, 'NumSteps': 2}, 'the metric')
        same(metrics[PYTHON]['ProfilerName'], 'pyinstrument', 'the profiler')
        again = written(cli, '--kind', 'request', '--from', write_file(place, text), '--start-step', '3', '--num-steps', '2')
        same(metrics_of(json.loads(again)['ProfilerConfig']), metrics, 'a configuration that is written again')
        same(sorted(json.loads(again)['ProfilerConfig']['ProfilingParameters']), sorted(config['ProfilingParameters']), 'keys')
        shown = json.loads(cli.must('config', 'show', write_file(place, text)).stdout)
        same(shown['metrics'][DETAILED]['means'], 'steps 3 to 4', 'meaning')


def test_python(cli):
    """Every Python snippet parses and calls the classes with the requested values."""
    def calls(*options):
        tree = ast.parse(written(cli, '--kind', 'python', *options))
        return {node.func.id: {word.arg: word.value.value for word in node.keywords if isinstance(word.value, ast.Constant)}
                for node in ast.walk(tree) if isinstance(node, ast.Call)}
    same(calls('--start-step', '3', '--num-steps', '4')['FrameworkProfile'], {'start_step': 3, 'num_steps': 4}, 'general range')
    same(calls()['FrameworkProfile'], {}, 'defaults')
    same(calls('--disable'), {'ProfilerConfig': {'disable_profiler': True}}, 'disabled')
    loader = calls('--metric', 'dataloader', '--regex', 'a"b\\d', '--start-step', '1')
    same(loader['DataloaderProfilingConfig'], {'start_step': 1, 'num_steps': 1, 'metrics_regex': 'a"b\\d'}, 'regular expression')
    same(calls('--sagemaker-profiler', '--rotation', '60')['Profiler'],
         {'cpu_profiling_duration': 3600, 'file_rotation_interval': 60}, 'the newer profiler')
    check('DurationInSeconds' in written(cli, '--kind', 'python', '--duration', '2'), 'the snippet does not mention DurationInSeconds')
    for kind, name in (('pytorch', 'schedule'), ('composer', 'cyclic_schedule')):
        tree = ast.parse(written(cli, '--kind', kind, '--start-step', '3', '--num-steps', '4'))
        call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
        same((call.func.id, {word.arg: word.value.value for word in call.keywords}),
             (name, {'skip_first': 2, 'wait': 0, 'warmup': 1, 'active': 4, 'repeat': 1}), kind)
    same(cli('config', 'write', '--kind', 'pytorch', '--duration', '4', '-o', '-').returncode, FAILED, 'a schedule of times')


def test_own_requests(cli):
    """Configurations written with default options cause no warnings."""
    for options, wanted in (([], '/opt/ml/output/profiler/'), (['--metric', 'detailed'], '/opt/ml/output/profiler'),
                            (['--metric', 'dataloader'], '/opt/ml/output/profiler/'), (['--local-path', '/mine/'], '/mine/')):
        text = written(cli, '--kind', 'request', *options)
        same(json.loads(text)['ProfilingParameters']['LocalPath'], wanted, options)
        with folder() as place:
            lines = cli.must('config', 'check', write_file(place, text), allowed=(DONE,)).stdout.splitlines()
            check(all(line.startswith('hint: ') for line in lines), f'{options}: {lines}')


def test_usage(cli):
    for args in ([], ['paint'], ['show'], ['show', 'a', 'b'], ['show', '--format', 'xml', 'a'], ['write'], ['write', '--kind', 'request'],
                 ['write', '--kind', 'yaml', '-o', '-']):
        result = cli('config', *args)
        same(result.returncode, USAGE, f'config {args}')
        check(result.stderr.startswith('traceloom-cli config'), result.stderr)
    same(cli('config', '--help').returncode, DONE, 'help')
    same(cli('config', 'show', '/nowhere/at/all').returncode, FAILED, 'no such file')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for name, (text, wanted, codes) in SHOWN.items():
        tap.case(f'shown: {name}', test_shown, cli, text, wanted, codes)
    for name, (text, words) in REFUSED.items():
        tap.case(f'refused: {name}', test_refused, cli, text, words)
    for message, options in INVALID.items():
        tap.case(f'invalid: {message}', test_invalid, cli, message, options)
    for test in (test_ranges, test_other_requests, test_round_trip, test_python, test_own_requests, test_usage):
        tap.case(test.__name__[5:].replace('_', ' '), test, cli)
    tap.done()


main()
