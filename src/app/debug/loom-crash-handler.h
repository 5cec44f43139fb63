/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left when the program crashes: a text in the state folder that says what was open, what was done last, what GLib warned of
 * and who called whom. The handler of the signal only writes what was made ready before, with functions that are safe there. All other
 * functions: main thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Catches the signals of crashes from here on. Call once, early: the first stack that is asked for loads a library. */
void loom_crash_handler_catch (void);
/* What is begun, or was warned of; the last ones are kept. Cut where it is long. Any thread. */
void loom_crash_handler_note (const char *what);
/* What is open now, one line each; replaces what was said before. Cut where it is long. */
void loom_crash_handler_set_open (const char *what);

/* The text and the path of the last crash report not offered yet; NULL: there is none, or this process asked before. Owned. Older
 * reports are removed now, this one by the next process that asks. */
char *loom_crash_handler_take_last (char **path);

G_END_DECLS
