/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the stays of the critical path: times during which the path does not leave a track, or a rank. Also lists the
 * stays in levels, each of which contains only stays of a minimum length. So drawing a long view reads only stays that
 * are long enough to be seen.
 */
#include "loom-path-stays.h"

#include "loom-time-bsearch.h"

/* Stays are also listed in levels (Level), each of which contains only stays of a minimum length. FIRST_LEVEL_NS: the
 * minimum length in the first of these levels. LEVEL_FACTOR: factor by which the minimum length grows from each level
 * to the next. */
#define LEVEL_FACTOR 4
#define FIRST_LEVEL_NS 16

/* Maximum number of stays that are examined to find the start of a link: the stays before the view, from the last one
 * backwards. */
#define MOST_BACK 256

typedef struct {
  gint64 least_ns;
  /* guint32: indices in LoomPathStays.all of the stays that are at least least_ns long; NULL: all stays */
  GArray *stays;
} Level;

void
loom_path_stays_add (LoomPathStays *stays, const LoomPathStay *stay, gboolean same)
{
  if (!same) {
    g_array_append_val (stays->all, *stay);
    return;
  }
  LoomPathStay *last = &g_array_index (stays->all, LoomPathStay, stays->all->len - 1);
  last->end_ns = stay->end_ns;
  last->last = stay->last;
}

const LoomPathStay *
loom_path_stays_get_last (const LoomPathStays *stays)
{
  return stays->all->len > 0 ? &g_array_index (stays->all, LoomPathStay, stays->all->len - 1) : NULL;
}

static void
clear_level (Level *level)
{
  g_clear_pointer (&level->stays, g_array_unref);
}

void
loom_path_stays_init (LoomPathStays *stays)
{
  stays->all = g_array_new (FALSE, FALSE, sizeof (LoomPathStay));
  stays->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  g_array_set_clear_func (stays->levels, (GDestroyNotify) clear_level);
}

void
loom_path_stays_clear (LoomPathStays *stays)
{
  g_array_unref (stays->all);
  g_array_unref (stays->levels);
}

static guint
count_level (const Level *level, const GArray *all)
{
  return level->stays != NULL ? level->stays->len : all->len;
}

static guint32
get_index (const Level *level, guint32 at)
{
  return level->stays != NULL ? g_array_index (level->stays, guint32, at) : at;
}

static Level
make_level (const GArray *all, const Level *before, gint64 least_ns)
{
  Level level = { least_ns, g_array_new (FALSE, FALSE, sizeof (guint32)) };
  for (guint32 i = 0; i < count_level (before, all); i++) {
    guint32 index = get_index (before, i);
    const LoomPathStay *stay = &g_array_index (all, LoomPathStay, index);
    if (stay->end_ns - stay->begin_ns >= least_ns)
      g_array_append_val (level.stays, index);
  }
  return level;
}

/* Makes levels of stays. A level is stored only if it has at most three quarters of the stays of the level before it.
 * Thus the number of elements of all levels together is at most four times the number of stays. */
void
loom_path_stays_add_levels (LoomPathStays *stays)
{
  Level last = { 0, NULL };
  g_array_append_val (stays->levels, last);
  for (gint64 least_ns = FIRST_LEVEL_NS; count_level (&last, stays->all) > 1 && least_ns < G_MAXINT64 / LEVEL_FACTOR;
       least_ns *= LEVEL_FACTOR) {
    Level level = make_level (stays->all, &last, least_ns);
    if (level.stays->len > count_level (&last, stays->all) / 4 * 3) {
      clear_level (&level);
      continue;
    }
    g_array_append_val (stays->levels, level);
    last = level;
  }
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static const Level *
find_level (const LoomPathStays *stays, gint64 least_ns)
{
  const Level *found = &g_array_index (stays->levels, Level, 0);
  for (guint i = 1; i < stays->levels->len && g_array_index (stays->levels, Level, i).least_ns <= least_ns; i++)
    found = &g_array_index (stays->levels, Level, i);
  return found;
}

typedef struct {
  const Level *level;
  const GArray *all;
} Search;

static gint64
get_stay_end (gconstpointer of, guint32 at)
{
  const Search *search = of;
  return g_array_index (search->all, LoomPathStay, get_index (search->level, at)).end_ns;
}

static gboolean
is_same_rank (const LoomPathStay *a, const LoomPathStay *b)
{
  return a->rank == b->rank && a->first.trace == b->first.trace;
}

static void
add_link (const LoomViewport *viewport, const LoomPathStay *from, const LoomPathStay *to, gint64 wide_ns, GArray *links)
{
  LoomPathLink link = { from->last, to->first, from->end_ns, MAX (to->begin_ns, from->end_ns),
                        MIN (from->end_ns - from->begin_ns, to->end_ns - to->begin_ns) >= wide_ns };
  if (link.end_ns >= viewport->begin_ns && link.begin_ns <= viewport->end_ns)
    g_array_append_val (links, link);
}

/* Returns the last stay before index `at` that is at least `least_ns` long; NULL if none of the MOST_BACK stays before
 * `at` is so long. */
static const LoomPathStay *
find_before (const Search *search, guint32 at, gint64 least_ns)
{
  for (guint i = 0; i < MOST_BACK && i < at; i++) {
    const LoomPathStay *stay = &g_array_index (search->all, LoomPathStay, get_index (search->level, at - 1 - i));
    if (stay->end_ns - stay->begin_ns >= least_ns)
      return stay;
  }
  return NULL;
}

void
loom_path_stays_add_links (const LoomPathStays *stays, const LoomViewport *viewport, gboolean in_rank, GArray *links)
{
  gint64 least_ns = (gint64) (LOOM_PATH_OVERLAY_STAY_PX * loom_viewport_get_ns_per_px (viewport));
  const Level *level = find_level (stays, least_ns);
  const Search search = { level, stays->all };
  guint32 n = count_level (level, stays->all),
          at = loom_time_bsearch_by (get_stay_end, &search, 0, n, viewport->begin_ns);
  const LoomPathStay *last = find_before (&search, at, least_ns);
  for (; at < n; at++) {
    const LoomPathStay *stay = &g_array_index (stays->all, LoomPathStay, get_index (level, at));
    if (stay->end_ns - stay->begin_ns < least_ns)
      continue;
    if (last != NULL && last->track != stay->track && is_same_rank (last, stay) == in_rank)
      add_link (viewport, last, stay, 2 * least_ns, links);
    if (stay->begin_ns > viewport->end_ns)
      break;
    last = stay;
  }
}
