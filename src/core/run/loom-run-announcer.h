/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts that a screen reader announces about a run without a request of the user. They say that a load has ended,
 * with the numbers of spans and problems, and how many findings the rules have found. The widget that shows the text
 * decides how it is announced. Reloads of growing files are not announced. Main thread only.
 *
 * Property: "text" (string, read only), "" before the first announcement; notified once per announcement, even if the
 * text is the same as before.
 */
#pragma once

#include "loom-run-state.h"

#define LOOM_TYPE_RUN_ANNOUNCER (loom_run_announcer_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunAnnouncer, loom_run_announcer, LOOM, RUN_ANNOUNCER, GObject)

/* Makes an announcer for the run; takes a reference to the run. */
LoomRunAnnouncer *loom_run_announcer_new (LoomRunState *run);

/* Returns the text of the last announcement, translated. Borrowed until the next one. */
const char *loom_run_announcer_get_text (LoomRunAnnouncer *self);
