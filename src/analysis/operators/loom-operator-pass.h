/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: one pass over the nested spans of a trace that adds up the times of operators (or modules).
 * loom-operators.h defines the times. One thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-kernel-launches.h"

typedef enum {
  LOOM_SPAN_ROLE_NONE,    /* not counted by itself: its time belongs to the operator around it */
  LOOM_SPAN_ROLE_COUNTED, /* an operator */
  LOOM_SPAN_ROLE_CALL,    /* a call of the runtime: not self time of the operator around it */
} LoomSpanRole;

/* The shape of the inputs of a call, sorted by span. */
typedef struct {
  guint32 span;
  guint32 shape; /* text id, never 0 */
} LoomSpanShape;

typedef struct {
  guint32 name_id; /* id of the name in its trace */
  guint32 shape;   /* 0: none */
  guint open;      /* number of calls of this operator that contain the current span */
  guint64 calls, n_kernels;
  gint64 host_ns, host_self_ns, device_ns, device_self_ns;
  gint64 whole_ns; /* durations of the calls in the range, not cut */
  guint32 longest; /* G_MAXUINT32: none */
  GArray *spans;   /* guint32; NULL unless by shape */
} LoomOperatorSums;

typedef struct {
  LoomTimeline *timeline;
  guint trace;
  LoomRange range;
  const guint8 *roles; /* LoomSpanRole by name id */
  const LoomKernelLaunches *launches;
  const GArray *shapes; /* LoomSpanShape; NULL: by name alone */
  guint most_spans;     /* calls to list for each row; 0: none */
  GArray *sums;         /* result: LoomOperatorSums, owned by the caller */
} LoomOperatorPass;

/* Fills the results of a pass whose other members are set. Returns FALSE if cancelled. O(spans in the range). */
gboolean loom_operator_pass_run (LoomOperatorPass *pass, GCancellable *cancellable);
void loom_operator_pass_clear (LoomOperatorPass *pass);
