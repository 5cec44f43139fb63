/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: data from an SQLite export of Nsight Systems that are needed while its rows are converted to
 * events.
 *
 * Each process has a global id: bits 24 to 47 contain the pid, the bits above them identify the machine. The events of
 * process 145 get the pid 145; those of its device 1 get the pid "GPU 1 of 145".
 */
#pragma once

#include "loom-launch-links.h"
#include "loom-row-json.h"
#include "loom-row-names.h"
#include "loom-row-text.h"

typedef enum {
  LOOM_NSIGHT_BACKWARDS, /* the row ends before it starts */
  LOOM_NSIGHT_ENDLESS,   /* the row has no end time */
  LOOM_NSIGHT_FAR,       /* the time is more than 100 days before or after the profiling session */
  LOOM_NSIGHT_UNNAMED,   /* the row refers to a text that is not in the file */
  LOOM_NSIGHT_NO_NUMBER, /* the time is not a number */
  LOOM_NSIGHT_NO_VALUE,  /* the value of a metric is not a number */
  LOOM_N_NSIGHT_LOSSES
} LoomNsightLoss;

typedef struct {
  const char *table; /* name of the table; static */
  guint64 n_rows;    /* number of rows read before the damage */
  char *message;     /* reason why the remaining rows could not be read; owned */
} LoomNsightDamage;

/* Rows of NVTX events that do not appear on the timeline are counted by the type of the event; the types below this
 * number are counted separately. The greatest known type is 99. */
#define LOOM_NSIGHT_MOST_TYPES 128

typedef struct {
  LoomDatabase *database; /* the export; owned by the text that is made from its rows (loom-made-text.h) */
  LoomRowNames *texts;
  GHashTable *domains;  /* global process id and NVTX domain (loom_nsight_pair()) → name of the domain as JSON without
                         * quotes */
  GHashTable *devices;  /* global process id and context (loom_nsight_pair()) → device + 1 */
  gint64 last_context;  /* the key in `devices` that was looked up last */
  gint last_device;     /* device + 1 of `last_context`; 0: no context was looked up, or it has no device */
  GHashTable *contexts; /* global process id and device (loom_nsight_pair()) → GINT_TO_POINTER (number of contexts) */
  GHashTable *units;    /* type and shown name of a metric (loom_nsight_dup_unit_key()) → its unit */
  GHashTable *metrics; /* type and number of a metric (loom_nsight_pair()) → shown name of the metric, as JSON without
                         * quotes */
  gint64 machine;      /* machine id of the first process: the bits above the pid in the global id of the process */
  LoomLaunchLinks *links;
  /* TRUE: rows of device work state the process that launched the work; FALSE: they do not, so launches are found by
   * correlation ids alone */
  gboolean has_process;
  /* array indexed by table (as in `launched_tables` of loom-nsight-look-ahead.c): number of the first row of the table;
   * the rows of all these tables are numbered together */
  guint64 first_row[4];
  guint64 losses[LOOM_N_NSIGHT_LOSSES];
  /* array indexed by the type of a range: number of rows of NVTX_EVENTS that are not shown; the last element also
   * counts greater types */
  guint64 hidden_ranges[LOOM_NSIGHT_MOST_TYPES];
  GArray *damages;       /* LoomNsightDamage elements: the tables that could not be read completely */
  gint64 min_ns, max_ns; /* a row whose times are outside this range counts as LOOM_NSIGHT_FAR */
} LoomNsight;

/* Number of tables with the work of devices. The work in the first four tables is launched by calls of the host. */
#define LOOM_NSIGHT_N_WORK_TABLES 5
extern const LoomRowTable loom_nsight_work_tables[LOOM_NSIGHT_N_WORK_TABLES];
extern const LoomRowTable loom_nsight_range_table;

#define LOOM_NSIGHT_MOST_TABLES 24 /* maximum number of tables that loom_nsight_list_tables() lists */
/* Fills `tables` with all tables that are shown, and returns their number. `tables` must have space for
 * LOOM_NSIGHT_MOST_TABLES elements. The tables are in the order in which their events are in the generated text. */
