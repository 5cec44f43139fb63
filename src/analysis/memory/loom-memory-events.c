/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-memory-events.h"

#include <string.h>

#include "loom-block-cache.h"
#include "loom-merge-sort.h"
#include "loom-parse-time.h"
#include "loom-scan-args.h"

#define MOST_DIGITS 20  /* maximum number of decimal digits of a 64-bit number */
#define CACHE_BLOCKS 64 /* number of cached blocks of the files, about 5 MB in total */
#define CANCEL_EVERY 4096
#define MODULE_PREFIX "nn.Module: "

/* Kinds of spans that describe the code that allocated memory, from the least to the most useful description. A module
 * is stored in addition to a span of another kind. */
enum { KIND_NONE, KIND_PYTHON, KIND_ANNOTATION, KIND_OPERATOR, KIND_MODULE };

/* An instant whose args are to be read. */
typedef struct {
  guint64 place;
  guint32 span, owner, track;
} Wanted;

#define IS_EARLIER(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_by_place, Wanted, IS_EARLIER)

#define IS_BEFORE(a, b)                                         \
  ((a)->device != (b)->device     ? (a)->device < (b)->device   \
   : (a)->time_ns != (b)->time_ns ? (a)->time_ns < (b)->time_ns \
                                  : (a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_by_device, LoomMemoryEvent, IS_BEFORE)

typedef struct {
  LoomMemoryEvents *events;
  LoomTimeline *timeline;
  GCancellable *cancellable;
  const LoomTrace *trace;
  guint32 number;     /* index of the trace in the run */
  guint8 *kinds;      /* [name id] kind of spans with this name: KIND_… */
  guint8 *are_memory; /* [name id] TRUE if instants with this name record an allocation or a free */
  GArray *wanted;
  /* cache of the last owner, because successive events often have the same owner: ids of its name and of its module
   * (G_MAXUINT32: none), and its index (G_MAXUINT32: no owner in this trace yet) */
  guint32 last_name, last_module, last_owner;
} Reader;

/* --- owners of allocations ---------------------------------------------------------------------------------------- */

static guint32
add_owner (LoomMemoryEvents *self, const char *name, const char *module)
{
  g_autofree char *key = g_strconcat (name, "\t", module, NULL);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, key));
  if (known > 0)
    return known - 1;
  const LoomMemoryOwner owner = { g_string_chunk_insert_const (self->texts, name),
                                  g_string_chunk_insert_const (self->texts, module) };
  g_array_append_val (self->owners, owner);
  g_hash_table_insert (self->by_key, g_string_chunk_insert_const (self->texts, key),
                       GUINT_TO_POINTER (self->owners->len));
  return self->owners->len - 1;
}

static guint8
get_kind (const LoomName *name)
{
  if (strcmp (name->category, "cpu_op") == 0 || strcmp (name->category, "Operator") == 0)
    return KIND_OPERATOR;
  if (strcmp (name->category, "user_annotation") == 0)
    return KIND_ANNOTATION;
  if (strcmp (name->category, "python_function") != 0)
    return KIND_NONE;
  return g_str_has_prefix (name->text, MODULE_PREFIX) ? KIND_MODULE : KIND_PYTHON;
}

/* --- the spans around an instant ---------------------------------------------------------------------------------- */

/* Cursors in the rows of a thread. The cursor of a row is at the first span that does not end before the instant that
 * was processed last. Instants come in order of time, so each span is visited once. */
typedef struct {
  GArray *rows; /* const LoomRow *: the rows of the thread */
  GArray *at;   /* guint32: for each row, the index of the span at which its cursor is */
} Cursor;

static void
cursor_init (Cursor *cursor, const LoomTrace *trace, guint32 thread)
{
  cursor->rows = g_array_new (FALSE, FALSE, sizeof (const LoomRow *));
  cursor->at = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; thread != G_MAXUINT32 && i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_SPANS || track->thread_id != thread || (track->flags & LOOM_TRACK_DERIVED) != 0)
      continue;
    for (guint k = 0; k < track->n_rows; k++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
      g_array_append_val (cursor->rows, row);
      g_array_append_val (cursor->at, row->first);
    }
  }
}

