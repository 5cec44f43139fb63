/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the section with the durations of spans. The interface is described in loom-index-durations.h.
 */
#include "loom-index-durations.h"

#include <string.h>

#include "loom-index-file.h"
#include "loom-parallel.h"

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* In some forms of the section (LOOM_INDEX_DURATIONS_ENDS), a span that ends at a known time has the number of this
 * time instead of a duration. These forms are tried only if more than 1 / LEAST_ENDS_PART of the spans end at a known
 * time. Otherwise they would save too little to be worth the time for compressing them. */
#define LEAST_ENDS_PART 16

/* The form with LOOM_INDEX_DURATIONS_CONTEXTS takes longer to read. Therefore it is used only if it saves more than 1 /
 * LEAST_CONTEXTS_PART of the space that the best other form takes. */
#define LEAST_CONTEXTS_PART 50

/* number of sums of LOOM_INDEX_DURATIONS_… flags */
#define N_FORMS (2 * LOOM_INDEX_DURATIONS_CONTEXTS)

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
  guint8 *to = section->data + section->len;
  for (guint32 i = 0; i < spans->n; i++) {
    if (i % LOOM_INDEX_BYTES_PIECE == 0) {
      loom_index_bytes_release (section, to);
      to = loom_index_bytes_reserve (section, MIN (spans->n - i, LOOM_INDEX_BYTES_PIECE));
    }
    guint32 name = spans->names[i], like = contexts != NULL ? loom_index_contexts_add (contexts, name) : 0;
    const LoomRange *range = &spans->ranges[i], *other = like > 0 ? &spans->ranges[like - 1] : NULL;
    gint64 from_ns = other != NULL ? other->end_ns - other->begin_ns : last_ns[name];
    last_ns[name] = range->end_ns - range->begin_ns;
    if (!ends_at_known_time (spans, form, i))
      to = loom_index_bytes_write_difference (to, last_ns[name], are_differences ? from_ns : 0);
  }
  loom_index_bytes_release (section, to);
  return section;
}

/* The forms of the section that are tried. `made`: array indexed by form: the section, and the bytes that it takes in
 * the file; NULL: the form is not tried. */
typedef struct {
  const LoomIndexDurationsSpans *spans;
  gboolean has_ends;
  GByteArray *made[N_FORMS];
  gsize n_bytes[N_FORMS];
} Trial;

static void
try_form (guint form, guint worker, gpointer user_data)
{
  Trial *trial = user_data;
  gboolean is_possible = (form & LOOM_INDEX_DURATIONS_CONTEXTS) == 0 || (form & LOOM_INDEX_DURATIONS_DIFFERENCE) == 0;
  if (!is_possible || ((form & LOOM_INDEX_DURATIONS_ENDS) != 0 && !trial->has_ends))
    return;
  trial->made[form] = make (trial->spans, form);
  trial->n_bytes[form] = loom_index_file_measure (trial->made[form]);
}

/* Returns the form that takes least space in the file; if several forms take equally little, the lowest of them. The
 * form with LOOM_INDEX_DURATIONS_CONTEXTS must save enough compared with the best other form (LEAST_CONTEXTS_PART). */
static guint
choose_form (const Trial *trial)
{
  guint best = 0;
  for (guint form = 1; form < LOOM_INDEX_DURATIONS_CONTEXTS; form++)
    if (trial->made[form] != NULL && trial->n_bytes[form] < trial->n_bytes[best])
      best = form;
  guint contexts = (best & LOOM_INDEX_DURATIONS_ENDS) | LOOM_INDEX_DURATIONS_CONTEXTS;
  gsize most = trial->n_bytes[best];
  return trial->n_bytes[contexts] + most / LEAST_CONTEXTS_PART < most ? contexts : best;
}

GByteArray *
loom_index_durations_write (const LoomIndexDurationsSpans *spans, guint n_threads)
{
  Trial trial = { .spans = spans };
  guint32 n_ends = 0;
  for (guint32 i = 0; i < spans->n; i++)
    n_ends += spans->ends[i] > 0;
  /* Tries all forms, because it is not known in advance which of them takes least space. Forms with
   * LOOM_INDEX_DURATIONS_DIFFERENCE (differences of durations) do not always take less than forms with plain durations:
   * profilers that count in µs often record exactly the same duration again, and equal durations are compressed well.
   * Forms with LOOM_INDEX_DURATIONS_ENDS are tried only if more than 1 / LEAST_ENDS_PART of the spans end exactly when
   * a span of an earlier track starts or ends. */
  trial.has_ends = n_ends > spans->n / LEAST_ENDS_PART;
  loom_parallel_for (N_FORMS, n_threads, try_form, &trial, NULL);
  guint best = choose_form (&trial);
  GByteArray *section = g_steal_pointer (&trial.made[best]);
  for (guint form = 0; form < N_FORMS; form++)
    g_clear_pointer (&trial.made[form], g_byte_array_unref);
  return section;
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
    loom_index_times_add (durations->times, &(const LoomRange) { start_ns, loom_time_add (start_ns, dur_ns) }, 1);
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
