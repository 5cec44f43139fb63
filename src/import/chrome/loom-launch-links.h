/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds which calls of the host launched which rows of device work in a database. Add all rows
 * of device work first, then all calls; then call loom_launch_links_finish(). Read the links only after that.
 *
 * A launch is identified by a process and a correlation id in this process. Adding a call takes O(1) if calls are added
 * in the order of their ids, as databases usually contain them; otherwise O(log rows). If several calls have the same
 * process and id, only the call with the greatest `worth` is linked; the caller chooses this number for each call.
 * Memory: 32 bytes per row until loom_launch_links_finish(), then one bit per row and per call.
 */
#pragma once

#include <glib.h>

typedef struct _LoomLaunchLinks LoomLaunchLinks;

LoomLaunchLinks *loom_launch_links_new (void);
void loom_launch_links_free (LoomLaunchLinks *self);

/* Adds a database row with the work of a device. The caller numbers these rows (`row`) and the calls (`call`); each
 * number is used only once. Rows and calls with equal `process` and `id` are linked. */
void loom_launch_links_add_row (LoomLaunchLinks *self, guint64 row, guint64 process, guint64 id);
/* Adds a call of the host. Among calls with the same `process` and `id`, only the call with the greatest `worth` is
 * linked; if several calls have the greatest worth, the one of them that was added last. */
void loom_launch_links_add_call (LoomLaunchLinks *self, guint64 call, guint64 process, guint64 id, gint64 worth);
void loom_launch_links_finish (LoomLaunchLinks *self);

/* Returns the finished links of the rows and calls of one process. Their numbers and ids have 32 bits. `rows` and
 * `calls`: arrays of guint64, each id << 32 | number, in any order; the function sorts them. O(n) if they are sorted
 * already, else O(n · log n). */
LoomLaunchLinks *loom_launch_links_new_from_pairs (GArray *rows, GArray *calls);

gboolean loom_launch_links_is_launched (const LoomLaunchLinks *self, guint64 row);
gboolean loom_launch_links_launches (const LoomLaunchLinks *self, guint64 call);
/* Returns the number of rows that are linked to a call; sets `n_without` to the number of rows that are not linked to a
 * call. */
guint64 loom_launch_links_count (const LoomLaunchLinks *self, guint64 *n_without);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLaunchLinks, loom_launch_links_free)
