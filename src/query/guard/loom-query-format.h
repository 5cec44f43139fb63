/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Replaces the SQL functions printf() and format(). SQLite's own functions repeat a character as
 * often as a precision says, up to two billion times, even if the result becomes too long. They cannot be interrupted,
 * and return NULL for a result that is too long.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

/* Registers printf() and format(). They return what SQLite's functions return, except for two errors: SQLITE_TOOBIG if
 * the result is too long, or if the widths and precisions of a call add up to more than LOOM_QUERY_VALUE_BYTES; and
 * SQLITE_INTERRUPT after `*cancellable` was cancelled. A call takes at most about 50 ms. `cancellable` is read at each
 * call. It must exist as long as the connection, and may point to NULL. Returns SQLite's result code. */
int loom_query_format_register (sqlite3 *database, GCancellable *const *cancellable);
