/* SPDX-License-Identifier: Apache-2.0
 *
 * In this order: what the formats declare, corrections between sources, a place for clocks without an epoch, and the
 * user's offsets last.
 */
#include "loom-alignment-private.h"

#include <string.h>

gboolean
loom_align_mode_from_string (const char *word, LoomAlignMode *mode)
{
  static const char *const words[] = { "auto", "declared", "none" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (g_strcmp0 (word, words[i]) == 0) {
      *mode = (LoomAlignMode) i;
      return TRUE;
    }
  }
  return FALSE;
}

const char *
loom_alignment_keep (LoomAlignment *alignment, const char *text)
{
  return loom_strings_get (alignment->texts, loom_strings_intern (alignment->texts, text, strlen (text)));
}

void
loom_alignment_notice (LoomAlignment *alignment, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_ptr_array_add (alignment->notices, g_strdup_vprintf (format, args));
  va_end (args);
}

static LoomAlignment *
start (const LoomRun *run)
{
  LoomAlignment *alignment = g_new0 (LoomAlignment, 1);
  g_atomic_ref_count_init (&alignment->refs);
  alignment->n_clocks = loom_run_get_n_clocks (run);
  alignment->fits = g_new0 (LoomClockFit, MAX (alignment->n_clocks, 1));
  alignment->texts = loom_strings_new ();
  alignment->notices = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const LoomClockDecl *decl = loom_run_get_clock (run, i);
    LoomClockFit *fit = &alignment->fits[i];
    fit->state = decl->state;
    fit->basis = loom_alignment_keep (alignment, decl->basis != NULL ? decl->basis : "");
    fit->error_ns = -1;
    fit->residual_ns = -1;
  }
  return alignment;
}

/* The rank of the sources that use a clock, −1 where none says. */
static gint *
ranks_of_clocks (const LoomRun *run, guint n_clocks)
{
  gint *ranks = g_new (gint, MAX (n_clocks, 1));
  for (guint i = 0; i < n_clocks; i++)
    ranks[i] = -1;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    gint rank = loom_run_get_source (run, i)->rank;
    guint clock = loom_run_get_clock_of_source (run, i);
    if (rank >= 0 && (ranks[clock] < 0 || rank < ranks[clock]))
      ranks[clock] = rank;
  }
  return ranks;
}

/* Local extents of all clocks; begin_ns is LOOM_TIME_NONE where there is nothing. */
static LoomRange *
extents_of_clocks (const LoomRun *run, guint n_clocks)
{
  LoomRange *extents = g_new (LoomRange, MAX (n_clocks, 1));
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    LoomRange *first = extents + loom_run_get_first_clock (run, t);
    for (guint c = 0; c < loom_trace_get_n_clocks (trace); c++) {
      if (!loom_trace_get_extent (trace, c, &first[c]))
        first[c].begin_ns = LOOM_TIME_NONE;
    }
  }
  return extents;
}

/* Clocks without an epoch start where the anchored ones do. With nothing anchored they keep their own zero. */
static void
place_unanchored (LoomAlignment *alignment, const LoomRun *run)
{
  g_autofree LoomRange *extents = extents_of_clocks (run, alignment->n_clocks);
  gint64 begin_ns = G_MAXINT64;
  gboolean has_anchor = FALSE;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    if (alignment->fits[i].state == LOOM_CLOCK_NONE || extents[i].begin_ns == LOOM_TIME_NONE)
      continue;
    begin_ns = MIN (begin_ns, loom_clock_map_to_timeline (&alignment->fits[i].map, extents[i].begin_ns));
    has_anchor = TRUE;
  }
  for (guint i = 0; has_anchor && i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    if (fit->state != LOOM_CLOCK_NONE || extents[i].begin_ns == LOOM_TIME_NONE)
      continue;
    fit->map.offset_ns = loom_time_sub (begin_ns, extents[i].begin_ns);
    fit->placed = TRUE;
  }
}

static void
add_user_offsets (LoomAlignment *alignment, const LoomRun *run, const LoomUserOffset *offsets, guint n_offsets)
{
  for (guint i = 0; i < n_offsets; i++) {
    if (offsets[i].source >= loom_run_get_n_sources (run))
      continue;
    /* Files of one stream share a clock: an offset on any of them moves all, and the last one given counts. */
    LoomClockFit *fit = &alignment->fits[loom_run_get_clock_of_source (run, offsets[i].source)];
    gint64 change_ns = loom_time_sub (offsets[i].offset_ns, fit->user_offset_ns);
    fit->user_offset_ns = offsets[i].offset_ns;
    fit->map.offset_ns = loom_time_add (fit->map.offset_ns, change_ns);
  }
}

LoomAlignment *
loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets, guint n_offsets)
{
  LoomAlignment *alignment = start (run);
  if (mode != LOOM_ALIGN_NONE) {
    g_autofree gint *ranks = ranks_of_clocks (run, alignment->n_clocks);
    loom_alignment_apply_declared (alignment, run, ranks);
  }
  place_unanchored (alignment, run);
  add_user_offsets (alignment, run, offsets, n_offsets);
  g_ptr_array_add (alignment->notices, NULL);
  return alignment;
}

LoomAlignment *
loom_alignment_ref (LoomAlignment *alignment)
{
  g_atomic_ref_count_inc (&alignment->refs);
  return alignment;
}

void
loom_alignment_unref (LoomAlignment *alignment)
{
  if (alignment == NULL || !g_atomic_ref_count_dec (&alignment->refs))
    return;
  g_free (alignment->fits);
  loom_strings_free (alignment->texts);
  g_ptr_array_unref (alignment->notices);
  g_free (alignment);
}

const LoomClockFit *
loom_alignment_get (const LoomAlignment *alignment, guint clock)
{
  g_return_val_if_fail (clock < alignment->n_clocks, NULL);
  return &alignment->fits[clock];
}

const char *const *
loom_alignment_get_notices (const LoomAlignment *alignment)
{
  return (const char *const *) alignment->notices->pdata;
}
