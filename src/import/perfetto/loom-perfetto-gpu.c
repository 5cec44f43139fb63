/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads from the packets of a Perfetto trace the work of GPUs (“render stages” in Perfetto) and the samples of GPU
 * counters.
 */
#include "loom-perfetto-fields.h"
#include "loom-perfetto-ids.h"
#include "loom-perfetto-walk.h"

#include "loom-string-pool.h"

enum { COUNTERS_DESCRIPTOR = 1, COUNTERS_COUNTER, COUNTERS_GPU, COUNTERS_DESCRIPTOR_ID };
enum { VALUE_ID = 1, VALUE_INTEGER, VALUE_REAL };
enum { DESCRIPTOR_COUNTER = 1 };
enum { SPEC_ID = 1, SPEC_NAME = 2, SPEC_DIRECTION = 11 };
enum { FORWARDS = 2 };
enum { SPECIFICATIONS_QUEUE = 2, SPECIFICATIONS_STAGE };

#define MOST_NAME_BYTES 1024

/* --- reading the work of GPUs ------------------------------------------------------------------------------------- */

typedef struct {
  guint64 duration, gpu, queue, old_queue;
  gboolean has_queue, has_old_queue;
} Stage;

/* Stores the names of queues and stages that are specified in the legacy form, as two lists. Packets refer to a queue
 * or stage by its index in the list. */
static void
take_specifications (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name;
  guint64 n_queues = 0, n_stages = 0;
  while (loom_proto_next (&p, end, &field)) {
    if (field.wire != LOOM_PROTO_BYTES ||
        (field.number != SPECIFICATIONS_QUEUE && field.number != SPECIFICATIONS_STAGE))
      continue;
    const guint8 *inner = field.bytes, *inner_end = inner + field.value;
    gboolean is_queue = field.number == SPECIFICATIONS_QUEUE;
    guint64 number = is_queue ? n_queues++ : n_stages++;
    while (loom_proto_next (&inner, inner_end, &name))
      if (name.number == 1 && name.wire == LOOM_PROTO_BYTES)
        loom_perfetto_texts_add (self->trace->texts, head->sequence->generation,
                                 is_queue ? LOOM_PERFETTO_TEXT_OLD_QUEUE : LOOM_PERFETTO_TEXT_OLD_STAGE, number,
                                 head->place, (const char *) name.bytes, (gsize) name.value);
  }
}

static gboolean
read_stage (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message, Stage *stage)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_STAGE_ID:
      loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_STAGE, &field, LOOM_PROTO_VARINT);
      break;
    case LOOM_PERFETTO_STAGE_AWAITS:
      loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_AWAITS, &field, LOOM_PROTO_VARINT);
      break;
    case LOOM_PERFETTO_STAGE_DURATION: stage->duration = field.value; break;
    case LOOM_PERFETTO_STAGE_GPU: stage->gpu = field.value; break;
    case LOOM_PERFETTO_STAGE_QUEUE:
      stage->queue = field.value;
      stage->has_queue = TRUE;
      break;
    case LOOM_PERFETTO_STAGE_OLD_QUEUE:
      stage->old_queue = field.value;
      stage->has_old_queue = TRUE;
      break;
    case LOOM_PERFETTO_STAGE_SPECIFICATIONS:
      if (field.wire == LOOM_PROTO_BYTES)
        take_specifications (self, head, &field);
      break;
    default: break;
    }
  return p == end;
}

/* Returns the name of the queue on which a GPU stage ran, encoded as JSON without quotes. If the file does not name the
 * queue, writes a name to the buffer `own` and returns `own`. */
static const char *
find_queue_name (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const Stage *stage, char own[32])
{
  gboolean is_old = !stage->has_queue && stage->has_old_queue;
  const char *name =
    loom_perfetto_texts_get (self->trace->texts, head->sequence->generation,
                             is_old ? LOOM_PERFETTO_TEXT_OLD_QUEUE : LOOM_PERFETTO_TEXT_GPU_SPECIFICATION,
                             is_old ? stage->old_queue : stage->queue, head->place);
  if (name != NULL)
    return name;
  if (!is_old)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_UNNAMED, head->place);
  g_snprintf (own, 32, "%s%" G_GUINT64_FORMAT, is_old ? "queue " : "#", is_old ? stage->old_queue : stage->queue);
  return own;
}

static guint32
find_queue (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const Stage *stage)
{
  char own[32];
  const char *name = find_queue_name (self, head, stage, own);
  guint64 slot = loom_string_pool_hash_join (stage->gpu, (guint64) (guintptr) name) % G_N_ELEMENTS (self->queues);
  /* this name is not cached: the cache compares addresses of names, and `own` exists only during this call */
  if (name == own)
    return loom_perfetto_tracks_find_queue (self->trace->tracks, stage->gpu, name);
  if (self->queues[slot].name != name || self->queues[slot].gpu != stage->gpu) {
    self->queues[slot].name = name;
    self->queues[slot].gpu = stage->gpu;
    self->queues[slot].track = loom_perfetto_tracks_find_queue (self->trace->tracks, stage->gpu, name);
  }
  return self->queues[slot].track;
}

