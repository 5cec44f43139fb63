/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules: lists the series of samples that custom rules examine. These are system metrics
 * of SageMaker, and counters of all other formats, such as metrics of GPUs in Nsight exports and counters of Chrome
 * trace events. One thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  const char *node; /* "": unknown */
  guint node_id;    /* number of the node; equal for all counters of a node */
  const char *type; /* type of a system metric, such as "gpu"; category of a counter; "": none */
  /* of a system metric: its device, such as "gpu0"; of other counters: the label of their process, such as "GPU 0" */
  const char *name;
  /* what is measured, such as "GPUUtilization" or "SM Active". If a counter has several series, the name of the series
   * follows, as in "memory allocated". */
  const char *dimension;
  gint rank;             /* rank of the counter's track; −1: unknown, as for system metrics */
  gboolean is_process;   /* TRUE if `rank` is a process id */
  const gint64 *time_ns; /* timeline ns, ascending */
  const double *value;
  guint32 n;
  char *own_dimension; /* private: owned by the element; NULL: `dimension` is borrowed */
  gint64 *own_time_ns; /* private: owned by the element; NULL: `time_ns` is borrowed */
} LoomCustomRuleCounter;

/* Returns TRUE if the caller needs a series. Of the members of `counter`, only the texts, `rank` and `is_process` are
 * set; the function must not use the others. */
typedef gboolean (*LoomCustomRuleCountersWant) (const LoomCustomRuleCounter *counter, gpointer data);

/* Returns the series (LoomCustomRuleCounter) for which `wants` returns TRUE, with their samples in the range of the
 * LoomDataFrame, both ends included. System metrics come first, in the order of the frame; counters follow in the order
 * of traces and tracks. If numbers are computed as smdebug does, there are only system metrics. Texts and values are
 * borrowed from the frame and its run. Owned by the caller. O(tracks + samples of these series). Incomplete if
 * cancelled. */
GArray *loom_custom_rule_counters_list (const LoomDataFrame *frame, LoomCustomRuleCountersWant wants, gpointer data,
                                        GCancellable *cancellable);
