/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies the sync values that a file format declares (Composer). A sync value is a reading of a rank's clock at a
 * barrier, which all ranks pass at the same moment; there is one barrier in each profiling cycle. Each clock is
 * shifted, so that its sync value equals the sync value of the lowest rank for the same cycle.
 */
#include "loom-alignment-private.h"

#include <glib/gi18n.h>

#define LARGE_DIFFERENCE (G_GINT64_CONSTANT (600) * LOOM_NS_PER_S)

typedef struct {
  const LoomDeclaredClock *decl;
  guint clock;
  gint rank;
  /* the clock, with its sync value, that the base rank (the lowest rank) declares for the profiling cycle of `decl`;
   * NULL if the base rank declares no sync value for this cycle */
  const LoomDeclaredClock *base;
} Reading;

/* Returns TRUE if rank `a` precedes rank `b`: lower ranks come first, unknown ranks (−1) last. */
static gboolean
rank_precedes (gint a, gint b)
{
  return a >= 0 && (b < 0 || a < b);
}

static gint
find_base_rank (const GArray *readings)
{
  gint base = -1;
  for (guint i = 0; i < readings->len; i++) {
    gint rank = g_array_index (readings, Reading, i).rank;
    if (rank_precedes (rank, base))
      base = rank;
  }
  return base;
}

static gboolean
has_cycle_text (const LoomDeclaredClock *decl)
{
  return decl->sync_cycle != NULL && *decl->sync_cycle != '\0';
}

static gboolean
is_same_cycle (const LoomDeclaredClock *a, const LoomDeclaredClock *b)
{
  if (has_cycle_text (a) && has_cycle_text (b))
    return g_str_equal (a->sync_cycle, b->sync_cycle);
  return a->sync_order == b->sync_order;
}

static const LoomDeclaredClock *
find_base (const GArray *readings, gint base_rank, const LoomDeclaredClock *decl)
{
  for (guint i = 0; i < readings->len; i++) {
    const Reading *reading = &g_array_index (readings, Reading, i);
    if (reading->rank == base_rank && is_same_cycle (reading->decl, decl))
      return reading->decl;
  }
  return NULL;
}

static gint64
combine_errors (gint64 a_ns, gint64 b_ns)
{
  return a_ns < 0 || b_ns < 0 ? -1 : MAX (a_ns, b_ns);
}

static void
shift (LoomAlignment *alignment, const Reading *target, const Reading *source, const char *basis)
{
  LoomClockFit *fit = &alignment->fits[target->clock];
  fit->map.offset_ns = loom_time_sub (source->base->sync_ns, source->decl->sync_ns);
  fit->state = LOOM_CLOCK_SYNCHRONISED;
  fit->basis = loom_alignment_keep (alignment, basis);
  fit->error_ns = combine_errors (source->base->sync_error_ns, source->decl->sync_error_ns);
}

static void
shift_matched (LoomAlignment *alignment, const Reading *reading, gint base_rank)
{
  shift (alignment, reading, reading,
         /* Translators: a barrier is a point that all ranks pass together; its time on the clock of a rank is in
          * Composer's files (clock_sync_timestamp_us) */
         N_ ("barrier time stated in the file"));
  gint64 difference_ns = alignment->fits[reading->clock].map.offset_ns;
  if (difference_ns > LARGE_DIFFERENCE || difference_ns < -LARGE_DIFFERENCE)
    loom_alignment_notice (alignment,
                           _ ("rank %d: its clock was shifted, because it differs by %ld s from the clock of rank %d"),
                           reading->rank, (long) (difference_ns / LOOM_NS_PER_S), base_rank);
}

/* Examines the readings of the same rank as `reading`. Ignores readings for whose profiling cycle the base rank
 * declares no sync value (Reading.base is NULL). Of the other readings, returns the one whose cycle is nearest to the
 * cycle of `reading`; of two equally near cycles, the earlier one. Returns NULL if all readings were ignored. */
static const Reading *
find_nearest (const GArray *readings, const Reading *reading)
{
  const Reading *nearest = NULL;
  for (guint i = 0; i < readings->len; i++) {
    const Reading *other = &g_array_index (readings, Reading, i);
    if (other->rank != reading->rank || other->base == NULL)
      continue;
    gint distance = ABS (other->decl->sync_order - reading->decl->sync_order);
    gint best = nearest != NULL ? ABS (nearest->decl->sync_order - reading->decl->sync_order) : G_MAXINT;
    if (distance < best || (distance == best && other->decl->sync_order < nearest->decl->sync_order))
      nearest = other;
  }
  return nearest;
}

