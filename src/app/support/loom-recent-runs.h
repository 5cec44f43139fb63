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
} LoomRecentRuns;

void loom_recent_runs_free (LoomRecentRuns *recent);

/* Remembers each path, unless the desktop is told to remember none. */
void loom_recent_runs_add (const char *const *paths);

/* The latest first, only what still exists; LoomRecentRuns *, at most `max`. */
GPtrArray *loom_recent_runs_list (guint max);

/* The same of rule files, which are no runs. */
void loom_recent_runs_add_rules (const char *path);
GPtrArray *loom_recent_runs_list_rules (guint max);

G_END_DECLS
