/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what the path of a Python profile says: formats/python-profiles.md §1. Any thread.
 */
#pragma once

#include "loom-python-profile.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_interval; /* the folder's name is one of the two forms */
  gboolean swapped;      /* its ends stood the wrong way round */
  LoomPythonProfilePoint start, end;
  char *framework; /* "tensorflow"; NULL unknown */
  char *node;      /* host: "algo-1"; NULL unknown */
  gint rank;       /* what stands before the host; −1 unknown */
  char *folder;    /* of all intervals of this writer; NULL without an interval */
} LoomPythonProfilePath;

void loom_python_profile_path_parse (const char *path, LoomPythonProfilePath *parsed);
void loom_python_profile_path_clear (LoomPythonProfilePath *parsed);

/* Timer of a cProfile dump: that of a profilerconfig.json in the folders above it, else that of the default three
 * steps (9 elapsed, 10 CPU, 11 off-CPU) when `default_steps`, else elapsed in an interval folder, unknown elsewhere.
 * `basis` is static: where it comes from. `configs`: those that stand nowhere on the disk, as in LoomImporter; may be NULL. Reads
 * the disk. */
LoomPythonProfileTimer loom_python_profile_path_timer (const char *path, const LoomPythonProfilePath *parsed,
                                                       gboolean default_steps, GHashTable *configs, const char **basis);

/* What an interval is called on the timeline: "stepstart → forwardpassend"; owned. */
char *loom_python_profile_path_dup_name (const LoomPythonProfilePath *parsed);

G_END_DECLS
