/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-apart.h"

#include "loom-gap.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>

#define HOUR_NS (3600 * LOOM_NS_PER_S)
#define DAY_NS (24 * HOUR_NS)
/* A job may be profiled now and then for hours; what lies so long apart, and so many times what was recorded, shows as slivers. */
#define LEAST_NS (12 * HOUR_NS)
#define LEAST_TIMES 20

static char *
dup_gap (gint64 gap_ns)
{
  if (gap_ns < 2 * DAY_NS) {
    guint n_hours = (guint) (gap_ns / HOUR_NS);
    return g_strdup_printf (ngettext ("%u hour", "%u hours", n_hours), n_hours);
  }
  guint n_days = (guint) (gap_ns / DAY_NS);
  return g_strdup_printf (ngettext ("%u day", "%u days", n_days), n_days);
}

char *
loom_apart_dup_words (const LoomTimeline *timeline, const char *advice)
{
  const LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  const char *runs = loom_alignment_get_apart (alignment);
  gint64 recorded_ns, gap_ns = loom_gap_find (timeline, &recorded_ns);
  if (gap_ns >= LEAST_NS && gap_ns / LEAST_TIMES >= recorded_ns) {
    g_autofree char *gap = dup_gap (gap_ns);
    g_autofree char *fact = g_strdup_printf (_ ("These files lie %s apart, with nothing in between."), gap);
    return loom_sentence_join (fact, advice);
  }
  if (runs == NULL)
    return NULL;
  g_autofree char *sentence = loom_sentence_dup (runs);
  return loom_sentence_join (sentence, loom_alignment_has_copies (alignment) ? NULL : advice);
}
