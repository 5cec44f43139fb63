/* SPDX-License-Identifier: Apache-2.0
 *
 * How smdebug names the writer of a timeline, from the path of its file. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What smdebug puts before the label of a thread and calls the node of a row: from the path of a framework timeline its
 * node id, the number behind the host when that is algo-<n>; else node and rank. Owned. */
char *loom_smdebug_node_display (const char *path, const char *format, const char *node, gint rank);

/* TRUE when the path names a Python timeline. */
gboolean loom_smdebug_node_is_python_timeline (const char *path);

G_END_DECLS
