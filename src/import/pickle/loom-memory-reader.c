/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the history of PyTorch's memory allocators from the plain values of a memory snapshot (torch/cuda/memory.py,
 * _snapshot()). The interface is described in loom-memory-reader.h.
 */
#include "loom-memory-reader.h"

#include "loom-memory-records.h"
#include "loom-time.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Limits on the length of the text that is shown for a call stack. */
#define MAX_FRAMES 64
#define MAX_TEXT_BYTES 512
/* Maximum number of keys of an event. A dict with more keys is not an event; looking up keys in it would take long. */
#define MAX_KEYS 256

typedef struct {
  const LoomPlainValues *values;
  LoomMemoryHistory *history;
  LoomImportLog *log;
  /* const LoomPlainValue * (a list of stack frames in the file) → index of the stack in LoomMemoryHistory.stacks */
  GHashTable *stacks;
  GHashTable *known_frames; /* text of a stack (LoomMemoryStack.frames, owned by the history) → index of the stack */
  gsize n_frame_bytes;
  gint64 last_ns; /* time of the last event of the current device */
  guint n_read;   /* number of segments, blocks, events and annotations read so far */
  guint64 n_wrong, n_backwards, n_replaced;
} Reader;

static const LoomPlainValue *
find (const Reader *self, const LoomPlainValue *dict, const char *key)
{
  return loom_plain_values_find (self->values, dict, key);
}

static gint64
find_int (const Reader *self, const LoomPlainValue *dict, const char *key)
{
  return loom_plain_values_to_int (find (self, dict, key), 0);
}

/* Returns the number of bytes under a key. Returns 0 if the key is missing, or if the number is negative or not less
 * than `limit`. */
static gint64
find_bytes (const Reader *self, const LoomPlainValue *dict, const char *key, gint64 limit)
{
  gint64 size = find_int (self, dict, key);
  return size >= 0 && size < limit ? size : 0;
}

/* Returns the size in bytes of a block or segment. A size of 512 GiB or more is considered wrong and gives 0; thus
 * the sum of 2²⁴ sizes fits into gint64. */
static gint64
find_size (const Reader *self, const LoomPlainValue *dict, const char *key)
{
  return find_bytes (self, dict, key, G_GINT64_CONSTANT (1) << 39);
}

/* Returns the address in a value. An address of 2⁶³ or more is an integer of nine bytes in the file, which the reader
 * of pickles returns as a text. */
static guint64
to_address (const LoomPlainValue *value)
{
  guint64 address = 0;
  if (value == NULL || value->type != LOOM_PLAIN_TEXT || value->length != 9 || value->text[8] != '\0')
    return (guint64) loom_plain_values_to_int (value, 0);
  memcpy (&address, value->text, sizeof address);
  return GUINT64_FROM_LE (address);
}

static gboolean
is_dict (const LoomPlainValue *value)
{
  return value != NULL && value->type == LOOM_PLAIN_DICT && loom_plain_values_get_n (value) <= MAX_KEYS;
}

static gboolean
is_text (const LoomPlainValue *value, const char *text)
{
  return value != NULL && value->type == LOOM_PLAIN_TEXT && value->length == strlen (text) &&
         memcmp (value->text, text, value->length) == 0;
}

/* Returns a copy of a text, cut for display. Owned by the history. */
static const char *
keep (const Reader *self, const LoomPlainValue *value)
{
  LoomPlainValue cut = value != NULL ? *value : (LoomPlainValue) { LOOM_PLAIN_NONE, 0, .integer = 0 };
  if (cut.type == LOOM_PLAIN_TEXT)
    cut.length = MIN (cut.length, MAX_TEXT_BYTES);
  g_autofree char *text = loom_plain_values_dup_text (&cut);
  return g_string_chunk_insert_const (self->history->texts, text != NULL ? text : "");
}

/* --- reading call stacks ------------------------------------------------------------------------------------------ */

/* Returns how well a stack frame names the owner of memory: 3 for Python code of the program, 2 for Python code of
 * PyTorch, 1 for other code. */
