/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces the declared map of a clock by its fitted line if the rules in loom-alignment.h allow it. Stores the results
 * of the comparison with other clocks for all clocks, even for those that keep their declared maps.
 */
#include "loom-alignment-private.h"
#include "loom-archive-path.h"
#include "loom-clock-fit.h"
#include "loom-disambiguate.h"
#include "loom-int64-hash.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEAST_UNCERTAINTY_NS ((double) LOOM_NS_PER_US)

static LoomClockFitClock *
know_clocks (const LoomAlignment *alignment, const gint *ranks)
{
  LoomClockFitClock *known = g_new (LoomClockFitClock, MAX (alignment->n_clocks, 1));
  for (guint i = 0; i < alignment->n_clocks; i++)
    known[i] = (LoomClockFitClock) { ranks[i], alignment->fits[i].anchored, alignment->fits[i].map.offset_ns };
  return known;
}

static double
uncertainty_at (const LoomFittedClock *fitted, const LoomClockFit *fit, const LoomRobustLineError *error,
                gint64 local_ns)
{
  double measured_ns = loom_robust_line_error_at (error, local_ns);
  double uncertainty_ns = measured_ns >= 0 ? MAX (measured_ns, fitted->unit_ns) : fitted->after.p95_ns;
  return MAX (MAX (uncertainty_ns, (double) fit->error_ns), LEAST_UNCERTAINTY_NS);
}

/* Returns the difference, in ns, between the fitted line and the declared clock at a local time. */
static double
difference_at (const LoomFittedClock *fitted, const LoomClockFitClock *known, guint clock, gint64 local_ns)
{
  gint64 declared_ns = loom_time_sub (known[clock].declared_ns, known[fitted->reference].declared_ns);
  return loom_robust_line_residual (&fitted->line, local_ns, loom_time_add (local_ns, declared_ns));
}

/* Returns TRUE if the fitted line contradicts the declared clock, that is, if their difference is more than `limit`
 * times the uncertainty at one of three local times. If only messages connect the clock with the reference, a
 * difference of more than the uncertainty itself is a contradiction. `most_ns` receives the largest of the three
 * differences. The three times are the first and the last common event of the clock, and the time of the smallest
 * uncertainty (error.center_ns), limited to the time between these events. They are sufficient, because the difference
 * changes linearly with time, and the uncertainty increases with the distance from error.center_ns. */
static gboolean
contradicts (const LoomFittedClock *fitted, const LoomClockFit *fit, const LoomClockFitClock *known, guint clock,
             double limit, double *most_ns)
{
  gint64 at_ns[] = { fitted->first_ns, fitted->last_ns,
                     CLAMP (fitted->error.center_ns, fitted->first_ns, fitted->last_ns) };
  double most = fitted->root == fitted->reference ? limit : 1;
  gboolean is_too_far = FALSE;
  *most_ns = 0;
  for (guint i = 0; i < G_N_ELEMENTS (at_ns); i++) {
    double difference_ns = fabs (difference_at (fitted, known, clock, at_ns[i]));
    is_too_far |= difference_ns > most * uncertainty_at (fitted, fit, &fitted->error, at_ns[i]);
    *most_ns = MAX (*most_ns, difference_ns);
  }
  return is_too_far;
}

/* A group of tied clocks. Tied clocks are connected by evidence that is more exact than messages, so their differences
 * are known to a microsecond. All clocks of a group must be moved together: a shift of a single clock, computed from
 * inexact messages, would change these differences. A group is identified by its root (LoomFittedClock.root). */
typedef struct {
  /* Index of the clock whose declared epoch (start in UTC) is used for the group. This is the root or, if the root
   * declares no epoch, the first clock of the group that declares one. NO_ANCHOR if no clock of the group declares an
   * epoch. */
  guint anchor;
  gboolean moves; /* TRUE if all clocks of the group are moved, because at least one of them must be moved */
} TiedClocks;

#define NO_ANCHOR G_MAXUINT

/* Returns the uncertainty of a clock's line relative to the line of its group's anchor (TiedClocks.anchor).
 * `is_root`: TRUE if the anchor is the root of the group. */
