/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-alignment-private.h"

#include <glib/gi18n.h>
#include <string.h>

gboolean
loom_alignment_mode_from_string (const char *word, LoomAlignMode *mode)
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
  return loom_string_pool_get (alignment->texts, loom_string_pool_intern (alignment->texts, text, strlen (text)));
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
  alignment->texts = loom_string_pool_new ();
  alignment->notices = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const LoomDeclaredClock *decl = loom_run_get_clock (run, i);
    LoomClockFit *fit = &alignment->fits[i];
    fit->state = decl->state;
    fit->basis = loom_alignment_keep (alignment, decl->basis != NULL ? decl->basis : "");
    fit->error_ns = -1;
    fit->residual_ns = -1;
    fit->line_error_ns = fit->line_drift_error_ppb = -1;
    fit->anchored = decl->state != LOOM_CLOCK_NONE;
    fit->component = LOOM_COMPONENT_NONE;
    fit->why = "";
  }
  return alignment;
}

/* Returns an array: for each clock, the lowest rank of the sources that use the clock; −1 if none of them states a
 * rank. Owned by the caller. */
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

/* Returns an array: for each clock, the time from its first to its last event, in local time; begin_ns is
 * LOOM_TIME_NONE if the clock has no events. Owned by the caller. */
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

/* Returns an array: for each clock, the leader of its domain (LoomDeclaredClock.domain). The leader is the first
 * clock of the domain that belongs to a component (set of connected clocks); if there is none, the first clock of
 * the domain. A clock without a domain is its own leader. Owned by the caller. */
static guint *
find_leaders (const LoomAlignment *alignment, const LoomRun *run)
{
  guint *leaders = g_new (guint, MAX (alignment->n_clocks, 1));
  /* key: domain; value: index of the leader of the domain, plus 1 */
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < alignment->n_clocks; i++) {
      const char *domain = loom_run_get_clock (run, i)->domain;
      if (domain != NULL && !g_hash_table_contains (firsts, domain) &&
          (pass == 1 || alignment->fits[i].component != LOOM_COMPONENT_NONE))
        g_hash_table_insert (firsts, (gpointer) domain, GUINT_TO_POINTER (i + 1));
    }
  }
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const char *domain = loom_run_get_clock (run, i)->domain;
    leaders[i] = domain != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (firsts, domain)) - 1 : i;
  }
  return leaders;
}

/* Some clocks belong to no component (set of connected clocks) and declare no epoch (start in UTC). Sets the map of
 * such a clock to that of its domain's leader (find_leaders()), if the leader was fitted. */
static void
follow_leaders (LoomAlignment *alignment, const guint *leaders)
{
  for (guint i = 0; i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    const LoomClockFit *leader = &alignment->fits[leaders[i]];
    if (fit->component != LOOM_COMPONENT_NONE || fit->anchored || !leader->fitted)
      continue;
    fit->map = leader->map;
    fit->follows = TRUE;
    fit->anchored = leader->anchored;
    fit->state = leader->state;
    fit->basis = N_ ("the same clock as another file, which was aligned by its events");
  }
}

/* Returns the number of the group to which a clock belongs. A group is a set of clocks that are placed together: the
 * clocks of one component (set of connected clocks), the clocks of one domain (find_leaders()), or a single clock.
 * Groups without a component have higher numbers than components. */
static guint
group_of (const LoomAlignment *alignment, const guint *leaders, guint clock)
{
  guint own = alignment->fits[clock].component,
        component = own != LOOM_COMPONENT_NONE ? own : alignment->fits[leaders[clock]].component;
  return component != LOOM_COMPONENT_NONE ? component : alignment->n_components + leaders[clock];
}

/* Computes when each group of clocks starts. Groups are numbered as by group_of(). Sets begins_ns[group] to the
 * earliest event of those clocks of the group that are not anchored (have no UTC time); G_MAXINT64 if the group has no
 * such clock. Returns the earliest event of all anchored clocks of the run; G_MAXINT64 if no clock is anchored. */
