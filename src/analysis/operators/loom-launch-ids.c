/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-launch-ids.h"

#include "loom-block-cache.h"
#include "loom-int64-hash.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-parse-time.h"
#include "loom-string-pool.h"
#include "loom-work-kind.h"

#define CACHE_BLOCKS 64 /* number of cached blocks of the files, about 5 MB in total */

/* A kernel, copy or call whose correlation id is to be read from the file. */
typedef struct {
  /* sort key for the order of the files: source of the event, then offset in the source's file */
  guint64 place;
  guint32 span;
  gint rank;
  gboolean is_call;
} Wanted;

#define IS_EARLIER(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_by_place, Wanted, IS_EARLIER)
#define IS_LESS(a, b) ((a)->work < (b)->work)
LOOM_DEFINE_SORT (sort_by_work, LoomLaunchId, IS_LESS)

/* --- kernels, copies and calls whose args are read ---------------------------------------------------------------- */

/* Returns TRUE if the args of a source's events can contain correlation ids as Kineto writes them: if the source is a
 * file of Kineto, or a merged Perfetto file, which contains the args of the original files. FALSE for other formats,
 * whose ids are already converted to flow events. */
static gboolean
has_ids (const LoomSource *source)
{
  static const char *const formats[] = { "kineto", "composer", "traceloom", "perfetto" };
  for (guint i = 0; source->text != NULL && i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_prefix (source->format, formats[i]))
      return TRUE;
  return FALSE;
}

static void
add_wanted (GArray *wanted, const LoomTrace *trace, const LoomTrack *track, guint32 span, gboolean is_call)
{
  LoomRef ref = loom_trace_get_spans (trace)->ref[span];
  if (ref == LOOM_REF_NONE || !has_ids (loom_trace_get_source (trace, loom_source_ref_source (ref))))
    return;
  const Wanted one = { (guint64) loom_source_ref_source (ref) << LOOM_REF_OFFSET_BITS | loom_source_ref_offset (ref),
                       span, track->rank, is_call };
  g_array_append_val (wanted, one);
}

/* Adds to `wanted` each kernel or copy whose launch is not identified by arrows (flow events): either no arrow from a
 * runtime call leads to it, or several arrows do. Returns the latest start of such a kernel or copy on its own clock;
 * G_MININT64: there is none. */
static gint64
add_works (GArray *wanted, const LoomTrace *trace, LoomLaunchWalk *walk)
{
  gint64 last_ns = G_MININT64;
  guint32 span;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    guint n_calls;
    loom_launch_walk_begin (walk);
    loom_launch_walk_add_track (walk, track, (LoomRange) { G_MININT64, G_MAXINT64 });
    while (loom_launch_walk_next_arrows (walk, &span, &n_calls))
      if (n_calls != 1) {
        add_wanted (wanted, trace, track, span, FALSE);
        last_ns = MAX (last_ns, walk->spans->start_ns[span]);
      }
  }
  return last_ns;
}

static void
add_calls_of_row (GArray *wanted, const LoomTrace *trace, const LoomTrack *track, const LoomRow *row, gint64 until_ns,
                  const guint8 *works)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first; i < row->first + row->n && spans->start_ns[i] <= until_ns; i++)
    if (works[spans->name_id[i]] == LOOM_WORK_KIND_RUNTIME)
      add_wanted (wanted, trace, track, i, TRUE);
}

/* Adds to `wanted` the runtime calls that begin at or before `until_ns`. `works`: [name id] LoomWorkKind on the host.
 * The caller must pass G_MAXINT64 as `until_ns` if hosts and devices have different clocks. */
static void
add_calls (GArray *wanted, const LoomTrace *trace, gint64 until_ns, const guint8 *works)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DERIVED) != 0 ||
        loom_trace_track_is_device (track))
      continue;
    for (guint k = 0; k < track->n_rows; k++)
      add_calls_of_row (wanted, trace, track, loom_trace_get_row (trace, track->first_row + k), until_ns, works);
  }
}

/* --- correlation ids of the kernels, copies and calls ------------------------------------------------------------- */

/* Sets `key` to a hash of source, rank and correlation id of an event. Source and rank are included because several
 * ranks in one file may use the same ids. Returns FALSE if the event has no correlation id. */
