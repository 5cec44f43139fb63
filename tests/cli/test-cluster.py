#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the examples of data/cluster: xargs, parts of a list in any order, killed tasks, the environment of MPI, the Kubernetes
manifest, and Slurm and Dask if they are installed. The test starts its own munged, slurmctld and slurmd, which needs root, and kills
and requeues a task of the job array.

Usage: test-cluster.py TRACELOOM-CLI [slurm|dask]"""

import csv
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
CLUSTER = ROOT / 'data' / 'cluster'
N_RANKS = 8
PATIENCE_S = 240


def make_run(place, *options):
    generate_parallel(place, '--dp', N_RANKS, '--tp', 1, '--pp', 1, '--micro', 2, '--layers', 2, '--steps', 3, *options)
    return place


def matrix(run):
    with zipfile.ZipFile(run) as archive:
        return list(csv.DictReader(io.StringIO(archive.read('matrix.csv').decode())))


def shell(cli, *command, env=None, **options):
    result = subprocess.run(['sh', *map(str, command)], env={**os.environ, 'TRACELOOM_CLI': cli.program, **(env or {})}, capture_output=True,
                            text=True, timeout=PATIENCE_S, **options)
    check(result.returncode == 0, lambda: f'{command}: exit {result.returncode}\n{result.stdout}{result.stderr}')
    return result.stdout


def direct(cli, raw, place):
    """Returns the reference: the table of steps and ranks (matrix.csv) of indexes that a single process created and
    joined."""
    cli.must('index', raw, '-o', place / 'direct')
    cli.must('index', '--join', place / 'direct', '-o', place / 'direct.loomrun')
    return matrix(place / 'direct.loomrun')


def indexes(place):
    return sorted(place.glob('*.loomidx'))


def test_xargs(cli, raw, wanted, place):
    shell(cli, CLUSTER / 'xargs.sh', raw, place / 'x', place / 'x.loomrun', 3)
    same(matrix(place / 'x.loomrun'), wanted, 'matrix')


def test_parts(cli, raw, wanted, place):
    """Whatever the number of parts, each trace belongs to exactly one part. A second run does not create any of the indexes again."""
    target = place / 'parts'
    shell(cli, CLUSTER / 'list-traces.sh', raw, place / 'list')
    same(len((place / 'list').read_text().splitlines()), N_RANKS, 'traces')
    for parts in (1, 3, N_RANKS + 2):
        shutil.rmtree(target, ignore_errors=True)
        for part in reversed(range(parts)):
            shell(cli, CLUSTER / 'index-part.sh', place / 'list', target, part, parts)
        same(len(indexes(target)), N_RANKS, f'indexes of {parts} parts')
    times = [path.stat().st_mtime_ns for path in indexes(target)]
    shell(cli, CLUSTER / 'index-part.sh', place / 'list', target, 0, 1)
    same([path.stat().st_mtime_ns for path in indexes(target)], times, 'times of indexes')


def test_killed(cli, raw, wanted, place):
    """A task that is killed at any time leaves only complete indexes; when started again it creates the missing ones."""
    target = place / 'killed'
    shell(cli, CLUSTER / 'list-traces.sh', raw, place / 'list')
    for delay_ms in (1, 5, 20, 60):
        process = subprocess.Popen([cli.program, 'index', '--quiet', '-o', target, raw], stderr=subprocess.DEVNULL)
        time.sleep(delay_ms / 1000)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for path in indexes(target):
            check(cli('info', path).returncode == 0, f'{path.name} is not whole')
    shell(cli, CLUSTER / 'index-part.sh', place / 'list', target, 0, 1)
    cli.must('index', '--join', target, '-o', place / 'killed.loomrun')
    same(matrix(place / 'killed.loomrun'), wanted, 'matrix')


def test_mpi(cli, raw, wanted, place):
    shell(cli, CLUSTER / 'list-traces.sh', raw, place / 'list')
    for size, rank in (('OMPI_COMM_WORLD_SIZE', 'OMPI_COMM_WORLD_RANK'), ('PMI_SIZE', 'PMI_RANK')):
        target = place / rank
        for task in range(3):
            shell(cli, CLUSTER / 'mpi.sh', place / 'list', target, env={size: '3', rank: str(task)})
        same(len(indexes(target)), N_RANKS, rank)


def test_unreadable(cli, raw, place):
    """A task does not fail because of a trace that cannot be read: a scheduler would retry it in vain."""
    copy = Path(shutil.copytree(raw, place / 'copy'))
    (copy / 'rank-99.pt.trace.json').write_bytes(b'\0damaged' * 100)
    shell(cli, CLUSTER / 'xargs.sh', copy, place / 'u', place / 'u.loomrun', 2)
    same(len(indexes(place / 'u')), N_RANKS, 'indexes')


def test_kubernetes():
    try:
        import yaml
    except ImportError:
        return 'skip: no PyYAML'
    job = yaml.safe_load((CLUSTER / 'kubernetes.yaml').read_text())
    same((job['apiVersion'], job['kind'], job['spec']['completionMode']), ('batch/v1', 'Job', 'Indexed'), 'kind')
    pod = job['spec']['template']['spec']
    same({volume['name'] for volume in pod['volumes']}, {mount['name'] for mount in pod['containers'][0]['volumeMounts']}, 'volumes')
    text = pod['containers'][0]['args'][0]
    check(f'"$JOB_COMPLETION_INDEX" {job["spec"]["completions"]}' in text, text)
    return None


# --- Slurm ------------------------------------------------------------------------------------------------------------

def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


class Slurm:
    """Runs munged, slurmctld and slurmd with all their files in one folder, and ends each of them by its process id."""

    def __init__(self, place):
        self.place, self.processes = place, []
        host = socket.gethostname().split('.')[0]
        key = place / 'munge.key'
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        place.chmod(0o755)
        self.start('munged', '--foreground', '--force', f'--key-file={key}', f'--socket={place}/munge.socket', f'--pid-file={place}/munge.pid',
                   f'--log-file={place}/munge.log', f'--seed-file={place}/munge.seed')
        (place / 'slurm.conf').write_text(f'''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0,requeue_setup_env_fail
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
''')
        for name in ('state', 'spool'):
            (place / name).mkdir()
        self.env = {'SLURM_CONF': str(place / 'slurm.conf')}
        self.wait(lambda: (place / 'munge.socket').exists(), 'munged')
        self.start('slurmctld', '-D')
        self.start('slurmd', '-D')
        self.wait(lambda: 'idle' in self.ask('sinfo', '-h', '-o', '%T'), 'an idle node')

    def start(self, program, *options):
        path = shutil.which(program, path=os.environ['PATH'] + ':/usr/sbin')
        environment = {**os.environ, **getattr(self, 'env', {})}
        self.processes.append(subprocess.Popen([path, *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def ask(self, *command):
        return subprocess.run(command, env={**os.environ, **self.env}, capture_output=True, text=True, timeout=60).stdout

    def requeue_one(self, job):
        """Kills and requeues a running task of the job. Returns False if no task runs, or if it ended meanwhile."""
        running = self.ask('squeue', '-h', '-r', '-j', job, '-t', 'R', '-o', '%i').split()
        return running and subprocess.run(['scontrol', 'requeue', running[0]], env={**os.environ, **self.env}, timeout=60).returncode == 0

    def wait(self, is_true, what):
        end = time.monotonic() + PATIENCE_S
        while not is_true():
            check(time.monotonic() < end, lambda: f'no {what}: {self.ask("squeue", "-a")}')
            time.sleep(0.2)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(timeout=30)


def test_slurm(cli, raw, wanted, place):
    if not os.environ.get('LOOM_LONG'):
        return 'skip: make check-long runs it, because three daemons take as long to start and stop as they like'
    if not shutil.which('sbatch') or os.geteuid() != 0:
        return 'skip: needs slurmctld, slurmd, munged and root'
    target, hidden = place / 'slurm', place / 'slow-cli'
    # Makes each task take 2 s, so that one can be killed while it runs.
    hidden.write_text(f'#!/bin/sh\n[ "$1 $2" = "index --join" ] || sleep 2\nexec "{cli.program}" "$@"\n')
    hidden.chmod(0o755)
    (place / 's').mkdir()
    slurm = Slurm(place / 's')
    try:
        jobs = shell(cli, CLUSTER / 'slurm.sh', raw, target, place / 'slurm.loomrun', N_RANKS, '--partition=main', '--mem=100',
                     env={**slurm.env, 'TRACELOOM_CLI': str(hidden)}).split()
        slurm.wait(lambda: slurm.requeue_one(jobs[0]), 'task that could be requeued while it ran')
        slurm.wait(lambda: not slurm.ask('squeue', '-h', '-j', ','.join(jobs)).strip(), 'end of the jobs')
        same(len(indexes(target)), N_RANKS, 'indexes')
        same(matrix(place / 'slurm.loomrun'), wanted, 'matrix')
        check('stands out' in (target / 'join.log').read_text(), (target / 'join.log').read_text())
    finally:
        slurm.stop()
    return None


def test_dask(cli, raw, wanted, place):
    if subprocess.run([sys.executable, '-c', 'import distributed'], capture_output=True).returncode != 0:
        return 'skip: no dask.distributed'
    shell(cli, CLUSTER / 'list-traces.sh', raw, place / 'list')
    result = subprocess.run([sys.executable, CLUSTER / 'dask-index.py', place / 'list', place / 'dask', place / 'dask.loomrun'], capture_output=True, text=True,
                            timeout=PATIENCE_S, env={**os.environ, 'TRACELOOM_CLI': cli.program})
    same(result.returncode, 0, result.stderr)
    same(matrix(place / 'dask.loomrun'), wanted, 'matrix')
    return None


def main(program, only=None):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    with folder() as name:
        place = Path(name)
        raw = make_run(place / 'raw', '--straggler', '3:1.5')
        wanted = direct(cli, raw, place)
        same(len(wanted), 3 * N_RANKS, 'rows of the matrix')
        for case in (test_xargs, test_parts, test_killed, test_mpi, test_slurm, test_dask):
            if only is None or case.__name__ == f'test_{only}':
                tap.case(case.__name__.removeprefix('test_'), case, cli, raw, wanted, place)
        if only is None:
            tap.case('unreadable', test_unreadable, cli, raw, place)
            tap.case('kubernetes', test_kubernetes)
    tap.done()


main(*sys.argv[1:])