static LoomRobustLineError
error_to_anchor (const LoomFittedClock *fitted, const LoomFittedClock *anchor, gboolean is_root)
{
  gint64 center_ns =
    loom_robust_line_unmap (&anchor->line, loom_robust_line_map (&fitted->line, fitted->root_error.center_ns));
  return is_root ? fitted->root_error
                 : loom_robust_line_error_add (&fitted->root_error, &anchor->root_error, center_ns);
}

/* Compares a clock with the anchor of its group (TiedClocks.anchor). Returns TRUE if the difference between their
 * declared clocks contradicts the difference between their fitted lines, at the first or at the last event of the
 * clock's evidence. At both moments, the local time of the anchor is computed from the lines, because both clocks
 * drift. */
static gboolean
contradicts_anchor (const LoomClockFits *all, const LoomClockFit *fit, const LoomClockFitClock *known, guint clock,
                    guint anchor)
{
  const LoomFittedClock *fitted = &all->clocks[clock], *other = &all->clocks[anchor];
  gint64 ends_ns[] = { fitted->first_ns, fitted->last_ns };
  LoomRobustLineError error = error_to_anchor (fitted, other, fitted->root == anchor);
  gboolean is_too_far = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ends_ns) && anchor != clock; i++) {
    gint64 anchor_ns = loom_robust_line_unmap (&other->line, loom_robust_line_map (&fitted->line, ends_ns[i]));
    double difference_ns = fabs ((double) loom_time_sub (loom_time_add (ends_ns[i], known[clock].declared_ns),
                                                         loom_time_add (anchor_ns, known[anchor].declared_ns)));
    is_too_far |= difference_ns > LOOM_ALIGN_CONTRADICTION * uncertainty_at (fitted, fit, &error, ends_ns[i]);
  }
  return is_too_far;
}

static gboolean
is_compared (const LoomFittedClock *fitted, guint clock)
{
  return fitted->component != LOOM_COMPONENT_NONE && fitted->reference != clock &&
         fitted->verdict != LOOM_FIT_QUALITY_REFUSED;
}

/* Returns TRUE if the clock belongs to a group of tied clocks (TiedClocks) that does not contain the reference
 * clock. */
static gboolean
is_tied (const LoomClockFits *all, guint clock)
{
  const LoomFittedClock *fitted = &all->clocks[clock];
  return is_compared (fitted, clock) && fitted->root != fitted->reference &&
         !loom_evidence_kind_is_coarse (fitted->kind);
}

static TiedClocks *
find_anchors (const LoomClockFits *all, const LoomClockFitClock *known)
{
  TiedClocks *tied = g_new (TiedClocks, MAX (all->n_clocks, 1));
  for (guint i = 0; i < all->n_clocks; i++)
    tied[i] = (TiedClocks) { NO_ANCHOR, FALSE };
  for (guint i = 0; i < all->n_clocks; i++) {
    guint root = all->clocks[i].root;
    if (is_tied (all, i) && known[i].anchored && (tied[root].anchor == NO_ANCHOR || root == i))
      tied[root].anchor = i;
  }
  return tied;
}

/* Returns an array with one element per clock. If the clock is the root of a group of tied clocks, its element
 * describes the group. `moves` is TRUE if the declared clock of one clock of the group contradicts the fit. It is also
 * TRUE if none of the group's clocks declares an epoch, because there are no declared times to keep. */
static TiedClocks *
find_tied (const LoomAlignment *alignment, const LoomClockFits *all, const LoomClockFitClock *known)
{
  TiedClocks *tied = find_anchors (all, known);
  for (guint i = 0; i < all->n_clocks; i++) {
    TiedClocks *own = &tied[all->clocks[i].root];
    double difference_ns;
    if (!is_tied (all, i))
      continue;
    if (!known[i].anchored)
      own->moves |= own->anchor == NO_ANCHOR;
    else
      own->moves |=
        contradicts (&all->clocks[i], &alignment->fits[i], known, i, LOOM_ALIGN_CONTRADICTION, &difference_ns) ||
        contradicts_anchor (all, &alignment->fits[i], known, i, own->anchor);
  }
  return tied;
}

/* --- nodes whose declared clocks are wrong ------------------------------------------------------------------------ */

