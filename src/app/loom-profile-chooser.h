/* SPDX-License-Identifier: Apache-2.0
 *
 * Which Python profiles are looked at: one, several added up, and what they are compared with. The list can be narrowed
 * to a time, to steps, or to a phase of the job. Signal "changed". Main thread.
 */
#pragma once

#include "loom-profile.h"
#include "loom-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROFILE_CHOOSER (loom_profile_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfileChooser, loom_profile_chooser, LOOM, PROFILE_CHOOSER, GtkWidget)

typedef enum {
  LOOM_PROFILES_ALL,
  LOOM_PROFILES_IN_SELECTION, /* that touch the selected range of the timeline */
  LOOM_PROFILES_IN_VIEW,
  LOOM_PROFILES_INITIALISATION,
  LOOM_PROFILES_TRAINING,
  LOOM_PROFILES_FINALISATION,
} LoomProfileNarrowing;

/* Where selection and view come from; once. */
void loom_profile_chooser_set_state (LoomProfileChooser *chooser, LoomViewState *state);
/* The profiles of a timeline's sources in time order; what was chosen stays where it is still there, else the first is. */
void loom_profile_chooser_set_timeline (LoomProfileChooser *chooser, LoomTimeline *timeline);
/* All there are, also those that are not in the list just now. */
guint loom_profile_chooser_get_n_profiles (LoomProfileChooser *chooser);

/* LoomProfile *, in time order; free with g_ptr_array_unref(). */
GPtrArray *loom_profile_chooser_dup_chosen (LoomProfileChooser *chooser);
/* The HTML page of the one that is chosen; NULL when there is none, or several are chosen. Owned by the caller. */
char *loom_profile_chooser_dup_page (LoomProfileChooser *chooser);
LoomProfile *loom_profile_chooser_get_baseline (LoomProfileChooser *chooser); /* borrowed, NULL: none */

void loom_profile_chooser_narrow (LoomProfileChooser *chooser, LoomProfileNarrowing narrowing);
/* "9", "9-11"; "" for all. FALSE when it is neither. */
gboolean loom_profile_chooser_set_steps (LoomProfileChooser *chooser, const char *text);
guint loom_profile_chooser_get_n_listed (LoomProfileChooser *chooser);
void loom_profile_chooser_choose (LoomProfileChooser *chooser, guint first, guint n);
/* Of all profiles by number; G_MAXUINT: none. */
void loom_profile_chooser_compare_with (LoomProfileChooser *chooser, guint number);
/* Chooses the profile of a source alone. FALSE when it has none. */
gboolean loom_profile_chooser_choose_profile (LoomProfileChooser *chooser, const LoomProfile *profile);

G_END_DECLS
