/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of Megatron's phases. What they wait for is worked out once, from the first step of the first data-parallel
 * rank, and then used for all steps and ranks, as in the program of Lin et al. (dependency_model.py of
 * ByteDance-Seed/StragglerAnalysis): a send follows its computation; a receive precedes its computation and follows the
 * computation before that.
 */
#include <stdlib.h>
#include <string.h>

#include "loom-block-cache.h"
#include "loom-parse-time.h"
#include "loom-slowdown-private.h"

/* Clocks of ranks may differ by as much, so that a message seems to begin after the computation that needs it. */
#define CLOCK_ERROR_NS 50000
/* A transfer that ends this long before its last member begins does not belong to these members. */
#define MOST_NEGATIVE_NS (-10 * 1000000)
#define CACHE_BLOCKS 64 /* cached blocks of the files: 5 MB */

typedef enum {
  FORWARD_COMPUTE,
  BACKWARD_COMPUTE,
  FORWARD_SEND,
  FORWARD_RECV,
  BACKWARD_SEND,
  BACKWARD_RECV,
  PARAMS_ALL_GATHER,
  GRADS_REDUCE_SCATTER,
  LAYERNORM,
  EMBEDDING,
  SEPARATE,
  GC,
  CLIP,
  OPTIMIZER,
  N_TYPES,
} Type;

static const struct {
  const char *name;
  const char *kind; /* of the results; messages of both ends are one */
  gboolean is_transfer;
} types[] = {
  [FORWARD_COMPUTE] = { "forward-compute", "forward-compute", FALSE },
  [BACKWARD_COMPUTE] = { "backward-compute", "backward-compute", FALSE },
  [FORWARD_SEND] = { "forward-send", "forward-pp-comm", TRUE },
  [FORWARD_RECV] = { "forward-recv", "forward-pp-comm", TRUE },
  [BACKWARD_SEND] = { "backward-send", "backward-pp-comm", TRUE },
  [BACKWARD_RECV] = { "backward-recv", "backward-pp-comm", TRUE },
  [PARAMS_ALL_GATHER] = { "params-all-gather", "params-all-gather", TRUE },
  [GRADS_REDUCE_SCATTER] = { "grads-reduce-scatter", "grads-reduce-scatter", TRUE },
  [LAYERNORM] = { "layernorm-grads-all-reduce", "layernorm-grads-all-reduce", TRUE },
  [EMBEDDING] = { "embedding-grads-all-reduce", "embedding-grads-all-reduce", TRUE },
  [SEPARATE] = { "separate-grads-all-reduce", "separate-grads-all-reduce", TRUE },
  [GC] = { "gc", "gc", FALSE },
  [CLIP] = { "optimizer-clip-main-grad", "optimizer-clip-main-grad", TRUE },
  [OPTIMIZER] = { "optimizer", "optimizer", FALSE },
};

/* An operation as recorded. */
typedef struct {
  gint64 step_number, chunk;
  gint64 begin_ns, end_ns;
  guint32 step, row, stage, sequence;
  guint32 type;
  LoomSpanId span;
} Record;

/* An operation of the first step of the first row: the model of those of all steps and rows. */
typedef struct {
  guint32 stage, sequence, type;
  gint64 chunk, begin_ns, end_ns;
  guint32 group;      /* of templates that meet; LOOM_SLOWDOWN_NONE */
  gboolean all_rows;  /* the group is one over all rows */
  gboolean is_paired; /* of a message: not a no-op at an end of the pipeline */
} Template;

typedef struct {
  guint32 operation, before; /* templates */
} TemplateWait;

typedef struct {
  LoomSlowdownModel *model;
  LoomTimeline *timeline;
  LoomRange range;
  GArray *records;   /* Record */
  GArray *processes; /* Process */
  GArray *templates; /* Template, by stage, then begin, sequence, type */
  GArray *waits;     /* TemplateWait */
  guint32 n_rows, n_stages, n_steps, n_groups;
  guint32 *first_of_stage; /* [stage] first template; the last element is the total */
  gboolean overlaps;       /* gradients are reduced beside computation */
  GCancellable *cancellable;
} Reading;

/* --- recorded operations --------------------------------------------------------------------------------------------- */

/* A data-parallel rank. */
typedef struct {
  guint32 trace, process;
  gint64 number;
} Process;

