/* SPDX-License-Identifier: Apache-2.0
 *
 * An item of the list of Python profiles: the profile with its label, its details and its range on the timeline. Called
 * on the main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_PYTHON_PROFILE_ITEM (loom_python_profile_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonProfileItem, loom_python_profile_item, LOOM, PYTHON_PROFILE_ITEM, GObject)

/* An item of the list of profiles. The members are read-only. */
struct _LoomPythonProfileItem {
  GObject parent;
  LoomPythonProfile *profile; /* the profile; NULL if there is only an HTML page of pyinstrument */
  char *label;                /* label, for example "train 9 · stepstart → stepend" */
  /* node and rank of the profile, and the name that the user gave to its file, as far as they are known, for example
   * "algo-1 · rank 3 · slow one". The name is omitted here if `label` contains it. "": nothing is known */
  char *place;
  char *detail; /* details, for example "algo-1 · CPU time · 230 functions" */
  char *path;
  char *page;      /* path of the HTML page of pyinstrument; NULL: there is none */
  LoomRange range; /* range on the timeline; begin_ns is LOOM_TIME_NONE if the profile has no times */
};

/* Returns a LoomPythonProfileItem for each profile of a timeline and for each HTML page without a profile: profiles in
 * time order, then profiles without times, then pages. `timeline` may be NULL. `names`: the names that the user gave to
 * sources; NULL: no source was renamed. */
GPtrArray *loom_python_profile_items_of (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Returns the label together with the node, the rank and the name that the user gave, as far as these are known.
 * Without this addition, the profiles of several ranks could have equal labels. Owned by the caller. */
char *loom_python_profile_item_dup_whole_label (LoomPythonProfileItem *self);
/* Returns the label of a source with a profile. If the profile has steps, the label names these steps. If not, the
 * label is `given`, the name that the user gave; if `given` is NULL, it is the name of the file. If this name begins
 * with "python_stats", the name of the folder precedes it, because many files have such names. Owned by the caller. */
char *loom_python_profile_item_dup_label (const LoomSource *source, const char *given);

/* Returns the name of a timer, for example "elapsed time" or "CPU time"; "unknown timer" for other values. */
const char *loom_python_profile_item_describe_timer (LoomPythonProfileTimer timer);