static guint
rate_frame (const char *file)
{
  gboolean is_python = g_str_has_suffix (file, ".py"),
           is_torch = strstr (file, "/torch/") != NULL || strstr (file, "\\torch\\") != NULL;
  return is_python && !is_torch ? 3 : is_python ? 2 : 1;
}

/* Returns the file name at the end of a path of Unix or Windows. */
static const char *
get_base (const char *path)
{
  const char *slash = strrchr (path, '/'), *backslash = strrchr (path, '\\');
  const char *last = slash > backslash ? slash : backslash;
  return last != NULL ? last + 1 : path;
}

static LoomMemoryStack
read_stack (Reader *self, const LoomPlainValue *frames)
{
  guint best = 0, n = loom_plain_values_get_n (frames);
  g_autoptr (GString) text = g_string_new (NULL), owner = g_string_new (NULL);
  for (guint i = 0; i < MIN (n, MAX_FRAMES); i++) {
    const LoomPlainValue *frame = loom_plain_values_get_item (self->values, frames, i);
    if (!is_dict (frame))
      continue;
    const char *name = keep (self, find (self, frame, "name")), *file = keep (self, find (self, frame, "filename"));
    gint64 line = find_int (self, frame, "line");
    guint rate = rate_frame (file);
    g_string_append_printf (text, "%s%s (%s:%" PRId64 ")", text->len > 0 ? "\n" : "", name, file, line);
    if (rate > best && name[0] != '\0')
      g_string_printf (owner, "%s (%s:%" PRId64 ")", name, get_base (file), line);
    best = name[0] != '\0' ? MAX (rate, best) : best;
  }
  self->n_frame_bytes += text->len;
  gboolean fits = self->n_frame_bytes < LOOM_MEMORY_MAX_FRAME_BYTES;
  return (LoomMemoryStack) { g_string_chunk_insert_const (self->history->texts, owner->str),
                             g_string_chunk_insert_const (self->history->texts, fits ? text->str : "") };
}

/* Returns the index of the call stack with these frames; adds the stack if it is new. A pickle usually contains equal
 * lists of frames only once, and then refers to the first list. Such a list is recognised by its address, without
 * reading its frames again. */
static guint32
get_stack (Reader *self, const LoomPlainValue *frames)
{
  gpointer known;
  if (loom_plain_values_get_n (frames) == 0)
    return 0;
  if (g_hash_table_lookup_extended (self->stacks, frames, NULL, &known))
    return GPOINTER_TO_UINT (known);
  LoomMemoryStack stack = read_stack (self, frames);
  if (stack.frames[0] == '\0' || !g_hash_table_lookup_extended (self->known_frames, stack.frames, NULL, &known)) {
    known = GUINT_TO_POINTER (self->history->stacks->len);
    g_array_append_val (self->history->stacks, stack);
    g_hash_table_insert (self->known_frames, (gpointer) stack.frames, known);
  }
  g_hash_table_insert (self->stacks, (gpointer) frames, known);
  return GPOINTER_TO_UINT (known);
}

/* --- segments ----------------------------------------------------------------------------------------------------- */

static LoomMemoryPool *
get_pool (Reader *self, gint64 device)
{
  GArray *pools = self->history->pools;
  if (device < 0 || device >= LOOM_MEMORY_MAX_DEVICES)
    return NULL;
  while (pools->len <= device) {
    const LoomMemoryPool pool = { .device = pools->len };
    g_array_append_val (pools, pool);
  }
  return &g_array_index (pools, LoomMemoryPool, device);
}

/* Adds a block that is still allocated at the end of the history. The block is treated as allocated before the first
 * event; if an event allocates it, this record is removed later. */
static void
add_existing (Reader *self, const LoomPlainValue *block, guint64 address, gint64 size, guint32 device)
{
  const LoomMemoryRecord record = { .end_ns = LOOM_TIME_NONE,
                                    .address = address,
                                    .size = size,
                                    .stack = get_stack (self, find (self, block, "frames")),
                                    .device = device,
                                    .action = LOOM_MEMORY_EXISTING };
  g_array_append_val (self->history->records, record);
}