static void
cursor_clear (Cursor *cursor)
{
  g_clear_pointer (&cursor->rows, g_array_unref);
  g_clear_pointer (&cursor->at, g_array_unref);
}

/* Moves the cursor of row `i` to an instant. Returns the span of the row that contains the instant; G_MAXUINT32: no
 * span contains it. */
static guint32
cursor_move (Cursor *cursor, guint i, const LoomSpans *spans, gint64 time_ns)
{
  const LoomRow *row = g_array_index (cursor->rows, const LoomRow *, i);
  guint32 *at = &g_array_index (cursor->at, guint32, i);
  while (*at < row->first + row->n && loom_time_add (spans->start_ns[*at], spans->dur_ns[*at]) < time_ns)
    ++*at;
  return *at < row->first + row->n && spans->start_ns[*at] <= time_ns ? *at : G_MAXUINT32;
}

/* Returns the index of the owner with this name in this module; adds the owner if it is new. `name`, `module`: ids of
 * names; G_MAXUINT32: none. */
static guint32
get_owner (Reader *self, guint32 name, guint32 module)
{
  if (self->last_owner != G_MAXUINT32 && self->last_name == name && self->last_module == module)
    return self->last_owner;
  self->last_name = name;
  self->last_module = module;
  self->last_owner =
    add_owner (self->events, name != G_MAXUINT32 ? loom_trace_get_name (self->trace, name)->text : "",
               module != G_MAXUINT32 ? loom_trace_get_name (self->trace, module)->text + strlen (MODULE_PREFIX) : "");
  return self->last_owner;
}

/* Returns the owner of the memory that is allocated at an instant. It is named after the innermost operator that
 * contains the instant; if there is no operator, after the innermost annotation; if there is no annotation either,
 * after the innermost Python function. The module of the owner is the innermost module. */
static guint32
find_owner (Reader *self, Cursor *cursor, gint64 time_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (self->trace);
  guint8 best_kind = KIND_NONE;
  guint32 best = G_MAXUINT32, module = G_MAXUINT32;
  for (guint i = 0; i < cursor->rows->len; i++) {
    guint32 span = cursor_move (cursor, i, spans, time_ns);
    guint8 kind = span != G_MAXUINT32 ? self->kinds[spans->name_id[span]] : KIND_NONE;
    if (kind == KIND_MODULE) {
      if (module == G_MAXUINT32 || spans->start_ns[span] >= spans->start_ns[module])
        module = span;
    } else if (kind > best_kind ||
               (kind == best_kind && kind != KIND_NONE && spans->start_ns[span] >= spans->start_ns[best])) {
      best_kind = kind;
      best = span;
    }
  }
  if (best == G_MAXUINT32 && module == G_MAXUINT32)
    return 0;
  return get_owner (self, best != G_MAXUINT32 ? spans->name_id[best] : G_MAXUINT32,
                    module != G_MAXUINT32 ? spans->name_id[module] : G_MAXUINT32);
}

/* --- gathering the memory events of a trace ----------------------------------------------------------------------- */

static gboolean
gather_row (Reader *self, guint32 number, const LoomTrack *track, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (self->trace);
  Cursor cursor;
  cursor_init (&cursor, self->trace, track->thread_id);
  gboolean goes_on = TRUE;
  for (guint32 i = row->first; goes_on && i < row->first + row->n; i++) {
    if (!self->are_memory[spans->name_id[i]] || spans->ref[i] == LOOM_REF_NONE)
      continue;
    if (self->events->events->len + self->wanted->len >= LOOM_MEMORY_MAX_EVENTS) {
      self->events->n_left++;
      continue;
    }
    const Wanted one = { (guint64) loom_source_ref_source (spans->ref[i]) << LOOM_REF_OFFSET_BITS |
                           loom_source_ref_offset (spans->ref[i]),
                         i, find_owner (self, &cursor, spans->start_ns[i]), number };
    g_array_append_val (self->wanted, one);
    goes_on = i % CANCEL_EVERY != 0 || !g_cancellable_is_cancelled (self->cancellable);
  }
  cursor_clear (&cursor);
  return goes_on;
}

