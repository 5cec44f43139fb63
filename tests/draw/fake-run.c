/* SPDX-License-Identifier: Apache-2.0 */
#include "fake-run.h"

#include <math.h>
#include <string.h>

#include "loom-trace-builder.h"

const FakeShape fake_small = { 2, 4, 3, 12, 6, TRUE };

typedef struct {
  LoomTraceBuilder *builder;
  guint source;
  guint64 state; /* state of the random number generator */
  guint64 n_events;
  guint32 main, backward, compute, comm, process, device;
} Rank;

static const char *const ops[] = { "aten::linear", "aten::layer_norm", "aten::scaled_dot_product_attention",
                                   "aten::gelu",   "aten::add_",       "aten::dropout",
                                   "aten::copy_" };
static const char *const kernels[] = {
  "ampere_bf16_s16816gemm_128x128",      "vectorized_layer_norm_kernel",       "flash_fwd_kernel",
  "vectorized_elementwise_kernel<gelu>", "vectorized_elementwise_kernel<add>", "fused_dropout_kernel",
  "Memcpy DtoD (Device -> Device)"
};

static double
next_real (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return (double) (*state >> 11) / (double) (G_GUINT64_CONSTANT (1) << 53);
}

static guint32
name_of (Rank *rank, const char *text, const char *category)
{
  return loom_trace_builder_name (rank->builder, text, strlen (text), category, strlen (category), "", 0);
}

static LoomRef
next_ref (Rank *rank)
{
  return loom_source_ref_make (rank->source, 0, rank->n_events++);
}

static void
span (Rank *rank, guint32 thread, double begin_ns, double end_ns, const char *text, const char *category)
{
  gint64 begin = (gint64) begin_ns, end = (gint64) end_ns;
  loom_trace_builder_span (rank->builder, thread, begin, MAX (end - begin, 0), name_of (rank, text, category),
                           next_ref (rank));
}

/* Adds a layer: operators on the host, each of which launches a kernel a little later. Returns the end of the layer. */
static double
feed_layer (Rank *rank, guint32 thread, const FakeShape *shape, double begin, double length, double lag)
{
  double at = begin, each = length / shape->ops_per_layer;
  for (guint i = 0; i < shape->ops_per_layer; i++, at += each) {
    guint kind = (guint) (next_real (&rank->state) * G_N_ELEMENTS (ops)) % G_N_ELEMENTS (ops);
    double host = each * (0.5 + 0.4 * next_real (&rank->state)),
           device = each * (0.4 + 0.55 * next_real (&rank->state));
    span (rank, thread, at, at + host, ops[kind], "cpu_op");
    span (rank, thread, at + host * 0.3, at + host * 0.6, "cudaLaunchKernel", "cuda_runtime");
    span (rank, rank->compute, at + lag, at + lag + device, kernels[kind], kind == 6 ? "gpu_memcpy" : "kernel");
    if (i % 8 == 0) {
      char id[32];
      g_snprintf (id, sizeof id, "%" G_GUINT64_FORMAT, rank->n_events);
      guint64 key = loom_string_pool_hash (id, strlen (id));
      guint32 name = name_of (rank, "ac2g", "ac2g");
      loom_trace_builder_flow (rank->builder, thread, 's', FALSE, (gint64) (at + host * 0.3), key, name,
                               next_ref (rank));
      loom_trace_builder_flow (rank->builder, rank->compute, 'f', TRUE, (gint64) (at + lag), key, name,
                               next_ref (rank));
    }
  }
  return begin + length;
}

static void
feed_phase (Rank *rank, guint32 thread, const FakeShape *shape, double begin, double end, const char *name)
{
  double each = (end - begin) / shape->n_layers, lag = (end - begin) * 0.04;
  span (rank, thread, begin, end, name, "user_annotation");
  for (guint i = 0; i < shape->n_layers; i++) {
    char layer[64];
    g_snprintf (layer, sizeof layer, "transformer/block.py(%u): forward", 40 + i % 12);
    double at = begin + i * each;
    span (rank, thread, at, at + each * 0.96, layer, "python_function");
    feed_layer (rank, thread, shape, at + each * 0.02, each * 0.9, lag);
    if (thread == rank->backward && i % 3 == 2)
      span (rank, rank->comm, at + lag, at + lag + each * (1.4 + next_real (&rank->state)),
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "kernel");
  }
}

