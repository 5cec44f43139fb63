/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the section with the durations of spans. The interface is described in loom-index-durations.h.
 */
#include "loom-index-durations.h"

#include <string.h>

#include "loom-index-file.h"

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* In some forms of the section (LOOM_INDEX_DURATIONS_ENDS), a span that ends at a known time has the number of this
 * time instead of a duration. These forms are tried only if more than 1 / LEAST_ENDS_PART of the spans end at a known
 * time. Otherwise they would save too little to be worth the time for compressing them. */
#define LEAST_ENDS_PART 16

/* The form with LOOM_INDEX_DURATIONS_CONTEXTS takes longer to read. Therefore it is used only if it saves more than 1 /
 * LEAST_CONTEXTS_PART of the space that the best other form takes. */
#define LEAST_CONTEXTS_PART 50

static gboolean
ends_at_known_time (const LoomIndexDurationsSpans *spans, guint form, guint32 i)
{
  return (form & LOOM_INDEX_DURATIONS_ENDS) != 0 && spans->ends[i] > 0;
}

/* Returns the section, written in the form `form` (a sum of LOOM_INDEX_DURATIONS_… flags); owned by the caller. */
static GByteArray *
make (const LoomIndexDurationsSpans *spans, guint form)
{
  GByteArray *section = g_byte_array_new ();
  gboolean are_differences = (form & (LOOM_INDEX_DURATIONS_DIFFERENCE | LOOM_INDEX_DURATIONS_CONTEXTS)) != 0;
  g_autoptr (LoomIndexContexts) contexts =
    (form & LOOM_INDEX_DURATIONS_CONTEXTS) != 0 ? loom_index_contexts_new () : NULL;
  g_autofree gint64 *last_ns = g_new0 (gint64, (gsize) spans->n_names + 1);
  loom_index_bytes_put (section, form);
  if ((form & LOOM_INDEX_DURATIONS_ENDS) != 0) {
    loom_index_bytes_put (section, spans->n);
    g_byte_array_append (section, spans->ends, spans->n);
  }
  for (guint32 i = 0; i < spans->n; i++) {
    guint32 name = spans->names[i], like = contexts != NULL ? loom_index_contexts_add (contexts, name) : 0;
    const LoomRange *range = &spans->ranges[i], *other = like > 0 ? &spans->ranges[like - 1] : NULL;
    gint64 from_ns = other != NULL ? other->end_ns - other->begin_ns : last_ns[name];
    last_ns[name] = range->end_ns - range->begin_ns;
    if (!ends_at_known_time (spans, form, i))
      loom_index_bytes_put_difference (section, last_ns[name], are_differences ? from_ns : 0);
  }
  return section;
}

/* Makes the section in the form `form`, and replaces `best` by it if it takes less space in the file than `best`, which
 * takes `n_best` bytes. Returns TRUE if `best` was replaced. */
static gboolean
try_form (const LoomIndexDurationsSpans *spans, guint form, GByteArray **best, gsize *n_best)
{
  g_autoptr (GByteArray) section = make (spans, form);
  gsize n = loom_index_file_measure (section),
        n_least = (form & LOOM_INDEX_DURATIONS_CONTEXTS) != 0 ? n + *n_best / LEAST_CONTEXTS_PART : n;
  if (*best != NULL && n_least >= *n_best)
    return FALSE;
  g_clear_pointer (best, g_byte_array_unref);
  *best = g_steal_pointer (&section);
  *n_best = n;
  return TRUE;
}

