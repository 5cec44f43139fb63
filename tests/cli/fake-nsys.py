#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: Apache-2.0
"""Replaces the program nsys in tests. A report contains the path of a database, which “nsys export” copies as the export. Every
call is logged to FAKE_NSYS/calls.
Environment variables: FAKE_SAYS: write these bytes to standard output. FAKE_FAIL: fail with this message. FAKE_SLOW: sleep
for this number of seconds first."""

import json
import os
import shutil
import sys
import time
from pathlib import Path

with open(Path(os.environ['FAKE_NSYS']) / 'calls', 'a') as calls:
    calls.write(json.dumps(sys.argv[1:]) + '\n')
time.sleep(float(os.environ.get('FAKE_SLOW', 0)))
sys.stdout.buffer.write(os.environb.get(b'FAKE_SAYS', b''))
sys.stdout.buffer.flush()
if 'FAKE_FAIL' in os.environ:
    sys.exit('Generating…\n' + os.environ['FAKE_FAIL'])
options = dict(word[2:].split('=', 1) for word in sys.argv[2:-1])
if sys.argv[1] == 'export' and options['type'] == 'sqlite':
    shutil.copyfile(Path(sys.argv[-1]).read_text(), options['output'])
