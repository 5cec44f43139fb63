/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that were opened before, kept in the desktop's list of recent files. Main thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *uri;
  char *name;  /* of the folder, file or location */
  char *place; /* its parent folder, home as "~" */
} LoomRecent;

void loom_recent_free (LoomRecent *recent);

/* Remembers each path, unless the desktop is told to remember none. */
void loom_recent_add (const char *const *paths);

/* The latest first, only what still exists; LoomRecent *, at most `max`. */
GPtrArray *loom_recent_list (guint max);

/* The same of rule files, which are no runs. */
void loom_recent_add_rules (const char *path);
GPtrArray *loom_recent_list_rules (guint max);

/* The folder a path is in, for people. Owned. */
char *loom_recent_dup_place (const char *path);

G_END_DECLS
