/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the locale of the program, and the folder of its translations.
 */
#pragma once

#include <glib.h>
#include <locale.h>

/* Sets the locale, and the folder of the translations for gettext. This folder is the value of the environment variable
 * LOOM_LOCALE_DIR; if it is not set, `build_dir`/po if the program runs from its build folder; otherwise the installed
 * folder. The caller must set the text domain. Called on the main thread, before the first message. */
void loom_locale_bind (const char *build_dir);

/* Switches messages of the calling thread to English until loom_locale_end_english() is called. Used for text that
 * other programs read. Returns the previous locale, which is the argument of loom_locale_end_english(). */
locale_t loom_locale_begin_english (void);
void loom_locale_end_english (locale_t own);
