/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import. Parses the path of a Python profile in the folders that SageMaker makes (framework/…). The
 * path states the interval of the profile, the framework, the node and the rank. Called on any thread.
 */
#pragma once

#include "loom-python-profile.h"

typedef struct {
  /* TRUE: the name of the file's folder states the interval of the profile, in one of the two forms that SageMaker has
   * used (the older one in summer 2020) */
  gboolean has_interval;
  /* TRUE: the name of the folder states the end before the start; `start` and `end` are in the right order
   * nevertheless */
  gboolean swapped;
  LoomPythonProfilePoint start, end;
  char *framework; /* name of the framework, such as "tensorflow"; NULL: unknown */
  char *node;      /* name of the host: "algo-1"; NULL: unknown */
  gint rank;       /* number before the host in the node id, for example 151 in "151-algo-1"; −1: unknown */
  /* the folder that contains the interval folders of this writer; NULL: the path does not state an interval */
  char *folder;
} LoomPythonProfilePath;

void loom_python_profile_path_parse (const char *path, LoomPythonProfilePath *parsed);
void loom_python_profile_path_clear (LoomPythonProfilePath *parsed);

/* Returns the timer of a cProfile dump. A profilerconfig.json in one of the folders above may state it. If none does,
 * and `default_steps` is TRUE, the step determines the timer: step 9 measures elapsed time, step 10 CPU time, step 11
 * off-CPU time. In all other cases, the timer is elapsed time if the path states an interval, and otherwise unknown.
 * Sets `basis` to a static text that says how the timer was found. `configs`: LoomImporter.configs; may be NULL. Reads
 * the disk. */
LoomPythonProfileTimer loom_python_profile_path_timer (const char *path, const LoomPythonProfilePath *parsed,
                                                       gboolean default_steps, GHashTable *configs, const char **basis);

/* Returns the name of an interval for the timeline, such as "stepstart → forwardpassend". Owned by the caller. */
char *loom_python_profile_path_dup_name (const LoomPythonProfilePath *parsed);
