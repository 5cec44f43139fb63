/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what is known of an export of Nsight Systems while its rows become events:
 * formats/nsight-sqlite.md.
 *
 * Processes are keyed by their global id: bits 24–47 are the pid, the bits above name the machine. Events of a process
 * have its pid as a number; those of its device 1 have the pid "GPU 1 of 145".
 */
#pragma once

#include "loom-launch-links.h"
#include "loom-row-json.h"
#include "loom-row-names.h"
#include "loom-row-text.h"

typedef enum {
  LOOM_NSIGHT_BACKWARDS, /* ends before it starts */
  LOOM_NSIGHT_ENDLESS,   /* has no end */
  LOOM_NSIGHT_FAR,       /* more than 100 days from the session */
  LOOM_NSIGHT_UNNAMED,   /* refers to a text that is not in the file */
  LOOM_NSIGHT_NO_NUMBER, /* a time that is no number */
  LOOM_N_NSIGHT_LOSSES
} LoomNsightLoss;

typedef struct {
  const char *table; /* static */
  guint64 n_rows;    /* rows before the damage */
  char *message;     /* owned */
} LoomNsightDamage;

typedef struct {
  LoomDatabase *database; /* borrowed: the text owns it */
  LoomRowNames *texts;
  GHashTable *domains;  /* global process id and domain, joined → name as JSON without quotes */
  GHashTable *devices;  /* global process id and context, joined → device + 1 */
  GHashTable *contexts; /* global process id and device, joined → GINT_TO_POINTER (number of contexts) */
  GHashTable *units;    /* shown name of a metric → its unit */
  GHashTable *metrics;  /* type and metric, joined → name of the metric without its unit, as JSON without quotes */
  gint64 machine;       /* bits above the pid, of the first process */
  LoomLaunchLinks *links;
  guint64 first_row[4]; /* number of the first row of each table of devices among all rows */
  guint64 losses[LOOM_N_NSIGHT_LOSSES];
  GArray *damages;       /* LoomNsightDamage: tables that could not be read whole */
  gint64 min_ns, max_ns; /* times outside are far from the session */
} LoomNsight;

/* Tables of the work of devices; the rows of the first four are launched by calls. */
#define LOOM_NSIGHT_N_WORK_TABLES 5
extern const LoomRowTable loom_nsight_work_tables[LOOM_NSIGHT_N_WORK_TABLES];
extern const LoomRowTable loom_nsight_range_table;

/* Fills in all tables in the order of their events in the text. Returns their number. */
#define LOOM_NSIGHT_MOST_TABLES 24
guint loom_nsight_list_tables (LoomRowTable *tables);

/* Counts a row that is left out, or shown with less than it should have. */
void loom_nsight_count (LoomNsight *self, gboolean is_first, LoomNsightLoss loss);
/* Returns TRUE with the times of a row, its columns 1 and 2, if it can be shown. Without `may_lack_end` a row without end
 * cannot. */
gboolean loom_nsight_take_times (LoomNsight *self, sqlite3_stmt *row, gboolean is_first, gboolean may_lack_end,
                                 gint64 *start_ns, gint64 *end_ns);
/* Appends a complete event up to its times; more members have to follow. */
void loom_nsight_append_span (GString *text, const char *category, gint64 start_ns, gint64 end_ns);
/* Appends the members pid and tid. `lane`: name of a lane of its own beside the thread; NULL for the thread. */
void loom_nsight_append_thread (const LoomNsight *self, GString *text, gint64 global_tid, const char *lane);
/* Appends a launch's flow event, which begins at its call (s) or ends at the work (f). `place`: the members pid and tid. */
void loom_nsight_append_flow (const LoomNsight *self, GString *text, char phase, gint64 time_ns, gint64 process,
                              gint64 correlation, const char *place);
/* Appends the text that a column refers to, or its number if there is none. */
void loom_nsight_append_name_of_id (LoomNsight *self, GString *text, sqlite3_stmt *row, int column, gboolean is_first);

/* Returns the word for a kind of memory; static. */
const char *loom_nsight_memory_kind (gint64 kind);

/* Returns a key for tables by two numbers. */
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

/* Reads what events need to know of other rows: devices of contexts, launches, names of domains. */
void loom_nsight_look_ahead (LoomNsight *self);
