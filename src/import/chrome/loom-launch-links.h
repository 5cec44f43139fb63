/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: which calls of the host launched which rows of a device. Filled in two passes before text is
 * made from the rows, and then only read: add the device rows, then the calls, then finish.
 *
 * A launch is identified by a process and a correlation id of it. Ids ascend in the order of the calls, so entries of
 * neighbours are kept beside each other. Of several calls of one launch the best one counts. Memory: about 32 bytes per device row while filling, then one bit per row and call.
 */
#pragma once

#include <glib.h>

typedef struct _LoomLaunchLinks LoomLaunchLinks;

LoomLaunchLinks *loom_launch_links_new (void);
void loom_launch_links_free (LoomLaunchLinks *self);

/* `row` and `call` are numbers of the caller's, each used once. */
void loom_launch_links_add_row (LoomLaunchLinks *self, guint64 row, guint64 process, guint64 id);
/* Of the calls of one launch that one launches its rows whose `worth` is greatest; the last one among equals. */
void loom_launch_links_add_call (LoomLaunchLinks *self, guint64 call, guint64 process, guint64 id, gint64 worth);
void loom_launch_links_finish (LoomLaunchLinks *self);

gboolean loom_launch_links_is_launched (const LoomLaunchLinks *self, guint64 row);
gboolean loom_launch_links_launches (const LoomLaunchLinks *self, guint64 call);
/* Returns the number of rows with and without a call. */
guint64 loom_launch_links_count (const LoomLaunchLinks *self, guint64 *n_without);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLaunchLinks, loom_launch_links_free)