static void
shift_unmatched (LoomAlignment *alignment, const GArray *readings, const Reading *reading, gint base_rank)
{
  const char *cycle = has_cycle_text (reading->decl) ? reading->decl->sync_cycle : NULL;
  const Reading *nearest = reading->rank >= 0 ? find_nearest (readings, reading) : NULL;
  if (nearest != NULL)
    shift (alignment, reading, nearest,
           N_ ("time at which the ranks passed a barrier in the profiling cycle nearest to that of this file"));
  if (cycle == NULL)
    loom_alignment_notice (
      alignment,
      nearest != NULL
        ? _ (
            "rank %d: the file of rank %d states no barrier time for the same profiling cycle, so the clock was shifted as in the nearest cycle that has one")
        : _ (
            "rank %d: the clock was not shifted, because the file of rank %d states no barrier time for the same profiling cycle"),
      reading->rank, base_rank);
  else
    loom_alignment_notice (
      alignment,
      nearest != NULL
        ? _ (
            "rank %d: its clock was shifted as in the nearest profiling cycle with barrier times of both ranks, because no file states when rank %d passed the barrier of cycle %s (clock_sync_timestamp_us)")
        : _ (
            "rank %d: its clock was not shifted, because no file states when rank %d passed the barrier of profiling cycle %s (clock_sync_timestamp_us)"),
      reading->rank, base_rank, cycle);
}

/* Warns if a rank has several files of the same profiling cycle. */
static void
warn_of_twins (LoomAlignment *alignment, const GArray *readings)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < readings->len; i++) {
    const Reading *reading = &g_array_index (readings, Reading, i);
    if (reading->rank < 0 || !has_cycle_text (reading->decl))
      continue;
    char *key = g_strdup_printf ("%d %s", reading->rank, reading->decl->sync_cycle);
    if (!g_hash_table_add (seen, key))
      loom_alignment_notice (alignment,
                             _ ("rank %d: there is more than one file of the profiling cycle %s; all are loaded"),
                             reading->rank, reading->decl->sync_cycle);
  }
}

static void
apply_group (LoomAlignment *alignment, GArray *readings)
{
  warn_of_twins (alignment, readings);
  gint base_rank = find_base_rank (readings);
  gboolean has_others = FALSE;
  for (guint i = 0; i < readings->len; i++) {
    Reading *reading = &g_array_index (readings, Reading, i);
    has_others |= reading->rank != base_rank;
    if (base_rank >= 0 && reading->rank != base_rank)
      reading->base = find_base (readings, base_rank, reading->decl);
  }
  for (guint i = 0; has_others && i < readings->len; i++) {
    const Reading *reading = &g_array_index (readings, Reading, i);
    if (reading->rank == base_rank) {
      alignment->fits[reading->clock].state = LOOM_CLOCK_SYNCHRONISED;
      alignment->fits[reading->clock].basis =
        loom_alignment_keep (alignment, N_ ("barrier time stated in the file, reference rank"));
      alignment->fits[reading->clock].error_ns = reading->decl->sync_error_ns;
    } else if (reading->base != NULL) {
      shift_matched (alignment, reading, base_rank);
    } else {
      shift_unmatched (alignment, readings, reading, base_rank);
    }
  }
}

static void
add_reading (LoomAlignment *alignment, GHashTable *groups, GPtrArray *order, Reading reading)
{
  GArray *readings = g_hash_table_lookup (groups, reading.decl->sync_group);
  if (readings == NULL) {
    readings = g_array_new (FALSE, FALSE, sizeof (Reading));
    g_hash_table_insert (groups, reading.decl->sync_group, readings);
    g_ptr_array_add (order, readings);
  }
  g_array_append_val (readings, reading);
}

void
loom_alignment_apply_declared (LoomAlignment *alignment, const LoomRun *run, const gint *ranks)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint clock = 0; clock < alignment->n_clocks; clock++) {
    const LoomDeclaredClock *decl = loom_run_get_clock (run, clock);
    if (decl->sync_group == NULL || decl->state == LOOM_CLOCK_NONE)
      continue;
    if (decl->has_sync)
      add_reading (alignment, groups, order, (Reading) { decl, clock, ranks[clock], NULL });
    else
      loom_alignment_notice (
        alignment, _ ("rank %d: its clock was not shifted, because its file states no barrier time"), ranks[clock]);
  }
  for (guint i = 0; i < order->len; i++)
    apply_group (alignment, order->pdata[i]);
}
