/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the collective to which a span belongs, the member of the collective that arrived last, and the members that
 * waited for it. A member is the span of one rank. Makes arrows or a sentence from the result.
 */
#include "loom-collective-flows.h"

#include <glib/gi18n.h>

/* Returns the collective to which a span belongs; NULL if there is none. */
static const LoomCollective *
find (const LoomCollectives *collectives, const LoomTimeline *timeline, LoomSpanId span)
{
  if (loom_timeline_span_id_is_none (span) || !loom_collectives_belong_to (collectives, timeline))
    return NULL;
  guint number = loom_collectives_find (collectives, span);
  return number != G_MAXUINT ? &collectives->all[number] : NULL;
}

static void
add_line (const LoomCollectives *collectives, const LoomCollectiveMember *last, const LoomCollectiveMember *waits,
          GArray *lines)
{
  LoomFlowLine line = { loom_collectives_get_span (collectives, last), loom_collectives_get_span (collectives, waits),
                        TRUE, last->arrival_ns };
  if (!loom_timeline_span_id_is_none (line.from) && !loom_timeline_span_id_is_none (line.to))
    g_array_append_val (lines, line);
}

void
loom_collective_flows_of_span (const LoomCollectives *collectives, const LoomTimeline *timeline, LoomSpanId span,
                               guint max, GArray *lines)
{
  const LoomCollective *collective = find (collectives, timeline, span);
  if (collective == NULL)
    return;
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective),
                             *last = &members[collective->n - 1];
  guint limit = lines->len + max, own = collective->n - 1;
  for (guint i = 0; i + 1 < collective->n; i++)
    if (members[i].trace == span.trace &&
        loom_timeline_span_id_equal (loom_collectives_get_span (collectives, &members[i]), span))
      own = i;
  if (own + 1 < collective->n)
    add_line (collectives, last, &members[own], lines);
  for (guint i = 0; i + 1 < collective->n && lines->len < limit; i++)
    if (i != own)
      add_line (collectives, last, &members[i], lines);
}

char *
loom_collective_flows_dup_words (const LoomCollectives *collectives, const LoomTimeline *timeline, LoomSpanId span)
{
  const LoomCollective *collective = find (collectives, timeline, span);
  if (collective == NULL)
    return NULL;
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective),
                             *last = &members[collective->n - 1];
  g_autofree char *transfer = loom_time_format_duration (collective->transfer_ns);
  for (guint i = 0; i + 1 < collective->n; i++) {
    if (members[i].trace != span.trace ||
        !loom_timeline_span_id_equal (loom_collectives_get_span (collectives, &members[i]), span))
      continue;
    if (members[i].wait_ns <= 0)
      return g_strdup_printf (_ ("does not wait; then transfers for %s"), transfer);
    g_autofree char *wait = loom_time_format_duration (members[i].wait_ns);
    if (last->rank < 0)
      return g_strdup_printf (/* Translators: how long a rank waits in a collective, and how long the rank then
                               * transfers data */
                              _ ("waits %s for another source, then transfers for %s"), wait, transfer);
    return g_strdup_printf (/* Translators: how long a rank waits in a collective, the number of the rank for which it
                             * waits, and how long it then transfers data */
                            _ ("waits %s for rank %d, then transfers for %s"), wait, last->rank, transfer);
  }
  g_autofree char *late = loom_time_format_duration (collective->late_by_ns);
  return g_strdup_printf (_ ("arrived last, %s after the second-to-last rank; then transfers for %s"), late, transfer);
}
