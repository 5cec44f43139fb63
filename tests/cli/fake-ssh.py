#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: Apache-2.0
"""Replaces ssh in tests: fake-ssh.py MODE COMMAND… runs COMMAND and passes its input and output on. MODE is one of:
“as-is”: changes nothing;
“slow=S”: delays the second answer by S seconds;
“cut=N”: ends after N bytes of output;
“flip=N”: inverts a bit of byte N of the output;
“spoil=TEXT”: replaces the last letter of TEXT in the output by “?”;
“silent”: writes nothing;
“noise”: writes a line before the output, as a login script does;
“stall=N”: stops writing after N bytes of output;
“trickle=N”: writes one byte every 0.1 s after N bytes of output;
“flood”: sends answers without requests, endlessly;
“complain”: writes 3 MB of error messages and no output."""

import os
import struct
import subprocess
import sys
import threading
import time

mode, _, value = sys.argv[1].partition('=')
if mode == 'silent':
    time.sleep(60)
if mode == 'complain':
    sys.stderr.write(f'{"No route to node17":63}\n' * 50000)  # lines of 64 bytes, so that every block that is read ends with a whole line
    time.sleep(60)
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def pass_input():
    while data := os.read(0, 65536):
        child.stdin.write(data)
    child.stdin.close()


threading.Thread(target=pass_input, daemon=True).start()
if mode == 'noise':
    os.write(1, b'Welcome to node17\n')
n = n_pieces = 0
while data := os.read(child.stdout.fileno(), 65536):
    n_pieces += 1  # piece 1 is the greeting; each later one is an answer, because the client waits for it before the next request
    if mode == 'slow' and n_pieces == 3:
        time.sleep(float(value))
    if mode == 'cut' and n + len(data) > int(value):
        os.write(1, data[:int(value) - n])
        child.kill()
        sys.stderr.write('Connection to node17 closed by remote host.\n')
        sys.exit(255)
    while mode == 'flood' and n_pieces == 2:
        os.write(1, b'LOOMSRV\n' + struct.pack('<II', 8, 0) + b'{"id":0}')
    if mode in ('stall', 'trickle') and n + len(data) > int(value):
        begin = max(int(value) - n, 0)
        os.write(1, data[:begin])
        for at in range(begin, len(data) if mode == 'trickle' else begin):
            time.sleep(0.1)
            os.write(1, data[at:at + 1])
        time.sleep(60)
    if mode == 'flip' and n <= int(value) < n + len(data):
        at = int(value) - n
        data = data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1:]
    if mode == 'spoil':
        data = data.replace(value.encode(), value[:-1].encode() + b'?')
    while data:
        wrote = os.write(1, data)
        data, n = data[wrote:], n + wrote
child.wait()