static guint
find_type (const char *text)
{
  for (guint i = 0; i < N_TYPES; i++)
    if (strcmp (text, types[i].name) == 0)
      return i;
  return N_TYPES;
}

gboolean
loom_slowdown_are_operations_recorded (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    guint found = 0;
    for (guint k = 0; k < loom_trace_get_n_names (trace); k++) {
      guint type = find_type (loom_trace_get_name (trace, k)->text);
      found |= type < N_TYPES ? 1u << type : 0;
    }
    const guint needed = 1u << FORWARD_COMPUTE | 1u << BACKWARD_COMPUTE | 1u << OPTIMIZER;
    if ((found & needed) == needed)
      return TRUE;
  }
  return FALSE;
}

/* The stage in "PP rank 3, TP rank 0, compute"; −1: the thread is none of a stage. */
static gint64
get_stage (const LoomTrack *track)
{
  static const char words[] = "PP rank ";
  const char *found = strstr (track->thread, words);
  gint64 stage;
  gsize length = found != NULL ? strspn (found + strlen (words), "0123456789") : 0;
  return length > 0 && length < 6 && loom_parse_time_parse_int (found + strlen (words), length, &stage) ? stage : -1;
}

static gint64
get_number (LoomJsonSlice args, const char *key)
{
  LoomJsonSlice value = loom_json_slice_member (args, key);
  gint64 number;
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) ? number : -1;
}

static guint32
find_process (Reading *reading, guint32 trace, const LoomTrack *track)
{
  for (guint i = 0; i < reading->processes->len; i++) {
    const Process *process = &g_array_index (reading->processes, Process, i);
    if (process->trace == trace && process->process == track->process_id)
      return i;
  }
  Process process = { trace, track->process_id, -1 };
  gsize length = strspn (track->process_key, "0123456789");
  if (length > 0)
    loom_parse_time_parse_int (track->process_key, length, &process.number);
  g_array_append_val (reading->processes, process);
  return reading->processes->len - 1;
}

static void
read_span (Reading *reading, LoomBlockCache *cache, guint32 number, guint32 span, guint type, guint32 row, gint64 stage)
{
  LoomEvent event;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reading->timeline), number);
  LoomRef ref = loom_trace_get_spans (trace)->ref[span];
  if (ref == LOOM_REF_NONE)
    return;
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  if (source->text == NULL || !loom_block_cache_read (cache, source->text, loom_source_ref_offset (ref), &event, NULL))
    return;
  LoomJsonSlice args = event.member[LOOM_MEMBER_ARGS];
  gint64 sequence = get_number (args, "seq_id");
  Record record = { .step_number = get_number (args, "step"),
                    .chunk = get_number (args, "model_chunk"),
                    .row = row,
                    .stage = (guint32) stage,
                    .sequence = (guint32) sequence,
                    .type = type,
                    .span = { number, span } };
  loom_timeline_get_span (reading->timeline, (LoomSpanId) { number, span }, &record.begin_ns, &record.end_ns);
  if (record.step_number >= 0 && sequence >= 0 && sequence < G_MAXINT32)
    g_array_append_val (reading->records, record);
}

static void
read_track (Reading *reading, LoomBlockCache *cache, guint32 number, const LoomTrack *track, const guint8 *type_of_name)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reading->timeline), number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  gint64 stage = get_stage (track);
  if (track->kind != LOOM_TRACK_SPANS || stage < 0 || (track->flags & LOOM_TRACK_DERIVED) != 0)
    return;
  guint32 row = find_process (reading, number, track);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *own = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = own->first; i < own->first + own->n; i++)
      if (type_of_name[spans->name_id[i]] < N_TYPES)
        read_span (reading, cache, number, i, type_of_name[spans->name_id[i]], row, stage);
  }
}

static gboolean
read_records (Reading *reading)
{
  LoomRun *run = loom_timeline_get_run (reading->timeline);
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (CACHE_BLOCKS);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    g_autofree guint8 *type_of_name = g_new (guint8, loom_trace_get_n_names (trace) + 1);
    for (guint k = 0; k < loom_trace_get_n_names (trace); k++)
      type_of_name[k] = (guint8) find_type (loom_trace_get_name (trace, k)->text);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace) && !g_cancellable_is_cancelled (reading->cancellable); k++)
      read_track (reading, cache, i, loom_trace_get_track (trace, k), type_of_name);
  }
  return !g_cancellable_is_cancelled (reading->cancellable);
}

