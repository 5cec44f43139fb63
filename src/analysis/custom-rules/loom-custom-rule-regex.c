/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-regex.h"

#include "loom-time.h"

#include <string.h>
#include <time.h>

/* Limits for one match, in PCRE's units: steps and memory. 20,000 steps take about 0.25 ms. A pattern can lower the
 * limits, but not raise them. */
#define LIMITS "(*LIMIT_MATCH=20000)(*LIMIT_DEPTH=20000)(*LIMIT_HEAP=4000)"

#define MAX_TEXT 1024 /* maximum number of bytes of a text that are matched; the rest of the text is ignored */
/* Limit of the processor time of all matches of one expression. Wall time would depend on the load of the computer. */
#define MAX_SPENT_NS (2 * LOOM_NS_PER_S)

enum { NO = -1, UNKNOWN, YES };

GRegex *
loom_custom_rule_regex_compile (const char *pattern, GError **error)
{
  g_autofree char *limited = g_strconcat (LIMITS, pattern, NULL);
  g_autoptr (GError) problem = NULL;
  GRegex *regex = g_regex_new (limited, 0, 0, &problem);
  if (regex != NULL)
    return regex;
  /* the message of GRegex quotes the pattern with LIMITS, which the user did not write; keep only the reason after the
   * last colon */
  const char *why = strrchr (problem->message, ':');
  g_set_error (error, problem->domain, problem->code, "%s", why != NULL ? why + 2 : problem->message);
  return NULL;
}

void
loom_custom_rule_regex_init (LoomCustomRuleRegex *match, GRegex *regex, guint32 n)
{
  *match = (LoomCustomRuleRegex) { .regex = regex, .answers = regex != NULL ? g_new0 (gint8, (gsize) n + 1) : NULL };
}

void
loom_custom_rule_regex_clear (LoomCustomRuleRegex *match)
{
  g_free (match->answers);
  g_free (match->too_hard);
}

static gint64
get_processor_time_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * LOOM_NS_PER_S + now.tv_nsec;
}

static gboolean
match_text (LoomCustomRuleRegex *match, const char *text)
{
  g_autoptr (GError) problem = NULL;
  gint64 begin_ns = get_processor_time_ns ();
  g_autofree char *part = g_strndup (text, MAX_TEXT), *valid = g_utf8_make_valid (part, -1);
  gboolean matches = g_regex_match_full (match->regex, valid, -1, 0, 0, NULL, &problem);
  match->spent_ns += get_processor_time_ns () - begin_ns;
  if (problem != NULL || match->spent_ns > MAX_SPENT_NS)
    match->too_hard = g_steal_pointer (&valid);
  return matches && problem == NULL;
}

gboolean
loom_custom_rule_regex_ask_once (LoomCustomRuleRegex *match, const char *text)
{
  return match->regex == NULL || (match->too_hard == NULL && match_text (match, text));
}

gboolean
loom_custom_rule_regex_ask (LoomCustomRuleRegex *match, guint32 number, const char *text)
{
  if (match->regex == NULL)
    return TRUE;
  if (match->answers[number] == UNKNOWN)
    match->answers[number] = loom_custom_rule_regex_ask_once (match, text) ? YES : NO;
  return match->answers[number] == YES;
}
