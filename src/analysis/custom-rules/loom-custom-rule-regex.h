/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules. Matches the regular expressions of rule files. Rule files may come from
 * untrusted sources, so matching must always end. Therefore each match has a limit of steps, only the beginning of a
 * long text is matched, and all matches of one expression share a limit of processor time. If a limit is exceeded, an
 * error is reported; the text does not count as "no match".
 */
#pragma once

#include <glib.h>

#define LOOM_CUSTOM_RULE_REGEX_MAX_PATTERN 1000 /* maximum length of a pattern in bytes */

/* Compiles a pattern of a rule file, with limits of the steps and the memory for one match. On failure, returns NULL
 * with the error of GRegex. */
GRegex *loom_custom_rule_regex_compile (const char *pattern, GError **error);

/* Results of matching a pattern with numbered texts, each of which is matched only once. Used by one thread, whose
 * processor time is limited. */
typedef struct {
  GRegex *regex;   /* borrowed; NULL matches everything */
  gint8 *answers;  /* [number of the text] positive: the pattern matches; negative: it does not; 0: not matched yet */
  gint64 spent_ns; /* processor time of all matches */
  /* the first text for which matching exceeded a limit; NULL: no limit was exceeded. After a limit was exceeded, no
   * text matches. */
  char *too_hard;
} LoomCustomRuleRegex;

/* Prepares for matching texts with the numbers 0 to n − 1. */
void loom_custom_rule_regex_init (LoomCustomRuleRegex *match, GRegex *regex, guint32 n);
void loom_custom_rule_regex_clear (LoomCustomRuleRegex *match);
gboolean loom_custom_rule_regex_ask (LoomCustomRuleRegex *match, guint32 number, const char *text);
/* Like loom_custom_rule_regex_ask(), but for a text without a number, whose result is not stored. */
gboolean loom_custom_rule_regex_ask_once (LoomCustomRuleRegex *match, const char *text);