/* --- rows and steps -------------------------------------------------------------------------------------------------- */

static int
compare_processes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *processes = user_data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  const Process *first = &g_array_index (processes, Process, x), *second = &g_array_index (processes, Process, y);
  if (first->number != second->number)
    return first->number < second->number ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Numbers the data-parallel ranks by the numbers of their processes. */
static void
number_rows (Reading *reading)
{
  reading->n_rows = reading->processes->len;
  g_autofree guint *order = g_new (guint, reading->n_rows + 1), *place = g_new (guint, reading->n_rows + 1);
  for (guint i = 0; i < reading->n_rows; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) reading->n_rows, sizeof *order, compare_processes, reading->processes);
  for (guint i = 0; i < reading->n_rows; i++)
    place[order[i]] = i;
  for (guint i = 0; i < reading->records->len; i++) {
    Record *record = &g_array_index (reading->records, Record, i);
    record->row = place[record->row];
    reading->n_stages = MAX (reading->n_stages, record->stage + 1);
  }
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const Record *x = a, *y = b;
  if (x->step_number != y->step_number)
    return x->step_number < y->step_number ? -1 : 1;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->stage != y->stage)
    return x->stage < y->stage ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->sequence != y->sequence)
    return x->sequence < y->sequence ? -1 : 1;
  return x->type < y->type ? -1 : x->type > y->type;
}

/* A step counts if it begins in the range and every worker ends it. */
static gboolean
is_complete (const Reading *reading, const Record *records, guint n, LoomRange extent)
{
  guint n_ends = 0;
  for (guint i = 0; i < n; i++)
    n_ends += records[i].type == OPTIMIZER;
  return n_ends == reading->n_rows * reading->n_stages && extent.begin_ns >= reading->range.begin_ns &&
         extent.begin_ns < reading->range.end_ns;
}

static LoomRange
get_extent (const Record *records, guint n)
{
  LoomRange extent = { records[0].begin_ns, records[0].end_ns };
  for (guint i = 1; i < n; i++) {
    extent.begin_ns = MIN (extent.begin_ns, records[i].begin_ns);
    extent.end_ns = MAX (extent.end_ns, records[i].end_ns);
  }
  return extent;
}

/* Sorts the records and keeps those of complete steps. */
static void
number_steps (Reading *reading)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (Record));
  g_array_sort (reading->records, compare_records);
  for (guint i = 0, n; i < reading->records->len; i += n) {
    Record *first = &g_array_index (reading->records, Record, i);
    for (n = 1; i + n < reading->records->len && first[n].step_number == first->step_number;)
      n++;
    LoomRange extent = get_extent (first, n);
    if (!is_complete (reading, first, n, extent))
      continue;
    const LoomSlowdownStep step = { .number = first->step_number,
                                    .range = extent,
                                    .measured_ns = extent.end_ns - extent.begin_ns };
    for (guint k = 0; k < n; k++)
      first[k].step = reading->n_steps;
    g_array_append_vals (kept, first, n);
    g_array_append_val (reading->model->steps, step);
    reading->n_steps++;
  }
  g_array_unref (reading->records);
  reading->records = kept;
}

/* --- templates ------------------------------------------------------------------------------------------------------- */

static Template *
get_template (const Reading *reading, guint32 number)
{
  return &g_array_index (reading->templates, Template, number);
}

static void
add_wait (Reading *reading, guint32 operation, guint32 before)
{
  const TemplateWait wait = { operation, before };
  if (operation != LOOM_SLOWDOWN_NONE && before != LOOM_SLOWDOWN_NONE)
    g_array_append_val (reading->waits, wait);
}

static guint32
find_template (const Reading *reading, guint32 stage, guint type, guint32 sequence)
{
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++)
    if (get_template (reading, i)->type == type && get_template (reading, i)->sequence == sequence)
      return i;
  return LOOM_SLOWDOWN_NONE;
}

