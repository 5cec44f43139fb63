/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognition: what a file is, from its path and the beginning of its content. Content wins.
 */
#pragma once

#include "loom-archive.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_FILE_FORMAT_NONE, /* not a trace: see reason */
  LOOM_FILE_FORMAT_TRACELOOM,
  LOOM_FILE_FORMAT_SMDEBUG,
  LOOM_FILE_FORMAT_SMDEBUG_SYSTEM,
  LOOM_FILE_FORMAT_SMDEBUG_MERGED,
  LOOM_FILE_FORMAT_TENSORFLOW,
  LOOM_FILE_FORMAT_KINETO,
  LOOM_FILE_FORMAT_COMPOSER, /* composer-merged is told apart while reading */
  LOOM_FILE_FORMAT_HOROVOD,
  LOOM_FILE_FORMAT_CHROME,
  LOOM_FILE_FORMAT_CPROFILE,
  LOOM_FILE_FORMAT_PYINSTRUMENT,
} LoomFileFormat;

/* The word of the command line; "" for NONE. */
const char *loom_sniff_format_to_string (LoomFileFormat kind);

typedef struct {
  LoomFileFormat kind;
  char *reason;    /* owned; why it is no trace (NONE), else NULL */
  gboolean silent; /* NONE: known company of traces, listed as ignored and no failure */
  gboolean lost;   /* NONE: an archive that is not looked into: a failure whatever it is called */
  gboolean
    elsewhere; /* NONE: a trace of another program, or an empty one, by its name: a failure where nothing else can be read */
  gboolean precious; /* NONE: recorded or written by somebody, though no trace that can be read: never written over */
  gboolean lines;    /* JSON lines */
  LoomArchiveKind archive; /* NONE: or it is one of these, to be looked into */
  LoomByteSource *gzip;    /* owned; what an archive that is gzip unpacks to */
} LoomSniff;

/* `origin` NULL: the file stands at the path. */
void loom_sniff (const char *path, LoomSourceLocation *origin, guint64 n_bytes, LoomSniff *sniff);
void loom_sniff_clear (LoomSniff *sniff);

/* The base name of a framework timeline: <time>_<node>_<kind>.json. TRUE when it fits. time_us is the end of the latest
 * event (ns names are divided), node the text between, owned; suffix is static. The file a writer has open,
 * <node>_<kind>.tmp, fits too; its time is G_MAXINT64. */
gboolean loom_sniff_smdebug_parse_name (const char *name, gint64 *time_us, char **node, const char **suffix);

/* "151-algo-1" → 151 and "algo-1"; anything else is a host alone, number −1. `host` is owned. */
void loom_sniff_smdebug_split_node (const char *id, gint *number, char **host);

/* rank[-_]?<n> in the base name, else in the nearest folder; −1 when there is none. */
gint loom_sniff_rank_from_path (const char *path);

G_END_DECLS
