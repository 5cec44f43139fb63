/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a report to the state folder when the program crashes: the open files, the last actions, the warnings of GLib
 * and a backtrace. The signal handler uses only async-signal-safe functions, and writes only text that was prepared
 * before the crash. Functions are called on the main thread unless their comment says otherwise.
 */
#pragma once

#include <glib.h>

/* Installs handlers for the signals of crashes. Must be called only once, early in the start of the program, because
 * it makes a first backtrace, and this loads a library. */
void loom_crash_handler_catch (void);
/* Stores a text about an action of the user or a warning for the crash report, which contains the latest of these
 * texts. Long texts are truncated. Any thread. */
void loom_crash_handler_note (const char *what);
/* Sets the list of open files for the crash report, one file per line; replaces the previous list. Long texts are
 * truncated. */
void loom_crash_handler_set_open (const char *what);

/* Returns the text of the newest crash report that the user has not been offered yet, and sets `path` to its path.
 * Returns NULL if there is none, or if this process has called the function before. The caller owns both texts.
 * Removes older reports; the returned report is removed when the next process calls this function. */
char *loom_crash_handler_take_last (char **path);