static gint64
find_begins (const LoomAlignment *alignment, const guint *leaders, const LoomRange *extents, gint64 *begins_ns)
{
  gint64 anchored_ns = G_MAXINT64;
  for (guint i = 0; i < alignment->n_clocks + alignment->n_components; i++)
    begins_ns[i] = G_MAXINT64;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const LoomClockFit *fit = &alignment->fits[i];
    if (extents[i].begin_ns == LOOM_TIME_NONE)
      continue;
    gint64 begin_ns = loom_clock_map_to_timeline (&fit->map, extents[i].begin_ns);
    gint64 *first_ns = fit->anchored ? &anchored_ns : &begins_ns[group_of (alignment, leaders, i)];
    *first_ns = MIN (*first_ns, begin_ns);
  }
  return anchored_ns;
}

/* Places each group of clocks without an epoch (start in UTC): the group then starts when the first clock with an
 * epoch starts. Changes nothing if no clock has an epoch. */
static void
place_unanchored (LoomAlignment *alignment, const LoomRun *run)
{
  g_autofree LoomRange *extents = extents_of_clocks (run, alignment->n_clocks);
  g_autofree gint64 *begins_ns = g_new (gint64, alignment->n_clocks + alignment->n_components + 1);
  g_autofree guint *leaders = find_leaders (alignment, run);
  follow_leaders (alignment, leaders);
  gint64 anchored_ns = find_begins (alignment, leaders, extents, begins_ns);
  for (guint i = 0; anchored_ns != G_MAXINT64 && i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    gint64 begin_ns = begins_ns[group_of (alignment, leaders, i)];
    if (fit->anchored || begin_ns == G_MAXINT64)
      continue;
    fit->map.offset_ns = loom_time_add (fit->map.offset_ns, loom_time_sub (anchored_ns, begin_ns));
    fit->placed = TRUE;
  }
}

/* --- picks and offsets of the user -------------------------------------------------------------------------------- */

/* The user can declare two events to be simultaneous (LoomUserPick). Then the clock `moved` of one event is shifted
 * until the event agrees with the other event, which is on the clock `kept`. Returns TRUE if `clock` is shifted: if
 * `clock` is `moved` itself, or if `clock` is in the same group (group_of()) as `moved`, and `kept` is in another
 * group. Otherwise returns FALSE. */
static gboolean
moves_with (const LoomAlignment *alignment, const guint *leaders, guint clock, guint moved, guint kept)
{
  guint group = group_of (alignment, leaders, moved);
  return clock == moved ||
         (group_of (alignment, leaders, clock) == group && group_of (alignment, leaders, kept) != group);
}

static void
apply_pick (LoomAlignment *alignment, const guint *leaders, guint kept, gint64 kept_ns, guint moved, gint64 moved_ns)
{
  const LoomClockFit *still = &alignment->fits[kept];
  gint64 change_ns = loom_time_sub (loom_clock_map_to_timeline (&still->map, kept_ns),
                                    loom_clock_map_to_timeline (&alignment->fits[moved].map, moved_ns));
  for (guint i = 0; i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    if (!moves_with (alignment, leaders, i, moved, kept))
      continue;
    fit->follows = TRUE;
    fit->map.offset_ns = loom_time_add (fit->map.offset_ns, change_ns);
    fit->anchored = still->anchored;
    fit->placed = still->placed;
  }
  alignment->fits[moved].state = LOOM_CLOCK_SYNCHRONISED;
  alignment->fits[moved].basis = N_ ("manually selected events");
}

static void
apply_picks (LoomAlignment *alignment, const LoomRun *run, const LoomUserPick *picks, guint n_picks)
{
  guint n_sources = loom_run_get_n_sources (run);
  g_autofree guint *leaders = n_picks > 0 ? find_leaders (alignment, run) : NULL;
  for (guint i = 0; i < n_picks; i++) {
    if (picks[i].kept_source >= n_sources || picks[i].moved_source >= n_sources)
      continue;
    guint kept = loom_run_get_clock_of_source (run, picks[i].kept_source);
    guint moved = loom_run_get_clock_of_source (run, picks[i].moved_source);
    if (kept != moved)
      apply_pick (alignment, leaders, kept, picks[i].kept_ns, moved, picks[i].moved_ns);
  }
}

