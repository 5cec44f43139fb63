#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: Apache-2.0
"""Replaces the command aws in tests. A bucket is a folder below FAKE_S3; every call is logged to FAKE_S3/calls.

Environment variables:
  FAKE_FAIL     fail with this message
  FAKE_EVIL     list additional malicious keys
  FAKE_SLOW     pause for this number of seconds in the middle of each file that FAKE_QUICK does not name
  FAKE_GONE     the only files that can still be fetched
  FAKE_DENY     names of files that cannot be fetched; for parts of objects: the HTTP status of every answer
  FAKE_SHORT    end before the last byte
  FAKE_CUT      truncate an object to this length before a part of it is read
  FAKE_PAGE     maximum number of objects in an answer
  FAKE_LISTING  return this text as the listing, in which PID stands for the number of the process
  FAKE_EXIT     exit with this status and without a message; "kill": end by SIGKILL"""

import json
import os
import sys
import time
from pathlib import Path

root = Path(os.environ['FAKE_S3'])
args = sys.argv[1:]
with open(root / 'calls', 'a') as calls:
    calls.write(json.dumps(args) + '\n')
if 'FAKE_FAIL' in os.environ:
    sys.exit('first line\n\n' + os.environ['FAKE_FAIL'])
if 'FAKE_EXIT' in os.environ:
    os.kill(os.getpid(), 9) if os.environ['FAKE_EXIT'] == 'kill' else sys.exit(int(os.environ['FAKE_EXIT']))
if args[0] == '--endpoint-url':
    args = args[2:]
if args[:2] == ['s3api', 'list-objects-v2']:
    import hashlib
    bucket = args[args.index('--bucket') + 1]
    prefix = next((arg.split('=', 1)[1] for arg in args if arg.startswith('--prefix=')), '')
    if not (root / bucket).is_dir():
        sys.exit('An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist')
    contents = []
    for path in sorted(p for p in (root / bucket).rglob('*') if p.is_file()):
        key, data = str(path.relative_to(root / bucket)), path.read_bytes()
        if key.startswith(prefix):
            contents.append({'Key': key, 'Size': len(data), 'ETag': f'"{hashlib.md5(data).hexdigest()}"', 'LastModified': '2024'})
    for key in json.loads(os.environ.get('FAKE_EVIL', '[]')):
        contents.append({'Key': key, 'Size': 3, 'ETag': '"x"'})
    token = next((int(arg.split('=')[1]) for arg in args if arg.startswith('--starting-token=')), 0)
    end = token + min(int(args[args.index('--max-items') + 1]), int(os.environ.get('FAKE_PAGE', '10000')))
    more = {'NextToken': str(end)} if end < len(contents) else {}
    if 'FAKE_LISTING' in os.environ:
        print(os.environ['FAKE_LISTING'].replace('PID', str(os.getpid())))
    elif contents:
        json.dump({'Contents': contents[token:end], **more}, sys.stdout)
elif args[:2] == ['s3', 'cp']:
    uri = args[-2]
    assert args[-1] == '-' and uri.startswith('s3://')
    path = root / uri[5:]
    if path.name in os.environ.get('FAKE_DENY', '').split():
        sys.exit('An error occurred (403) when calling the HeadObject operation: Forbidden')
    if 'FAKE_GONE' in os.environ and path.name not in os.environ['FAKE_GONE'].split():
        sys.exit(f'fatal error: Could not connect to the endpoint URL: "https://s3/{uri[5:]}"')
    data = path.read_bytes()
    if 'FAKE_SHORT' in os.environ:
        data = data[:-1]
    sys.stdout.buffer.write(data[:10])
    sys.stdout.flush()
    if 'FAKE_SLOW' in os.environ and path.name not in os.environ.get('FAKE_QUICK', '').split():
        time.sleep(float(os.environ['FAKE_SLOW']))
    sys.stdout.buffer.write(data[10:])
elif args[:2] in (['s3api', 'head-object'], ['s3api', 'get-object']):
    bucket, key = args[args.index('--bucket') + 1], next(arg[len('--key='):] for arg in args if arg.startswith('--key='))
    path = root / bucket / key
    if 'FAKE_DENY' in os.environ:
        sys.exit(f'An error occurred ({os.environ["FAKE_DENY"]}) when calling the {args[1]} operation: Denied')
    if not path.is_file():
        sys.exit(f'An error occurred (404) when calling the {args[1]} operation: Not Found')
    tag = f'"{path.stat().st_mtime_ns}"'
    if args[1] == 'get-object':
        if 'FAKE_CUT' in os.environ:  # as if a shorter object had replaced this one after its size was queried
            os.truncate(path, int(os.environ['FAKE_CUT']))
            tag = '"other"'
        if args[args.index('--if-match') + 1] != tag:
            sys.exit('An error occurred (PreconditionFailed) when calling the GetObject operation: At least one of the pre-conditions you specified did not hold')
        first, last = map(int, args[args.index('--range') + 1][len('bytes='):].split('-'))
        assert args[-1] == '/dev/stdout'
        data = path.read_bytes()[first:last + 1]
        sys.stdout.buffer.write(data[:-1] if 'FAKE_SHORT' in os.environ else data)
        sys.stdout.flush()
        if 'FAKE_SHORT' in os.environ:
            sys.exit(0)
        json.dump({'ContentLength': last - first + 1}, sys.stdout)
    else:
        print(json.dumps({'ContentLength': path.stat().st_size, 'LastModified': '2024', 'ETag': tag}, indent=4))
else:
    sys.exit(f'fake aws knows no {args}')
