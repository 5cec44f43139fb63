/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a rule of one's own looks at, group by group: the spans or samples that match, and the time of which the
 * group is known, from its first span of the wanted node and type to its last, whatever its name.
 */
#pragma once

#include "loom-custom-rule.h"
#include "loom-data-frame.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns; /* equal for samples */
  double value;            /* duration in ns, or of the sample */
  LoomSpanId span;
} LoomCustomRuleItem;

typedef struct {
  char *label;         /* for people: "algo-1 rank 0 GPU 0" */
  char *key;           /* the same in documents, in no language */
  const char *host;    /* borrowed from the frame; "" the run */
  const char *device;  /* what marks say; "" */
  const char *writer;  /* of ranks and devices: the worker's display name; "" */
  gint rank;           /* −1 none */
  gboolean is_process; /* `rank` is the id of a process */
  guint32 worker;      /* G_MAXUINT32: of no single one */
  GArray *items;       /* LoomCustomRuleItem, by begin */
  LoomRange known;     /* empty: nothing */
  guint n_known;       /* spans or samples of that */
} LoomCustomRuleGroup;

/* In the order in which they turn up. `too_hard` (owned, NULL none) tells the text at which a regular expression reached
 * its limit; then nothing else means anything. NULL only when cancelled. */
GPtrArray *loom_custom_rule_groups (LoomDataFrame *frame, const LoomCustomRule *rule, char **too_hard,
                                    GCancellable *cancellable);

G_END_DECLS
