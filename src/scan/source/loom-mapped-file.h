/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps a range of a file into memory, so that it can be read without copying. If the file shrinks while it is mapped,
 * or the disk fails, reading would kill the program with SIGBUS. To prevent this, the missing pages are replaced by
 * zeros, and the function that closes the range reports that they were missing. A thread can read only one range at a
 * time: the range that it opened last, or the range that it passed to loom_mapped_file_look_at() since.
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

/* Returns TRUE if reading a file through a mapping takes longer than copying it on this machine. This is so in a
 * virtual machine with nested page tables, where the first access to a page takes as long as copying ten pages. Both
 * times are measured once, with the first file passed here that is long enough; until then the result is FALSE. If
 * LOOM_MAP_BYTES is set in the environment, nothing is measured: mapping counts as slow if the value is 0. */
gboolean loom_mapped_file_is_slow (int fd);

/* Maps a range; `length` must not be 0. Returns FALSE if the range cannot be mapped. */
gboolean loom_mapped_file_open (LoomMappedFile *mapped, int fd, guint64 offset, gsize length);

/* Maps the first `length` bytes of a file, for any number of threads; each calls loom_mapped_file_look_at() before it
 * reads. At least a page of zeros follows, so that readers can stop at a zero byte instead of checking for the end. */
gboolean loom_mapped_file_open_whole (LoomMappedFile *mapped, int fd, gsize length);
/* Sets the range that this thread reads from now on. If `mapped` is NULL, the thread reads no range. */
void loom_mapped_file_look_at (LoomMappedFile *mapped);

/* Unmaps the range, which no thread may read any more. Returns FALSE if a part of the range could not be read. If
 * several threads use the struct, it must stay allocated: the handler of a bus error in a thread reads the struct that
 * this thread passed to loom_mapped_file_look_at() last. */
gboolean loom_mapped_file_close (LoomMappedFile *mapped);