guint loom_nsight_list_tables (LoomRowTable *tables);

/* Counts a row with a problem. Such a row is omitted, or shown with incomplete data. Does nothing if `is_first` is
 * FALSE, that is, if the row was read and counted before. */
void loom_nsight_count (LoomNsight *self, gboolean is_first, LoomNsightLoss loss);
/* Gets the times of a row from its columns 1 and 2. Returns FALSE if the row cannot be shown. `may_lack_end`: a row
 * without an end can be shown. `is_first`: TRUE if the row is read for the first time; problems of the row are counted
 * only then. */
gboolean loom_nsight_take_times (LoomNsight *self, sqlite3_stmt *row, gboolean is_first, gboolean may_lack_end,
                                 gint64 *start_ns, gint64 *end_ns);
/* Appends the beginning of a complete event, up to its times. The caller appends the other members and the end of
 * the event. */
void loom_nsight_append_span (GString *text, const char *category, gint64 start_ns, gint64 end_ns);
/* Appends the members pid and tid. `lane` is the name of a separate lane next to the thread; NULL: the thread
 * itself. */
void loom_nsight_append_thread (const LoomNsight *self, GString *text, gint64 global_tid, const char *lane);
/* Appends one of the two flow events of a launch: `phase` 's' at the call, or 'f' at the work of the device. `place`:
 * JSON text with the members pid and tid. */
void loom_nsight_append_flow (const LoomNsight *self, GString *text, char phase, gint64 time_ns, gint64 process,
                              gint64 correlation, const char *place);
/* Appends the text whose id is in a column of the row. If the file does not contain this text, appends the id as a
 * number; counts this problem if `is_first`, which states that the row is read for the first time. */
void loom_nsight_append_name_of_id (LoomNsight *self, GString *text, sqlite3_stmt *row, int column, gboolean is_first);

/* Returns TRUE if the file contains the text whose id is in a column of the row; sets `id` to the id. */
gboolean loom_nsight_has_name (LoomNsight *self, sqlite3_stmt *row, int column, gint64 *id);
/* Fills in the members of `span` that describe one of the two flow events of a launch. */
void loom_nsight_measure_flow (const LoomNsight *self, LoomRowSpan *span, char phase, gint64 process,
                               gint64 correlation);

/* Returns the name of a kind of memory, such as "Pageable", given its number in the export; static. */
const char *loom_nsight_memory_kind (gint64 kind);

/* The lowest bits of the type of a metric are the number of the GPU, the others identify the host. */
#define LOOM_NSIGHT_GPU_BITS 8
#define LOOM_NSIGHT_GPU_MASK ((1 << LOOM_NSIGHT_GPU_BITS) - 1)

/* Returns a key for LoomNsight.units: the key that the builder gives the process with the metrics of `type`, joined
 * with the name of a metric. Owned by the caller. */
static inline char *
loom_nsight_dup_unit_key (gint64 type, const char *name)
{
  return g_strdup_printf ("\"GPU %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "/0\"\n%s", type & LOOM_NSIGHT_GPU_MASK,
                          (type & G_MAXINT64) >> LOOM_NSIGHT_GPU_BITS, name);
}

/* Joins two numbers into a key for a hash table. */
static inline gint64
loom_nsight_pair (gint64 first, gint64 second)
{
  return (gint64) ((guint64) first * 1000003 + (guint64) second);
}

static inline gint64
loom_nsight_process_of (gint64 global_id)
{
  return global_id & ~G_GINT64_CONSTANT (0xFFFFFF);
}

static inline gint64
loom_nsight_pid_of (gint64 global_id)
{
  return global_id >> 24 & 0xFFFFFF;
}

/* Reads the rows that must be known before events are made: the devices of contexts, the launches, and the names of
 * domains. */
void loom_nsight_look_ahead (LoomNsight *self);
