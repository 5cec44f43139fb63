/* SPDX-License-Identifier: Apache-2.0
 *
 * The query that the user writes about an open run, and the answer to the query that was run last. A worker runs
 * queries; the last answer stays until the next one arrives. Main thread only.
 *
 * Properties: "text", the SQL, never NULL; "running", whether a worker runs the query (read-only); "problem", why the
 * last query failed, a translated sentence, NULL if it didn't fail (read-only, notified after each query); "answer",
 * notified when there is a new answer or when the zero of its times has changed (not readable as a property); "chart",
 * the kind of chart that shows the rows (LoomQueryChartKind), also notified when the user chooses other columns for the
 * chart (read-only).
 */
#pragma once

#include "loom-query-chart.h"
#include "loom-ruler.h"

#include <glib-object.h>

#define LOOM_TYPE_QUERY_STATE (loom_query_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryState, loom_query_state, LOOM, QUERY_STATE, GObject)

LoomQueryState *loom_query_state_new (void);

/* Sets the timeline that queries read, and cancels a running query; NULL: no timeline. Takes a reference. The answer
 * to the previous query stays. */
void loom_query_state_set_timeline (LoomQueryState *self, LoomTimeline *timeline);

/* Sets the unit of the ruler. The times in the answer become relative to the zero of this unit. */
void loom_query_state_set_reading (LoomQueryState *self, LoomRulerUnit reading);

void loom_query_state_set_text (LoomQueryState *self, const char *text);
/* Replaces the text by a query that is stored elsewhere: an example, a saved query, or one from a file. Returns TRUE if
 * the replaced text was written by the user and is not stored elsewhere; loom_query_state_take_back() can then restore
 * it. Otherwise returns FALSE. */
gboolean loom_query_state_take_text (LoomQueryState *self, const char *text);
/* States that the present text is stored, because the user saved it. */
void loom_query_state_set_stored (LoomQueryState *self);
/* Cancels a running query and restores the text that loom_query_state_take_text() replaced last. Does nothing if no
 * text was replaced. */
void loom_query_state_take_back (LoomQueryState *self);
/* Returns the text of the query; borrowed until the text changes. */
const char *loom_query_state_get_text (LoomQueryState *self);
/* Returns the text if the user has changed it; NULL if it is still the text that the editor shows for a new run. Owned
 * by the caller. */
char *loom_query_state_dup_own_text (LoomQueryState *self);
/* Sets the text of the query. `text`: a result of loom_query_state_dup_own_text(). If `text` is NULL, or longer than a
 * query may be, sets the text that the editor shows for a new run. */
void loom_query_state_restore_text (LoomQueryState *self, const char *text);

/* Runs the query. If a query is running, cancels it first. Comments in the text give the default values of parameters
 * (loom-query-library.h). Does nothing without a timeline. */
void loom_query_state_run (LoomQueryState *self);
void loom_query_state_cancel (LoomQueryState *self);
gboolean loom_query_state_is_running (LoomQueryState *self);
/* Returns TRUE if the last query was cancelled, and the text has not changed since. */
gboolean loom_query_state_is_cancelled (LoomQueryState *self);

/* The next functions set and get how the user wants to see the rows: the kind of chart and, for each axis, the name of
 * a column. If the name of a column is NULL, the column that fits the axis best is used. If the name for
 * LOOM_QUERY_CHART_GROUP is "", the rows are not grouped. A new query or a new answer does not change these choices, so
 * the present answer may lack a chosen column. The name of a column is borrowed until another name is set. */
void loom_query_state_set_chart (LoomQueryState *self, LoomQueryChartKind kind);
LoomQueryChartKind loom_query_state_get_chart (LoomQueryState *self);
void loom_query_state_set_chart_column (LoomQueryState *self, LoomQueryChartAxis axis, const char *name);
const char *loom_query_state_get_chart_column (LoomQueryState *self, LoomQueryChartAxis axis);

/* Returns the names that occur in the run, for completion (loom-query-names.h); borrowed until another timeline is set.
 * The first call starts a worker that collects the names; returns NULL until the worker has ended. */
const GPtrArray *loom_query_state_get_names (LoomQueryState *self);
/* Returns the texts in the first column of a query (loom_query_names_collect_values()); borrowed until another timeline
 * is set. The first call with a query starts a worker that collects its texts, and cancels a worker that collects the
 * texts of another query; returns NULL until the worker has ended. */
const GPtrArray *loom_query_state_get_values (LoomQueryState *self, const char *sql);

/* Returns why the last query failed, as a translated sentence, borrowed; NULL: the last query did not fail. */
const char *loom_query_state_get_problem (LoomQueryState *self);
/* Returns the offset of the error in the text, in bytes; −1: unknown, for example because the text was changed while
 * the query ran. */
gint64 loom_query_state_get_problem_place (LoomQueryState *self);
/* Returns the answer to the query that was run last, borrowed; NULL: no answer yet. */
const LoomQueryAnswer *loom_query_state_get_answer (LoomQueryState *self);
/* Returns TRUE if the answer belongs to another text than the present text: the text was changed after the query was
 * run, or the query with the present text failed, was cancelled or is still running. Returns FALSE if there is no
 * answer. May change with the properties "text" and "answer". */
gboolean loom_query_state_is_answer_old (LoomQueryState *self);

/* Returns TRUE if the places in the answer (LoomQueryPlace) are spans and times of the present run, so that the
 * timeline can show them. */
gboolean loom_query_state_has_places (LoomQueryState *self);