static gboolean
gather (Reader *self)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (self->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (self->trace, i);
    for (guint k = 0; track->kind == LOOM_TRACK_INSTANTS && k < track->n_rows; k++)
      if (!gather_row (self, i, track, loom_trace_get_row (self->trace, track->first_row + k)))
        return FALSE;
  }
  return TRUE;
}

/* --- reading the args of memory events ---------------------------------------------------------------------------- */

/* The args that are read from an event. */
enum { BYTES, DEVICE_TYPE, DEVICE_ID, ADDRESS, ALLOCATED, RESERVED, EXISTING, OWNER, N_ARGS };

static const LoomJsonSlice arg_keys[N_ARGS] = {
  LOOM_SCAN_ARGS_KEY ("Bytes"),    LOOM_SCAN_ARGS_KEY ("Device Type"),     LOOM_SCAN_ARGS_KEY ("Device Id"),
  LOOM_SCAN_ARGS_KEY ("Addr"),     LOOM_SCAN_ARGS_KEY ("Total Allocated"), LOOM_SCAN_ARGS_KEY ("Total Reserved"),
  LOOM_SCAN_ARGS_KEY ("Existing"), LOOM_SCAN_ARGS_KEY ("Owner"),
};

static gint64
get_number (LoomJsonSlice value)
{
  gint64 number;
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) ? number
                                                                                             : LOOM_MEMORY_UNKNOWN;
}

static gboolean
is_place (const LoomMemoryPlace *a, const LoomMemoryPlace *b)
{
  return a->trace == b->trace && a->process == b->process && a->type == b->type && a->number == b->number;
}

/* Returns the index of a LoomMemoryPlace; adds the place if it is new. Searches linearly from the last place, because
 * there are only a few places. G_MAXUINT16: there are too many places. */
static guint16
find_place (LoomMemoryEvents *self, const LoomMemoryPlace *place)
{
  for (guint i = self->places->len; i-- > 0;)
    if (is_place (&g_array_index (self->places, LoomMemoryPlace, i), place))
      return (guint16) i;
  if (self->places->len == G_MAXUINT16)
    return G_MAXUINT16;
  g_array_append_val (self->places, *place);
  return (guint16) (self->places->len - 1);
}

/* Returns the index of the owner that an event of a memory snapshot states in its args; 0: it states none. */
static guint32
read_owner (LoomMemoryEvents *self, LoomJsonSlice value)
{
  g_autofree char *name = value.text != NULL ? loom_json_slice_dup_plain (value) : NULL;
  return name != NULL ? add_owner (self, name, "") : 0;
}

/* Returns the address that an event states in its args; 0: it states none. Addresses are unsigned 64-bit numbers,
 * but PyTorch may write addresses above 2⁶³ as negative numbers. */
static guint64
get_address (LoomJsonSlice value)
{
  gint64 small;
  if (value.text != NULL && value.length < MOST_DIGITS - 1 && g_ascii_isdigit (*value.text) &&
      loom_parse_time_parse_int (value.text, value.length, &small))
    return (guint64) small;
  g_autofree char *text =
    value.text != NULL && value.length <= MOST_DIGITS ? g_strndup (value.text, value.length) : NULL;
  guint64 address = 0;
  gint64 with_sign;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &address, NULL))
    return address;
  return g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &with_sign, NULL) ? (guint64) with_sign : 0;
}