static gboolean
read_key (LoomBlockCache *cache, const LoomTrace *trace, const Wanted *wanted, gint64 *key)
{
  LoomEvent event;
  gint64 id;
  guint64 number = wanted->place >> LOOM_REF_OFFSET_BITS;
  const LoomSource *source = loom_trace_get_source (trace, (guint) number);
  guint64 offset = wanted->place & ((G_GUINT64_CONSTANT (1) << LOOM_REF_OFFSET_BITS) - 1);
  if (!loom_block_cache_read (cache, source->text, offset, &event, NULL))
    return FALSE;
  LoomJsonSlice value = loom_json_slice_member (event.member[LOOM_MEMBER_ARGS], "correlation");
  if (value.text == NULL || !loom_parse_time_parse_int (value.text, value.length, &id) || id <= 0)
    return FALSE;
  *key = (gint64) loom_string_pool_hash_join ((guint64) id, number << 32 | (guint32) (wanted->rank + 1));
  return TRUE;
}

/* Returns a table of the calls. Key: result of read_key(). Value: span of the call, plus 1. If several calls have the
 * same id, the value is the call that begins last. This is the innermost one if the calls are nested, and the innermost
 * call is the one that launches. */
static GHashTable *
index_calls (LoomBlockCache *cache, const LoomTrace *trace, const GArray *wanted)
{
  const gint64 *start_ns = loom_trace_get_spans (trace)->start_ns;
  GHashTable *calls = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < wanted->len; i++) {
    const Wanted *one = &g_array_index (wanted, Wanted, i);
    gint64 key;
    if (!one->is_call || !read_key (cache, trace, one, &key))
      continue;
    guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (calls, &key));
    if (known == 0 || start_ns[one->span] >= start_ns[known - 1])
      g_hash_table_insert (calls, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (one->span + 1));
  }
  return calls;
}

static void
link_works (GArray *ids, const LoomTrace *trace, const GArray *wanted)
{
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (CACHE_BLOCKS);
  g_autoptr (GHashTable) calls = index_calls (cache, trace, wanted);
  for (guint i = 0; i < wanted->len && g_hash_table_size (calls) > 0; i++) {
    const Wanted *one = &g_array_index (wanted, Wanted, i);
    gint64 key;
    if (one->is_call || !read_key (cache, trace, one, &key))
      continue;
    guint32 call = GPOINTER_TO_UINT (g_hash_table_lookup (calls, &key));
    LoomLaunchId id = { one->span, call - 1 };
    if (call != 0)
      g_array_append_val (ids, id);
  }
  sort_by_work ((LoomLaunchId *) (gpointer) ids->data, ids->len);
}

/* Returns the events whose args must be read (Wanted). Owned by the caller. */
static GArray *
list_wanted (const LoomTrace *trace)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  LoomLaunchWalk walk;
  loom_launch_walk_init_arrows (&walk, trace);
  gint64 last_ns = add_works (wanted, trace, &walk);
  if (wanted->len > 0)
    add_calls (wanted, trace, loom_trace_get_n_clocks (trace) == 1 ? last_ns : G_MAXINT64, walk.works[0]);
  loom_launch_walk_clear (&walk);
  return wanted;
}

static gpointer
count_args (const LoomTrace *trace)
{
  g_autoptr (GArray) wanted = list_wanted (trace);
  return g_memdup2 (&wanted->len, sizeof wanted->len);
}

static gpointer
make_ids (const LoomTrace *trace)
{
  const guint *n_args = loom_trace_get_shared (trace, LOOM_TRACE_SHARES_N_LAUNCH_ARGS);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (LoomLaunchId));
  if (n_args != NULL && *n_args == 0)
    return ids;
  g_autoptr (GArray) wanted = list_wanted (trace);
  if (wanted->len > 0) {
    sort_by_place ((Wanted *) (gpointer) wanted->data, wanted->len);
    link_works (ids, trace, wanted);
  }
  return ids;
}

static void
free_ids (gpointer ids)
{
  g_array_unref (ids);
}

const GArray *
loom_launch_ids_get (const LoomTrace *trace)
{
  return loom_trace_share (trace, LOOM_TRACE_SHARES_LAUNCH_IDS, make_ids, free_ids);
}

guint
loom_launch_ids_count_unread (const LoomTrace *trace)
{
  if (loom_trace_get_shared (trace, LOOM_TRACE_SHARES_LAUNCH_IDS) != NULL)
    return 0;
  return *(const guint *) loom_trace_share (trace, LOOM_TRACE_SHARES_N_LAUNCH_ARGS, count_args, g_free);
}

guint32
loom_launch_ids_find (const GArray *ids, guint32 work)
{
  guint low = 0, high = ids->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (ids, LoomLaunchId, middle).work < work)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == ids->len || g_array_index (ids, LoomLaunchId, low).work != work)
    return G_MAXUINT32;
  return g_array_index (ids, LoomLaunchId, low).call;
}
