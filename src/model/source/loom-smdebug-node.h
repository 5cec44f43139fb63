/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the name that smdebug gives to the writer of a timeline (“node”), using the path of the file. May be called on
 * any thread.
 */
#pragma once

#include <glib.h>

/* Returns the text that smdebug calls “node”; smdebug's timelines show it before the label of a thread. For a framework
 * timeline, it is the node id in the path, such as "151-host", but with the number at the end if the host is algo-<n>:
 * "algo-1-151" for "151-algo-1". For a TensorFlow trace, it is the part of the file's name before the first ".". For
 * other files, it is made from node and rank or, if both are unknown, from the file's name. Owned by the caller. */
char *loom_smdebug_node_display (const char *path, const char *format, const char *node, gint rank);

/* Returns TRUE if a file with this path is a Python timeline of smdebug. */
gboolean loom_smdebug_node_is_python_timeline (const char *path);
