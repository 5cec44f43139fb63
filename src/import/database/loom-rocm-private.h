/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: common parts of the readers for the two kinds of databases that ROCm's profilers write: rocpd
 * and RPD. Processes of the host have their pid as a number, devices have the pid "GPU 2". If a database contains
 * several sessions, the pid is a text that ends with the number of the session: "100 in session 0", "GPU 2 in session
 * 1".
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-launch-links.h"
#include "loom-row-ids.h"
#include "loom-row-json.h"
#include "loom-row-names.h"
#include "loom-row-text.h"

typedef enum {
  LOOM_ROCM_BACKWARDS, /* the row ends before it starts */
  LOOM_ROCM_TIMELESS,  /* the row has no time */
  LOOM_ROCM_UNNAMED,   /* the row refers to a text that is not in the file */
  LOOM_ROCM_NO_NUMBER, /* the value of a counter is not a number */
  LOOM_N_ROCM_LOSSES
} LoomRocmLoss;

#define LOOM_ROCM_SESSION " in session "

/* Where a session (recording) took place. */
typedef struct {
  gint rank;  /* rank of the session's processes; −1: unknown, or the processes have different ranks */
  char *host; /* name of the host on which the session was recorded; NULL: unknown */
  /* name of a clock that counts from the boot of the host (LoomDeclaredClock.domain); NULL: unknown */
  char *domain;
} LoomRocmPlace;

typedef struct {
  guint64 losses[LOOM_N_ROCM_LOSSES];
  /* char *: for each table that could not be read completely, two elements: the name of the table and the reason */
  GPtrArray *damages;
  guint64 n_without_launch;
  gint schema;       /* highest schema version of a session of a rocpd database; 0: unknown */
  GHashTable *units; /* key of a counter, made of pid and name by loom_rocm_note_unit() → unit */
  GHashTable *holds; /* key of a counter, as in `units` → gint64 *: longest time for which a value of the counter holds,
                      * in ns */
  /* key of a process in the builder → GINT_TO_POINTER (rank + 1); NULL: the rank is unknown. Filled only for sessions
   * whose processes have different ranks */
  GHashTable *ranks;
  GArray *places; /* LoomRocmPlace of each session; empty if the database has no sessions */
} LoomRocm;

/* A query for single rows of a table by their id. It is fast if each id is only a little greater than the previous one.
 * The ids usually are in this order if they are read from another table whose rows refer to this table. */
typedef struct {
  /* query for the rows of the table, which is read step by step; NULL: the database does not have the table */
  sqlite3_stmt *row;
  LoomDatabase *database; /* borrowed */
  LoomRowIds *ids;        /* finds the row ids of rows by their ids; NULL: ids and row ids are equal */
  gint64 row_id;          /* row id of the row at which `row` is positioned */
  gboolean stands;
} LoomRocmCursor;

/* Common part of the readers of both kinds of database (rpd and rocpd). A reader lists the tables to read, and holds
 * data that their rows refer to. */
typedef struct _LoomRocmReader LoomRocmReader;
struct _LoomRocmReader {
  LoomRocm common;        /* the part that both kinds of databases have in common */
  LoomDatabase *database; /* the database that is read; owned by the text that is made from its rows
                           * (loom-made-text.h) */
  /* called after all events have been read: adds data that are not events (such as names), and appends the tables that
   * are not shown to `hidden` (loom-hidden-rows.h); NULL: nothing to do */
  void (*finish) (LoomRocmReader *self, LoomChromeImporter *chrome, GString *hidden);
};

/* Returns a reader of the database. Adds the tables to read (LoomRowTable) to `tables`, and sets `free` to the function
 * that frees the reader. */
LoomRocmReader *loom_rocm_rpd_new (LoomDatabase *database, GArray *tables, GDestroyNotify *free);
LoomRocmReader *loom_rocm_rocpd_new (LoomDatabase *database, GArray *tables, GDestroyNotify *free);

/* Returns a cursor for the rows of a table, with the columns that loom_database_select() returns. `id`: the column with
 * the ids of the rows. */
LoomRocmCursor *loom_rocm_cursor_new (LoomDatabase *database, const char *table, const char *id,
                                      const char *const *columns);
void loom_rocm_cursor_free (LoomRocmCursor *self);
/* Moves the cursor to the row with this id. Returns FALSE if there is none; then the columns of `row` must not be
 * read. */
gboolean loom_rocm_cursor_find (LoomRocmCursor *self, gint64 id);

void loom_rocm_init (LoomRocmReader *self, LoomDatabase *database);
void loom_rocm_clear (LoomRocmReader *self);

/* Returns the text of a column for display, cut at LOOM_LIMIT_NAME_BYTES; owned by the caller. */
char *loom_rocm_dup_shown (sqlite3_stmt *row, int column);

/* Sets the unit of a counter. `pid` and `name`: encoded as JSON, without quotes. */
void loom_rocm_note_unit (LoomRocmReader *self, const char *pid, const char *name, const char *unit);

/* Notes that a value of a counter is valid for `hold_ns` from its time. If no further value of the counter follows
 * within the greatest `hold_ns` that was noted for this counter, the counter is shown as unknown from then on. `pid`
 * and `name`: encoded as JSON, without quotes. */
void loom_rocm_note_hold (LoomRocmReader *self, const char *pid, const char *name, gint64 hold_ns);

/* Reads the start and end of a row from two successive columns. If the row cannot be shown, returns FALSE, and counts
 * this problem. `is_first`: FALSE if the row was read before, so that its problem is not counted again. */
gboolean loom_rocm_take_times (LoomRocmReader *self, sqlite3_stmt *row, int start_column, gboolean is_first,
                               gint64 *start_ns, gint64 *end_ns);
/* Appends the beginning of a complete event, up to its times. The caller appends the other members and the end of
 * the event. */
void loom_rocm_append_span (GString *text, const char *category, gint64 start_ns, gint64 end_ns);
/* Appends the member "name". `name`: encoded as JSON, without quotes; NULL: writes the number `id` as the name, and
 * counts the row as LOOM_ROCM_UNNAMED. `is_first`: FALSE if the row was read before, so that it is not counted
 * again. */
void loom_rocm_append_name (LoomRocmReader *self, GString *text, const char *name, gint64 id, gboolean is_first);
/* Appends one of the two flow events that connect a call to the device work that it launched. `place`: JSON text
 * with the members pid and tid. */
void loom_rocm_append_flow (GString *text, char phase, gint64 time_ns, const char *place, guint session, gint64 id);
