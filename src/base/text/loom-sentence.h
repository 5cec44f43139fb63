/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences as the language of the person ends them and puts them one after the other: with a stop and a blank, or with a
 * stop of full width and none. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text with the stop it lacks, if it does; owned. */
char *loom_sentence_dup (const char *text);

/* The text with a capital letter at its begin; where stops are of full width there are none, and a letter is of a name. */
char *loom_sentence_dup_capital (const char *text);

/* Two sentences that have their stops, in a row; `next` may be NULL or empty. Owned. */
char *loom_sentence_join (const char *first, const char *next);

/* The text with the stop it lacks, and behind it what to do about it; that has its stop, or is NULL or empty. Owned. */
char *loom_sentence_dup_advised (const char *text, const char *advice);

/* Adds a sentence that has its stop to those that are there. */
void loom_sentence_append (GString *text, const char *next);

/* The same text, in which a line does not end between a number and what it counts: "3.2 s", "71 %", "× 10". Owned. */
char *loom_sentence_dup_bound (const char *text);

G_END_DECLS
