/* SPDX-License-Identifier: Apache-2.0
 *
 * States from which files an index was made, and checks whether these files have changed since. A file is considered
 * unchanged if its path, size and time are the same as before, or if its size and digest are the same. The digest
 * (loom-index-digest.h) covers only pieces of the file. This suffices, because a profiler writes a file once, and
 * another recording differs in all parts. May be used on any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-index-digest.h"

typedef struct {
  char *path; /* absolute path of the file, or path of a member of an archive (loom-archive-path.h) */
  guint64 n_bytes;
  gint64 modified_s; /* time of modification in s since 1970 */
  guint32 modified_us;
  /* digest of the content, zeros: unknown */
  guint8 digest[LOOM_INDEX_DIGEST_BYTES];
} LoomIndexAboutFile;

typedef struct {
  char *program; /* version of Traceloom that made the index */
  char *options; /* options that affect how files are read; an index with other options is made again */
  /* name of the machine that has the files on its own disk; "": every machine has the files at their paths */
  char *host;
  gboolean is_early; /* TRUE: the index was made by an early version of Traceloom, which did not state the machine */
  GArray *files;     /* LoomIndexAboutFile: the indexed files, in the order in which they were read */
} LoomIndexAbout;

/* Makes a description without files. Unless loom_index_about_set_host() is called, every machine is assumed to have the
 * files at their paths. */
LoomIndexAbout *loom_index_about_new (const char *options);
void loom_index_about_set_host (LoomIndexAbout *about, const char *host);
void loom_index_about_free (LoomIndexAbout *about);

/* Adds a file. `digested`: also compute the digest, a checksum of pieces of the file. The digest remains unknown if the
 * file cannot be read. */
void loom_index_about_add (LoomIndexAbout *about, const char *path, guint64 n_bytes, gint64 modified_s,
                           guint32 modified_us, gboolean digested);

/* Returns TRUE if the index that `about` describes was made from the files that `now` describes, and the files have not
 * changed since. `now` need not contain digests: the digest of a file is computed if its time differs. */
gboolean loom_index_about_is_current (const LoomIndexAbout *about, const LoomIndexAbout *now);

/* Returns TRUE if the first files of both descriptions have the same machine and path. Their content and the number
 * of files may differ, because a trace of several files gets further files while it is recorded. The description of
 * an early index (`is_early`) matches any machine. */
gboolean loom_index_about_is_of_same_place (const LoomIndexAbout *about, const LoomIndexAbout *other);

/* Returns TRUE if both descriptions have the same number of files, and the files at equal indices have equal paths,
 * sizes and digests. The machines may differ, because a recording can be indexed on several machines. Returns FALSE if
 * a digest is unknown. */
gboolean loom_index_about_is_of_same_content (const LoomIndexAbout *about, const LoomIndexAbout *other);

gboolean loom_index_about_has_digest (const LoomIndexAboutFile *file);

/* Returns TRUE if the paths of the indexed files are those of the same files on this machine: the files are on a disk
 * of this machine, or on a disk that all machines share. FALSE: they are on a disk of another machine, and other files
 * may be at the same paths here. */
gboolean loom_index_about_is_here (const LoomIndexAbout *about);

/* Returns TRUE if a file exists on this machine and differs in size or time from the file that was indexed. */
gboolean loom_index_about_is_stale (const LoomIndexAbout *about, const LoomIndexAboutFile *file);

GByteArray *loom_index_about_write (const LoomIndexAbout *about);
/* Parses the section LOOM_INDEX_FILE_ABOUT of an index. Returns NULL with LOOM_ERROR_FORMAT if the section is
 * damaged. */
LoomIndexAbout *loom_index_about_read (GBytes *section, GError **error);
/* Parses the section LOOM_INDEX_FILE_ABOUT of an index, given the bytes of the whole index. Returns NULL if the index
 * is damaged or of another version. */
LoomIndexAbout *loom_index_about_read_index (GBytes *index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexAbout, loom_index_about_free)
