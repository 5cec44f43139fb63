/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats numbers with the decimal point of the user's locale for the screen, and with a plain point for files. The
 * functions use the locale of the calling thread, so a worker thread can write files in the C locale while the window
 * uses the locale of the user. Any thread.
 */
#pragma once

#include <glib.h>
#include <locale.h>

/* Replaces the first "." of `text` by the locale's decimal point, in place; returns `text`. Does nothing if the decimal
 * point takes more than one byte, because the length of the text must not change. */
char *loom_locale_number_localize (char *text);

/* Returns a number as it is shown on the screen, with true minus signs, not hyphens, before the number and in its
 * exponent. Owned by the caller. */
char *loom_locale_number_typeset (const char *number);

/* Returns a count with the locale's separators of thousands: "1,432". The C locale has no separator; commas are used
 * there, as in English. Owned by the caller. */
char *loom_locale_number_group (guint64 n);

/* Makes this thread format numbers and messages as in the C locale until loom_locale_number_end(). For text written to
 * files. */
typedef locale_t LoomLocaleNumber;
LoomLocaleNumber loom_locale_number_begin (void);
void loom_locale_number_end (LoomLocaleNumber before);