static void
make_templates (Reading *reading)
{
  reading->first_of_stage = g_new0 (guint32, reading->n_stages + 2);
  for (guint i = 0; i < reading->records->len; i++) {
    const Record *record = &g_array_index (reading->records, Record, i);
    if (record->step != 0 || record->row != 0)
      break;
    const Template template = { .stage = record->stage,
                                .sequence = record->sequence,
                                .type = record->type,
                                .chunk = record->chunk,
                                .begin_ns = record->begin_ns,
                                .end_ns = record->end_ns,
                                .group = LOOM_SLOWDOWN_NONE };
    g_array_append_val (reading->templates, template);
    reading->first_of_stage[record->stage + 1]++;
    reading->overlaps |= record->type == SEPARATE;
  }
  for (guint32 i = 0; i < reading->n_stages; i++)
    reading->first_of_stage[i + 1] += reading->first_of_stage[i];
}

/* Makes the operations of a stage that are of one of the types (bits) wait for each other in their order. Returns the
 * last one. */
static guint32
chain (Reading *reading, guint32 stage, guint of_types)
{
  guint32 last = LOOM_SLOWDOWN_NONE;
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++) {
    if ((of_types & 1u << get_template (reading, i)->type) == 0)
      continue;
    add_wait (reading, i, last);
    last = i;
  }
  return last;
}

/* --- messages -------------------------------------------------------------------------------------------------------- */

/* The messages of one direction of a stage and the computations that they belong to. */
typedef struct {
  guint32 stage;
  guint type, compute;
  gboolean receives;
  gint64 last_begin_ns, first_end_ns; /* of the computations */
  guint n_computations, n_messages;   /* messages: only those that have another side within the step */
} Messages;

static gboolean
is_message (const Messages *messages, const Template *template)
{
  if (template->type != messages->type)
    return FALSE;
  return messages->receives ? template->begin_ns <= messages->last_begin_ns + CLOCK_ERROR_NS
                            : template->end_ns >= messages->first_end_ns - CLOCK_ERROR_NS;
}

static void
count_messages (const Reading *reading, Messages *messages)
{
  messages->last_begin_ns = G_MININT64;
  messages->first_end_ns = G_MAXINT64;
  guint32 first = reading->first_of_stage[messages->stage], end = reading->first_of_stage[messages->stage + 1];
  for (guint32 i = first; i < end; i++) {
    const Template *template = get_template (reading, i);
    if (template->type != messages->compute)
      continue;
    messages->n_computations++;
    messages->last_begin_ns = MAX (messages->last_begin_ns, template->begin_ns);
    messages->first_end_ns = MIN (messages->first_end_ns, template->end_ns);
  }
  for (guint32 i = first; i < end && messages->n_computations > 0; i++)
    messages->n_messages += is_message (messages, get_template (reading, i));
}

/* The stage and chunk of the other side; FALSE: a no-op before the first chunk of the model or behind the last one. */
static gboolean
has_peer (const Reading *reading, const Messages *messages, gint64 chunk)
{
  gint64 n_chunks = 1, step = messages->type == FORWARD_SEND || messages->type == BACKWARD_RECV ? 1 : -1;
  for (guint i = 0; i < reading->templates->len; i++)
    n_chunks = MAX (n_chunks, get_template (reading, i)->chunk + 1);
  gint64 peer = MAX (chunk, 0) * reading->n_stages + messages->stage + step;
  return peer >= 0 && peer < n_chunks * reading->n_stages;
}

static void
match (Reading *reading, const Messages *messages, guint32 message, guint32 computation)
{
  guint32 compute = find_template (reading, messages->stage, messages->compute, computation);
  if (compute == LOOM_SLOWDOWN_NONE)
    return;
  get_template (reading, message)->is_paired = has_peer (reading, messages, get_template (reading, compute)->chunk);
  add_wait (reading, messages->receives ? compute : message, messages->receives ? message : compute);
  if (messages->receives && computation > 0)
    add_wait (reading, message, find_template (reading, messages->stage, messages->compute, computation - 1));
}

static void
match_messages (Reading *reading, guint32 stage, guint type)
{
  Messages messages = { .stage = stage,
                        .type = type,
                        .compute = type == FORWARD_SEND || type == FORWARD_RECV ? FORWARD_COMPUTE : BACKWARD_COMPUTE,
                        .receives = type == FORWARD_RECV || type == BACKWARD_RECV };
  count_messages (reading, &messages);
  guint32 computation = messages.receives && messages.n_messages + 1 == messages.n_computations ? 1 : 0;
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++)
    if (messages.n_computations > 0 && is_message (&messages, get_template (reading, i)))
      match (reading, &messages, i, computation++);
}