static gboolean
read_event (Reader *self, LoomBlockCache *cache, const Wanted *wanted)
{
  LoomJsonSlice args[N_ARGS];
  const LoomSpans *spans = loom_trace_get_spans (self->trace);
  guint32 source = loom_source_ref_source (spans->ref[wanted->span]);
  LoomByteSource *text = loom_trace_get_source (self->trace, source)->text;
  if (text == NULL || !loom_block_cache_read_args (cache, text, loom_source_ref_offset (spans->ref[wanted->span]),
                                                   arg_keys, N_ARGS, args))
    return FALSE;
  gint64 bytes = get_number (args[BYTES]), type = get_number (args[DEVICE_TYPE]);
  const LoomMemoryPlace place = {
    .trace = self->number,
    .process = loom_trace_get_track (self->trace, wanted->track)->process_id,
    .type = type != LOOM_MEMORY_UNKNOWN ? type : 1,
    .number = MAX (get_number (args[DEVICE_ID]), -1),
    .track = wanted->track,
    .source = loom_run_get_first_source (loom_timeline_get_run (self->timeline), self->number) + source,
  };
  LoomMemoryEvent own = { .place = wanted->place,
                          .address = get_address (args[ADDRESS]),
                          .bytes = bytes,
                          .allocated = get_number (args[ALLOCATED]),
                          .reserved = get_number (args[RESERVED]),
                          .span = { self->number, wanted->span },
                          .owner = wanted->owner,
                          .device = find_place (self->events, &place),
                          .is_existing = args[EXISTING].text != NULL };
  gint64 end_ns;
  if (bytes == LOOM_MEMORY_UNKNOWN || own.device == G_MAXUINT16)
    return FALSE;
  own.owner = own.owner == 0 ? read_owner (self->events, args[OWNER]) : own.owner;
  loom_timeline_get_span (self->timeline, own.span, &own.time_ns, &end_ns);
  g_array_append_val (self->events->events, own);
  return TRUE;
}

static gboolean
read_wanted (Reader *self)
{
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (CACHE_BLOCKS);
  sort_by_place ((Wanted *) (gpointer) self->wanted->data, self->wanted->len);
  for (guint i = 0; i < self->wanted->len; i++) {
    if (!read_event (self, cache, &g_array_index (self->wanted, Wanted, i)))
      self->events->n_lost++;
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (self->cancellable))
      return FALSE;
  }
  return TRUE;
}

/* --- memory in use after each event ------------------------------------------------------------------------------- */

/* For each event whose allocated bytes the file does not state, computes them from the previous event. Counts in
 * n_breaks the events whose stated allocated bytes contradict the previous event. `events`: all events of a device. */
static void
set_levels (LoomMemoryPlace *place, LoomMemoryEvent *events, guint n)
{
  gint64 level = 0;
  place->is_relative = TRUE;
  for (guint i = 0; i < n; i++)
    place->is_relative &= events[i].allocated == LOOM_MEMORY_UNKNOWN;
  for (guint i = 0; i < n; i++) {
    gint64 next = loom_time_add (level, events[i].bytes);
    if (events[i].allocated == LOOM_MEMORY_UNKNOWN)
      events[i].allocated = next;
    else if (i > 0 && next != events[i].allocated)
      place->n_breaks++;
    level = events[i].allocated;
  }
}

static void
set_all_levels (LoomMemoryEvents *self)
{
  LoomMemoryEvent *events = (LoomMemoryEvent *) (gpointer) self->events->data;
  for (guint i = 0, n; i < self->events->len; i += n) {
    for (n = 1; i + n < self->events->len && events[i + n].device == events[i].device;)
      n++;
    set_levels (&g_array_index (self->places, LoomMemoryPlace, events[i].device), &events[i], n);
  }
}

/* --- memory events of all traces ---------------------------------------------------------------------------------- */

static gboolean
is_memory (const LoomName *name)
{
  return strcmp (name->text, "[memory]") == 0;
}

