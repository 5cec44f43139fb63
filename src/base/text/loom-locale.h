/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the program's translations are, and what is said without them.
 */
#pragma once

#include <glib.h>
#include <locale.h>

G_BEGIN_DECLS

/* Sets the locale and names the folder of the translations to gettext: what LOOM_LOCALE_DIR says, `build_dir`/po for a
 * program that runs from where it was built, else where they are installed. The text domain is the caller's to set.
 * Main thread, before anything is said. */
void loom_locale_bind (const char *build_dir);

/* What is said in between is not translated: for what goes into files that programs read. Of the calling thread alone. */
locale_t loom_locale_begin_english (void);
void loom_locale_end_english (locale_t own);

G_END_DECLS
