/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the counters of a session in a rocpd database. A value belongs to an event. If the event is a
 * sample, it has a time, and the value becomes a counter sample of its GPU; if the event is the dispatch of a kernel,
 * the value becomes an arg of the kernel. Must be used by one thread at a time.
 */
#pragma once

#include "loom-rocm-private.h"

typedef struct _LoomRocpdCounters LoomRocpdCounters;

/* Names of the tables of a session; static or owned by the reader. */
typedef struct {
  const char *infos, *samples, *values;
} LoomRocpdCounterTables;

/* The columns of the table of values, which loom_rocpd_counters_format() reads; ends with NULL. */
extern const char *const loom_rocpd_counter_columns[];

/* Reads the descriptions of counters, the times of samples, and the values that belong to dispatches. Memory: 32 bytes
 * for each of these values. `gpus`: id of an agent → gint64 *, its GPU index; borrowed for the lifetime of the result.
 */
LoomRocpdCounters *loom_rocpd_counters_new (LoomRocmReader *reader, LoomRocpdCounterTables tables, GHashTable *gpus);
void loom_rocpd_counters_free (LoomRocpdCounters *self);

/* Appends the counter sample of a row. Appends nothing if the row belongs to a dispatch, or if its value is not a
 * finite number. `session`: text that is appended to the pid of the sample so that the pid states the session, for
 * example " in session 2"; "" if the database has only one session. `is_first`: TRUE if the sample is made for the
 * first time; a problem in the row is counted only then, because the same row may be read again later. */
void loom_rocpd_counters_format (LoomRocpdCounters *self, LoomRocmReader *reader, sqlite3_stmt *row,
                                 const char *session, gboolean is_first, GString *text);
/* Appends the counters of a dispatch as members of "args". If a counter has several values, for example one for each
 * engine, appends their sum. `event`: id of the event of the dispatch. `is_first`: TRUE if the args are made for the
 * first time; loom_rocpd_counters_count_hidden() then no longer counts these values. */
void loom_rocpd_counters_append_args (LoomRocpdCounters *self, gint64 event, gboolean is_first, GString *text);

/* Returns TRUE if loom_rocpd_counters_append_args() can append members for at least one dispatch. */
gboolean loom_rocpd_counters_has_args (const LoomRocpdCounters *self);
/* Returns TRUE if there are values of counters for the sample that belongs to the event. */
gboolean loom_rocpd_counters_has_values (const LoomRocpdCounters *self, gint64 event);

/* Returns the number of values that are not shown, because they belong neither to a sample nor to a dispatch that is
 * shown. */
guint64 loom_rocpd_counters_count_hidden (const LoomRocpdCounters *self);
