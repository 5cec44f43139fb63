# SPDX-License-Identifier: Apache-2.0
"""Stores a record on disk: index.json contains the SHA-256 of every output; the folder outputs contains small outputs, each content
once."""

import hashlib
import json
import shutil
import zlib

KEPT_BYTES = 256 << 10  # maximum compressed size of stored outputs; of larger ones only the hash is stored
MOST_PACKED_BYTES = 64 << 20  # outputs above this size are never stored, so they are not compressed to find out their size


def hash_of(data):
    return hashlib.sha256(data).hexdigest()


class Store:
    def __init__(self, folder):
        self.folder, self.inputs, self.contents, self.index = folder, folder / 'inputs', folder / 'outputs', folder / 'index.json'
        self.outputs = {}  # name → hash
        self.about = {}

    def clear(self):
        """Empties the store; refuses a folder that contains other files."""
        if self.folder.exists() and any(self.folder.iterdir()) and not self.index.exists() and not self.inputs.exists():
            raise SystemExit(f'freeze.py: {self.folder} contains other files')
        shutil.rmtree(self.folder, ignore_errors=True)
        self.contents.mkdir(parents=True)

    def put(self, name, data):
        if name in self.outputs:
            raise ValueError(f'two outputs are named {name}')
        self.outputs[name] = hash_of(data)
        path = self.contents / self.outputs[name]
        if len(data) <= MOST_PACKED_BYTES and not path.exists():
            packed = zlib.compress(data, 6)
            if len(packed) <= KEPT_BYTES:
                path.write_bytes(packed)

    def write(self, **about):
        self.index.write_text(json.dumps({**about, 'outputs': self.outputs}, indent=0, ensure_ascii=False))

    def read(self):
        if not self.index.exists():
            return False
        self.about = json.loads(self.index.read_text())
        self.outputs = self.about.pop('outputs')
        return True

    def get(self, name):
        """Returns the output, or None if only its hash was kept."""
        path = self.contents / self.outputs[name]
        return zlib.decompress(path.read_bytes()) if path.exists() else None
