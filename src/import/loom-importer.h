/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what one importer is given. An importer reads the files of one unit (a file, or files that
 * continue one another) into a builder. A new format is a file with one such function, a word in loom-sniff.c that
 * recognises it, and a line in the table of loom-load.c.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-limits.h"
#include "loom-memory-budget.h"
#include "loom-stream-reader.h"
#include "loom-trace-builder.h"

G_BEGIN_DECLS

/* What is in the step folders of TensorFlow's traces; each is looked into once. Any thread. `paths`: const char *, files that count as
 * in their folders too, copied; `on_disk` FALSE: they alone, no folder is read. Cost O(paths × log paths), of a folder
 * O(files in it + log paths). */
typedef struct _LoomStepFolders LoomStepFolders;
LoomStepFolders *loom_importer_step_folders_new (const GPtrArray *paths, gboolean on_disk);
void loom_importer_step_folders_free (LoomStepFolders *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStepFolders, loom_importer_step_folders_free)

typedef struct {
  LoomTraceBuilder *builder;
  LoomFoundFile *const *files; /* borrowed, in reading order */
  guint n_files;
  gboolean lines;         /* JSON lines */
  GRegex *rank_from;      /* NULL, or the user's pattern */
  LoomStepFolders *steps; /* of this load, with the files that are in archives */
  GHashTable *configs; /* canonical path → LoomFoundFile: each profilerconfig.json that stands at no path of its own */
  LoomProgress *progress;   /* may be NULL */
  guint n_threads;          /* for the inside of one file; 1: others are read at the same time */
  guint64 piece_bytes;      /* 0: as it suits */
  LoomMemoryBudget *budget; /* may be NULL */
  _Atomic gint64 reserved;  /* of that, for freezing what was read */
  GPtrArray *failed;        /* char *: path, reason, path, reason … */
} LoomImporter;

/* FALSE with `error` only when cancelled. Files that cannot be read are put on `failed`. */
typedef gboolean (*LoomImporterFunc) (LoomImporter *import, GError **error);

gboolean loom_importer_chrome (LoomImporter *import, GError **error);
gboolean loom_importer_kineto (LoomImporter *import, GError **error);
gboolean loom_importer_composer (LoomImporter *import, GError **error);
gboolean loom_importer_smdebug (LoomImporter *import, GError **error);
gboolean loom_importer_smdebug_merged (LoomImporter *import, GError **error);
gboolean loom_importer_system (LoomImporter *import, GError **error);
gboolean loom_importer_tensorflow (LoomImporter *import, GError **error);
gboolean loom_importer_horovod (LoomImporter *import, GError **error);
gboolean loom_importer_cprofile (LoomImporter *import, GError **error);
gboolean loom_importer_pyinstrument (LoomImporter *import, GError **error);
gboolean loom_importer_traceloom (LoomImporter *import, GError **error);

/* The one of the .metadata files in the step folder whose name says when the trace at `path` begins; canonical, NULL for none. Owned. */
char *loom_importer_tensorflow_dup_metadata (const char *path, LoomStepFolders *steps);

/* Records a file that cannot be used. FALSE when `error` says cancelled (then it is propagated to `out`). Takes error. */
gboolean loom_importer_fail (LoomImporter *import, const char *path, GError *error, GError **out);

/* TRUE when there is no memory left for this file: then it is recorded. */
gboolean loom_importer_is_full (LoomImporter *import, const char *path);

/* Events were added to a builder, flows among them, or dropped with it (negative): freezing them will need room. */
void loom_importer_reserve (LoomImporter *import, gint64 n_events, gint64 n_flows);

/* Events are taken this many at a time between two looks at the memory budget. */
#define LOOM_IMPORTER_LOOK_EVENTS 4096
#define LOOM_IMPORTER_LOOK_BYTES (16 * LOOM_MIB) /* at most, of text */

/* Records that a file was read up to the byte only. */
void loom_importer_log_full (const LoomImporter *import, LoomSource *source, guint64 offset);

/* Records that a compressed file ended too early, or was not read to its end. */
void loom_importer_note_end (LoomSource *source, const LoomStreamReader *reader);

/* The rank the user's pattern gives a path, else −1. */
gint loom_importer_rank_from_pattern (const LoomImporter *import, const char *path);

G_END_DECLS