GByteArray *
loom_index_durations_write (const LoomIndexDurationsSpans *spans)
{
  GByteArray *best = NULL;
  gsize n_best = 0;
  guint32 n_ends = 0;
  guint best_form = 0;
  for (guint32 i = 0; i < spans->n; i++)
    n_ends += spans->ends[i] > 0;
  /* Tries all forms without LOOM_INDEX_DURATIONS_CONTEXTS, because it is not known in advance which of them takes
   * least space. Forms with LOOM_INDEX_DURATIONS_DIFFERENCE (differences of durations) do not always take less than
   * forms with plain durations: profilers that count in µs often record exactly the same duration again, and equal
   * durations are compressed well. Forms with LOOM_INDEX_DURATIONS_ENDS are tried only if more than 1 /
   * LEAST_ENDS_PART of the spans end exactly when a span of an earlier track starts or ends. */
  for (guint form = 0; form < LOOM_INDEX_DURATIONS_CONTEXTS; form++)
    if (((form & LOOM_INDEX_DURATIONS_ENDS) == 0 || n_ends > spans->n / LEAST_ENDS_PART) &&
        try_form (spans, form, &best, &n_best))
      best_form = form;
  try_form (spans, (best_form & LOOM_INDEX_DURATIONS_ENDS) | LOOM_INDEX_DURATIONS_CONTEXTS, &best, &n_best);
  return best;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

void
loom_index_durations_begin (LoomIndexDurations *durations, LoomIndexBytes in, guint n_forms, guint32 n_names,
                            const LoomRange *ranges)
{
  guint form = loom_index_bytes_get_below (&in, n_forms);
  gboolean has_contexts = (form & LOOM_INDEX_DURATIONS_CONTEXTS) != 0;
  in.failed |= has_contexts && (form & LOOM_INDEX_DURATIONS_DIFFERENCE) != 0;
  *durations = (LoomIndexDurations) { .rest = in, .ranges = ranges, .last_ns = g_new0 (gint64, (gsize) n_names + 1) };
  durations->are_differences = has_contexts || (form & LOOM_INDEX_DURATIONS_DIFFERENCE) != 0;
  durations->contexts = has_contexts ? loom_index_contexts_new () : NULL;
  if ((form & LOOM_INDEX_DURATIONS_ENDS) == 0)
    return;
  guint32 n = loom_index_bytes_get_count (&durations->rest, 1);
  durations->ends = durations->rest;
  for (guint32 i = 0; i < n; i++)
    loom_index_bytes_get (&durations->rest);
  durations->ends.end = durations->rest.at;
  durations->times = loom_index_times_new ();
}

/* Returns the duration in ns to which the stored difference of the next span must be added; 0 if the section stores
 * durations, not differences. */
static gint64
get_other_ns (LoomIndexDurations *durations, guint32 name)
{
  guint32 like = durations->contexts != NULL ? loom_index_contexts_add (durations->contexts, name) : 0;
  if (like == 0)
    return durations->are_differences ? durations->last_ns[name] : 0;
  const LoomRange *range = &durations->ranges[like - 1];
  return range->end_ns - range->begin_ns;
}

gint64
loom_index_durations_get (LoomIndexDurations *durations, gint64 start_ns, guint32 name)
{
  guint end = durations->times != NULL ? loom_index_bytes_get_below (&durations->ends, LOOM_INDEX_TIMES_REACH + 1) : 0;
  gint64 end_ns = 0, other_ns = get_other_ns (durations, name), dur_ns;
  if (end == 0) {
    dur_ns = loom_index_bytes_get_sum (&durations->rest, other_ns);
  } else {
    durations->ends.failed |= !loom_index_times_get (durations->times, start_ns, end, &end_ns);
    dur_ns = durations->ends.failed ? -1 : loom_time_sub (end_ns, start_ns);
  }
  durations->last_ns[name] = dur_ns;
  if (durations->times != NULL)
    loom_index_times_add (durations->times, start_ns, loom_time_add (start_ns, dur_ns));
  return dur_ns;
}

void
loom_index_durations_end_track (LoomIndexDurations *durations)
{
  if (durations->times != NULL)
    loom_index_times_learn (durations->times);
}

void
loom_index_durations_clear (LoomIndexDurations *durations)
{
  g_clear_pointer (&durations->times, loom_index_times_free);
  g_clear_pointer (&durations->contexts, loom_index_contexts_free);
  g_clear_pointer (&durations->last_ns, g_free);
}