static void
add_user_offsets (LoomAlignment *alignment, const LoomRun *run, const LoomUserOffset *offsets, guint n_offsets)
{
  for (guint i = 0; i < n_offsets; i++) {
    if (offsets[i].source >= loom_run_get_n_sources (run))
      continue;
    /* The files of one stream share a clock, so an offset of any of these files moves all of them. If several of
     * them have offsets, the last offset is used. */
    LoomClockFit *fit = &alignment->fits[loom_run_get_clock_of_source (run, offsets[i].source)];
    gint64 change_ns = loom_time_sub (offsets[i].offset_ns, fit->user_offset_ns);
    fit->user_offset_ns = offsets[i].offset_ns;
    fit->map.offset_ns = loom_time_add (fit->map.offset_ns, change_ns);
  }
}

static void
finish (LoomAlignment *alignment, const LoomRun *run, const LoomAlignOptions *options)
{
  place_unanchored (alignment, run);
  apply_picks (alignment, run, options->picks, options->n_picks);
  add_user_offsets (alignment, run, options->offsets, options->n_offsets);
  g_ptr_array_add (alignment->notices, NULL);
}

static LoomClockFit *
copy_fits (const LoomClockFit *fits, guint n_clocks)
{
  return g_memdup2 (fits, MAX (n_clocks, 1) * sizeof *fits);
}

LoomAlignment *
loom_alignment_new_full (const LoomRun *run, const LoomAlignOptions *options, LoomProgress *progress)
{
  g_autoptr (LoomAlignment) alignment = start (run);
  g_autofree gint *ranks = ranks_of_clocks (run, alignment->n_clocks);
  alignment->mode = options->mode;
  if (options->mode != LOOM_ALIGN_NONE)
    loom_alignment_apply_declared (alignment, run, ranks);
  alignment->declared = copy_fits (alignment->fits, alignment->n_clocks);
  if (options->mode == LOOM_ALIGN_AUTO &&
      !loom_alignment_apply_fit (alignment, run, ranks, options->n_threads, progress))
    return NULL;
  alignment->judged = copy_fits (alignment->fits, alignment->n_clocks);
  finish (alignment, run, options);
  return g_steal_pointer (&alignment);
}

/* --- deriving an alignment with other options --------------------------------------------------------------------- */

/* Replaces the fitted map of a clock by its declared map. Keeps the results of the comparison with other clocks. */
static void
take_back_fit (LoomClockFit *fit, const LoomClockFit *declared)
{
  fit->map = declared->map;
  fit->state = declared->state;
  fit->basis = declared->basis;
  fit->error_ns = declared->error_ns;
  fit->residual_ns = declared->residual_ns;
  fit->anchored = declared->anchored;
  fit->fitted = FALSE;
  if (fit->verdict != LOOM_FIT_QUALITY_REFUSED)
    fit->residuals = fit->declared_residuals;
}

static const LoomAlignment *
root_of (const LoomAlignment *alignment)
{
  return alignment->root != NULL ? alignment->root : alignment;
}

LoomAlignment *
loom_alignment_new_changed (const LoomAlignment *alignment, const LoomRun *run, const LoomAlignOptions *options)
{
  const LoomAlignment *root = root_of (alignment);
  g_return_val_if_fail (root->n_clocks == loom_run_get_n_clocks (run), NULL);
  if (options->mode != root->mode && (options->mode == LOOM_ALIGN_NONE || root->mode != LOOM_ALIGN_AUTO))
    return loom_alignment_new_full (run, options, NULL);
  LoomAlignment *changed = g_new (LoomAlignment, 1);
  *changed = (LoomAlignment) { .root = loom_alignment_ref ((LoomAlignment *) root),
                               .n_clocks = root->n_clocks,
                               .n_components = root->n_components,
                               .fits = copy_fits (root->judged, root->n_clocks),
                               .notices = g_ptr_array_new_with_free_func (g_free),
                               .copy = g_strdup (root->copy),
                               .original = g_strdup (root->original),
                               .n_copies = root->n_copies,
                               .runs = root->runs };
  g_atomic_ref_count_init (&changed->refs);
  for (guint i = 0; options->mode == LOOM_ALIGN_DECLARED && i < root->n_clocks; i++)
    if (changed->fits[i].fitted)
      take_back_fit (&changed->fits[i], &root->declared[i]);
  finish (changed, run, options);
  return changed;
}

