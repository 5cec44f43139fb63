/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-clock-commands.h: changes the user's clock edits of a document. Each command makes one undo step.
 */
#include "loom-clock-commands.h"

#include "loom-clock-fit.h"
#include "loom-page-clocks.h"

#include <glib/gi18n.h>

static const LoomClockOverrides *
edits_of (LoomDocument *document)
{
  return loom_document_get_clock_edits (document);
}

/* LoomClockOverrides stores the user's changes to a clock under a path. Returns this path, which is the path of the
 * first source that uses the clock. Returns NULL if no source uses the clock. */
static const char *
path_of (LoomRun *run, guint clock)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_clock_of_source (run, i) == clock)
      return loom_run_get_source (run, i)->path;
  return NULL;
}

static void
take (LoomDocument *document, LoomClockOverrides *edits, const char *words, gboolean joins)
{
  if (loom_clock_overrides_equal (edits, edits_of (document)))
    loom_clock_overrides_free (edits);
  else
    loom_document_edit_clocks (document, edits, words, joins);
}

/* Sets the offset of a clock. Stores it under the path of the first source of the clock. A session may contain offsets
 * under the paths of other sources of the clock; removes these offsets. */
static void
put_offset (LoomClockOverrides *edits, LoomRun *run, guint clock, gint64 offset_ns)
{
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (LoomUserOffset));
  g_autoptr (GArray) picks = g_array_new (FALSE, FALSE, sizeof (LoomUserPick));
  loom_clock_overrides_resolve (edits, run, offsets, picks);
  for (guint i = 0; i < offsets->len; i++) {
    guint source = g_array_index (offsets, LoomUserOffset, i).source;
    if (loom_run_get_clock_of_source (run, source) == clock)
      loom_clock_overrides_set_offset (edits, loom_run_get_source (run, source)->path, 0);
  }
  loom_clock_overrides_set_offset (edits, path_of (run, clock), offset_ns);
}

static gint64
offset_of (LoomDocument *document, guint clock)
{
  return loom_alignment_get (loom_timeline_get_alignment (loom_document_get_timeline (document)), clock)
    ->user_offset_ns;
}

static void
change_offset (LoomDocument *document, guint clock, gint64 offset_ns, gboolean joins)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  if (timeline == NULL || path_of (loom_document_get_run (document), clock) == NULL)
    return;
  LoomClockOverrides *edits = loom_clock_overrides_copy (edits_of (document));
  g_autofree char *name = loom_page_clocks_dup_name (timeline, loom_document_get_source_edits (document), clock);
  g_autofree char *words = g_strdup_printf (
    /* Translators: a step of Undo; %s is the name of the rank or file whose clock was moved */
    _ ("Move %s"), name);
  put_offset (edits, loom_document_get_run (document), clock, offset_ns);
  take (document, edits, words, joins);
}

void
loom_clock_commands_set_offset (LoomDocument *document, guint clock, gint64 offset_ns)
{
  change_offset (document, clock, offset_ns, FALSE);
}

void
loom_clock_commands_drag (LoomDocument *document, guint clock, gint64 by_ns, gboolean begins)
{
  if (begins)
    loom_undo_stack_seal (loom_document_get_undo (document));
  if (loom_document_get_timeline (document) != NULL)
    change_offset (document, clock, loom_time_add (offset_of (document, clock), by_ns), TRUE);
}

void
loom_clock_commands_use_fit (LoomDocument *document, gboolean use)
{
  LoomClockOverrides *edits = loom_clock_overrides_copy (edits_of (document));
  edits->mode = use ? LOOM_ALIGN_AUTO : LOOM_ALIGN_DECLARED;
  take (document, edits, use ? _ ("Use aligned clocks") : _ ("Use declared clocks"), FALSE);
}

void
loom_clock_commands_note_fit (LoomDocument *document)
{
  LoomClockOverrides *before = loom_clock_overrides_copy (edits_of (document));
  before->mode = LOOM_ALIGN_DECLARED;
  loom_document_note_clocks (document, before, _ ("Use aligned clocks"));
}

void
loom_clock_commands_reset (LoomDocument *document)
{
  take (document, loom_clock_overrides_new (), _ ("Reset clocks"), FALSE);
}

