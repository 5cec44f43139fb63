/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what one importer is given. An importer reads the files of one unit (a file, or files that
 * continue one another) into a builder. A new format is a file with one such function, a word in loom-sniff.c that
 * recognises it, and a line in the table of loom-load.c.
 */
#pragma once

#include "loom-budget.h"
#include "loom-builder.h"
#include "loom-discovery.h"
#include "loom-limits.h"
#include "loom-reader.h"

G_BEGIN_DECLS

typedef struct {
  LoomBuilder *builder;
  LoomFoundFile *const *files; /* borrowed, in reading order */
  guint n_files;
  gboolean lines;              /* JSON lines */
  GRegex *rank_from;           /* NULL, or the user's pattern */
  const GPtrArray *members;    /* const char *: paths of all files that stand in archives, in no folder */
  GHashTable *configs;         /* canonical path → LoomFoundFile: each profilerconfig.json that stands at no path of its own */
  LoomProgress *progress;      /* may be NULL */
  guint n_threads;             /* for the inside of one file; 1: others are read at the same time */
  guint64 piece_bytes;         /* 0: as it suits */
  LoomBudget *budget;          /* may be NULL */
  _Atomic gint64 reserved;     /* of that, for freezing what was read */
  GPtrArray *failed;           /* char *: path, reason, path, reason … */
} LoomImport;

/* FALSE with `error` only when cancelled. Files that cannot be read are put on `failed`. */
typedef gboolean (*LoomImportFunc) (LoomImport *import, GError **error);

gboolean loom_import_chrome (LoomImport *import, GError **error);
gboolean loom_import_kineto (LoomImport *import, GError **error);
gboolean loom_import_composer (LoomImport *import, GError **error);
gboolean loom_import_smdebug (LoomImport *import, GError **error);
gboolean loom_import_smdebug_merged (LoomImport *import, GError **error);
gboolean loom_import_system (LoomImport *import, GError **error);
gboolean loom_import_tensorflow (LoomImport *import, GError **error);
gboolean loom_import_horovod (LoomImport *import, GError **error);
gboolean loom_import_cprofile (LoomImport *import, GError **error);
gboolean loom_import_pyinstrument (LoomImport *import, GError **error);
gboolean loom_import_traceloom (LoomImport *import, GError **error);

/* The one of the .metadata files (char *, paths) whose name says when the trace at `path` begins; canonical, NULL for none. Reads no
 * folder. Owned. */
char *loom_tensorflow_dup_metadata (const char *path, const GPtrArray *metadata);

/* Records a file that cannot be used. FALSE when `error` says cancelled (then it is propagated to `out`). Takes error. */
gboolean loom_import_fail (LoomImport *import, const char *path, GError *error, GError **out);

/* TRUE when there is no memory left for this file: then it is recorded. */
gboolean loom_import_is_full (LoomImport *import, const char *path);

/* Events were added to a builder, flows among them, or dropped with it (negative): freezing them will need room. */
void loom_import_reserve (LoomImport *import, gint64 n_events, gint64 n_flows);

/* Events are taken this many at a time between two looks at the memory budget. */
#define LOOM_IMPORT_LOOK_EVENTS 4096
#define LOOM_IMPORT_LOOK_BYTES (16 * LOOM_MIB) /* at most, of text */

/* Records that a file was read up to the byte only. */
void loom_import_log_full (const LoomImport *import, LoomSource *source, guint64 offset);

/* Records that a compressed file ended too early, or was not read to its end. */
void loom_import_note_end (LoomSource *source, const LoomReader *reader);

/* The rank the user's pattern gives a path, else −1. */
gint loom_import_rank_from_pattern (const LoomImport *import, const char *path);

G_END_DECLS
