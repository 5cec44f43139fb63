/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-health-events.h"

#include <string.h>

#include "loom-block-cache.h"
#include "loom-merge-sort.h"
#include "loom-parse-time.h"
#include "loom-scan-args.h"

/* Number of cached blocks of the files. Events are read in the order of the files, so a block is needed only until the
 * next one. */
#define CACHE_BLOCKS 2
#define N_KINDS (LOOM_HEALTH_EVENT_BACKWARD + 1)
#define NO_KIND 0xFF

typedef struct {
  /* source of the event and offset in its file, in one number; events are sorted by this number, so that files are read
   * in order */
  guint64 place;
  guint32 span, process;
  guint8 kind, flags;
} Wanted;

/* The LoomHealthEventKind of the spans with a name, and a mask of IS_KERNEL, IS_LAUNCH and IS_RECORD. */
typedef struct {
  guint8 kind, flags;
} NameKind;

enum { IS_KERNEL = 1 << 0, IS_LAUNCH = 1 << 1, IS_RECORD = 1 << 2 };

#define IS_EARLIER(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_by_place, Wanted, IS_EARLIER)

/* Returns the LoomHealthEventKind of spans with this name; NO_KIND: such spans are not examined. */
static guint8
get_kind (const LoomName *name)
{
  static const struct {
    const char *category;
    guint8 kind;
  } categories[] = {
    { "kernel", LOOM_HEALTH_EVENT_DEVICE },     { "gpu_memcpy", LOOM_HEALTH_EVENT_DEVICE },
    { "gpu_memset", LOOM_HEALTH_EVENT_DEVICE }, { "Kernel", LOOM_HEALTH_EVENT_DEVICE },
    { "Memcpy", LOOM_HEALTH_EVENT_DEVICE },     { "Memset", LOOM_HEALTH_EVENT_DEVICE },
    { "cuda_runtime", LOOM_HEALTH_EVENT_CALL }, { "cuda_driver", LOOM_HEALTH_EVENT_CALL },
    { "Runtime", LOOM_HEALTH_EVENT_CALL },
  };
  if (strcmp (name->text, "record_param_comms") == 0)
    return LOOM_HEALTH_EVENT_COLLECTIVE;
  if (strstr (name->text, "autograd::engine::evaluate_function:") != NULL)
    return LOOM_HEALTH_EVENT_BACKWARD;
  if (strcmp (name->category, "cuda_sync") == 0)
    return strcmp (name->text, "Stream Wait Event") == 0 ? LOOM_HEALTH_EVENT_WAIT
           : strcmp (name->text, "Event Sync") == 0      ? LOOM_HEALTH_EVENT_EVENT_SYNC
           : strcmp (name->text, "Stream Sync") == 0     ? LOOM_HEALTH_EVENT_SYNC
                                                         : NO_KIND;
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (strcmp (name->category, categories[i].category) == 0)
      return categories[i].kind;
  return NO_KIND;
}

static guint8
get_flags (const LoomName *name)
{
  gboolean calls = strncmp (name->category, "cuda_", 5) == 0;
  return (strcmp (name->category, "kernel") == 0 ? IS_KERNEL : 0) |
         (calls && strcmp (name->text, "cudaLaunchKernel") == 0 ? IS_LAUNCH : 0) |
         (calls && g_str_has_prefix (name->text, "cudaEventRecord") ? IS_RECORD : 0);
}

static void
add_row (GArray *wanted, const LoomTrace *trace, const LoomRow *row, guint32 process, const NameKind *kinds)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    NameKind name = kinds[spans->name_id[i]];
    if (name.kind == NO_KIND || spans->ref[i] == LOOM_REF_NONE)
      continue;
    const Wanted one = { (guint64) loom_source_ref_source (spans->ref[i]) << LOOM_REF_OFFSET_BITS |
                           loom_source_ref_offset (spans->ref[i]),
                         i, process, name.kind, name.flags };
    g_array_append_val (wanted, one);
  }
}

/* Indices of the args that are read from an event. CORRELATION and EXTERNAL are read from every event. */
enum { CORRELATION, EXTERNAL, N_ALWAYS, MOST_ARGS = 4 };
/* args that are also read from kernels and from events of the kind LOOM_HEALTH_EVENT_SYNC */
enum { DEVICE = N_ALWAYS, STREAM };
/* arg that is also read from events of the kinds LOOM_HEALTH_EVENT_WAIT and LOOM_HEALTH_EVENT_EVENT_SYNC: the
 * correlation id of the call that recorded the awaited event */
enum { RECORD = N_ALWAYS };
/* args that are also read from events of the kind LOOM_HEALTH_EVENT_BACKWARD */
enum { SEQUENCE = N_ALWAYS, OLD_SEQUENCE };

/* Returns the keys of the args that the checks need from an event of this kind, and sets `n` to their number. Reading
 * an event ends as soon as all of these args are found. This saves time, because an event can have many other args,
 * especially the event of a collective. */
