/* SPDX-License-Identifier: Apache-2.0
 *
 * What the last crash left (loom-crash.h), offered when the program starts again. Main thread.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Offers it with a toast when there is one nobody was told of, and notes from here on which actions are done. */
void loom_crash_report_offer (GtkApplication *application, GObject *owner, AdwToastOverlay *overlay);

G_END_DECLS
