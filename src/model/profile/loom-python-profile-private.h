/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "loom-python-profile.h"

struct _LoomPythonProfile {
  gatomicrefcount refs;
  LoomPythonProfileKind kind;
  LoomPythonProfileTimer timer;
  LoomPythonProfilePoint start, end;
  char *framework, *node; /* NULL: unknown */
  gint rank;
  gint64 n_samples;
  GStringChunk *texts;
  GArray *functions;     /* LoomPythonProfileFunction */
  GArray *callers;       /* LoomPythonProfileCall, sorted by callee, then caller */
  GArray *callees;       /* the same calls, sorted by caller, then callee */
  guint32 *first_caller; /* n_functions + 1 elements each */
  guint32 *first_callee;
  GArray *frames; /* LoomPythonProfileFrame, pre-order */
  gint64 total_ns;
  gint64 n_calls;
};
