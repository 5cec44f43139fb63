/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the events of a session of a rocpd database, to which the rows of its calls, kernels and
 * samples refer, and converts samples without counter values to instants. Must be used by one thread at a time.
 */
#pragma once

#include "loom-rocm-private.h"

typedef struct _LoomRocpdEvents LoomRocpdEvents;

/* The columns of a table of samples that are read. They become columns 1, 2 … of the result; column 0 is the id of the
 * row. */
extern const char *const loom_rocpd_sample_columns[];

/* Returns an object that finds events in `table`. `tracks`: name of the table of tracks, to which samples refer.
 * `texts`: the texts of the session; borrowed. */
LoomRocpdEvents *loom_rocpd_events_new (LoomDatabase *database, const char *table, const char *tracks,
                                        LoomRowNames *texts);
void loom_rocpd_events_free (LoomRocpdEvents *self);

/* Frees the memory that makes finding events fast while all rows are read: 8 bytes per event. The functions below then
 * read each event from the database. */
void loom_rocpd_events_forget (LoomRocpdEvents *self);

/* Returns the stack id of an event; 0: the event has none. A call and the work that it launched have the same stack id,
 * which links them. */
gint64 loom_rocpd_events_find_stack (LoomRocpdEvents *self, gint64 event);

/* Returns the category of a region or sample, encoded as JSON without quotes. Markers and RCCL calls are annotations;
 * calls of HIP and HSA have the same category as calls of the CUDA runtime; all other events have the category that the
 * file states. `name`: name of the region or sample; NULL: unknown. If the file states no category, it is guessed from
 * this name. Equal categories of a session have equal pointers, which are valid as long as `self`. */
const char *loom_rocpd_events_find_category (LoomRocpdEvents *self, gint64 event, const char *name);

/* Returns the text that the program passed for a marker, encoded as JSON without quotes; NULL: the program passed no
 * text, or the event is not a marker. Valid until the next call. */
const char *loom_rocpd_events_find_message (LoomRocpdEvents *self, gint64 event);

/* Sets the process and the thread in which a sample was taken; 0: unknown. */
void loom_rocpd_events_find_track (LoomRocpdEvents *self, sqlite3_stmt *sample, gint64 *process, gint64 *thread);

/* Returns the event to which a sample refers. */
gint64 loom_rocpd_events_get_event (sqlite3_stmt *sample);

/* Appends a sample as an instant. `place`: JSON text with the members pid and tid. `is_first`: TRUE if the row is read
 * for the first time; problems of the row are counted only then. */
void loom_rocpd_events_format_sample (LoomRocpdEvents *self, LoomRocmReader *reader, sqlite3_stmt *sample,
                                      const char *place, gboolean is_first, GString *text);