/* The n-th message of a type that has a peer. */
static guint32
find_paired (const Reading *reading, guint32 stage, guint type, guint n)
{
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++)
    if (get_template (reading, i)->type == type && get_template (reading, i)->is_paired && n-- == 0)
      return i;
  return LOOM_SLOWDOWN_NONE;
}

/* Joins the n-th send of a stage with the n-th receive of the stage behind it; messages without a peer are groups of one. */
static void
pair_messages (Reading *reading, guint32 stage, guint send, guint receive)
{
  guint32 peer = (stage + (send == FORWARD_SEND ? 1 : reading->n_stages - 1)) % reading->n_stages;
  for (guint n = 0;; n++) {
    guint32 sent = find_paired (reading, stage, send, n), received = find_paired (reading, peer, receive, n);
    if (sent == LOOM_SLOWDOWN_NONE || received == LOOM_SLOWDOWN_NONE)
      return;
    get_template (reading, sent)->group = get_template (reading, received)->group = reading->n_groups++;
  }
}

/* The first messages of the backward pass follow the last but one computation before the first backward. */
static void
hold_first_backward (Reading *reading, guint32 stage)
{
  guint32 before[2] = { LOOM_SLOWDOWN_NONE, LOOM_SLOWDOWN_NONE };
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++) {
    if (get_template (reading, i)->type == BACKWARD_COMPUTE)
      break;
    if (get_template (reading, i)->type != FORWARD_COMPUTE)
      continue;
    before[0] = before[1];
    before[1] = i;
  }
  add_wait (reading, find_template (reading, stage, BACKWARD_RECV, 0), before[0]);
  add_wait (reading, find_template (reading, stage, BACKWARD_SEND, 0), before[0]);
}

/* --- parameters, gradients and the end of the step ------------------------------------------------------------------- */

/* The first forward (or with `last` the last backward) computation of a chunk. */
static guint32
find_of_chunk (const Reading *reading, guint32 stage, gint64 chunk, gboolean last)
{
  guint32 found = LOOM_SLOWDOWN_NONE;
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++) {
    const Template *template = get_template (reading, i);
    if (template->chunk != chunk || template->type != (last ? BACKWARD_COMPUTE : FORWARD_COMPUTE))
      continue;
    if (found == LOOM_SLOWDOWN_NONE || (last && template->end_ns > get_template (reading, found)->end_ns))
      found = i;
  }
  return found;
}

static void
hold_chunks (Reading *reading, guint32 stage)
{
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++) {
    const Template *template = get_template (reading, i);
    if (template->type == PARAMS_ALL_GATHER)
      add_wait (reading, find_of_chunk (reading, stage, template->chunk, FALSE), i);
    else if (template->type == GRADS_REDUCE_SCATTER && reading->overlaps)
      add_wait (reading, i, find_of_chunk (reading, stage, template->chunk, TRUE));
  }
}

static guint32
find_last_computation (const Reading *reading, guint32 stage)
{
  guint32 found = LOOM_SLOWDOWN_NONE;
  for (guint32 i = reading->first_of_stage[stage]; i < reading->first_of_stage[stage + 1]; i++) {
    const Template *template = get_template (reading, i);
    if (template->type <= BACKWARD_COMPUTE &&
        (found == LOOM_SLOWDOWN_NONE || template->end_ns > get_template (reading, found)->end_ns))
      found = i;
  }
  return found;
}

/* Garbage collection, then the reductions, then the optimizer. */
static void
order_end (Reading *reading, guint32 stage)
{
  static const guint tail[] = { GC, LAYERNORM, EMBEDDING, GRADS_REDUCE_SCATTER, SEPARATE, CLIP, OPTIMIZER };
  guint32 last = find_last_computation (reading, stage), reduced = LOOM_SLOWDOWN_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (tail); i++)
    for (guint32 k = reading->first_of_stage[stage]; k < reading->first_of_stage[stage + 1]; k++) {
      if (get_template (reading, k)->type != tail[i])
        continue;
      if (tail[i] == GRADS_REDUCE_SCATTER && reading->overlaps) {
        reduced = k;
        continue;
      }
      add_wait (reading, k, last);
      last = k;
    }
  /* beside the computation: what follows the garbage collection waits for the last reduction too */
  add_wait (reading, find_template (reading, stage, LAYERNORM, 0), reduced);
}

