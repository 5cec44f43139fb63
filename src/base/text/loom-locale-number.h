/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats numbers: with the decimal point of the user's locale for display, and with "." for files. The functions use
 * the locale of the calling thread, so a worker thread can write files in the C locale while the window uses the user's
 * locale. Any thread.
 */
#pragma once

#include <glib.h>
#include <locale.h>

/* Replaces the first "." of `text` by the decimal point of the locale, in place. Returns `text`. Does nothing if the
 * decimal point has more than one byte, because the length of the text must not change. */
char *loom_locale_number_localize (char *text);

/* Returns a number for display: with real minus signs instead of hyphens, before the number and in its exponent.
 * Owned by the caller. */
char *loom_locale_number_typeset (const char *number);

/* Returns a number with thousands separators of the locale: "1,432". In the C locale, which has none, uses commas.
 * Owned by the caller. */
char *loom_locale_number_group (guint64 n);

/* From now on, this thread formats numbers and messages as in the C locale, until loom_locale_number_end() is
 * called. Used for text in files. */
typedef locale_t LoomLocaleNumber;
LoomLocaleNumber loom_locale_number_begin (void);
void loom_locale_number_end (LoomLocaleNumber before);
