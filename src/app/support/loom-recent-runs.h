/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of runs that were opened earlier. It is stored in the recent files of the desktop. Called on the main
 * thread.
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  char *uri;
  char *name;  /* name of the folder, file or location */
  char *place; /* parent folder, with the home folder shortened to "~" */
} LoomRecentRuns;

/* Adds each path to the recent runs. Does nothing if the desktop is configured not to store recent files. */
void loom_recent_runs_add (const char *const *paths);

/* Returns at most `max` runs (LoomRecentRuns *) that still exist, latest first. */
GPtrArray *loom_recent_runs_list (guint max);

/* loom_recent_runs_add_rules() adds a rule file to the recent rule files; loom_recent_runs_list_rules() lists the
 * recent rule files. Rule files and runs are stored separately. */
void loom_recent_runs_add_rules (const char *path);
GPtrArray *loom_recent_runs_list_rules (guint max);
