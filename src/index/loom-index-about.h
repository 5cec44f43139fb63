/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files an index was made from, and whether it is still that of these files. A file is the same if path, size and
 * time are, or if its size and its digest are. The digest is the SHA-256 of 64 pieces of 4 KiB that are spread evenly
 * over the file, or of the whole file if it is shorter, so that it costs a millisecond for a file of any size; a
 * profiler writes a file once, and another recording differs everywhere. Any thread.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_INDEX_ABOUT_DIGEST_BYTES 32

typedef struct {
  char *path; /* absolute path of the file; may be the path of a member of an archive (loom-archive-path.h) */
  guint64 n_bytes;
  gint64 modified_s; /* Unix seconds */
  guint32 modified_us;
  guint8 digest[LOOM_INDEX_ABOUT_DIGEST_BYTES]; /* zeros: unknown */
} LoomIndexAboutFile;

typedef struct {
  char *program; /* version of the program that made the index */
  char *options; /* options that change how files are read; if the options differ, the index is made again */
  /* name of the machine on whose own disk the files are; "": every machine has them at their paths */
  char *host;
  gboolean is_early; /* the index has an early version, which does not state the machine */
  GArray *files;     /* LoomIndexAboutFile: the indexed files, in the order in which they were read */
} LoomIndexAbout;

/* Makes a description without files. Unless loom_index_about_set_host() is called, every machine has the files at their
 * paths. */
LoomIndexAbout *loom_index_about_new (const char *options);
void loom_index_about_set_host (LoomIndexAbout *about, const char *host);
void loom_index_about_free (LoomIndexAbout *about);

/* Adds a file. `digested`: also computes the file's digest, a checksum of parts of its content; the digest stays
 * unknown if they cannot be read. */
void loom_index_about_add (LoomIndexAbout *about, const char *path, guint64 n_bytes, gint64 modified_s,
                           guint32 modified_us, gboolean digested);

/* Returns TRUE if the index that `about` describes was made from the files that `now` describes, and the files have not
 * changed since. `now` needs no digests: if the time of a file differs, its digest is computed. */
gboolean loom_index_about_is_current (const LoomIndexAbout *about, const LoomIndexAbout *now);

/* Returns TRUE if both describe traces whose first files have the same machine and path, even if the content or the
 * number of files differs: a trace of several files gets more files while it is recorded. An early index matches any
 * machine. */
gboolean loom_index_about_is_of_same_place (const LoomIndexAbout *about, const LoomIndexAbout *other);

/* Returns TRUE if both describe files with equal paths, sizes and digests. The machines may differ: a recording can be
 * indexed on several machines. FALSE if a digest is unknown. */
gboolean loom_index_about_is_of_same_content (const LoomIndexAbout *about, const LoomIndexAbout *other);

gboolean loom_index_about_has_digest (const LoomIndexAboutFile *file);

/* Returns TRUE if the files can be on this machine. FALSE: they are on the disk of another machine, and other files may
 * be at the same paths here. */
gboolean loom_index_about_is_here (const LoomIndexAbout *about);

/* Returns TRUE if a file exists on this machine and has changed since the index was made from it. Compares only size
 * and time. */
gboolean loom_index_about_is_stale (const LoomIndexAbout *about, const LoomIndexAboutFile *file);

GByteArray *loom_index_about_write (const LoomIndexAbout *about);
/* Parses the section LOOM_INDEX_FILE_ABOUT of an index. NULL with LOOM_ERROR_FORMAT. */
LoomIndexAbout *loom_index_about_read (GBytes *section, GError **error);
/* Parses the section LOOM_INDEX_FILE_ABOUT of an index, given the bytes of the whole index. Returns NULL if the index
 * is damaged or of another version. */
LoomIndexAbout *loom_index_about_read_index (GBytes *index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexAbout, loom_index_about_free)
