/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "loom-run.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows what a load had to report. `run` may be NULL. */
void loom_problems_window_present (GtkWindow *parent, LoomRun *run);

G_END_DECLS