void
loom_perfetto_walk_take_stage (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message)
{
  Stage stage = { 0 };
  guint n_links = self->trace->links->len;
  gboolean has_event = FALSE;
  gint64 end_ns;
  if (!read_stage (self, head, message, &stage))
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_DAMAGED, head->place);
  else if (!head->has_time)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_TIMELESS, head->place);
  else if (stage.duration > G_MAXINT64 || __builtin_add_overflow (head->time_ns, (gint64) stage.duration, &end_ns) ||
           end_ns == LOOM_PERFETTO_OPEN)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BAD_TIME, head->place);
  else
    has_event = loom_perfetto_walk_add_event (self, head, NULL, LOOM_PERFETTO_STAGE, find_queue (self, head, &stage),
                                              end_ns, FALSE);
  loom_perfetto_walk_settle_links (self, head, n_links, has_event);
}

/* --- reading the counters of GPUs --------------------------------------------------------------------------------- */

static void
take_gpu_counter (LoomPerfettoWalk *self, guint32 generation, guint64 descriptor, guint64 gpu,
                  const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  guint64 id = 0, direction = 0;
  g_autofree char *name = NULL;
  while (loom_proto_next (&p, end, &field))
    if (field.number == SPEC_ID && field.wire == LOOM_PROTO_VARINT) {
      id = field.value;
    } else if (field.number == SPEC_DIRECTION && field.wire == LOOM_PROTO_VARINT) {
      direction = field.value;
    } else if (field.number == SPEC_NAME && field.wire == LOOM_PROTO_BYTES) {
      g_free (name);
      name = loom_perfetto_tracks_dup_json ((const char *) field.bytes, (gsize) MIN (field.value, MOST_NAME_BYTES));
    }
  if (name == NULL)
    name = g_strdup_printf ("counter %" G_GUINT64_FORMAT, id);
  guint32 track = loom_perfetto_tracks_find_gpu_counter (self->trace->tracks, gpu, name);
  if (track == LOOM_PERFETTO_NO_TRACK)
    return;
  loom_perfetto_tracks_get (self->trace->tracks, track)->is_forwards = direction == FORWARDS;
  loom_perfetto_ids_insert (self->gpu_counters, generation, descriptor, id, GUINT_TO_POINTER (track + 1));
}

void
loom_perfetto_walk_take_gpu_descriptor (LoomPerfettoWalk *self, guint32 generation, guint64 number, guint64 gpu,
                                        const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == DESCRIPTOR_COUNTER && field.wire == LOOM_PROTO_BYTES)
      take_gpu_counter (self, generation, number, gpu, &field);
}

static guint32
find_gpu_counter (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint64 descriptor, guint64 gpu, guint64 id)
{
  guint known =
    GPOINTER_TO_UINT (loom_perfetto_ids_find (self->gpu_counters, head->sequence->generation, descriptor, id));
  if (known > 0)
    return known - 1;
  g_autofree char *name = g_strdup_printf ("counter %" G_GUINT64_FORMAT, id);
  guint32 track = loom_perfetto_tracks_find_gpu_counter (self->trace->tracks, gpu, name);
  loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_UNNAMED, head->place);
  return track;
}

static void
take_gpu_sample (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint64 descriptor, guint64 gpu,
                 const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, value = { 0 };
  guint64 id = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == VALUE_ID && field.wire == LOOM_PROTO_VARINT)
      id = field.value;
    else if ((field.number == VALUE_INTEGER && field.wire == LOOM_PROTO_VARINT) ||
             (field.number == VALUE_REAL && field.wire == LOOM_PROTO_FIXED64))
      value = field;
  if (!head->has_time || value.number == 0)
    loom_perfetto_trace_lose (self->trace, head->has_time ? LOOM_PERFETTO_NO_VALUE : LOOM_PERFETTO_TIMELESS,
                              head->place);
  else
    loom_perfetto_walk_add_sample (self, head, find_gpu_counter (self, head, descriptor, gpu, id), value.value,
                                   value.number == VALUE_REAL);
}

void
loom_perfetto_walk_take_gpu_counters (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                      const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, inline_descriptor = { 0 };
  guint64 descriptor = 0, gpu = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == COUNTERS_GPU && field.wire == LOOM_PROTO_VARINT)
      gpu = field.value;
    else if (field.number == COUNTERS_DESCRIPTOR_ID && field.wire == LOOM_PROTO_VARINT)
      descriptor = field.value;
    else if (field.number == COUNTERS_DESCRIPTOR && field.wire == LOOM_PROTO_BYTES)
      inline_descriptor = field;
  if (inline_descriptor.bytes != NULL)
    loom_perfetto_walk_take_gpu_descriptor (self, head->sequence->generation, 0, gpu, &inline_descriptor);
  for (p = message->bytes; loom_proto_next (&p, end, &field);)
    if (field.number == COUNTERS_COUNTER && field.wire == LOOM_PROTO_BYTES)
      take_gpu_sample (self, head, descriptor, gpu, &field);
}
