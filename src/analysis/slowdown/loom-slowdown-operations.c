/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the model of a run from the phases that Megatron records. The waits between operations are derived only once,
 * from the first step of the first data-parallel rank, and then used for all steps and ranks, as in the program of Lin
 * et al. (dependency_model.py of ByteDance-Seed/StragglerAnalysis).
 */
#include <stdlib.h>
#include <string.h>

#include "loom-block-cache.h"
#include "loom-parse-time.h"
#include "loom-slowdown-operations.h"
#include "loom-slowdown-templates.h"

/* The duration of a transfer is measured from the start of the last member of its group, so it may be slightly
 * negative. A duration below this limit (−10 ms) shows that the recorded times are implausible; the duration is then
 * set to 0. */
#define MOST_NEGATIVE_NS (-10 * 1000000)
#define CACHE_BLOCKS 64 /* number of blocks of the files that are cached, about 5 MB */

static const struct {
  const char *name;
  const char *kind; /* name of the kind in the results; the send and the receive of a message have the same kind */
  gboolean is_transfer;
} types[] = {
  [LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE] = { "forward-compute", "forward-compute", FALSE },
  [LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE] = { "backward-compute", "backward-compute", FALSE },
  [LOOM_SLOWDOWN_PHASE_FORWARD_SEND] = { "forward-send", "forward-pp-comm", TRUE },
  [LOOM_SLOWDOWN_PHASE_FORWARD_RECV] = { "forward-recv", "forward-pp-comm", TRUE },
  [LOOM_SLOWDOWN_PHASE_BACKWARD_SEND] = { "backward-send", "backward-pp-comm", TRUE },
  [LOOM_SLOWDOWN_PHASE_BACKWARD_RECV] = { "backward-recv", "backward-pp-comm", TRUE },
  [LOOM_SLOWDOWN_PHASE_PARAMS_ALL_GATHER] = { "params-all-gather", "params-all-gather", TRUE },
  [LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER] = { "grads-reduce-scatter", "grads-reduce-scatter", TRUE },
  [LOOM_SLOWDOWN_PHASE_LAYERNORM] = { "layernorm-grads-all-reduce", "layernorm-grads-all-reduce", TRUE },
  [LOOM_SLOWDOWN_PHASE_EMBEDDING] = { "embedding-grads-all-reduce", "embedding-grads-all-reduce", TRUE },
  [LOOM_SLOWDOWN_PHASE_SEPARATE] = { "separate-grads-all-reduce", "separate-grads-all-reduce", TRUE },
  [LOOM_SLOWDOWN_PHASE_GC] = { "gc", "gc", FALSE },
  [LOOM_SLOWDOWN_PHASE_CLIP] = { "optimizer-clip-main-grad", "optimizer-clip-main-grad", TRUE },
  [LOOM_SLOWDOWN_PHASE_OPTIMIZER] = { "optimizer", "optimizer", FALSE },
};

/* An operation as it is recorded in the file, before it is added to the model. */
typedef struct {
  gint64 step_number, chunk;
  gint64 begin_ns, end_ns;
  guint32 step, row, stage, sequence;
  guint32 type;
  LoomSpanId span;
} Record;

typedef struct {
  LoomSlowdownModel *model;
  LoomTimeline *timeline;
  LoomRange range;
  GArray *records;   /* Record: the operations recorded in the files */
  GArray *processes; /* Process: the data-parallel ranks */
  LoomSlowdownTemplates templates;
  guint32 n_rows, n_stages, n_steps;
  GCancellable *cancellable;
} Reading;

/* --- recorded operations ------------------------------------------------------------------------------------------ */

/* A data-parallel rank; Megatron's files have one process for each of them. */
typedef struct {
  guint32 trace, process;
  gint64 number;
} Process;

static guint
find_type (const char *text)
{
  for (guint i = 0; i < LOOM_N_SLOWDOWN_PHASES; i++)
    if (strcmp (text, types[i].name) == 0)
      return i;
  return LOOM_N_SLOWDOWN_PHASES;
}

gboolean
loom_slowdown_are_operations_recorded (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    guint found = 0;
    for (guint k = 0; k < loom_trace_get_n_names (trace); k++) {
      guint type = find_type (loom_trace_get_name (trace, k)->text);
      found |= type < LOOM_N_SLOWDOWN_PHASES ? 1u << type : 0;
    }
    const guint needed = 1u << LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE | 1u << LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE |
                         1u << LOOM_SLOWDOWN_PHASE_OPTIMIZER;
    if ((found & needed) == needed)
      return TRUE;
  }
  return FALSE;
}

/* Returns the pipeline stage stated in the name of a thread, such as 3 in "PP rank 3, TP rank 0, compute"; −1: the name
 * states no stage. */
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
      if (type_of_name[spans->name_id[i]] < LOOM_N_SLOWDOWN_PHASES)
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

/* --- rows and steps ----------------------------------------------------------------------------------------------- */

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

/* Numbers the rows (data-parallel ranks) in the order of their process numbers. */
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

/* Returns TRUE if a step is used: it begins in the range, and every worker completes it. `records`: the `n` operations
 * of the step; `extent`: range from the start of the first operation to the end of the last one. */
