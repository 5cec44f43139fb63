/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of runs that were opened before, which is kept in the desktop's list of recent files. Called on the main
 * thread.
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  char *uri;
  char *name;  /* name of the folder, file or location */
  char *place; /* parent folder, with the home folder shortened to "~" */
} LoomRecentRuns;

/* Adds each path to the recent runs, unless the desktop is set to remember no files. */
void loom_recent_runs_add (const char *const *paths);

/* Returns at most `max` runs (LoomRecentRuns *) that still exist, latest first. */
GPtrArray *loom_recent_runs_list (guint max);

/* The next two functions add a rule file to the recent rule files, and list the recent rule files. These are stored
 * separately from the recent runs. */
void loom_recent_runs_add_rules (const char *path);
GPtrArray *loom_recent_runs_list_rules (guint max);
