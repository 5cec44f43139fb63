/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the format of a file by its path and the beginning of its content. If path and content indicate different
 * formats, the content decides.
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
  /* traces of single ranks that Composer wrote, and traces that Composer has merged; the importer distinguishes them */
  LOOM_FILE_FORMAT_COMPOSER,
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
  /* an index file of Traceloom. Only the file has this format; each source in it keeps the format of the file that was
   * indexed. */
  LOOM_FILE_FORMAT_INDEX,
} LoomFileFormat;

/* Returns the name of a format on the command line; "" for LOOM_FILE_FORMAT_NONE. Static. */
const char *loom_sniff_format_to_string (LoomFileFormat kind);

typedef struct {
  LoomFileFormat kind;
  char *reason;    /* owned; why the file is not a readable trace; NULL unless `kind` is NONE */
  gboolean silent; /* TRUE: the file is not a trace, but accompanies traces; it is listed as skipped, not as a
                    * failure */
  /* TRUE: the file is an archive that cannot be searched for traces; this counts as a failure, whatever its name is */
  gboolean lost;
  /* TRUE: the file is a trace of another program, an empty file, or intact JSON of another kind; it counts as a failure
   * only if no other file can be read */
  gboolean elsewhere;
  /* TRUE: the file is not a trace, but contains recorded data or text of the user, so exports must never overwrite
   * it */
  gboolean precious;
  gboolean lines; /* TRUE: the file consists of JSON lines */
  /* kind of the archive; LOOM_ARCHIVE_NONE: the file is not an archive, or is an archive in which traces are not
   * searched for */
  LoomArchiveKind archive;
  LoomByteSource *gzip; /* owned; the unpacked text of an archive that is inside gzip; otherwise NULL */
} LoomSniff;

/* Recognises a file by its name and the beginning of its content, and fills in `sniff`. `origin` NULL: the file is at
 * `path`. */
void loom_sniff (const char *path, LoomSourceLocation *origin, guint64 n_bytes, LoomSniff *sniff);
void loom_sniff_clear (LoomSniff *sniff);

/* Parses the base name of a framework timeline of smdebug: <time>_<node>_<kind>.json. Returns FALSE for other names.
 * `time_us`: <time>, the end of the latest event, in µs; if the name states ns, it is converted. `node`: <node>, owned
 * by the caller. `suffix`: <kind>.json, static. The name of a file that is still open, <node>_<kind>.tmp, is also
 * accepted; its time is G_MAXINT64. */
gboolean loom_sniff_smdebug_parse_name (const char *name, gint64 *time_us, char **node, const char **suffix);

/* Splits a node id: "151-algo-1" into 151 and "algo-1". Any other id is the name of a host; its number is −1. `host` is
 * owned by the caller. */
void loom_sniff_smdebug_split_node (const char *id, gint *number, char **host);

/* Returns the rank that a path states as rank<n>, rank-<n> or rank_<n>: in its base name or, if not there, in the
 * nearest folder. Returns −1 if the path states no rank. */
gint loom_sniff_rank_from_path (const char *path);
