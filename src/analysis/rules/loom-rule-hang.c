/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule Hang: fires if the dumps of flight recorders show that the job hung. The finding states for which ranks the
 * other ranks wait (loom-hang.h).
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-hang-words.h"
#include "loom-rule-private.h"

/* Returns the part of the range that contains events, because the range itself may be all of time. */
static LoomRange
get_recorded (const LoomRuleContext *context)
{
  LoomRange recorded = { 0, 0 };
  loom_timeline_get_extent (context->frame->timeline, &recorded);
  recorded.begin_ns = CLAMP (context->frame->range.begin_ns, recorded.begin_ns, recorded.end_ns);
  recorded.end_ns = CLAMP (context->frame->range.end_ns, recorded.begin_ns, recorded.end_ns);
  return recorded;
}

/* Marks the rank's oldest collective that has not ended. If there is no such collective, marks the whole recorded
 * range. */
static void
mark_rank (const LoomRuleContext *context, LoomRuleResult *result, const LoomHang *hang, guint rank)
{
  const LoomFlightEntry *oldest = loom_hang_words_find_oldest (hang, rank);
  guint source = g_array_index (hang->ranks, LoomHangRank, rank).source;
  LoomRange range = get_recorded (context);
  LoomSpanId span =
    oldest != NULL && source != G_MAXUINT ? loom_hang_words_find_span (hang, source, oldest) : LOOM_SPAN_ID_NONE;
  if (!loom_timeline_span_id_is_none (span))
    loom_timeline_get_span (context->frame->timeline, span, &range.begin_ns, &range.end_ns);
  const LoomRuleOccurrence mark = { range.begin_ns, MAX (range.end_ns, range.begin_ns + 1), "", "", span };
  result->n_violations++;
  loom_rule_result_add_mark (result, &mark);
}

/* Removes the full stop at the end of `sentence`, because sentences of findings have no full stop. Returns
 * `sentence`. */
static char *
drop_full_stop (char *sentence)
{
  char *end = sentence != NULL ? g_utf8_find_prev_char (sentence, sentence + strlen (sentence)) : NULL;
  if (end != NULL && (strcmp (end, ".") == 0 || strcmp (end, "。") == 0))
    *end = '\0';
  return sentence;
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomHang *hang)
{
  g_autofree char *mismatch = drop_full_stop (loom_hang_words_dup_mismatch (hang)),
                  *answer = drop_full_stop (loom_hang_words_dup_answer (hang));
  gboolean is_stuck = hang->n_suspects == 0 && hang->n_waiting == 0 && hang->stuck->len > 0,
           is_hanging = mismatch != NULL || hang->n_suspects > 0 || is_stuck;
  result->n_datapoints = hang->ranks->len;
  for (guint i = 0; i < hang->ranks->len; i++)
    if (is_stuck || g_array_index (hang->ranks, LoomHangRank, i).is_suspect)
      mark_rank (context, result, hang, i);
  loom_rule_result_set_message (result, is_hanging ? LOOM_RULE_FIRED : LOOM_RULE_PASSED, "%s",
                                mismatch != NULL ? mismatch : answer);
}

void
loom_rule_hang (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (LoomHang) hang = loom_hang_new (loom_timeline_get_run (context->frame->timeline), context->cancellable);
  if (hang == NULL)
    return;
  if (hang->ranks->len == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no dumps of flight recorders"));
  else
    judge (context, result, hang);
}