/* Returns an array: for each clock, the name of the node on which the first file of the clock was recorded; NULL if
 * unknown. The names are borrowed from the run. */
static const char **
list_nodes (const LoomRun *run, guint n_clocks)
{
  const char **nodes = g_new0 (const char *, n_clocks);
  for (guint i = loom_run_get_n_sources (run); i > 0; i--) {
    guint clock = loom_run_get_clock_of_source (run, i - 1);
    if (clock < n_clocks)
      nodes[clock] = loom_run_get_source (run, i - 1)->node;
  }
  return nodes;
}

/* Returns TRUE if three conditions are met: the clock declares an epoch (start in UTC); collectives or other exact
 * evidence compare the clock with a reference clock; and both clocks are of the same node. */
static gboolean
is_compared_on_node (const LoomClockFits *all, const LoomClockFitClock *known, const char *const *nodes, guint clock)
{
  const LoomFittedClock *fitted = &all->clocks[clock];
  return is_compared (fitted, clock) && known[clock].anchored && !loom_evidence_kind_is_coarse (fitted->kind) &&
         g_strcmp0 (nodes[clock], nodes[fitted->reference]) == 0;
}

/* Returns an array: for each clock, the maximum difference between the declared clock and its fitted line, as a
 * multiple of the uncertainty. If the difference is larger, the line replaces the declared clock. The maximum is
 * normally LOOM_ALIGN_CONTRADICTION, because the ranks of a node usually read the same clock. If the declared clock of
 * at least one rank exceeds this maximum, the ranks of its node do not read the same clock; then the maximum of all
 * clocks of this node is LOOM_ALIGN_DISTRUST. Counts only clocks for which is_compared_on_node() returns TRUE. */
static double *
find_limits (const LoomAlignment *alignment, const LoomRun *run, const LoomClockFits *all,
             const LoomClockFitClock *known)
{
  double *limits = g_new (double, alignment->n_clocks), difference_ns;
  g_autofree const char **nodes = list_nodes (run, alignment->n_clocks);
  g_autoptr (GHashTable) wrong = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < alignment->n_clocks; i++)
    if (is_compared_on_node (all, known, nodes, i) &&
        contradicts (&all->clocks[i], &alignment->fits[i], known, i, LOOM_ALIGN_CONTRADICTION, &difference_ns))
      g_hash_table_add (wrong, (gpointer) (nodes[i] != NULL ? nodes[i] : ""));
  for (guint i = 0; i < alignment->n_clocks; i++) {
    gboolean is_doubted =
      is_compared_on_node (all, known, nodes, i) && g_hash_table_contains (wrong, nodes[i] != NULL ? nodes[i] : "");
    limits[i] = is_doubted ? LOOM_ALIGN_DISTRUST : LOOM_ALIGN_CONTRADICTION;
  }
  return limits;
}

/* --- the map of each clock ---------------------------------------------------------------------------------------- */

/* Converts a fitted line to a map from local time to timeline time. `line` converts the local time to the time of a
 * second clock, whose declared offset is `declared_ns`. The offset in the map is valid at the local time
 * fitted->epoch_ns. A refused clock has no `epoch_ns`; its offset is valid at fitted->line.base_ns. */
static LoomClockMap
map_of (const LoomFittedClock *fitted, const LoomClockLine *line, gint64 declared_ns)
{
  gint64 epoch_ns = fitted->component != LOOM_COMPONENT_NONE ? fitted->epoch_ns : fitted->line.base_ns;
  gint64 offset_ns = loom_time_sub (loom_robust_line_map (line, epoch_ns), epoch_ns);
  return (LoomClockMap) { loom_time_add (offset_ns, declared_ns), llround (line->drift * 1e12), epoch_ns };
}

/* Returns the map that replaces the declared map of a clock: usually the map of the clock's fitted line. If the clock
 * is in a group of tied clocks that are not moved, the fitted line is taken relative to that of the anchor
 * (tied->anchor), and the declared offset of the anchor is added. */
static LoomClockMap
map_in_force (const LoomClockFit *fit, const LoomFittedClock *fitted, const LoomClockFits *all,
              const LoomClockFitClock *known, const TiedClocks *tied)
{
  if (tied->moves || tied->anchor == NO_ANCHOR)
    return fit->line;
  LoomClockLine line = loom_robust_line_relative_to (&fitted->line, &all->clocks[tied->anchor].line);
  return map_of (fitted, &line, known[tied->anchor].declared_ns);
}

