/* SPDX-License-Identifier: Apache-2.0
 *
 * Format recognition from the path and the beginning of the content. Content takes precedence.
 */
#pragma once

#include "loom-archive.h"

typedef enum {
  LOOM_FILE_FORMAT_NONE, /* no trace: see `reason` */
  LOOM_FILE_FORMAT_TRACELOOM,
  LOOM_FILE_FORMAT_SMDEBUG,
  LOOM_FILE_FORMAT_SMDEBUG_SYSTEM,
  LOOM_FILE_FORMAT_SMDEBUG_MERGED,
  LOOM_FILE_FORMAT_TENSORFLOW,
  LOOM_FILE_FORMAT_KINETO,
  LOOM_FILE_FORMAT_COMPOSER, /* composer-merged is distinguished while reading */
  LOOM_FILE_FORMAT_HOROVOD,
  LOOM_FILE_FORMAT_CHROME,
  LOOM_FILE_FORMAT_NSIGHT,
  LOOM_FILE_FORMAT_ROCM,
  LOOM_FILE_FORMAT_XPLANE,
  LOOM_FILE_FORMAT_PERFETTO,
  LOOM_FILE_FORMAT_FLIGHT_RECORDER,
  LOOM_FILE_FORMAT_MEMORY_SNAPSHOT,
  LOOM_FILE_FORMAT_CPROFILE,
  LOOM_FILE_FORMAT_PYINSTRUMENT,
  LOOM_FILE_FORMAT_INDEX, /* its sources have the formats of their raw files */
} LoomFileFormat;

/* Returns the format's name on the command line; "" for NONE. */
const char *loom_sniff_format_to_string (LoomFileFormat kind);

typedef struct {
  LoomFileFormat kind;
  char *reason;    /* owned; why it is not a trace (NONE); else NULL */
  gboolean silent; /* NONE: a file that belongs to traces; listed as skipped, but not as a failure */
  gboolean lost;   /* NONE: an archive that cannot be searched; always counts as a failure, whatever its name */
  /* NONE: it has the name of a trace of another program, is empty, or is intact JSON of another kind; counts as a failure only if
   * nothing else can be read */
  gboolean elsewhere;
  gboolean precious;       /* NONE: recorded data or written by the user, though no readable trace; never overwritten */
  gboolean lines;          /* JSON lines */
  LoomArchiveKind archive; /* kind of the archive; NONE: the file is not an archive that is searched for traces */
  LoomByteSource *gzip;    /* owned; the unpacked text if the archive is inside gzip */
} LoomSniff;

/* `origin` NULL: the file is at `path`. */
void loom_sniff (const char *path, LoomSourceLocation *origin, guint64 n_bytes, LoomSniff *sniff);
void loom_sniff_clear (LoomSniff *sniff);

/* Parses the base name of a framework timeline: <time>_<node>_<kind>.json. Returns TRUE if it matches. time_us is the
 * end of the latest event (names in ns are converted), node the text in between, owned; suffix is static. The name of a
 * file that is still open, <node>_<kind>.tmp, matches too, with the time G_MAXINT64. */
gboolean loom_sniff_smdebug_parse_name (const char *name, gint64 *time_us, char **node, const char **suffix);

/* Splits "151-algo-1" into 151 and "algo-1"; any other id is a host, with the number −1. `host` is owned. */
void loom_sniff_smdebug_split_node (const char *id, gint *number, char **host);

/* Returns the <n> of rank[-_]?<n> in the base name, else in the nearest folder; −1 if there is none. */
gint loom_sniff_rank_from_path (const char *path);