static gboolean
has_memory (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (is_memory (loom_trace_get_name (trace, i)))
      return TRUE;
  return FALSE;
}

static gboolean
read_trace (Reader *self, guint32 number)
{
  self->number = number;
  self->trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), number);
  if (!has_memory (self->trace))
    return TRUE;
  guint n = loom_trace_get_n_names (self->trace);
  g_autofree guint8 *kinds = g_new (guint8, n + 1), *are_memory = g_new (guint8, n + 1);
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  for (guint i = 0; i < n; i++) {
    kinds[i] = get_kind (loom_trace_get_name (self->trace, i));
    are_memory[i] = is_memory (loom_trace_get_name (self->trace, i));
  }
  self->kinds = kinds;
  self->are_memory = are_memory;
  self->wanted = wanted;
  self->last_owner = G_MAXUINT32;
  return gather (self) && read_wanted (self);
}

gboolean
loom_memory_events_are_recorded (const LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (has_memory (loom_run_get_trace (run, i)))
      return TRUE;
  return FALSE;
}

static void
free_events (LoomMemoryEvents *self)
{
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->owners, g_array_unref);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_free (self);
}

static LoomMemoryEvents *
new_empty (LoomTimeline *timeline)
{
  LoomMemoryEvents *self = g_new0 (LoomMemoryEvents, 1);
  g_atomic_ref_count_init (&self->refs);
  self->timeline = loom_timeline_ref (timeline);
  self->events = g_array_new (FALSE, FALSE, sizeof (LoomMemoryEvent));
  self->places = g_array_new (FALSE, FALSE, sizeof (LoomMemoryPlace));
  self->owners = g_array_new (FALSE, FALSE, sizeof (LoomMemoryOwner));
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_string_chunk_new (4096);
  add_owner (self, "", "");
  return self;
}

/* Reads the events of all traces. Returns FALSE when cancelled. */
static gboolean
read_all (LoomMemoryEvents *self, GCancellable *cancellable)
{
  Reader reader = { .events = self, .timeline = self->timeline, .cancellable = cancellable };
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (self->timeline)); i++)
    if (!read_trace (&reader, i))
      return FALSE;
  sort_by_device ((LoomMemoryEvent *) (gpointer) self->events->data, self->events->len);
  set_all_levels (self);
  return !g_cancellable_is_cancelled (cancellable);
}

/* --- events that several analyses share --------------------------------------------------------------------------- */

/* The LoomMemoryEvents to which references exist. They are freed with the last reference, because the events of a large
 * run take 1 GB. */
static GMutex lock;
static GPtrArray *in_use;

static LoomMemoryEvents *
find_in_use (const LoomTimeline *timeline)
{
  for (guint i = 0; in_use != NULL && i < in_use->len; i++) {
    LoomMemoryEvents *events = in_use->pdata[i];
    if (events->timeline != timeline)
      continue;
    g_atomic_ref_count_inc (&events->refs);
    return events;
  }
  return NULL;
}

LoomMemoryEvents *
loom_memory_events_get (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_mutex_lock (&lock);
  LoomMemoryEvents *self = find_in_use (timeline);
  g_mutex_unlock (&lock);
  if (self != NULL)
    return self;
  self = new_empty (timeline);
  if (!read_all (self, cancellable)) {
    free_events (self);
    return NULL;
  }
  g_mutex_lock (&lock);
  if (in_use == NULL)
    in_use = g_ptr_array_new ();
  g_ptr_array_add (in_use, self);
  g_mutex_unlock (&lock);
  return self;
}

void
loom_memory_events_unref (LoomMemoryEvents *self)
{
  g_mutex_lock (&lock);
  gboolean is_last = g_atomic_ref_count_dec (&self->refs);
  if (is_last)
    g_ptr_array_remove_fast (in_use, self);
  g_mutex_unlock (&lock);
  if (is_last)
    free_events (self);
}