static void
put_in_force (LoomClockFit *fit, const LoomFittedClock *fitted, const LoomClockFitClock *known, LoomClockMap map)
{
  fit->map = map;
  fit->state = LOOM_CLOCK_SYNCHRONISED;
  fit->basis = /* Translators: the time of a clock was found by comparison with other clocks */ N_ ("fit");
  fit->error_ns = -1;
  fit->residual_ns = llround (fitted->after.median_ns);
  fit->anchored = known[fitted->reference].anchored;
  fit->fitted = TRUE;
}

static char *
format_ns (double ns)
{
  return loom_time_format_duration (fabs (ns) < 9e18 ? llround (ns) : G_MAXINT64);
}

/* Keeps the declared map of the clock, and stores why it is kept. `anchored`: TRUE if the clock declares an epoch. */
static void
keep_declared (LoomAlignment *alignment, LoomClockFit *fit, const LoomFittedClock *fitted, double difference_ns,
               gboolean anchored)
{
  g_autofree char *away = format_ns (difference_ns), *text = NULL;
  if (!anchored)
    text = g_strdup_printf (
      /* Translators: the first %s is a clause about the comparison of two clocks: "all 40 pairs fit (collectives)"; the
       * second %s is a duration */
      _ ("with the measured clock, %s; the current clock differs from it by at most %s and is kept"), fitted->why,
      away);
  else if (loom_evidence_kind_is_coarse (fitted->kind))
    text = g_strdup_printf (
      /* Translators: %s is a clause about the comparison of two clocks: "all 40 pairs fit (collectives)" */
      _ ("%s; not precise enough to replace the clock that the file declares"), fitted->why);
  else if (fabs (difference_ns) < 0.5)
    text = g_strdup_printf (
      /* Translators: %s is a clause about the comparison of two clocks: "all 40 pairs fit (collectives)" */
      _ ("%s; the clock that the file declares equals the measured one"), fitted->why);
  else
    text = g_strdup_printf (
      /* Translators: the first %s is a clause about the comparison of two clocks: "all 40 pairs fit (collectives)"; the
       * second %s is a duration */
      _ ("with the measured clock, %s; the clock that the file declares differs from it by at most %s and is kept"),
      fitted->why, away);
  fit->why = loom_alignment_keep (alignment, text);
  fit->residuals = fitted->before;
}

static void
record (LoomAlignment *alignment, LoomClockFit *fit, const LoomFittedClock *fitted, const LoomClockFitClock *known)
{
  fit->line = map_of (fitted, &fitted->line, known[fitted->reference].declared_ns);
  fit->line_error_ns = loom_robust_line_error_at (&fitted->error, fit->line.reference_ns);
  fit->line_drift_error_ppb = fitted->error.drift >= 0 ? fitted->error.drift * 1e9 : -1;
  fit->reference = fitted->reference;
  fit->verdict = fitted->verdict;
  fit->why = loom_alignment_keep (alignment, fitted->why);
  fit->component = fitted->component;
  fit->pairs = fitted->pairs;
  fit->rejected = fitted->rejected;
  fit->residuals = fitted->after;
  fit->declared_residuals = fitted->before;
}

static void
decide (LoomAlignment *alignment, guint clock, const LoomClockFits *all, const LoomClockFitClock *known,
        gboolean has_sync, double limit, const TiedClocks *tied)
{
  const LoomFittedClock *fitted = &all->clocks[clock];
  LoomClockFit *fit = &alignment->fits[clock];
  record (alignment, fit, fitted, known);
  /* sync points cannot confirm or contradict the declared clock, because it was computed from them */
  if (has_sync && fitted->kind == LOOM_EVIDENCE_SYNC_POINTS) {
    fit->verdict = LOOM_FIT_QUALITY_DECLARED;
    fit->why = "";
    fit->pairs = fit->rejected = 0;
  }
  if (!is_compared (fitted, clock))
    return;
  double difference_ns;
  gboolean contradicted = contradicts (fitted, fit, known, clock, limit, &difference_ns) || tied->moves;
  gboolean coarse = loom_evidence_kind_is_coarse (fitted->kind);
  /* A clock that declares an epoch gets the fitted line if the line contradicts the declared clock, and is not based
   * only on coarse evidence (steps, markers, activity). A clock that declares no epoch gets the fitted line except in
   * one case: the line is based only on coarse evidence and does not contradict the clock's own times. Such a line
   * could separate clocks whose times agree. */
  if (known[clock].anchored ? contradicted && !coarse : contradicted || !coarse)
    put_in_force (fit, fitted, known, map_in_force (fit, fitted, all, known, tied));
  else
    keep_declared (alignment, fit, fitted, difference_ns, known[clock].anchored);
}

