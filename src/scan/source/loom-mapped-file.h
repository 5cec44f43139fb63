/* SPDX-License-Identifier: Apache-2.0
 *
 * A range of a file in memory without copying. If the file shrinks meanwhile or a disk fails, the program would be
 * killed by SIGBUS; instead the missing pages are replaced by zeros, and closing the range reports it. A thread reads
 * one range at a time: the one it opened, or the one it passed to loom_mapped_file_look_at().
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *text; /* the requested range */
  gsize length;
  char *base; /* start of the mapped pages, which contain the whole range */
  gsize n_bytes;
  gboolean is_broken;
} LoomMappedFile;

/* Returns TRUE if mapping takes longer than copying on this machine: in a virtual machine with nested page tables the
 * first access to a page takes as long as copying ten pages. Both are timed once, on the beginning of the first file
 * that is passed here and is long enough; until then the result is FALSE. If LOOM_MAP_BYTES is set in the environment,
 * nothing is timed: mapping counts as slow if the value is 0. */
gboolean loom_mapped_file_is_slow (int fd);

/* Maps a range; `length` must not be 0. Returns FALSE if the range cannot be mapped. */
gboolean loom_mapped_file_open (LoomMappedFile *mapped, int fd, guint64 offset, gsize length);

/* Maps the first `length` bytes of a file, for any number of threads; each calls loom_mapped_file_look_at() before it
 * reads. At least a page of zeros follows, so that readers can stop at a zero byte instead of checking for the end. */
gboolean loom_mapped_file_open_whole (LoomMappedFile *mapped, int fd, gsize length);
/* Sets the range that this thread reads from now on; NULL: none. */
void loom_mapped_file_look_at (LoomMappedFile *mapped);

/* Unmaps the range, which no thread may read any more. Returns FALSE if a part of the range could not be read. Another
 * thread that passed the range to loom_mapped_file_look_at() may still look into the struct at a bus error of its own,
 * so a struct that several threads use must stay allocated. */
gboolean loom_mapped_file_close (LoomMappedFile *mapped);