static const LoomJsonSlice *
get_keys (const LoomHealthEvent *event, guint *n)
{
#define ALWAYS LOOM_SCAN_ARGS_KEY ("correlation"), LOOM_SCAN_ARGS_KEY ("External id")
  static const LoomJsonSlice on_stream[] = { ALWAYS, LOOM_SCAN_ARGS_KEY ("device"), LOOM_SCAN_ARGS_KEY ("stream") },
                             of_wait[] = { ALWAYS, LOOM_SCAN_ARGS_KEY ("wait_on_cuda_event_record_corr_id") },
                             of_backward[] = { ALWAYS, LOOM_SCAN_ARGS_KEY ("Sequence number"),
                                               LOOM_SCAN_ARGS_KEY ("seq_num") };
  *n = event->is_kernel || event->kind == LOOM_HEALTH_EVENT_SYNC ? 4 : N_ALWAYS;
  if (event->kind == LOOM_HEALTH_EVENT_WAIT || event->kind == LOOM_HEALTH_EVENT_EVENT_SYNC) {
    *n = 3;
    return of_wait;
  }
  if (event->kind != LOOM_HEALTH_EVENT_BACKWARD)
    return on_stream;
  *n = 4;
  return of_backward;
}

static gint64
get_number (LoomJsonSlice value)
{
  gint64 number;
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) ? number
                                                                                             : LOOM_HEALTH_NONE;
}

static gboolean
lacks_fields (LoomBlockCache *cache, LoomByteSource *text, guint64 offset)
{
  static const LoomJsonSlice fields[] = { LOOM_SCAN_ARGS_KEY ("Collective name"), LOOM_SCAN_ARGS_KEY ("dtype"),
                                          LOOM_SCAN_ARGS_KEY ("In msg nelems"), LOOM_SCAN_ARGS_KEY ("Out msg nelems"),
                                          LOOM_SCAN_ARGS_KEY ("Group size") };
  LoomJsonSlice values[G_N_ELEMENTS (fields)];
  gboolean lacks = !loom_block_cache_read_args (cache, text, offset, fields, G_N_ELEMENTS (fields), values);
  for (guint i = 0; !lacks && i < G_N_ELEMENTS (fields); i++)
    lacks |= values[i].text == NULL;
  return lacks;
}

static void
read_event (LoomHealthEvents *events, LoomBlockCache *cache, const LoomTrace *trace, const Wanted *wanted)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 number = loom_source_ref_source (spans->ref[wanted->span]);
  guint64 offset = loom_source_ref_offset (spans->ref[wanted->span]);
  LoomByteSource *text = loom_trace_get_source (trace, number)->text;
  LoomJsonSlice args[MOST_ARGS];
  guint n;
  LoomHealthEvent own = { .span = wanted->span,
                          .name_id = spans->name_id[wanted->span],
                          .source = number,
                          .process = wanted->process,
                          .kind = wanted->kind,
                          .is_kernel = (wanted->flags & IS_KERNEL) != 0,
                          .is_launch = (wanted->flags & IS_LAUNCH) != 0,
                          .is_record = (wanted->flags & IS_RECORD) != 0,
                          .begin_ns = spans->start_ns[wanted->span],
                          .device = LOOM_HEALTH_NONE,
                          .stream = LOOM_HEALTH_NONE,
                          .record = LOOM_HEALTH_NONE,
                          .sequence = LOOM_HEALTH_NONE };
  const LoomJsonSlice *keys = get_keys (&own, &n);
  if (text == NULL || !loom_block_cache_read_args (cache, text, offset, keys, n, args))
    return;
  own.correlation = get_number (args[CORRELATION]);
  own.external = get_number (args[EXTERNAL]);
  if (own.is_kernel || own.kind == LOOM_HEALTH_EVENT_SYNC) {
    own.device = get_number (args[DEVICE]);
    own.stream = get_number (args[STREAM]);
  }
  if (own.kind == LOOM_HEALTH_EVENT_WAIT || own.kind == LOOM_HEALTH_EVENT_EVENT_SYNC)
    own.record = get_number (args[RECORD]);
  if (own.kind == LOOM_HEALTH_EVENT_BACKWARD)
    own.sequence = get_number (args[SEQUENCE].text != NULL ? args[SEQUENCE] : args[OLD_SEQUENCE]);
  own.end_ns = loom_time_add (own.begin_ns, spans->dur_ns[wanted->span]);
  own.lacks_fields = own.kind == LOOM_HEALTH_EVENT_COLLECTIVE && lacks_fields (cache, text, offset);
  g_array_append_val (events->events, own);
}

void
loom_health_events_init (LoomHealthEvents *events, const LoomTrace *trace, guint most, GCancellable *cancellable)
{
  guint n_read[N_KINDS] = { 0 };
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (CACHE_BLOCKS);
  g_autofree NameKind *kinds = g_new (NameKind, loom_trace_get_n_names (trace) + 1);
  *events = (LoomHealthEvents) { .events = g_array_new (FALSE, FALSE, sizeof (LoomHealthEvent)) };
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    kinds[i] = (NameKind) { get_kind (name), get_flags (name) };
  }
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    for (guint k = 0; track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) == 0 && k < track->n_rows;
         k++)
      add_row (wanted, trace, loom_trace_get_row (trace, track->first_row + k), track->process_id, kinds);
  }
  sort_by_place ((Wanted *) (gpointer) wanted->data, wanted->len);
  g_array_unref (events->events);
  events->events = g_array_sized_new (FALSE, FALSE, sizeof (LoomHealthEvent),
                                      (guint) MIN (wanted->len, (guint64) G_N_ELEMENTS (n_read) * most));
  for (guint i = 0; i < wanted->len && !g_cancellable_is_cancelled (cancellable); i++) {
    const Wanted *one = &g_array_index (wanted, Wanted, i);
    if (n_read[one->kind]++ < most)
      read_event (events, cache, trace, one);
    else
      events->n_left++;
  }
}

void
loom_health_events_clear (LoomHealthEvents *events)
{
  g_clear_pointer (&events->events, g_array_unref);
}