/* --- notices to the user about the alignment ---------------------------------------------------------------------- */

static void
announce_component (LoomAlignment *alignment, const LoomClockFits *all, const gint *ranks, guint component)
{
  guint n_members = 0, n_fitted = 0, reference = 0;
  gint64 most_ns = 0;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    if (alignment->fits[i].component != component)
      continue;
    reference = all->clocks[i].reference;
    n_members++;
    n_fitted += alignment->fits[i].fitted;
    if (alignment->fits[i].fitted)
      most_ns =
        MAX (most_ns, ABS (loom_time_sub (alignment->fits[i].map.offset_ns, alignment->fits[reference].map.offset_ns)));
  }
  if (n_fitted == 0)
    return;
  g_autofree char *most = loom_time_format_duration (most_ns);
  if (ranks[reference] >= 0)
    loom_alignment_notice (alignment,
                           ngettext ("%u of %u clocks that share events was aligned to that of rank %d, by %s",
                                     "%u of %u clocks that share events were aligned to that of rank %d, by up to %s",
                                     n_fitted),
                           n_fitted, n_members, ranks[reference], most);
  else
    loom_alignment_notice (alignment,
                           ngettext ("%u of %u clocks that share events was aligned to the first of them, by %s",
                                     "%u of %u clocks that share events were aligned to the first of them, by up to %s",
                                     n_fitted),
                           n_fitted, n_members, most);
}

static void
announce_refused (LoomAlignment *alignment, const LoomClockFits *all, const gint *ranks)
{
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const LoomClockFit *fit = &alignment->fits[i];
    if (loom_clock_fit_is_copy (all, i) || fit->verdict != LOOM_FIT_QUALITY_REFUSED ||
        fit->pairs < LOOM_CLOCK_FITS_OFFSET_PAIRS)
      continue;
    if (ranks[i] >= 0)
      loom_alignment_notice (alignment, _ ("rank %d: its clock was not aligned: %s"), ranks[i], fit->why);
    else
      loom_alignment_notice (alignment, _ ("A clock was not aligned: %s"), fit->why);
  }
}

/* Returns the path of the first file that uses the clock. */
static const char *
path_of_clock (const LoomRun *run, guint clock)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_clock_of_source (run, i) == clock)
      return loom_run_get_source (run, i)->path;
  return "";
}

/* Returns the name of the file `path`. If the file `other` has the same name, the name of the folder precedes it.
 * Owned by the caller. */
static char *
dup_told_apart (const char *path, const char *other)
{
  g_autofree char *base = g_path_get_basename (path), *name = loom_archive_path_dup_printable (base);
  return loom_disambiguate_dup (name, path, &other, 1);
}

static void
announce_copies (LoomAlignment *alignment, const LoomRun *run, const LoomClockFits *all)
{
  guint n = 0, first = 0;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    if (loom_clock_fit_is_copy (all, i) && n++ == 0)
      first = i;
  }
  if (n == 0)
    return;
  const char *path = path_of_clock (run, first), *other = path_of_clock (run, all->clocks[first].same_as);
  alignment->copy = dup_told_apart (path, other);
  alignment->original = dup_told_apart (other, path);
  alignment->n_copies = n;
  g_autofree char *words = loom_alignment_dup_copies (alignment);
  loom_alignment_notice (alignment, "%s", words);
}

/* Finds the components (sets of connected clocks, LoomClockFit.component) of the clocks that recorded an event.
 * `readings`: for each of these `n` clocks, its reading of the event. Returns the set of the components' numbers. */