static void
feed_step (Rank *rank, const FakeShape *shape, guint step, double begin)
{
  char name[32];
  double length = FAKE_STEP_NS * (0.96 + 0.03 * next_real (&rank->state));
  g_snprintf (name, sizeof name, "ProfilerStep#%u", step);
  span (rank, rank->main, begin, begin + length, name, "user_annotation");
  span (rank, rank->main, begin + 0.01 * length, begin + 0.07 * length,
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation");
  feed_phase (rank, rank->main, shape, begin + 0.08 * length, begin + 0.38 * length, "forward");
  feed_phase (rank, rank->backward, shape, begin + 0.39 * length, begin + 0.84 * length, "backward");
  span (rank, rank->main, begin + 0.39 * length, begin + 0.86 * length, "cudaStreamSynchronize", "cuda_runtime");
  span (rank, rank->main, begin + 0.87 * length, begin + 0.98 * length, "Optimizer.step#AdamW.step", "user_annotation");
  span (rank, rank->compute, begin + 0.89 * length, begin + 0.97 * length, "multi_tensor_apply_kernel<adam>", "kernel");
  loom_trace_builder_instant (rank->builder, rank->source, rank->process, rank->main, (gint64) (begin + 0.5 * length),
                              name_of (rank, "[memory]", "cpu_instant_event"), 'i', 't', next_ref (rank));
}

static guint
add_source (LoomTraceBuilder *builder, const char *path, const char *format, const char *node, gint rank,
            gint64 base_ns)
{
  guint clock = loom_trace_builder_add_clock (builder);
  LoomDeclaredClock *decl = loom_trace_builder_get_clock (builder, clock);
  LoomSource *source = loom_source_new (path);
  g_free (decl->basis);
  decl->state = LOOM_CLOCK_EXACT;
  decl->basis = g_strdup ("made up");
  decl->base_ns = base_ns;
  source->format = format;
  source->node = g_strdup (node);
  source->rank = rank;
  return loom_trace_builder_add_source (builder, source, clock);
}

static guint32
add_thread (LoomTraceBuilder *builder, guint32 process, const char *key, const char *label, gint64 sort)
{
  guint32 thread = loom_trace_builder_thread (builder, process, key, strlen (key));
  loom_trace_builder_thread_set_label (builder, thread, label);
  loom_trace_builder_thread_set_sort (builder, thread, sort);
  return thread;
}

static LoomTrace *
make_rank (const FakeShape *shape, guint number, const char *node)
{
  g_autofree char *path = g_strdup_printf ("run/rank-%u.pt.trace.json", number);
  Rank rank = { .builder = loom_trace_builder_new (), .state = number + 1 };
  rank.source = add_source (rank.builder, path, "kineto", node, (gint) number, 0);
  rank.process = loom_trace_builder_process (rank.builder, rank.source, "1042", 4);
  rank.device = loom_trace_builder_process (rank.builder, rank.source, "0", 1);
  loom_trace_builder_process_set_label (rank.builder, rank.process, "python");
  loom_trace_builder_process_set_label (rank.builder, rank.device, "GPU 0");
  loom_trace_builder_process_set_sort (rank.builder, rank.device, 5000000);
  loom_trace_builder_process_set_place (rank.builder, rank.process, node, (gint) number);
  loom_trace_builder_process_set_place (rank.builder, rank.device, node, (gint) number);
  loom_trace_builder_process_add_flags (rank.builder, rank.device, LOOM_TRACK_DEVICE);
  rank.main = add_thread (rank.builder, rank.process, "1042", "thread 1042 (python)", 1);
  rank.backward = add_thread (rank.builder, rank.process, "1393", "thread 1393 (pt_autograd_0)", 2);
  rank.compute = add_thread (rank.builder, rank.device, "7", "stream 7", 7);
  rank.comm = add_thread (rank.builder, rank.device, "20", "stream 20", 20);
  for (guint step = 0; step < shape->n_steps; step++)
    feed_step (&rank, shape, step, (double) FAKE_STEP_NS * (step + 0.02));
  loom_trace_builder_shift_source (rank.builder, rank.source, FAKE_BEGIN_NS);
  return loom_trace_builder_freeze (rank.builder, 0, NULL);
}

/* --- system metrics --------------------------------------------------------------------------------------------- */

static void
feed_metric (LoomTraceBuilder *builder, const char *node, const char *type, const char *name, const char *dimension,
             const char *unit, gint64 length_ns, double base, double swing, guint64 *state)
{
  g_autofree char *key = g_strconcat (node, "/", type, NULL);
  guint32 process = loom_trace_builder_process (builder, 0, key, strlen (key));
  loom_trace_builder_process_set_label (builder, process, type);
  loom_trace_builder_process_set_place (builder, process, node, -1);
  guint32 counter = loom_trace_builder_counter (builder, process, type, strlen (type), name, strlen (name), "", 0);
  guint32 series = loom_trace_builder_series (builder, counter, dimension, strlen (dimension));
  loom_trace_builder_series_set_unit (builder, series, unit);
  for (gint64 at = 0; at < length_ns; at += 2500000) {
    double phase = (double) (at % FAKE_STEP_NS) / FAKE_STEP_NS, busy = phase > 0.1 && phase < 0.86 ? 1 : 0.2;
    double value = base + swing * busy * (0.8 + 0.2 * next_real (state));
    loom_trace_builder_sample (builder, series, FAKE_BEGIN_NS + at, value, LOOM_REF_NONE);
  }
}

static LoomTrace *
make_metrics (const FakeShape *shape, const char *node)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint64 state = g_str_hash (node);
  gint64 length = FAKE_STEP_NS * shape->n_steps;
  add_source (builder, "run/system/1750154400.json", "smdebug-system", node, -1, 0);
  for (guint i = 0; i < 12; i++) {
    char name[16];
    g_snprintf (name, sizeof name, "cpu%u", i);
    feed_metric (builder, node, "cpu", name, "CPUUtilization", "%", length, 6, 20 + 5 * i, &state);
    feed_metric (builder, node, "cpu", name, "I/OWaitPercentage", "%", length, 0, 3, &state);
  }
  for (guint i = 0; i < MIN (shape->ranks_per_node, 8); i++) {
    char name[16];
    g_snprintf (name, sizeof name, "gpu%u", i);
    feed_metric (builder, node, "gpu", name, "GPUUtilization", "%", length, 2, 96 - 9 * i, &state);
    feed_metric (builder, node, "gpu", name, "GPUMemoryUtilization", "%", length, 40 + 5 * i, 10, &state);
  }
  feed_metric (builder, node, "memory", "MemoryUsedPercent", "", "%", length, 40, 3, &state);
  feed_metric (builder, node, "network", "ReceiveBytesPerSecond", "Algorithm", "B/s", length, 1e6, 9e8, &state);
  feed_metric (builder, node, "network", "TransmitBytesPerSecond", "Algorithm", "B/s", length, 1e6, 7e8, &state);
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* --- the run ---------------------------------------------------------------------------------------------------- */

static LoomTimeline *
timeline_of (GPtrArray *traces)
{
  LoomRun *run = loom_run_new ((LoomTrace *const *) traces->pdata, traces->len);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  return timeline;
}

LoomTimeline *
fake_run_new (const FakeShape *shape)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  for (guint node = 0; node < shape->n_nodes; node++) {
    g_autofree char *name = g_strdup_printf ("algo-%u", node + 1);
    if (shape->metrics)
      g_ptr_array_add (traces, make_metrics (shape, name));
    for (guint rank = 0; rank < shape->ranks_per_node; rank++)
      g_ptr_array_add (traces, make_rank (shape, node * shape->ranks_per_node + rank, name));
  }
  return timeline_of (traces);
}

LoomTimeline *
fake_timeline_of (LoomTrace *trace)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  g_ptr_array_add (traces, trace);
  return timeline_of (traces);
}

LoomSpanId
fake_run_find (LoomTimeline *timeline, const char *name)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 k = 0; k < spans->n; k++)
      if (strcmp (loom_trace_get_name (trace, spans->name_id[k])->text, name) == 0)
        return (LoomSpanId) { i, k };
  }
  return LOOM_SPAN_ID_NONE;
}
