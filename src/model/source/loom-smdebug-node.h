/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds smdebug's name for the writer of a timeline from the path of its file. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the text that smdebug puts before the label of a thread and calls the node of a row: for the path of a
 * framework timeline its node id, with the number after the host if that is algo-<n>; otherwise node and rank.
 * Owned. */
char *loom_smdebug_node_display (const char *path, const char *format, const char *node, gint rank);

/* Returns TRUE if the path is that of a Python timeline. */
gboolean loom_smdebug_node_is_python_timeline (const char *path);