static GHashTable *
components_of (const LoomAlignment *alignment, const LoomClockObservation *readings, guint n)
{
  GHashTable *components = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++) {
    guint component = alignment->fits[readings[i].clock].component;
    if (component != LOOM_COMPONENT_NONE)
      g_hash_table_add (components, GUINT_TO_POINTER (component));
  }
  return components;
}

/* Called for a clock that recorded an event. For each component in `components` except `own`, increases by 1 the number
 * of events that `clock` has in common with this component. Returns the largest of the increased numbers. `shared`
 * contains the numbers for all clocks and components; see announce_runs(). `components`: the components (sets of
 * connected clocks) of all clocks that recorded the event. `own`: the component of `clock`. */
static guint
count_of_clock (GHashTable *shared, guint clock, guint own, GHashTable *components)
{
  G_STATIC_ASSERT (sizeof (gsize) == sizeof (guint64));
  guint most = 0;
  GHashTableIter iter;
  gpointer other;
  g_hash_table_iter_init (&iter, components);
  while (g_hash_table_iter_next (&iter, &other, NULL)) {
    if (GPOINTER_TO_UINT (other) == own)
      continue;
    gpointer key = GSIZE_TO_POINTER ((gsize) GPOINTER_TO_UINT (other) << 32 | clock);
    guint count = GPOINTER_TO_UINT (g_hash_table_lookup (shared, key)) + 1;
    g_hash_table_insert (shared, key, GUINT_TO_POINTER (count));
    most = MAX (most, count);
  }
  return most;
}

/* Calls count_of_clock() for each clock that recorded an event. `readings`: the `n` readings of the event. Returns the
 * largest result of these calls. If all clocks that recorded the event belong to one component (set of connected
 * clocks), calls nothing and returns 0. */
static guint
count_shared (GHashTable *shared, const LoomAlignment *alignment, const LoomClockObservation *readings, guint n)
{
  g_autoptr (GHashTable) components = components_of (alignment, readings, n);
  guint most = 0;
  for (guint i = 0; g_hash_table_size (components) > 1 && i < n; i++) {
    guint own = alignment->fits[readings[i].clock].component;
    guint count = own != LOOM_COMPONENT_NONE ? count_of_clock (shared, readings[i].clock, own, components) : 0;
    most = MAX (most, count);
  }
  return most;
}

static void
announce_different_runs (LoomAlignment *alignment, LoomEvidenceKind kind)
{
  alignment->runs =
    kind == LOOM_EVIDENCE_COLLECTIVES
      ? N_ (
          "Collectives with the same names do not match, so the sources are treated as different runs and each run is aligned separately")
      : N_ (
          "Events with the same names do not match, so the sources are treated as different runs and each run is aligned separately");
  loom_alignment_notice (alignment, "%s", loom_alignment_get_runs (alignment));
}

/* Adds a notice if two components (sets of connected clocks) belong to different runs of a job. They do if a clock of
 * one component has enough events in common with the other component to fit an offset, but the fit did not connect the
 * two components. With fewer common events, no notice is added, because the components may belong to one run: in a
 * short recording, two stages of a pipeline may have only one pair of messages in common. Must be called before
 * connect_sync_points() adds components. */
static void
announce_runs (LoomAlignment *alignment, const LoomEvidence *evidence)
{
  const LoomClockObservation *readings = (const LoomClockObservation *) (gpointer) evidence->readings->data;
  /* key: number of a component << 32 | index of a clock of another component; value: number of events that both the
   * clock and the component recorded */
  g_autoptr (GHashTable) shared = g_hash_table_new (loom_int64_hash_packed, NULL);
  guint most = 0;
  for (guint i = 0; i < evidence->occasions->len; i++) {
    const LoomSimultaneity *occasion = &g_array_index (evidence->occasions, LoomSimultaneity, i);
    guint count = count_shared (shared, alignment, readings + occasion->first, occasion->n);
    most = MAX (most, count);
    if (most >= LOOM_CLOCK_FITS_OFFSET_PAIRS) {
      announce_different_runs (alignment, occasion->kind);
      return;
    }
  }
  if (most > 0)
    loom_alignment_notice (
      alignment, "%s",
      _ ("Some groups of clocks share too few events to be compared, so each group is aligned separately"));
}

