/* SPDX-License-Identifier: Apache-2.0
 *
 * Which Python profiles are looked at: one, several added up, and what they are compared with. The list can be narrowed
 * to a time, to steps, or to a phase of the job. Signal "changed". Main thread.
 */
#pragma once

#include "loom-python-profile.h"
#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PYTHON_PROFILE_CHOOSER (loom_python_profile_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonProfileChooser, loom_python_profile_chooser, LOOM, PYTHON_PROFILE_CHOOSER, GtkBox)

typedef enum {
  LOOM_PROFILES_ALL,
  LOOM_PROFILES_IN_SELECTION, /* profiles that overlap the selected range of the timeline */
  LOOM_PROFILES_IN_VIEW,
  LOOM_PROFILES_INITIALISATION,
  LOOM_PROFILES_TRAINING,
  LOOM_PROFILES_FINALISATION,
} LoomProfileNarrowing;

/* Sets the state that supplies the selection and the view. Call once. */
void loom_python_profile_chooser_set_state (LoomPythonProfileChooser *self, LoomTimelineState *state);
/* Lists the profiles of the timeline's sources in time order. Chosen profiles that still exist stay chosen;
 * otherwise the first is. */
void loom_python_profile_chooser_set_timeline (LoomPythonProfileChooser *self, LoomTimeline *timeline);
/* The number of all profiles, including those that the list hides now. */
guint loom_python_profile_chooser_get_n_profiles (LoomPythonProfileChooser *self);

/* The chosen profiles: LoomPythonProfile *, in time order; free with g_ptr_array_unref(). */
GPtrArray *loom_python_profile_chooser_dup_chosen (LoomPythonProfileChooser *self);
/* The HTML page of the chosen profile; NULL if it has none, or if no profile or several are chosen. Owned by the
 * caller. */
char *loom_python_profile_chooser_dup_page (LoomPythonProfileChooser *self);
LoomPythonProfile *loom_python_profile_chooser_get_baseline (LoomPythonProfileChooser *self); /* borrowed, NULL: none */

void loom_python_profile_chooser_narrow (LoomPythonProfileChooser *self, LoomProfileNarrowing narrowing);
/* Narrows the list to steps: "9" or "9-11"; "": all. FALSE when the text is none of these. */
gboolean loom_python_profile_chooser_set_steps (LoomPythonProfileChooser *self, const char *text);
guint loom_python_profile_chooser_get_n_listed (LoomPythonProfileChooser *self);
void loom_python_profile_chooser_choose (LoomPythonProfileChooser *self, guint first, guint n);
/* Sets the profile to compare with, as an index into all profiles; G_MAXUINT: none. */
void loom_python_profile_chooser_compare_with (LoomPythonProfileChooser *self, guint number);
/* Chooses this profile alone. FALSE when the list of all profiles lacks it. */
gboolean loom_python_profile_chooser_choose_profile (LoomPythonProfileChooser *self, const LoomPythonProfile *profile);
