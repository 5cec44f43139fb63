/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "loom-profile.h"

G_BEGIN_DECLS

struct _LoomProfile {
  gatomicrefcount refs;
  LoomProfileKind kind;
  LoomProfileTimer timer;
  LoomProfilePoint start, end;
  char *framework, *node; /* NULL unknown */
  gint rank;
  gint64 n_samples;
  GStringChunk *texts;
  GArray *functions;      /* LoomProfileFunction */
  GArray *callers;        /* LoomProfileCall, by callee, caller */
  GArray *callees;        /* the same, by caller, callee */
  guint32 *first_caller;  /* n_functions + 1 each */
  guint32 *first_callee;
  GArray *frames;         /* LoomProfileFrame, pre-order */
  gint64 total_ns;
  gint64 n_calls;
};

G_END_DECLS
