/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a report to the state folder when the program crashes: the open files, the last actions, the warnings of GLib
 * and a backtrace. The signal handler only writes text that was prepared before, with async-signal-safe functions. All
 * other functions: main thread.
 */
#pragma once

#include <glib.h>

/* Installs handlers for the signals of crashes. Must be called once, early in the start of the program, because making
 * the first backtrace loads a library. */
void loom_crash_handler_catch (void);
/* Stores a text about an action of the user or a warning; the report contains the latest of these texts. Long text is
 * cut. Any thread. */
void loom_crash_handler_note (const char *what);
/* Sets the list of open files, one per line; replaces the previous list. Long text is cut. */
void loom_crash_handler_set_open (const char *what);

/* Returns the text of the last crash report that was not offered to the user yet, and sets `path` to its path; NULL if
 * each report was offered already, or if this function was called before. The text and `path` are owned by the caller.
 * Removes older reports; this report is removed when the next process calls this function. */
char *loom_crash_handler_take_last (char **path);