static void
read_block (Reader *self, const LoomPlainValue *block, LoomMemoryPool *pool, guint64 *address)
{
  gint64 size = find_size (self, block, "size");
  const LoomPlainValue *state = find (self, block, "state"), *own = find (self, block, "address");
  *address = own != NULL ? to_address (own) : *address;
  pool->n_blocks++;
  if (is_text (state, "inactive")) {
    pool->inactive += size;
    pool->largest = MAX (pool->largest, size);
  } else {
    pool->active += size;
    add_existing (self, block, *address, size, pool->device);
  }
  *address += (guint64) size;
}

/* Returns FALSE if the number of segments, blocks, events and annotations that were read has reached the number of
 * values in the pickle. Only damaged or hostile pickles can reach it: their lists can contain the same value any number
 * of times. */
static gboolean
may_read (Reader *self)
{
  return self->n_read++ < self->values->values->len;
}

static void
read_segment (Reader *self, const LoomPlainValue *segment)
{
  LoomMemoryPool *pool = is_dict (segment) ? get_pool (self, find_int (self, segment, "device")) : NULL;
  if (pool == NULL) {
    self->n_wrong++;
    return;
  }
  guint64 address = to_address (find (self, segment, "address"));
  const LoomPlainValue *blocks = find (self, segment, "blocks");
  pool->n_segments++;
  pool->reserved += find_size (self, segment, "total_size");
  for (guint i = 0; i < loom_plain_values_get_n (blocks); i++) {
    const LoomPlainValue *block = loom_plain_values_get_item (self->values, blocks, i);
    if (!may_read (self)) {
      self->n_wrong++;
      return;
    }
    if (is_dict (block))
      read_block (self, block, pool, &address);
    else
      self->n_wrong++;
  }
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static LoomMemoryAction
parse_action (const LoomPlainValue *action)
{
  static const struct {
    const char *name;
    LoomMemoryAction action;
  } known[] = {
    { "alloc", LOOM_MEMORY_ALLOC },
    { "free_requested", LOOM_MEMORY_FREE_REQUESTED },
    { "free_completed", LOOM_MEMORY_FREE },
    { "segment_alloc", LOOM_MEMORY_SEGMENT_ALLOC },
    { "segment_map", LOOM_MEMORY_SEGMENT_ALLOC },
    { "segment_free", LOOM_MEMORY_SEGMENT_FREE },
    { "segment_unmap", LOOM_MEMORY_SEGMENT_FREE },
    { "oom", LOOM_MEMORY_OOM },
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (is_text (action, known[i].name))
      return known[i].action;
  return LOOM_MEMORY_MARK;
}

/* Returns the time of an event in ns, but not less than that of the previous event of the device. */
static gint64
get_time (Reader *self, const LoomPlainValue *event)
{
  gint64 time_us = find_int (self, event, "time_us");
  if (time_us <= 0 || time_us >= G_MAXINT64 / LOOM_NS_PER_US)
    return loom_time_add (self->last_ns, self->history->has_times ? 0 : LOOM_NS_PER_US);
  self->history->has_times = TRUE;
  self->n_backwards += time_us * LOOM_NS_PER_US < self->last_ns;
  return MAX (time_us * LOOM_NS_PER_US, self->last_ns);
}

static void
read_event (Reader *self, const LoomPlainValue *event, guint32 device)
{
  const LoomPlainValue *action = find (self, event, "action");
  LoomMemoryRecord record = { .time_ns = get_time (self, event),
                              .end_ns = LOOM_TIME_NONE,
                              .address = to_address (find (self, event, "addr")),
                              .size = find_size (self, event, "size"),
                              .stack = get_stack (self, find (self, event, "frames")),
                              .device = device,
                              .action = parse_action (action) };
  if (record.action == LOOM_MEMORY_MARK)
    record.name = keep (self, action);
  else if (record.action == LOOM_MEMORY_OOM) {
    /* the size that the program requested; find_size() is not used, because this size is never added to others and
     * may be far more than the memory of the device */
    record.size = find_bytes (self, event, "size", G_MAXINT64);
    record.address = (guint64) find_size (self, event, "device_free");
  }
  self->last_ns = record.time_ns;
  g_array_append_val (self->history->records, record);
}

static void
read_device (Reader *self, const LoomPlainValue *events, guint32 device)
{
  LoomMemoryPool *pool = get_pool (self, device);
  self->last_ns = 0;
  for (guint i = 0; i < loom_plain_values_get_n (events); i++) {
    const LoomPlainValue *event = loom_plain_values_get_item (self->values, events, i);
    if (!may_read (self)) {
      self->n_wrong++;
      break;
    }
    if (is_dict (event)) {
      read_event (self, event, device);
      pool->n_events++;
    } else
      self->n_wrong++;
  }
  self->history->end_ns = MAX (self->history->end_ns, self->last_ns);
}

/* --- annotations -------------------------------------------------------------------------------------------------- */

static void
read_annotation (Reader *self, const LoomPlainValue *value, GArray *open)
{
  gint64 time_us = find_int (self, value, "time_us"), device = find_int (self, value, "device");
  gboolean is_start = is_text (find (self, value, "stage"), "START"),
           is_end = is_text (find (self, value, "stage"), "END");
  if ((!is_start && !is_end) || time_us <= 0 || time_us >= G_MAXINT64 / LOOM_NS_PER_US ||
      get_pool (self, device) == NULL)
    return;
  LoomMemoryRange range = { keep (self, find (self, value, "name")), (guint32) device, time_us * LOOM_NS_PER_US, 0 };
  if (is_start) {
    g_array_append_val (open, range);
    return;
  }
  for (guint i = open->len; i-- > 0;) {
    LoomMemoryRange *begun = &g_array_index (open, LoomMemoryRange, i);
    if (begun->device != range.device || strcmp (begun->name, range.name) != 0)
      continue;
    begun->end_ns = MAX (range.begin_ns, begun->begin_ns);
    g_array_append_val (self->history->ranges, *begun);
    g_array_remove_index (open, i);
    return;
  }
}

/* Maximum number of annotations that are open at the same time. Limited, because all of them are searched when one
 * ends. */
#define MAX_OPEN 1000

static void
read_annotations (Reader *self, const LoomPlainValue *list)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (LoomMemoryRange));
  for (guint i = 0; i < loom_plain_values_get_n (list) && open->len < MAX_OPEN; i++) {
    const LoomPlainValue *value = loom_plain_values_get_item (self->values, list, i);
    if (!may_read (self)) {
      self->n_wrong++;
      return;
    }
    if (is_dict (value))
      read_annotation (self, value, open);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
note (Reader *self, guint64 n, LoomSeverity severity, const char *code, const char *message)
{
  if (n > 0)
    loom_import_log_add_n (self->log, severity, code, LOOM_OFFSET_NONE, n, message);
}

static void
note_all (Reader *self)
{
  LoomMemoryHistory *history = self->history;
  guint64 n_events = 0;
  for (guint i = 0; i < history->pools->len; i++)
    n_events += g_array_index (history->pools, LoomMemoryPool, i).n_events;
  note (self, self->n_wrong, LOOM_SEVERITY_WARNING, "no-entry", "A part of the snapshot is damaged and was skipped");
  note (
    self, history->is_partial && n_events > 0, LOOM_SEVERITY_WARNING, "unknown-start",
    N_ ("The memory that was allocated before the first event is unknown, because parts of the snapshot are missing; "
        "allocated memory counts only what the events allocate or free"));
  note (self, self->n_backwards, LOOM_SEVERITY_WARNING, "time-order",
        N_ ("An event is earlier than the event before it, and is shown at the time of the event before it"));
  note (self, self->n_replaced, LOOM_SEVERITY_WARNING, "address-in-use",
        N_ ("A block was allocated at an address that was in use; the older block ends there"));
  note (self, n_events == 0, LOOM_SEVERITY_INFO, "no-history",
        N_ ("No history was recorded: only the blocks that were live at the end are known"));
  note (self, n_events > 0 && !history->has_times, LOOM_SEVERITY_WARNING, "no-times",
        N_ ("The events have no times: they are numbered instead"));
  note (self, self->n_frame_bytes >= LOOM_MEMORY_MAX_FRAME_BYTES, LOOM_SEVERITY_WARNING, "stack-frames",
        N_ ("There are too many call stacks; the last events are shown without stacks"));
}

static const LoomPlainValue *
get_segments (const LoomPlainValues *values)
{
  const LoomPlainValue *top = loom_plain_values_get_top (values);
  return top != NULL && top->type == LOOM_PLAIN_LIST ? top : loom_plain_values_find (values, top, "segments");
}

static LoomMemoryHistory *
new_history (void)
{
  LoomMemoryHistory *self = g_new0 (LoomMemoryHistory, 1);
  const LoomMemoryStack none = { "", "" };
  self->records = g_array_new (FALSE, FALSE, sizeof (LoomMemoryRecord));
  self->stacks = g_array_new (FALSE, FALSE, sizeof (LoomMemoryStack));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (LoomMemoryRange));
  self->pools = g_array_new (FALSE, FALSE, sizeof (LoomMemoryPool));
  self->texts = g_string_chunk_new (4096);
  g_array_append_val (self->stacks, none);
  return self;
}

static void
read_all (Reader *self)
{
  const LoomPlainValues *values = self->values;
  const LoomPlainValue *top = loom_plain_values_get_top (values), *segments = get_segments (values),
                       *traces = loom_plain_values_find (values, top, "device_traces");
  for (guint i = 0; i < loom_plain_values_get_n (segments); i++) {
    if (!may_read (self)) {
      self->n_wrong++;
      break;
    }
    read_segment (self, loom_plain_values_get_item (values, segments, i));
  }
  g_autoptr (GArray) existing = g_steal_pointer (&self->history->records);
  self->history->records = g_array_new (FALSE, FALSE, sizeof (LoomMemoryRecord));
  for (guint i = 0; i < MIN (loom_plain_values_get_n (traces), LOOM_MEMORY_MAX_DEVICES); i++)
    read_device (self, loom_plain_values_get_item (values, traces, i), i);
  g_autoptr (GArray) events = g_steal_pointer (&self->history->records);
  self->history->records = g_array_sized_new (FALSE, FALSE, sizeof (LoomMemoryRecord), existing->len + events->len);
  self->history->is_partial |= self->n_wrong > 0;
  self->n_replaced = loom_memory_records_arrange (self->history, existing, events, self->log);
  read_annotations (self, loom_plain_values_find (values, top, "external_annotations"));
  loom_memory_records_hide_small_blocks (self->history, self->log);
  note_all (self);
}

gboolean
loom_memory_reader_recognise (const LoomPlainValues *values)
{
  const LoomPlainValue *top = loom_plain_values_get_top (values), *segments = get_segments (values);
  if (segments == NULL || segments->type != LOOM_PLAIN_LIST)
    return FALSE;
  return segments != top ||
         loom_plain_values_find (values, loom_plain_values_get_item (values, top, 0), "total_size") != NULL;
}

LoomMemoryHistory *
loom_memory_reader_read (const LoomPlainValues *values, gboolean is_cut, LoomImportLog *log)
{
  g_autoptr (GHashTable) stacks = g_hash_table_new (NULL, NULL), frames = g_hash_table_new (g_str_hash, g_str_equal);
  Reader self = { .values = values, .history = new_history (), .log = log, .stacks = stacks, .known_frames = frames };
  self.history->is_partial = is_cut;
  read_all (&self);
  return self.history;
}

void
loom_memory_reader_free (LoomMemoryHistory *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->records);
  g_array_unref (self->stacks);
  g_array_unref (self->ranges);
  g_array_unref (self->pools);
  g_string_chunk_free (self->texts);
  g_free (self);
}
