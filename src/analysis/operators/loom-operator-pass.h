/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: goes once through the nested spans of a trace, and adds up the times of operators (or
 * modules). loom-operators.h defines these times. One thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-kernel-launches.h"
#include "loom-rank-key.h"

typedef enum {
  LOOM_SPAN_ROLE_NONE,    /* the span is not counted separately; its time belongs to the operator around it */
  LOOM_SPAN_ROLE_COUNTED, /* the span is an operator (or module) whose time is added up */
  /* the span is a call of the runtime; its time is not part of the self time of the operator around it */
  LOOM_SPAN_ROLE_CALL,
} LoomSpanRole;

/* The shape of the inputs of a call. Arrays of LoomSpanShape are sorted by span. */
typedef struct {
  guint32 span;
  guint32 shape; /* id of the text of the shape; never 0 */
} LoomSpanShape;

typedef struct {
  guint32 name_id; /* id of the operator's name in its trace */
  guint32 shape;   /* id of the text of the shape; 0: the calls have no shape, or calls are grouped by name alone */
  guint open;      /* number of calls of this operator that are open at the current position in the trace */
  guint64 calls, n_kernels;
  gint64 host_ns, host_self_ns, device_ns, device_self_ns;
  gint64 whole_ns; /* total duration of all calls that touch the range, including their parts outside the range */
  guint32 longest; /* index of the span of the longest call; G_MAXUINT32: there is none */
  /* guint32: spans of the first calls, at most LoomOperatorPass.most_spans elements; NULL if most_spans is 0 */
  GArray *spans;
} LoomOperatorSums;

typedef struct {
  LoomTimeline *timeline;
  guint trace;
  LoomRange range;
  const guint8 *roles; /* [name id] LoomSpanRole of spans with this name */
  const LoomKernelLaunches *launches;
  const GArray *shapes;    /* LoomSpanShape; NULL: calls are grouped by name alone */
  const LoomRankKey *rank; /* only tracks of this rank are visited; NULL: all tracks of the trace */
  guint most_spans;        /* maximum number of calls in LoomOperatorSums.spans; 0: calls are not listed */
  GArray *sums;            /* result: LoomOperatorSums, owned by the caller */
} LoomOperatorPass;

/* Fills `sums`; all other members must be set. Returns FALSE if cancelled. O(spans in the range). */
gboolean loom_operator_pass_run (LoomOperatorPass *pass, GCancellable *cancellable);
void loom_operator_pass_clear (LoomOperatorPass *pass);
