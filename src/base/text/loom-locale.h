/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the locale of the program, and finds the translations of its messages.
 */
#pragma once

#include <glib.h>
#include <locale.h>

/* Sets the locale and passes the folder of the translations to gettext: LOOM_LOCALE_DIR if set, `build_dir`/po if the
 * program runs from its build tree, else the installed folder. The caller sets the text domain. Called on the main
 * thread, before the first message. */
void loom_locale_bind (const char *build_dir);

/* Turns translation off until loom_locale_end_english(), for text in files that programs read. Returns the previous
 * locale, which must be passed to loom_locale_end_english(). Affects the calling thread only. */
locale_t loom_locale_begin_english (void);
void loom_locale_end_english (locale_t own);
