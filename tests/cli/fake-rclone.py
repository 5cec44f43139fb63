#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: Apache-2.0
"""Replaces the command rclone in tests, like fake-aws.py replaces aws. If the path of lsjson is an object and not a folder, it lists
that object by its base name, as rclone does."""

import json
import os
import sys
from pathlib import Path

PREFIX = ':s3,env_auth=true:'
args = sys.argv[1:]
assert args[-2] == '--' and args[-1].startswith(PREFIX)
path = Path(os.environ['FAKE_S3']) / args[-1].removeprefix(PREFIX)
files = [path] if path.is_file() else sorted(p for p in path.rglob('*') if p.is_file())
if not path.exists():
    sys.exit('directory not found')
if args[0] == 'lsjson':
    json.dump([{'Path': p.name if p == path else str(p.relative_to(path)), 'Size': p.stat().st_size, 'ModTime': '2024'} for p in files],
              sys.stdout)
elif args[0] == 'cat':
    for p in files:
        sys.stdout.buffer.write(p.read_bytes())
else:
    sys.exit(f'fake rclone knows no {args}')
