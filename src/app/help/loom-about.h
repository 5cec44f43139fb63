/* SPDX-License-Identifier: Apache-2.0
 *
 * The About window of the program: version, authors, license and what is new. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows the About window over `parent` (may be NULL). */
void loom_about_present (GtkWindow *parent);
