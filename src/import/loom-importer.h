/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the input and output of one importer. An importer reads the files of one unit (a file, or
 * files that continue one another) into a builder. A new format needs three things: a source file with such a function
 * (LoomImporterFunc), code in loom-sniff.c that recognises the format, and a line in the table of importers in
 * loom-load.c.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-limits.h"
#include "loom-memory-budget.h"
#include "loom-stream-reader.h"
#include "loom-trace-builder.h"

/* A table of the .metadata files in step folders. A step folder is the folder <step> of a TensorFlow trace at
 * <step>/plugins/profile/<run>/<trace>. A folder is listed when its files are first needed. May be used on any thread.
 * `paths` (const char *, copied): .metadata files that count as if they were in their folders on disk. `on_disk` FALSE:
 * no folder on disk is listed; the table contains only the files in `paths`. O(paths · log paths) once, and O(files in
 * the folder + log paths) per folder. */
typedef struct _LoomStepFolders LoomStepFolders;
LoomStepFolders *loom_importer_step_folders_new (const GPtrArray *paths, gboolean on_disk);
void loom_importer_step_folders_free (LoomStepFolders *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStepFolders, loom_importer_step_folders_free)

/* A table of the jobs of SageMaker Debugger and of the times that their files state, by which loom-horovod-anchor.h
 * finds when a timeline of Horovod began. May be used on any thread. `files` (LoomFoundFile *): all files of the load;
 * they must outlive the table, which copies their paths but borrows their origins. O(total length of the paths). */
typedef struct _LoomHorovodAnchors LoomHorovodAnchors;
LoomHorovodAnchors *loom_importer_horovod_anchors_new (const GPtrArray *files);
void loom_importer_horovod_anchors_free (LoomHorovodAnchors *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHorovodAnchors, loom_importer_horovod_anchors_free)

/* The dumps of flight recorders of a load. A collective that never completed is shown up to the latest time of all
 * dumps of the same hang. Therefore all dumps are read before the first of them is imported. May be used on any
 * thread. */
typedef struct _LoomFlightDumps LoomFlightDumps;
LoomFlightDumps *loom_importer_flight_dumps_new (void);
void loom_importer_flight_dumps_free (LoomFlightDumps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFlightDumps, loom_importer_flight_dumps_free)

typedef struct {
  LoomTraceBuilder *builder;
  LoomFoundFile *const *files; /* files to read, borrowed, in the order in which they are read */
  guint n_files;
  gboolean lines;         /* TRUE: the files consist of JSON lines */
  gboolean records_bytes; /* TRUE: LoomSource.byte_index must be set */
  gboolean salvages;      /* TRUE: a damaged database is searched for rows that SQLite does not find */
  gboolean
    wants_salvage;   /* set by the importer: a database is damaged, and reading the file again with `salvages` TRUE may
                      * find more rows */
  GRegex *rank_from; /* pattern of the user, whose first group is the rank in a path; NULL: the user has not set
                           * one */
  LoomStepFolders *steps;      /* the .metadata files in the step folders of TensorFlow traces; such a folder may be on
                                * disk or in an archive */
  LoomHorovodAnchors *anchors; /* jobs of all files of this load, including members of archives; NULL: unknown */
  LoomFlightDumps *flights;    /* dumps of flight recorders in all files of this load; NULL: the dumps in other files
                                * are not considered */
  /* canonical path → LoomFoundFile: each profilerconfig.json that is not at its path on disk, because it is in an
   * archive or was fetched from a remote location */
  GHashTable *configs;
  LoomProgress *progress;   /* progress of the load, which also says whether the load was cancelled; may be NULL */
  guint n_threads;          /* number of threads for reading one file; 1 if other files are read at the same time */
  guint64 piece_bytes;      /* size in bytes of the pieces into which a large file is divided, so that several threads
                             * can read it; 0: chosen automatically */
  LoomMemoryBudget *budget; /* limit on the memory of the process; NULL: no limit */
  _Atomic gint64 reserved;  /* number of bytes of the memory budget that are reserved for freezing the builder */
  GPtrArray *failed;        /* char *: for each file that could not be read, two elements: its path and the reason */
} LoomImporter;

/* Reads the files of `import` into its builder. Files that cannot be read are added to `failed`. Returns FALSE with
 * `error` only if cancelled. */
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
gboolean loom_importer_nsight (LoomImporter *import, GError **error);
gboolean loom_importer_rocm (LoomImporter *import, GError **error);
gboolean loom_importer_xplane (LoomImporter *import, GError **error);
gboolean loom_importer_perfetto (LoomImporter *import, GError **error);
gboolean loom_importer_flight_recorder (LoomImporter *import, GError **error);
gboolean loom_importer_memory_snapshot (LoomImporter *import, GError **error);
gboolean loom_importer_index (LoomImporter *import, GError **error);
gboolean loom_importer_traceloom (LoomImporter *import, GError **error);

