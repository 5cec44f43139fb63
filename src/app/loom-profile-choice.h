/* SPDX-License-Identifier: Apache-2.0
 *
 * A Python profile of an open source, as a line to choose. Main thread.
 */
#pragma once

#include "loom-source-edits.h"
#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROFILE_CHOICE (loom_profile_choice_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfileChoice, loom_profile_choice, LOOM, PROFILE_CHOICE, GObject)

/* LoomProfileChoice of all profiles of a timeline (NULL: none), in time order, those without times behind them, then pages
 * without a profile. `names`: what sources are called by hand; NULL: nothing. */
GPtrArray *loom_profile_choices_of (LoomTimeline *timeline, const LoomSourceEdits *names);

/* Borrowed; NULL where only a page of pyinstrument is there. */
LoomProfile *loom_profile_choice_get_profile (LoomProfileChoice *choice);
/* The HTML page beside the profile, or instead of it; NULL: none. */
const char *loom_profile_choice_get_page (LoomProfileChoice *choice);
const char *loom_profile_choice_get_label (LoomProfileChoice *choice);  /* "train 9 · stepstart → stepend" */
const char *loom_profile_choice_get_detail (LoomProfileChoice *choice); /* "algo-1 · CPU time · 230 functions" */
const char *loom_profile_choice_get_path (LoomProfileChoice *choice);
/* The label with node, rank and given name, where they are known: alone in a line it must be told apart from those of other ranks. */
char *loom_profile_choice_dup_whole_label (LoomProfileChoice *choice);
/* On the timeline; begin LOOM_TIME_NONE without times. */
LoomRange loom_profile_choice_get_range (LoomProfileChoice *choice);

/* What a source that has a profile is called: by its steps, else as it was named by hand (NULL: not), else by its file (and folder, where all files are called alike). */
char *loom_profile_dup_label (const LoomSource *source, const char *given);

/* "elapsed time", "CPU time" …; "unknown timer". */
const char *loom_profile_timer_words (LoomProfileTimer timer);

G_END_DECLS
