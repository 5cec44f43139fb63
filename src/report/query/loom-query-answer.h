/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a query: its rows as a result table, and for each row the place on the timeline to which it refers.
 * Made by a worker thread, then immutable; ref-counted atomically.
 *
 * The place of a row is a span or instant: the one whose id is in the first column with ids of spans or instants. If
 * the result has no such column, the place is the time range from the columns "start" and "duration". Ids are shown as
 * texts.
 *
 * The unit of a column is known in three cases: the column is a column of the tables that can be queried; it has the
 * name of such a column; or its name ends in "_ns".
 */
#pragma once

#include "loom-query.h"
#include "loom-result-lane.h"
#include "loom-result-table.h"

/* Maximum number of rows of a result that are kept in memory. A row takes about 200 bytes. */
#define LOOM_QUERY_ANSWER_MOST 100000

typedef struct {
  LoomSpanId span; /* the span or instant that the row refers to; LOOM_SPAN_ID_NONE: the row refers to none */
  LoomRange range; /* the time range that the row refers to, in timeline ns; empty: the row has no range */
} LoomQueryPlace;

typedef struct {
  LoomResultTable *table;
  LoomTimeline *timeline;       /* the timeline that contains the spans in the rows */
  const LoomQueryPlace *places; /* the place of each row on the timeline; NULL: the rows have no places */
  gint64 zero_ns;               /* the instant from which the times in the table count, in timeline ns */
  gboolean is_cut;              /* TRUE if the query has more rows than were read */
  /* The following members are private: */
  gatomicrefcount refs;
  GArray *all_places; /* LoomQueryPlace: the elements of `places` */
  guint id_column;    /* index of the column with ids of spans; G_MAXUINT: there is no such column */
  guint time_column;  /* index of the column with the times of samples; G_MAXUINT: there is no such column */
} LoomQueryAnswer;

/* Runs the query and reads at most `most` rows. `defaults`: the default values of parameters (name, value, name, value,
 * …), NULL-terminated; may be NULL. Blocks. Returns NULL with an error of loom_query_new() or loom_query_next(). */
LoomQueryAnswer *loom_query_answer_new (LoomQueryRun *run, const char *sql, const char *const *defaults, guint most,
                                        GCancellable *cancellable, GError **error);
/* Sets the instant, in timeline ns, to which the times in the table are relative. Must be called only while one thread
 * uses the answer. O(rows). */
void loom_query_answer_set_zero (LoomQueryAnswer *answer, gint64 zero_ns);
/* Returns TRUE if the rows can be drawn as a lane of the timeline. For this, they must have places on the timeline, or
 * a column of times and another column of numbers. */
gboolean loom_query_answer_is_lane (const LoomQueryAnswer *answer);
/* Returns the rows as a lane of the timeline, owned by the caller. If the rows have places on the timeline, the lane
 * has a bar for the span or range of each row; the text of the bar is from the first column of texts. Otherwise, the
 * lane has a sample for each row: its value is from the first column of numbers that are not times, its time is from
 * the first column of times. If there is a column "series", each different text in it is a series of samples. NULL if
 * the rows cannot be drawn as a lane, or if the lane would be empty. */
LoomResultLane *loom_query_answer_make_lane (const LoomQueryAnswer *answer);

LoomQueryAnswer *loom_query_answer_ref (LoomQueryAnswer *answer);
void loom_query_answer_unref (LoomQueryAnswer *answer); /* NULL: does nothing */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryAnswer, loom_query_answer_unref)