static gboolean
is_complete (const Reading *reading, const Record *records, guint n, LoomRange extent)
{
  guint n_ends = 0;
  for (guint i = 0; i < n; i++)
    n_ends += records[i].type == LOOM_SLOWDOWN_PHASE_OPTIMIZER;
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

/* Sorts the records, numbers the complete steps, and removes the records of incomplete steps. */
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

/* --- operations of all steps and ranks ---------------------------------------------------------------------------- */

/* Makes a LoomSlowdownTemplate for each operation of the first step of the first data-parallel rank. Assumes that every
 * other step and rank has the same operations. */
static void
make_templates (Reading *reading)
{
  loom_slowdown_templates_init (&reading->templates, reading->n_stages);
  for (guint i = 0; i < reading->records->len; i++) {
    const Record *record = &g_array_index (reading->records, Record, i);
    if (record->step != 0 || record->row != 0)
      break;
    const LoomSlowdownTemplate template = { .stage = record->stage,
                                            .sequence = record->sequence,
                                            .type = record->type,
                                            .chunk = record->chunk,
                                            .begin_ns = record->begin_ns,
                                            .end_ns = record->end_ns,
                                            .group = LOOM_SLOWDOWN_NONE };
    loom_slowdown_templates_add (&reading->templates, &template);
  }
  loom_slowdown_templates_connect (&reading->templates);
}

static void
add_kinds (Reading *reading)
{
  LoomSlowdownModel *model = reading->model;
  for (guint i = 0; i < LOOM_N_SLOWDOWN_PHASES; i++) {
    guint kind = 0;
    while (kind < model->kinds->len &&
           strcmp (g_array_index (model->kinds, LoomSlowdownPart, kind).name, types[i].kind) != 0)
      kind++;
    if (kind == model->kinds->len) {
      const LoomSlowdownPart part = { .name = types[i].kind, .is_transfer = types[i].is_transfer };
      g_array_append_val (model->kinds, part);
    }
    /* there is one set of comparable operations for each type, so the index of a set in LoomSlowdownModel.likes is the
     * type of its operations */
    loom_slowdown_model_add_like (model, kind, types[i].is_transfer);
  }
}

static guint32
get_number_of (const Reading *reading, guint32 template, guint32 step, guint32 row)
{
  return (step * reading->n_rows + row) * reading->templates.all->len + template;
}

/* Adds the operations of all steps and data-parallel ranks. If an operation has no record in the file, its duration
 * remains 0. (Some programs write records with negative durations; the reader skips such records, so they are
 * missing.) */
static void
add_operations (Reading *reading)
{
  LoomSlowdownReplay *replay = &reading->model->replay;
  for (guint32 step = 0; step < reading->n_steps; step++)
    for (guint32 row = 0; row < reading->n_rows; row++)
      for (guint32 i = 0; i < reading->templates.all->len; i++) {
        const LoomSlowdownTemplate *template = loom_slowdown_templates_get (&reading->templates, i);
        LoomSlowdownOperation operation = { .group = LOOM_SLOWDOWN_NONE,
                                            .like = template->type,
                                            .worker = template->stage * reading->n_rows + row,
                                            .step = step,
                                            .flags = LOOM_SLOWDOWN_OPENS };
        if (template->type == LOOM_SLOWDOWN_PHASE_OPTIMIZER)
          operation.flags |= LOOM_SLOWDOWN_CLOSES;
        if (template->group != LOOM_SLOWDOWN_NONE)
          operation.group =
            (step * reading->templates.n_groups + template->group) * reading->n_rows + (template->all_rows ? 0 : row);
        loom_slowdown_replay_add (replay, &operation);
      }
  for (guint32 step = 0; step < reading->n_steps; step++)
    for (guint32 row = 0; row < reading->n_rows; row++)
      for (guint32 i = 0; i < reading->templates.waits->len; i++) {
        const LoomSlowdownTemplateWait *wait = &g_array_index (reading->templates.waits, LoomSlowdownTemplateWait, i);
        loom_slowdown_replay_wait (replay, get_number_of (reading, wait->operation, step, row),
                                   get_number_of (reading, wait->before, step, row), 0);
      }
  replay->n_steps = reading->n_steps;
  replay->n_groups = reading->n_steps * reading->templates.n_groups * reading->n_rows;
}

/* Sets the measured durations of all operations. In a group of operations (a collective or a message), the transfer of
 * each member begins when the last member of the group begins. */
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
    guint32 template =
      loom_slowdown_templates_find (&reading->templates, record->stage, record->type, record->sequence);
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

/* Adds a LoomSlowdownPlace for each worker and step, with the span of the first operation of the worker in the step.
 * The records must be sorted by step, row, stage and start. */
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
                      .cancellable = cancellable };
  gboolean done = read_records (&reading);
  if (done) {
    number_rows (&reading);
    number_steps (&reading);
    make_templates (&reading);
    add_kinds (&reading);
    add_workers (&reading);
    add_operations (&reading);
    set_measured (&reading);
    add_places (&reading);
  }
  g_array_unref (reading.records);
  g_array_unref (reading.processes);
  loom_slowdown_templates_clear (&reading.templates);
  return done;
}
