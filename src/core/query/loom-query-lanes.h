/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of queries that are shown as lanes of the timeline, each with a name and its query. Workers run the queries,
 * one after another. A query that the user ran is run again when the timeline is replaced. A query from a session file
 * is not run before the user asks for it, because the file may come from anybody. Main thread only.
 *
 * Signals: "changed" after lanes were added, removed or renamed, or have other contents.
 */
#pragma once

#include "loom-query-answer.h"

#include <glib-object.h>

/* Maximum number of lanes. Each lane has a colour of its own, and this is the number of colours for lanes. */
#define LOOM_QUERY_LANES_MOST 8

#define LOOM_TYPE_QUERY_LANES (loom_query_lanes_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryLanes, loom_query_lanes, LOOM, QUERY_LANES, GObject)

LoomQueryLanes *loom_query_lanes_new (void);

/* Sets the timeline that queries read; NULL: no timeline. Takes a reference. */
void loom_query_lanes_set_timeline (LoomQueryLanes *self, LoomTimeline *timeline);

/* Adds a lane and runs its query. If `name` is NULL, the lane is named after the comment with which the query begins.
 * Without such a comment, its name is a word and a number, such as "Result 2"; if the result consists of values, the
 * lane is later renamed to the title of their column. Returns FALSE if there are already LOOM_QUERY_LANES_MOST
 * lanes. */
gboolean loom_query_lanes_add (LoomQueryLanes *self, const char *name, const char *sql);
/* Adds a lane, but does not run its query. Does nothing if there are too many lanes, or if the query is too long. */
void loom_query_lanes_restore (LoomQueryLanes *self, const char *name, const char *sql);
void loom_query_lanes_remove (LoomQueryLanes *self, guint lane);
void loom_query_lanes_clear (LoomQueryLanes *self);
/* Renames a lane. An empty name is ignored. */
void loom_query_lanes_rename (LoomQueryLanes *self, guint lane, const char *name);
void loom_query_lanes_run (LoomQueryLanes *self, guint lane);

guint loom_query_lanes_get_n (LoomQueryLanes *self);
/* Returns the name of a lane. Borrowed until "changed". */
const char *loom_query_lanes_get_name (LoomQueryLanes *self, guint lane);
const char *loom_query_lanes_get_text (LoomQueryLanes *self, guint lane);
const char *loom_query_lanes_get_problem (LoomQueryLanes *self, guint lane); /* NULL: no error */
/* Returns the result of the lane's query; NULL: no result yet. */
const LoomResultLane *loom_query_lanes_get_result (LoomQueryLanes *self, guint lane);
/* Returns TRUE while the query of the lane runs, or waits until queries of other lanes have ended. */
gboolean loom_query_lanes_is_running (LoomQueryLanes *self, guint lane);
/* Returns the number of the lane's colour. No two lanes have the same colour. A lane keeps its colour when other lanes
 * are removed. */
guint loom_query_lanes_get_color (LoomQueryLanes *self, guint lane);