LoomAlignment *
loom_alignment_new_part (LoomAlignment *alignment, const guint *clocks, guint n_clocks)
{
  LoomAlignment *part = g_new (LoomAlignment, 1);
  *part = (LoomAlignment) { .n_clocks = n_clocks,
                            .fits = g_new0 (LoomClockFit, MAX (n_clocks, 1)),
                            .declared = g_new0 (LoomClockFit, MAX (n_clocks, 1)),
                            .notices = g_ptr_array_new_with_free_func (g_free),
                            .mode = root_of (alignment)->mode,
                            .whole = loom_alignment_ref (alignment) };
  g_atomic_ref_count_init (&part->refs);
  for (guint i = 0; i < n_clocks; i++) {
    part->fits[i] = *loom_alignment_get (alignment, clocks[i]);
    part->declared[i] = *loom_alignment_get_declared (alignment, clocks[i]);
    part->fits[i].component = part->declared[i].component = LOOM_COMPONENT_NONE;
    part->fits[i].reference = part->declared[i].reference = i;
  }
  part->judged = copy_fits (part->fits, n_clocks);
  g_ptr_array_add (part->notices, NULL);
  return part;
}

LoomAlignment *
loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets, guint n_offsets)
{
  LoomAlignOptions options = { .mode = mode, .offsets = offsets, .n_offsets = n_offsets };
  return loom_alignment_new_full (run, &options, NULL);
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
  g_free (alignment->declared);
  g_free (alignment->judged);
  g_clear_pointer (&alignment->texts, loom_string_pool_free);
  loom_alignment_unref (alignment->root);
  loom_alignment_unref (alignment->whole);
  g_ptr_array_unref (alignment->notices);
  g_free (alignment->copy);
  g_free (alignment->original);
  g_free (alignment);
}

const LoomClockFit *
loom_alignment_get (const LoomAlignment *alignment, guint clock)
{
  g_return_val_if_fail (clock < alignment->n_clocks, NULL);
  return &alignment->fits[clock];
}

const LoomClockFit *
loom_alignment_get_declared (const LoomAlignment *alignment, guint clock)
{
  g_return_val_if_fail (clock < alignment->n_clocks, NULL);
  return &root_of (alignment)->declared[clock];
}

LoomAlignMode
loom_alignment_get_made_mode (const LoomAlignment *alignment)
{
  return root_of (alignment)->mode;
}

char *
loom_alignment_dup_copies (const LoomAlignment *alignment)
{
  guint n_more = alignment->n_copies - 1;
  if (alignment->n_copies == 0)
    return NULL;
  if (n_more == 0)
    return g_strdup_printf (
      _ ("“%s” is the same recording as “%s”, so its events are counted twice; remove one of them"), alignment->copy,
      alignment->original);
  return g_strdup_printf (
    ngettext (
      "“%s” is the same recording as “%s”, and %u more recording is open twice, so their events are counted twice; remove one copy of each",
      "“%s” is the same recording as “%s”, and %u more recordings are open twice, so their events are counted twice; remove one copy of each",
      n_more),
    alignment->copy, alignment->original, n_more);
}

const char *
loom_alignment_get_runs (const LoomAlignment *alignment)
{
  return alignment->runs != NULL ? gettext (alignment->runs) : NULL;
}

const char *const *
loom_alignment_get_notices (const LoomAlignment *alignment)
{
  return (const char *const *) alignment->notices->pdata;
}
