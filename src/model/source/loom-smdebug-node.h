/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds smdebug's name for the writer of a timeline from the path of its file. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the text that smdebug calls the node of a row, and puts before the label of a thread: for a framework
 * timeline the node id in its path, with the number after the host if the host is algo-<n>; for other files node and
 * rank. Owned by the caller. */
char *loom_smdebug_node_display (const char *path, const char *format, const char *node, gint rank);

/* Returns TRUE if the path is that of a Python timeline of smdebug. */
gboolean loom_smdebug_node_is_python_timeline (const char *path);
