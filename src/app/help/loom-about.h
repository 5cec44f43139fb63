/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows the About window over `parent` (may be NULL). */
void loom_about_present (GtkWindow *parent);

G_END_DECLS
