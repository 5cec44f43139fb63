/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps a range of a file into memory, so that it can be read without copying. If the file shrinks while it is mapped,
 * or the disk fails, reading would kill the program with SIGBUS. To prevent this, the missing pages are replaced by
 * zeros, and the function that closes the range reports that they were missing. A thread can read only one range at a
 * time: the one that it opened or passed to loom_mapped_file_look_at() last.
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *text; /* first byte of the requested range */
  gsize length;
  char *base; /* start of the mapped pages, which contain the whole range */
  gsize n_bytes;
  gboolean is_broken;
} LoomMappedFile;

/* Returns TRUE if reading a file through a mapping takes longer than copying it on this machine. This is the case in a
 * virtual machine with nested page tables, where the first access to a page takes as long as copying ten pages. Both
 * times are measured once, with the first file passed to this function that is long enough; until then, the result is
 * FALSE. If the environment variable LOOM_MAP_BYTES is set, nothing is measured: mapping counts as slow if the value is
 * 0. */
gboolean loom_mapped_file_is_slow (int fd);

/* Maps a range; `length` must not be 0. Returns FALSE if the range cannot be mapped. */
gboolean loom_mapped_file_open (LoomMappedFile *mapped, int fd, guint64 offset, gsize length);

/* Maps the first `length` bytes of a file. Any number of threads may read them; each must call
 * loom_mapped_file_look_at() first. At least a page of zeros follows the bytes, so that readers can stop at a zero byte
 * instead of comparing with the end. */
gboolean loom_mapped_file_open_whole (LoomMappedFile *mapped, int fd, gsize length);
/* States that the calling thread reads `mapped` from now on, and no other mapped range. NULL: it reads no mapped
 * range. */
void loom_mapped_file_look_at (LoomMappedFile *mapped);

/* Unmaps the range; no thread may read it any more. Returns FALSE if a part of the range could not be read. If several
 * threads used `mapped`, the memory of the struct must not be freed: if a bus error occurs in a thread later, the
 * handler reads the struct that this thread passed to loom_mapped_file_look_at() last. */
gboolean loom_mapped_file_close (LoomMappedFile *mapped);
