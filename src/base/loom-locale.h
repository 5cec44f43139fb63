/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the program's translations are. Main thread, before anything is said.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets the locale and names the folder of the translations to gettext: what LOOM_LOCALE_DIR says, `build_dir`/po for a
 * program that runs from where it was built, else where they are installed. The text domain is the caller's to set. */
void loom_locale_bind (const char *build_dir);

G_END_DECLS
