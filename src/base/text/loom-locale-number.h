/* SPDX-License-Identifier: Apache-2.0
 *
 * The decimal point of the person's language on screen, and a plain one in files. Locales are the thread's own where
 * one was set, so that a worker writes plainly while the window speaks. Any thread.
 */
#pragma once

#include <glib.h>
#include <locale.h>

G_BEGIN_DECLS

/* Puts the locale's decimal point where `text` has its first ".", in place; returns `text`. Points of more than one byte
 * are left out: the text keeps its length. */
char *loom_locale_number_localize (char *text);

/* A number for the screen: the minus of a sign or an exponent is one, not a hyphen. Owned by the caller. */
char *loom_locale_number_typeset (const char *number);

/* Until the matching end, this thread writes numbers and messages as in the C locale: for what becomes a file. */
typedef locale_t LoomLocaleNumber;
LoomLocaleNumber loom_locale_number_begin (void);
void loom_locale_number_end (LoomLocaleNumber before);

G_END_DECLS