/* --- components of clocks that declare a common sync point -------------------------------------------------------- */

/* Puts all clocks that declare the same sync point into one component (set of connected clocks). If the fit has
 * already put one of these clocks into a component, uses that component; otherwise makes a new one. Clocks that
 * already have a component keep it. */
static void
connect_sync_points (LoomAlignment *alignment, const LoomEvidence *evidence)
{
  const LoomClockObservation *readings = (const LoomClockObservation *) (gpointer) evidence->readings->data;
  for (guint i = 0; i < evidence->occasions->len; i++) {
    const LoomSimultaneity *occasion = &g_array_index (evidence->occasions, LoomSimultaneity, i);
    guint component = LOOM_COMPONENT_NONE;
    for (guint j = 0; occasion->kind == LOOM_EVIDENCE_SYNC_POINTS && j < occasion->n; j++)
      component = MIN (component, alignment->fits[readings[occasion->first + j].clock].component);
    if (occasion->kind != LOOM_EVIDENCE_SYNC_POINTS)
      continue;
    if (component == LOOM_COMPONENT_NONE)
      component = alignment->n_components++;
    for (guint j = 0; j < occasion->n; j++) {
      LoomClockFit *fit = &alignment->fits[readings[occasion->first + j].clock];
      if (fit->component == LOOM_COMPONENT_NONE)
        fit->component = component;
    }
  }
}

/* --- applying the fit to the clocks ------------------------------------------------------------------------------- */

static gboolean
wants_coarse (const LoomClockFits *fit, const LoomClockFitClock *known)
{
  for (guint i = 0; i < fit->n_clocks; i++)
    if (fit->clocks[i].component == LOOM_COMPONENT_NONE && !known[i].anchored && !loom_clock_fit_is_copy (fit, i))
      return TRUE;
  return FALSE;
}

static gboolean
extend (LoomClockFits *fit, const LoomRun *run, const LoomClockFitClock *known, guint n_threads, LoomProgress *progress)
{
  if (!wants_coarse (fit, known))
    return TRUE;
  g_autoptr (LoomEvidence) coarse = loom_evidence_new_coarse (run);
  return coarse->occasions->len == 0 || loom_clock_fit_extend (fit, coarse, known, n_threads, progress);
}

static void
measure (LoomAlignment *alignment, const LoomClockFits *fit, const LoomEvidence *evidence, guint n_threads)
{
  g_autofree gboolean *is_coarse = g_new (gboolean, alignment->n_clocks);
  for (guint i = 0; i < alignment->n_clocks; i++)
    is_coarse[i] = loom_evidence_kind_is_coarse (fit->clocks[i].kind);
  loom_alignment_measure (alignment, evidence, is_coarse, n_threads);
}

gboolean
loom_alignment_apply_fit (LoomAlignment *alignment, const LoomRun *run, const gint *ranks, guint n_threads,
                          LoomProgress *progress)
{
  if (alignment->n_clocks < 2)
    return TRUE;
  g_autofree LoomClockFitClock *known = know_clocks (alignment, ranks);
  g_autoptr (LoomEvidence) evidence = loom_evidence_new_of_run (run);
  g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, known, n_threads, progress);
  if (fit == NULL || !extend (fit, run, known, n_threads, progress))
    return FALSE;
  alignment->n_components = fit->n_components;
  g_autofree TiedClocks *tied = find_tied (alignment, fit, known);
  g_autofree double *limits = find_limits (alignment, run, fit, known);
  for (guint i = 0; i < alignment->n_clocks; i++)
    decide (alignment, i, fit, known, loom_run_get_clock (run, i)->has_sync, limits[i], &tied[fit->clocks[i].root]);
  announce_copies (alignment, run, fit);
  announce_runs (alignment, evidence);
  connect_sync_points (alignment, evidence);
  measure (alignment, fit, evidence, n_threads);
  for (guint i = 0; i < fit->n_components; i++)
    announce_component (alignment, fit, ranks, i);
  announce_refused (alignment, fit, ranks);
  return TRUE;
}
