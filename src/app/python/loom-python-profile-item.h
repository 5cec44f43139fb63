/* SPDX-License-Identifier: Apache-2.0
 *
 * A Python profile of an open source, as a line to choose. Main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PYTHON_PROFILE_ITEM (loom_python_profile_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonProfileItem, loom_python_profile_item, LOOM, PYTHON_PROFILE_ITEM, GObject)

/* LoomPythonProfileItem of all profiles of a timeline (NULL: none), in time order, those without times behind them, then pages
 * without a profile. `names`: what sources are called by hand; NULL: nothing. */
GPtrArray *loom_python_profile_items_of (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Borrowed; NULL where only a page of pyinstrument is there. */
LoomPythonProfile *loom_python_profile_item_get_profile (LoomPythonProfileItem *self);
/* The HTML page beside the profile, or instead of it; NULL: none. */
const char *loom_python_profile_item_get_page (LoomPythonProfileItem *self);
const char *loom_python_profile_item_get_label (LoomPythonProfileItem *self); /* "train 9 · stepstart → stepend" */
const char *loom_python_profile_item_get_detail (LoomPythonProfileItem *self); /* "algo-1 · CPU time · 230 functions" */
const char *loom_python_profile_item_get_path (LoomPythonProfileItem *self);
/* The label with node, rank and given name, where they are known: alone in a line it must be told apart from those of other ranks. */
char *loom_python_profile_item_dup_whole_label (LoomPythonProfileItem *self);
/* On the timeline; begin LOOM_TIME_NONE without times. */
LoomRange loom_python_profile_item_get_range (LoomPythonProfileItem *self);

/* What a source that has a profile is called: by its steps, else as it was named by hand (NULL: not), else by its file (and folder, where all files are called alike). */
char *loom_python_profile_item_dup_label (const LoomSource *source, const char *given);

/* "elapsed time", "CPU time" …; "unknown timer". */
const char *loom_python_profile_item_describe_timer (LoomPythonProfileTimer timer);

G_END_DECLS