/* Returns the canonical path of the .metadata file whose name gives the start of the trace at `path`. This file is in
 * the step folder of the trace. NULL: there is no such file. Owned by the caller. */
char *loom_importer_tensorflow_dup_metadata (const char *path, LoomStepFolders *steps);

struct _LoomChromeImporter;
struct _LoomEventScanner;

/* Facts about a run of TensorFlow's profiler. Needed if its events were converted from a file of another format
 * (XSpace). */
typedef struct {
  const char *format;
  /* start of the profile in ns since 1970; 0: unknown, so that the start is taken from the name of the run's folder */
  gint64 start_ns;
  gboolean is_absolute; /* TRUE: the times in the file count from 1970 */
  const char *node;     /* name of the host on which the profile was recorded; NULL: unknown */
  /* function that scans the text of the file (LoomChromeImporterJob.scan); NULL: the text is scanned like a file of
   * TensorFlow's profiler */
  gboolean (*scan) (struct _LoomChromeImporter *chrome, LoomStreamReader *reader, struct _LoomEventScanner *scanner,
                    GError **error);
} LoomTensorFlowRun;

/* Reads a file of events in the form in which TensorFlow's profiler writes them. `run`: facts about the run if the
 * events were converted from a file of another format; NULL: TensorFlow's profiler wrote the file. */
gboolean loom_importer_tensorflow_read (LoomImporter *import, const LoomFoundFile *file, const LoomTensorFlowRun *run,
                                        GError **error);

/* Reads a dump, and keeps it until the file is imported (with the same `file`, which is borrowed). If the dump cannot
 * be read, the load was cancelled, or the memory budget is used up, nothing is kept; the dump is then read when the
 * file is imported. Only the progress and the budget of `import` are used. */
void loom_importer_flight_dumps_read (LoomFlightDumps *self, const LoomImporter *import, const LoomFoundFile *file);
/* Records the latest time in a dump. Also called for a dump whose file need not be read, because it is already loaded.
 * `rank`: rank of the dump; −1: unknown. */
void loom_importer_flight_dumps_note (LoomFlightDumps *self, const LoomFlightDump *dump, gint rank);
/* Returns the latest time of the dumps that were read or noted, in ns since 1970; times that are not between
 * LOOM_TIME_PLAUSIBLE_MIN and LOOM_TIME_PLAUSIBLE_MAX do not count. LOOM_TIME_NONE: there is no such time. */
gint64 loom_importer_flight_dumps_get_end (LoomFlightDumps *self);

/* Records that a file cannot be used. If `error` says that the load was cancelled, instead moves `error` to `out` and
 * returns FALSE. Takes ownership of `error`. */
gboolean loom_importer_fail (LoomImporter *import, const char *path, GError *error, GError **out);

/* Writes to the log that reading a file failed, and that the events before the failure are kept. If `error` says that
 * the load was cancelled, instead moves `error` to `out` and returns FALSE. Takes ownership of `error`. */
gboolean loom_importer_keep_part (LoomSource *source, GError *error, GError **out);

/* Returns TRUE if the memory budget is used up. In this case records that the file at `path` was not read. */
gboolean loom_importer_is_full (LoomImporter *import, const char *path);

/* Reserves memory of the budget for making a trace from events that were added to a builder (“freezing”). `n_flows` of
 * the `n_events` events are flow events. Negative numbers release memory after a builder was dropped. */
void loom_importer_reserve (LoomImporter *import, gint64 n_events, gint64 n_flows);

/* Number of events after which the memory budget is checked again. */
#define LOOM_IMPORTER_LOOK_EVENTS 4096
/* maximum number of bytes of text between two checks of the memory budget */
#define LOOM_IMPORTER_LOOK_BYTES (16 * LOOM_MIB)

/* Logs that data was already missing when Traceloom wrote this merged file. `file`: the input file that lacked the
 * data; `code`: code of the log entry about the loss; `message`: description of the missing data. Each of these may be
 * NULL (unknown). */
void loom_importer_log_merged_loss (LoomSource *source, const char *file, const char *code, const char *message);

/* Logs that the memory budget was used up and the file was read only up to the byte `offset`. */
void loom_importer_log_full (const LoomImporter *import, LoomSource *source, guint64 offset);

/* Logs that the data of a compressed file end too early, are damaged, or were not read to the end. */
void loom_importer_note_end (LoomSource *source, const LoomStreamEnd *end);

/* Returns the rank that the user's pattern finds in a path; −1 if there is no pattern or it does not match. */
gint loom_importer_rank_from_pattern (const LoomImporter *import, const char *path);
