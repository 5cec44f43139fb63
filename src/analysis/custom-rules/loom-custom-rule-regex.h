/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Regular expressions of rule files, which may come from anybody: whatever they are, matching ends. An expression
 * gets a limit of steps for each text, the part of a text that is looked at has an end, and all texts together have a
 * limit of time; what goes beyond is said, and not taken for "no match".
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_CUSTOM_RULE_REGEX_MAX_PATTERN 1000 /* bytes */

/* NULL with the error of GRegex. */
GRegex *loom_custom_rule_regex_compile (const char *pattern, GError **error);

/* Answers by the number of a text, each asked once. */
typedef struct {
  GRegex *regex;  /* borrowed; NULL matches everything */
  gint8 *answers; /* by number; 0 not asked */
  gint64 spent_us;
  char *too_hard; /* the text at which a limit was reached: all answers are FALSE from then on; NULL */
} LoomCustomRuleRegex;

/* Numbers below `n`. */
void loom_custom_rule_regex_init (LoomCustomRuleRegex *match, GRegex *regex, guint32 n);
void loom_custom_rule_regex_clear (LoomCustomRuleRegex *match);
gboolean loom_custom_rule_regex_ask (LoomCustomRuleRegex *match, guint32 number, const char *text);
/* Of a text that has no number. */
gboolean loom_custom_rule_regex_ask_once (LoomCustomRuleRegex *match, const char *text);

G_END_DECLS
