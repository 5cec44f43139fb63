/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

/* Shows the About window over `parent` (may be NULL). */
void loom_about_present (GtkWindow *parent);