static guint32
join (Reading *reading, guint32 number, guint32 group, gboolean all_rows)
{
  get_template (reading, number)->group = group != LOOM_SLOWDOWN_NONE ? group : reading->n_groups++;
  get_template (reading, number)->all_rows = all_rows;
  return get_template (reading, number)->group;
}

/* Of collectives each operation of a stage is a group over the rows; the embedding joins the first and the last stage of a
 * row, the clipping all stages and rows. Messages without a peer are groups of one. */
static void
join_groups (Reading *reading)
{
  guint32 embedding = LOOM_SLOWDOWN_NONE, clip = LOOM_SLOWDOWN_NONE;
  for (guint32 i = 0; i < reading->templates->len; i++) {
    guint type = get_template (reading, i)->type;
    if (type == PARAMS_ALL_GATHER || type == GRADS_REDUCE_SCATTER || type == SEPARATE)
      join (reading, i, LOOM_SLOWDOWN_NONE, TRUE);
    else if (type == EMBEDDING)
      embedding = join (reading, i, embedding, FALSE);
    else if (type == CLIP)
      clip = join (reading, i, clip, TRUE);
    else if (type >= FORWARD_SEND && type <= BACKWARD_RECV && get_template (reading, i)->group == LOOM_SLOWDOWN_NONE)
      join (reading, i, LOOM_SLOWDOWN_NONE, FALSE);
  }
}

static void
connect (Reading *reading)
{
  for (guint32 stage = 0; stage < reading->n_stages; stage++) {
    for (guint type = FORWARD_SEND; type <= BACKWARD_RECV; type++) {
      match_messages (reading, stage, type);
      chain (reading, stage, 1u << type);
    }
    chain (reading, stage, 1u << FORWARD_COMPUTE | 1u << BACKWARD_COMPUTE);
    chain (reading, stage, 1u << PARAMS_ALL_GATHER | 1u << GRADS_REDUCE_SCATTER);
    hold_first_backward (reading, stage);
    hold_chunks (reading, stage);
    order_end (reading, stage);
  }
  for (guint32 stage = 0; stage < reading->n_stages; stage++) {
    pair_messages (reading, stage, FORWARD_SEND, FORWARD_RECV);
    pair_messages (reading, stage, BACKWARD_SEND, BACKWARD_RECV);
  }
  join_groups (reading);
}

/* --- all steps and ranks --------------------------------------------------------------------------------------------- */

static void
add_kinds (Reading *reading)
{
  LoomSlowdownModel *model = reading->model;
  for (guint i = 0; i < N_TYPES; i++) {
    guint kind = 0;
    while (kind < model->kinds->len &&
           strcmp (g_array_index (model->kinds, LoomSlowdownPart, kind).name, types[i].kind) != 0)
      kind++;
    if (kind == model->kinds->len) {
      const LoomSlowdownPart part = { .name = types[i].kind, .is_transfer = types[i].is_transfer };
      g_array_append_val (model->kinds, part);
    }
    loom_slowdown_model_add_like (model, kind, types[i].is_transfer); /* the like's number is the type's */
  }
}

static guint32
get_number_of (const Reading *reading, guint32 template, guint32 step, guint32 row)
{
  return (step * reading->n_rows + row) * reading->templates->len + template;
}

/* An operation that is not in the file has no length: a program may write negative ones, which are left out. */
static void
add_operations (Reading *reading)
{
  LoomSlowdownReplay *replay = &reading->model->replay;
  for (guint32 step = 0; step < reading->n_steps; step++)
    for (guint32 row = 0; row < reading->n_rows; row++)
      for (guint32 i = 0; i < reading->templates->len; i++) {
        const Template *template = get_template (reading, i);
        LoomSlowdownOperation operation = { .group = LOOM_SLOWDOWN_NONE,
                                            .like = template->type,
                                            .worker = template->stage * reading->n_rows + row,
                                            .step = step,
                                            .flags = LOOM_SLOWDOWN_OPENS };
        if (template->type == OPTIMIZER)
          operation.flags |= LOOM_SLOWDOWN_CLOSES;
        if (template->group != LOOM_SLOWDOWN_NONE)
          operation.group =
            (step * reading->n_groups + template->group) * reading->n_rows + (template->all_rows ? 0 : row);
        loom_slowdown_replay_add (replay, &operation);
      }
  for (guint32 step = 0; step < reading->n_steps; step++)
    for (guint32 row = 0; row < reading->n_rows; row++)
      for (guint32 i = 0; i < reading->waits->len; i++) {
        const TemplateWait *wait = &g_array_index (reading->waits, TemplateWait, i);
        loom_slowdown_replay_wait (replay, get_number_of (reading, wait->operation, step, row),
                                   get_number_of (reading, wait->before, step, row), 0);
      }
  replay->n_steps = reading->n_steps;
  replay->n_groups = reading->n_steps * reading->n_groups * reading->n_rows;
}

