/* SPDX-License-Identifier: Apache-2.0
 *
 * What the path of a Python profile states about it: interval, framework, node and rank (folders framework/… of SageMaker).
 * Private to src/import. Called on any thread.
 */
#pragma once

#include "loom-python-profile.h"

typedef struct {
  gboolean has_interval; /* the folder's name gives an interval, in one of its two forms */
  gboolean swapped;      /* start and end were in the wrong order */
  LoomPythonProfilePoint start, end;
  char *framework; /* "tensorflow"; NULL: unknown */
  char *node;      /* host: "algo-1"; NULL: unknown */
  gint rank;       /* number before the host; −1: unknown */
  char *folder;    /* folder of all intervals of this writer; NULL without an interval */
} LoomPythonProfilePath;

void loom_python_profile_path_parse (const char *path, LoomPythonProfilePath *parsed);
void loom_python_profile_path_clear (LoomPythonProfilePath *parsed);

/* Returns the timer of a cProfile dump. It is stated by a profilerconfig.json in the folders above; else, with
 * `default_steps`, it follows from the step (9 elapsed, 10 CPU, 11 off-CPU time); else it is elapsed time in an
 * interval folder, and unknown elsewhere. Sets `basis` to a static text that says which of these applied. `configs`:
 * configurations that are not files on disk, as in LoomImporter; may be NULL. Reads the disk. */
LoomPythonProfileTimer loom_python_profile_path_timer (const char *path, const LoomPythonProfilePath *parsed,
                                                       gboolean default_steps, GHashTable *configs, const char **basis);

/* Returns the name of an interval on the timeline: "stepstart → forwardpassend"; owned. */
char *loom_python_profile_path_dup_name (const LoomPythonProfilePath *parsed);
