/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of one's own, declared in a JSON file (data/rules/README.md): which spans or samples, a statistic over windows of
 * them, a comparison, how many windows in a row, a sentence, what to mark. Built by one thread, then read by any.
 */
#pragma once

#include <glib.h>

#include "loom-rule-result.h"

G_BEGIN_DECLS

/* The member that says a file holds rules; its value is the version. */
#define LOOM_OWN_RULES_MEMBER "traceloom-rules"
#define LOOM_OWN_RULES_VERSION 1

#define LOOM_OWN_RULES_MAX 200

typedef enum {
  LOOM_OWN_SPANS,
  LOOM_OWN_SAMPLES,
} LoomOwnSource;

typedef enum {
  LOOM_OWN_NODE,
  LOOM_OWN_TYPE,      /* category of spans, type of samples */
  LOOM_OWN_NAME,
  LOOM_OWN_DIMENSION, /* of samples */
  LOOM_OWN_PHASE,     /* of spans: the phase, or the label of the process */
  LOOM_N_OWN_FIELDS,
} LoomOwnField;

typedef enum {
  LOOM_OWN_PER_RUN,
  LOOM_OWN_PER_NODE,
  LOOM_OWN_PER_RANK,
  LOOM_OWN_PER_DEVICE, /* of samples: each series */
} LoomOwnPer;

typedef enum {
  LOOM_OWN_WINDOW_ALL,
  LOOM_OWN_WINDOW_STEP,
  LOOM_OWN_WINDOW_TIME,
  LOOM_OWN_WINDOW_SAMPLES,
} LoomOwnWindow;

typedef enum {
  LOOM_OWN_MEAN,
  LOOM_OWN_MIN,
  LOOM_OWN_MAX,
  LOOM_OWN_QUANTILE,
  LOOM_OWN_SHARE_ABOVE, /* percent of the values */
  LOOM_OWN_SHARE_BELOW,
  LOOM_OWN_COUNT,
  LOOM_OWN_DURATION,    /* ns in which at least one span runs */
  LOOM_OWN_SHARE,       /* the same in percent of the window */
  LOOM_OWN_GROWTH,      /* percent, from the first quarter of the values to the last */
} LoomOwnStatistic;

typedef enum {
  LOOM_OWN_MARK_WINDOWS,
  LOOM_OWN_MARK_SPANS,
  LOOM_OWN_MARK_RUN,
} LoomOwnMark;

typedef struct {
  char *name, *about, *sentence;
  LoomOwnSource source;
  GRegex *where[LOOM_N_OWN_FIELDS]; /* NULL: any */
  LoomOwnPer per;
  LoomOwnWindow window;
  gint64 window_ns;
  guint window_samples;
  LoomOwnStatistic statistic;
  double quantile;   /* 0 … 1 */
  double threshold;  /* of the shares above and below; ns for spans */
  gboolean above;    /* fires above the limit, else below */
  double limit;      /* in the statistic's unit */
  gboolean relative; /* in percent of the median over all groups */
  guint patience;    /* windows in a row */
  guint least;       /* spans or samples of a group, fewer say nothing */
  LoomRuleSeverity severity;
  LoomOwnMark mark;
} LoomOwnRule;

typedef struct _LoomOwnRules LoomOwnRules;

/* `name` is said in messages: "rules.json: line 7: …". NULL with LOOM_ERROR_FORMAT, LOOM_ERROR_LIMIT (size, depth, number of
 * rules). Members that are not known are refused: a slip of the pen must not make a rule that never fires. */
LoomOwnRules *loom_own_rules_parse (const char *text, gsize length, const char *name, GError **error);
/* The same without a name: the line of what is wrong stands in `line` (0: of none), and no place in the message. */
LoomOwnRules *loom_own_rules_check (const char *text, gsize length, guint *line, GError **error);
/* Also LOOM_ERROR_READ. */
LoomOwnRules *loom_own_rules_read (const char *path, GError **error);
LoomOwnRules *loom_own_rules_ref (LoomOwnRules *rules);
void loom_own_rules_unref (LoomOwnRules *rules); /* NULL: nothing */

guint loom_own_rules_get_n (const LoomOwnRules *rules);
const LoomOwnRule *loom_own_rules_get (const LoomOwnRules *rules, guint i);

/* The unit of the rule's values: "ns", "%", "". Static. */
const char *loom_own_rule_get_unit (const LoomOwnRule *rule);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOwnRules, loom_own_rules_unref)

G_END_DECLS
