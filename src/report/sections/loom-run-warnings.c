/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the sentences of the warnings from the data of the timeline: gaps between the times of files, different runs,
 * and duplicate files.
 */
#include "loom-run-warnings.h"

#include "loom-sentence.h"
#include "loom-timeline.h"

#include <glib/gi18n.h>

#define HOUR_NS (3600 * LOOM_NS_PER_S)
#define DAY_NS (24 * HOUR_NS)
/* A gap between the recorded times of files is reported if it is at least LEAST_NS long, and at least LEAST_TIMES times
 * as long as the recorded time. The gaps of a job that is profiled from time to time are shorter. */
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

/* Returns a sentence which says that the recording times of the files are far apart; NULL if they are not. Owned by the
 * caller. */
static char *
dup_fact (const LoomTimeline *timeline)
{
  gint64 recorded_ns, gap_ns = loom_timeline_find_gap (timeline, &recorded_ns);
  if (gap_ns < LEAST_NS || gap_ns / LEAST_TIMES < recorded_ns)
    return NULL;
  g_autofree char *gap = dup_gap (gap_ns);
  return g_strdup_printf (_ ("These files are %s apart, and nothing was recorded in between."), gap);
}

static void
append (GString *words, const char *text)
{
  if (text == NULL)
    return;
  g_autofree char *sentence = loom_sentence_dup (text);
  loom_sentence_append (words, sentence);
}

char *
loom_run_warnings_dup_words (const LoomTimeline *timeline, const char *advice)
{
  const LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  g_autofree char *fact = dup_fact (timeline), *copies = loom_alignment_dup_copies (alignment);
  GString *words = g_string_new (NULL);
  append (words, fact);
  append (words, loom_alignment_get_runs (alignment));
  append (words, words->len > 0 ? advice : NULL);
  append (words, copies); /* `copies` comes last, because it ends with its own advice about duplicate files */
  return g_string_free (words, words->len == 0);
}

gboolean
loom_run_warnings_says (const LoomTimeline *timeline, const char *notice)
{
  const LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  g_autofree char *copies = loom_alignment_dup_copies (alignment);
  return g_strcmp0 (notice, copies) == 0 || g_strcmp0 (notice, loom_alignment_get_runs (alignment)) == 0;
}
