/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of transfers, from the args that PyTorch writes beside the kernels of NCCL: "In msg nelems", "Out msg nelems",
 * "dtype".
 */
#include <string.h>

#include "loom-block-cache.h"
#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-parse-time.h"
#include "loom-transfer-list.h"

#define MOST_BLOCKS 16 /* cached blocks of the files for each thread: 1 MB */

/* Kinds of collectives: whether the size of the input or of the output counts, and the factor that turns an
 * algorithm bandwidth into a bus bandwidth, for n ranks. */
typedef enum {
  KIND_OTHER,      /* factor 1 */
  KIND_ALL_REDUCE, /* 2 (n − 1) / n */
  KIND_PARTS,      /* (n − 1) / n */
  KIND_GATHER,     /* (n − 1) / n; the output counts, for other kinds the input */
  KIND_UNEVEN,     /* each rank has another size */
} Kind;

static Kind
find_kind (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  if (strstr (lower, "to_allv") != NULL || strstr (lower, "toallv") != NULL)
    return KIND_UNEVEN;
  if (strstr (lower, "allreduce") != NULL || strstr (lower, "all_reduce") != NULL)
    return KIND_ALL_REDUCE;
  if (strstr (lower, "gather") != NULL)
    return KIND_GATHER;
  return strstr (lower, "scatter") != NULL || strstr (lower, "to_all") != NULL || strstr (lower, "toall") != NULL
           ? KIND_PARTS
           : KIND_OTHER;
}

double
loom_transfer_list_get_bus_factor (const char *name, guint n)
{
  double part = n > 0 ? (double) (n - 1) / n : 0;
  switch (find_kind (name)) {
  case KIND_ALL_REDUCE: return 2 * part;
  case KIND_PARTS:
  case KIND_GATHER: return part;
  default: return 1;
  }
}

/* Bytes of an element; 0: unknown. */
static gint64
get_element_size (LoomJsonSlice dtype)
{
  static const struct {
    const char *literal;
    gint64 n;
  } known[] = { { "\"Byte\"", 1 },        { "\"Char\"", 1 }, { "\"Bool\"", 1 },     { "\"Float8_e4m3fn\"", 1 },
                { "\"Float8_e5m2\"", 1 }, { "\"Half\"", 2 }, { "\"BFloat16\"", 2 }, { "\"Short\"", 2 },
                { "\"Float\"", 4 },       { "\"Int\"", 4 },  { "\"Double\"", 8 },   { "\"Long\"", 8 } };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (loom_json_slice_equal (dtype, known[i].literal))
      return known[i].n;
  return 0;
}

static gint64
read_bytes (LoomJsonSlice args, Kind kind)
{
  gint64 n = -1, size = get_element_size (loom_json_slice_member (args, "dtype"));
  LoomJsonSlice elements = loom_json_slice_member (args, kind == KIND_GATHER ? "Out msg nelems" : "In msg nelems");
  if (kind == KIND_UNEVEN || size == 0 || elements.text == NULL ||
      !loom_parse_time_parse_int (elements.text, elements.length, &n) || n < 0 || n > G_MAXINT64 / size)
    return -1;
  return n * size;
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

/* A transfer and where its args are; in the order of traces, then of their files. */
typedef struct {
  guint32 trace, transfer;
  LoomRef ref;
} Place;

#define IS_EARLIER(a, b) ((a)->trace != (b)->trace ? (a)->trace < (b)->trace : (a)->ref < (b)->ref)
LOOM_DEFINE_SORT (sort_places, Place, IS_EARLIER)

typedef struct {
  LoomTransferList *list;
  GArray *places; /* Place */
  GArray *first;  /* guint: index of the first place of each trace, and the number of all */
  GCancellable *cancellable;
} Reading;

static void
read_place (Reading *reading, LoomBlockCache *cache, const Place *place)
{
  LoomTransfer *transfer = &g_array_index (reading->list->transfers, LoomTransfer, place->transfer);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reading->list->timeline), place->trace);
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (place->ref));
  LoomEvent event;
  if (source->text == NULL ||
      !loom_block_cache_read (cache, source->text, loom_source_ref_offset (place->ref), &event, NULL))
    return;
  transfer->bytes = read_bytes (event.member[LOOM_MEMBER_ARGS], find_kind (transfer->name));
}

static void
read_trace (guint item, guint worker, gpointer data)
{
  Reading *reading = data;
  guint first = g_array_index (reading->first, guint, item), end = g_array_index (reading->first, guint, item + 1);
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (MOST_BLOCKS);
  for (guint i = first; i < end && !g_cancellable_is_cancelled (reading->cancellable); i++)
    read_place (reading, cache, &g_array_index (reading->places, Place, i));
}

gboolean
loom_transfer_list_read_sizes (LoomTransferList *list, guint n, GCancellable *cancellable)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place)),
                     first = g_array_new (FALSE, FALSE, sizeof (guint));
  Reading reading = { list, places, first, cancellable };
  for (guint i = 0; i < MIN (n, list->transfers->len); i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), transfer->trace);
    guint32 n_events;
    Place place = { transfer->trace, i, loom_trace_get_meetings (trace, &n_events)[transfer->meeting].ref };
    g_array_append_val (places, place);
  }
  sort_places ((Place *) (gpointer) places->data, places->len);
  for (guint i = 0; i < places->len; i++)
    if (i == 0 || g_array_index (places, Place, i - 1).trace != g_array_index (places, Place, i).trace)
      g_array_append_val (first, i);
  g_array_append_val (first, places->len);
  loom_parallel_for (first->len - 1, 0, read_trace, &reading, NULL);
  return !g_cancellable_is_cancelled (cancellable);
}