guint
loom_clock_commands_find_notable (LoomTimeline *timeline, const GArray *clocks)
{
  LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  guint best = clocks->len > 0 ? g_array_index (clocks, guint, 0) : G_MAXUINT;
  gboolean found = FALSE;
  for (guint i = 0; i < clocks->len; i++) {
    guint clock = g_array_index (clocks, guint, i);
    const LoomClockFit *fit = loom_alignment_get (alignment, clock);
    if (fit->pairs > 0 && fit->verdict == LOOM_FIT_QUALITY_REFUSED)
      return clock;
    if (!found && fit->pairs > 0 && fit->reference != clock) {
      best = clock;
      found = TRUE;
    }
  }
  return best;
}

/* --- aligning two events ------------------------------------------------------------------------------------------ */

static gboolean
is_collective (const LoomTrace *trace, guint32 span)
{
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  LoomRef ref = loom_trace_get_spans (trace)->ref[span];
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].ref == ref)
      return meetings[i].kind <= LOOM_SYNC_EVENT_HOST;
  return FALSE;
}

/* Returns the start or end of the span, in the time of its own clock. */
static gint64
local_time (LoomRun *run, LoomSpanId id, gboolean end)
{
  const LoomTrace *trace = loom_run_get_trace (run, id.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  return spans->start_ns[id.span] + (end && !loom_trace_span_is_instant (trace, id.span) ? spans->dur_ns[id.span] : 0);
}

gboolean
loom_clock_commands_can_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  return timeline != NULL && !loom_timeline_span_id_is_none (kept) && !loom_timeline_span_id_is_none (moved) &&
         loom_timeline_get_clock (timeline, kept) != loom_timeline_get_clock (timeline, moved);
}

/* Stores that the two events are simultaneous (LoomClockPick), and gives the moved clock the same user offset as the
 * kept clock. The alignment first makes the two events coincide and then adds the user offsets, so different offsets
 * would separate the events again. */
void
loom_clock_commands_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  LoomRun *run = loom_document_get_run (document);
  if (!loom_clock_commands_can_align (document, kept, moved))
    return;
  guint kept_clock = loom_timeline_get_clock (timeline, kept), moved_clock = loom_timeline_get_clock (timeline, moved);
  gboolean ends = is_collective (loom_run_get_trace (run, kept.trace), kept.span) &&
                  is_collective (loom_run_get_trace (run, moved.trace), moved.span);
  LoomClockOverrides *edits = loom_clock_overrides_copy (edits_of (document));
  loom_clock_overrides_add_pick (edits, path_of (run, kept_clock), local_time (run, kept, ends),
                                 path_of (run, moved_clock), local_time (run, moved, ends));
  put_offset (edits, run, moved_clock, offset_of (document, kept_clock));
  take (document, edits, _ ("Align events"), FALSE);
}

/* --- counting clocks, and choosing one to show -------------------------------------------------------------------- */

guint
loom_clock_commands_count_fitted (LoomDocument *document, gint64 *most_ns)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  LoomAlignment *alignment = timeline != NULL ? loom_timeline_get_alignment (timeline) : NULL;
  guint n = 0;
  *most_ns = 0;
  for (guint i = 0; alignment != NULL && i < alignment->n_clocks; i++) {
    const LoomClockFit *fit = loom_alignment_get (alignment, i), *declared = loom_alignment_get_declared (alignment, i);
    if (!fit->fitted)
      continue;
    n++;
    gint64 moved_ns = loom_time_sub (fit->line.offset_ns, declared->map.offset_ns);
    if (declared->anchored)
      *most_ns = MAX (*most_ns, ABS (moved_ns));
  }
  return n;
}

guint
loom_clock_commands_count_refused (LoomDocument *document)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  LoomAlignment *alignment = timeline != NULL ? loom_timeline_get_alignment (timeline) : NULL;
  guint n = 0;
  for (guint i = 0; alignment != NULL && i < alignment->n_clocks; i++) {
    const LoomClockFit *fit = loom_alignment_get (alignment, i);
    n += fit->verdict == LOOM_FIT_QUALITY_REFUSED && fit->pairs >= LOOM_CLOCK_FITS_OFFSET_PAIRS;
  }
  return n;
}