/* Sets the measured times. The transfer of a member begins with the last member. */
static void
set_measured (Reading *reading)
{
  LoomSlowdownReplay *replay = &reading->model->replay;
  g_autofree gint64 *joined = g_new (gint64, replay->n_groups + 1);
  g_autofree guint32 *numbers = g_new (guint32, reading->records->len + 1);
  for (guint32 i = 0; i < replay->n_groups; i++)
    joined[i] = G_MININT64;
  for (guint32 i = 0; i < reading->records->len; i++) {
    const Record *record = &g_array_index (reading->records, Record, i);
    guint32 template = find_template (reading, record->stage, record->type, record->sequence);
    numbers[i] =
      template != LOOM_SLOWDOWN_NONE ? get_number_of (reading, template, record->step, record->row) : template;
    if (template == LOOM_SLOWDOWN_NONE)
      continue;
    guint32 group = g_array_index (replay->operations, LoomSlowdownOperation, numbers[i]).group;
    if (group != LOOM_SLOWDOWN_NONE)
      joined[group] = MAX (joined[group], record->begin_ns);
  }
  for (guint32 i = 0; i < reading->records->len; i++) {
    const Record *record = &g_array_index (reading->records, Record, i);
    if (numbers[i] == LOOM_SLOWDOWN_NONE)
      continue;
    LoomSlowdownOperation *operation = &g_array_index (replay->operations, LoomSlowdownOperation, numbers[i]);
    gint64 begin_ns = operation->group != LOOM_SLOWDOWN_NONE ? joined[operation->group] : record->begin_ns;
    gint64 duration_ns = loom_time_sub (record->end_ns, begin_ns);
    operation->duration_ns = duration_ns < MOST_NEGATIVE_NS ? 0 : duration_ns;
  }
}

/* The first operation of each worker in each step; records are sorted by step, row, stage and begin. */
static void
add_places (Reading *reading)
{
  for (guint32 i = 0; i < reading->records->len; i++) {
    const Record *record = &g_array_index (reading->records, Record, i), *last = record - 1;
    const LoomSlowdownPlace place = { record->stage * reading->n_rows + record->row, record->step, record->span };
    if (i == 0 || last->step != record->step || last->row != record->row || last->stage != record->stage)
      g_array_append_val (reading->model->places, place);
  }
}

static void
add_workers (Reading *reading)
{
  for (guint32 stage = 0; stage < reading->n_stages; stage++)
    for (guint32 row = 0; row < reading->n_rows; row++) {
      const LoomSlowdownWorker worker = { .rank = -1, .row = (gint) row, .stage = (gint) stage };
      g_array_append_val (reading->model->workers, worker);
    }
  reading->model->n_rows = reading->n_rows;
  reading->model->n_stages = reading->n_stages;
}

gboolean
loom_slowdown_operations_read (LoomSlowdownModel *model, LoomTimeline *timeline, LoomRange range,
                               GCancellable *cancellable)
{
  Reading reading = { .model = model,
                      .timeline = timeline,
                      .range = range,
                      .records = g_array_new (FALSE, FALSE, sizeof (Record)),
                      .processes = g_array_new (FALSE, FALSE, sizeof (Process)),
                      .templates = g_array_new (FALSE, FALSE, sizeof (Template)),
                      .waits = g_array_new (FALSE, FALSE, sizeof (TemplateWait)),
                      .cancellable = cancellable };
  gboolean done = read_records (&reading);
  if (done) {
    number_rows (&reading);
    number_steps (&reading);
    make_templates (&reading);
    connect (&reading);
    add_kinds (&reading);
    add_workers (&reading);
    add_operations (&reading);
    set_measured (&reading);
    add_places (&reading);
  }
  g_array_unref (reading.records);
  g_array_unref (reading.processes);
  g_array_unref (reading.templates);
  g_array_unref (reading.waits);
  g_free (reading.first_of_stage);
  return done;
}
