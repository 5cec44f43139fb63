/* SPDX-License-Identifier: Apache-2.0
 *
 * The Python profiles of a run: the listed profiles, the chosen ones, and the functions and calls of the chosen ones.
 * Times of several chosen profiles are added, and can be compared with the times of another profile. A worker computes
 * sums, differences and trees. Main thread only.
 *
 * Signals: "profiles-changed" when the profiles of the run have changed; "chosen-changed" when the choice has changed;
 * "answered" when the result has changed or was removed.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-python-function-table.h"
#include "loom-python-profile-item.h"
#include "loom-timeline-state.h"

typedef enum {
  LOOM_PROFILES_ALL,
  LOOM_PROFILES_IN_SELECTION, /* profiles that overlap the selected range of the timeline */
  LOOM_PROFILES_IN_VIEW,
  LOOM_PROFILES_INITIALISATION,
  LOOM_PROFILES_TRAINING,
  LOOM_PROFILES_FINALISATION,
} LoomProfileNarrowing;

#define LOOM_TYPE_PYTHON_PROFILES (loom_python_profiles_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonProfiles, loom_python_profiles, LOOM, PYTHON_PROFILES, GObject)

/* Makes an object for the profiles of a run. Takes a reference to the state, whose selection and view determine which
 * profiles are listed. */
LoomPythonProfiles *loom_python_profiles_new (LoomTimelineState *state);

/* Lists the profiles of the timeline's sources in time order, and chooses the first one. If `timeline` is NULL, the
 * list becomes empty. Changes nothing if the profiles are the same as before. */
void loom_python_profiles_set_timeline (LoomPythonProfiles *self, LoomTimeline *timeline);
/* Returns all profiles (LoomPythonProfileItem), including those that are not listed now. Borrowed until
 * "profiles-changed". */
const GPtrArray *loom_python_profiles_get_all (LoomPythonProfiles *self);
/* Returns the listed profiles (LoomPythonProfileItem). Borrowed. */
GListModel *loom_python_profiles_get_list (LoomPythonProfiles *self);

/* Sets which profiles are listed. If this changes the list, also chooses profiles: all listed profiles if the list is
 * narrowed (`narrowing` is not LOOM_PROFILES_ALL, or steps are set), otherwise only the first profile. */
void loom_python_profiles_narrow (LoomPythonProfiles *self, LoomProfileNarrowing narrowing);
/* Lists only the profiles of the steps in `text`: "9" for one step, "9-11" for a range of steps, "" for all steps.
 * Chooses profiles as loom_python_profiles_narrow() does. If the text has another form, lists the profiles of all steps
 * and returns FALSE. */
gboolean loom_python_profiles_set_steps (LoomPythonProfiles *self, const char *text);

/* Chooses the profiles at these positions of the list, ascending; copied. */
void loom_python_profiles_choose (LoomPythonProfiles *self, const guint *positions, guint n);
/* returns the positions of the chosen profiles in the list, ascending; borrowed until other profiles are chosen */
const guint *loom_python_profiles_get_chosen (LoomPythonProfiles *self, guint *n);
/* Chooses only this profile. Does nothing if `profile` is not in the list. */
void loom_python_profiles_choose_profile (LoomPythonProfiles *self, const LoomPythonProfile *profile);
/* Sets the profile with which the chosen profiles are compared. `number`: index of the profile in the array of all
 * profiles; G_MAXUINT: the chosen profiles are not compared. */
void loom_python_profiles_compare_with (LoomPythonProfiles *self, guint number);

/* Returns the path of the HTML page of the chosen profile; NULL: it has no page, or the number of chosen profiles is
 * not 1. Borrowed. */
const char *loom_python_profiles_get_page (LoomPythonProfiles *self);
gboolean loom_python_profiles_is_working (LoomPythonProfiles *self);
/* Returns the table of functions of the chosen profiles; borrowed until "answered". NULL: there is no table. */
LoomPythonFunctionTable *loom_python_profiles_get_table (LoomPythonProfiles *self);
LoomCallTree *loom_python_profiles_get_tree (LoomPythonProfiles *self);
/* Returns a summary, for example "2 profiles combined · CPU time · 1,129 calls · 4.8 ms total"; "" without a table.
 * Borrowed until "answered". */
const char *loom_python_profiles_get_summary (LoomPythonProfiles *self);
/* Returns the reason why there are no functions to show; NULL: there are functions. Static. */
const char *loom_python_profiles_get_reason (LoomPythonProfiles *self);
/* Returns how to record a Python profile; NULL: the run has Python profiles. Translated, static. */
const char *loom_python_profiles_get_advice (LoomPythonProfiles *self);
