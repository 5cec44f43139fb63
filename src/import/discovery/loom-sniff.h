/* SPDX-License-Identifier: Apache-2.0
 *
 * Format recognition from the path and the beginning of the content. Content takes precedence.
 */
#pragma once

#include "loom-archive.h"

typedef enum {
  LOOM_FILE_FORMAT_NONE, /* the file is not a readable trace; LoomSniff.reason says why */
  LOOM_FILE_FORMAT_TRACELOOM,
  LOOM_FILE_FORMAT_SMDEBUG,
  LOOM_FILE_FORMAT_SMDEBUG_SYSTEM,
  LOOM_FILE_FORMAT_SMDEBUG_MERGED,
  LOOM_FILE_FORMAT_TENSORFLOW,
  LOOM_FILE_FORMAT_KINETO,
  LOOM_FILE_FORMAT_COMPOSER, /* also for files of Composer's merger, which are distinguished when they are read */
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
  LOOM_FILE_FORMAT_INDEX, /* the sources in an index have the formats of the files that were indexed */
} LoomFileFormat;

/* Returns the format's name on the command line; "" for NONE. */
const char *loom_sniff_format_to_string (LoomFileFormat kind);

typedef struct {
  LoomFileFormat kind;
  char *reason;    /* owned; why the file is not a readable trace; NULL unless `kind` is NONE */
  gboolean silent; /* not a trace, but a file that accompanies traces; listed as skipped, not as a failure */
  gboolean lost;   /* an archive that cannot be searched; always counts as a failure, whatever its name */
  /* a file with the name of another program's trace, an empty file, or intact JSON of another kind; it counts as a
   * failure only if no other file can be read */
  gboolean elsewhere;
  gboolean precious;       /* not a trace, but contains recorded data or text of the user: exports never overwrite it */
  gboolean lines;          /* JSON lines */
  LoomArchiveKind archive; /* kind of the archive; NONE: the file is not an archive that is searched for traces */
  LoomByteSource *gzip;    /* owned; the unpacked text if the archive is inside gzip */
} LoomSniff;

/* Recognises a file by its name and the beginning of its content, and fills in `sniff`. `origin` NULL: the file is at
 * `path`. */
void loom_sniff (const char *path, LoomSourceLocation *origin, guint64 n_bytes, LoomSniff *sniff);
void loom_sniff_clear (LoomSniff *sniff);

/* Parses the base name of a framework timeline of smdebug: <time>_<node>_<kind>.json. Returns FALSE for other names.
 * `time_us`: <time> in µs, which is the end of the latest event; if <time> is in ns, it is converted. `node`: <node>,
 * owned. `suffix`: <kind>.json, static. The name of a file that is still open, <node>_<kind>.tmp, matches too, with the
 * time G_MAXINT64. */
gboolean loom_sniff_smdebug_parse_name (const char *name, gint64 *time_us, char **node, const char **suffix);

/* Splits "151-algo-1" into 151 and "algo-1"; any other id is a host, with the number −1. `host` is owned. */
void loom_sniff_smdebug_split_node (const char *id, gint *number, char **host);

/* Returns the <n> of rank[-_]?<n> in the base name, else in the nearest folder; −1 if there is none. */
gint loom_sniff_rank_from_path (const char *path);
