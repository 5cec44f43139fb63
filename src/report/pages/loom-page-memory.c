/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: how much memory of each device is allocated over time, and who holds it at the peak.
 */
#include "loom-page-private.h"

#include "loom-memory-use.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Points of a curve; each is the highest level in its part of the time. */
#define N_POINTS 400
/* Curves in the chart: of the devices with the highest peaks. */
#define MAX_LINES 8
#define MAX_HOLDERS 200
#define MIN_STEPS 3

static const LoomMemoryDevice *
get_device (const LoomMemoryUse *use, guint i)
{
  return &g_array_index (use->devices, LoomMemoryDevice, i);
}

/* "rank 3, GPU 0", "rank 3, host". Owned by the caller. */
static char *
dup_device_name (const LoomPageInput *input, const LoomMemoryDevice *device)
{
  g_autofree char *rank = loom_page_rank_name (input, device->node, device->rank, &device->source);
  if (device->is_host)
    return g_strdup_printf (
      /* Translators: the memory of a rank that is not that of a GPU: "rank 3, host" */ _ ("%s, host"), rank);
  return g_strdup_printf (/* Translators: "rank 3, GPU 0" */ _ ("%s, GPU %d"), rank,
                          (int) CLAMP (device->number, 0, 65535));
}

/* Returns the device with the highest peak, of the GPUs if there are any. */
static const LoomMemoryDevice *
find_highest (const LoomMemoryUse *use)
{
  const LoomMemoryDevice *highest = get_device (use, 0);
  for (guint i = 1; i < use->devices->len; i++) {
    const LoomMemoryDevice *device = get_device (use, i);
    gboolean is_kind = device->is_host != highest->is_host;
    if (is_kind ? highest->is_host : device->peak > highest->peak)
      highest = device;
  }
  return highest;
}

/* "aten::mm in Linear_3". Owned by the caller. */
static char *
dup_owner (const LoomMemoryOwner *owner)
{
  if (owner->name[0] == '\0' && owner->module[0] == '\0')
    return g_strdup (C_ ("owner of memory", "unknown"));
  if (owner->module[0] == '\0')
    return g_strdup (owner->name);
  if (owner->name[0] == '\0')
    return g_strdup (owner->module);
  /* Translators: an operator in a module: "aten::mm in Linear_3" */
  return g_strdup_printf (C_ ("owner of memory", "%s in %s"), owner->name, owner->module);
}

/* Makes the last element lead to an instant, with time around it. */
static void
set_place (LoomPageContent *sheet, const LoomPageInput *input, guint element, LoomSpanId span)
{
  LoomRange range;
  if (loom_timeline_span_id_is_none (span))
    return;
  loom_timeline_get_span (input->frame->timeline, span, &range.begin_ns, &range.end_ns);
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  loom_page_content_set_place (sheet, element, range, &span, 1);
}

/* --- the answer ------------------------------------------------------------------------------------------------------ */

static void
add_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  const LoomMemoryDevice *device = find_highest (use);
  const LoomMemoryHolder *holder = device->n_holders > 0 ? loom_memory_use_get_holder (use, device, 0) : NULL;
  g_autofree char *name = dup_device_name (input, device), *peak = loom_chart_format ((double) device->peak, "B"),
                  *held = loom_chart_format (holder != NULL ? (double) holder->held : 0, "B");
  g_autofree char *owner = holder != NULL ? dup_owner (loom_memory_use_get_owner (use, holder)) : NULL;
  g_autofree char *text =
    holder != NULL && holder->held > 0
      ? g_strdup_printf (/* Translators: "rank 3, GPU 0 has 14 GB allocated at its peak; the largest part, 3 GB, is held by
                            aten::mm." */
                         _ ("%s has %s allocated at its peak; the largest part, %s, is held by %s."), name, peak, held,
                         owner)
      : g_strdup_printf (_ ("%s has %s allocated at its peak."), name, peak);
  loom_page_content_add_answer (sheet, text);
}

static void
add_notes (LoomPageContent *sheet, const LoomMemoryUse *use)
{
  guint64 n_breaks = 0;
  gboolean is_relative = FALSE;
  for (guint i = 0; i < use->devices->len; i++) {
    n_breaks += get_device (use, i)->n_breaks;
    is_relative |= get_device (use, i)->is_relative;
  }
  if (is_relative)
    loom_page_content_add_note (sheet,
                                _ ("The file does not state how much is allocated, so levels count from 0 at the "
                                   "begin of the recording."));
  if (n_breaks > 0) {
    g_autofree char *text = g_strdup_printf (
      ngettext ("%" PRIu64 " level does not follow from the one before it: events are missing there.",
                "%" PRIu64 " levels do not follow from the ones before them: events are missing there.",
                (gulong) n_breaks),
      n_breaks);
    loom_page_content_add_note (sheet, text);
  }
  if (use->events->n_left > 0)
    loom_page_content_add_note (sheet, _ ("There are too many allocations; the last ones are left out."));
}

/* --- the curve ------------------------------------------------------------------------------------------------------- */

/* Adds the highest level in each of N_POINTS parts of the range. */
static void
add_curve (LoomChart *chart, const LoomPageInput *input, const LoomMemoryUse *use, const LoomMemoryDevice *device,
           LoomRange range)
{
  const LoomMemoryEvent *events = &g_array_index (use->events->events, LoomMemoryEvent, device->first);
  gint64 level = device->begin, length = MAX (range.end_ns - range.begin_ns, 1), zero_ns = loom_page_get_zero (input);
  guint at = 0;
  for (guint i = 0; i < N_POINTS; i++) {
    gint64 begin_ns = range.begin_ns + (gint64) ((double) length * i / N_POINTS),
           end_ns = range.begin_ns + (gint64) ((double) length * (i + 1) / N_POINTS), highest = level;
    for (; at < device->n && (events[at].time_ns < end_ns || i + 1 == N_POINTS); at++) {
      level = events[at].allocated;
      highest = MAX (highest, level);
    }
    loom_chart_add_point (chart, (double) loom_time_sub (begin_ns, zero_ns), (double) highest, FALSE);
  }
}

static int
compare_peaks (gconstpointer a, gconstpointer b)
{
  const LoomMemoryDevice *one = *(const LoomMemoryDevice *const *) a, *other = *(const LoomMemoryDevice *const *) b;
  if (one->is_host != other->is_host)
    return one->is_host ? 1 : -1;
  return (one->peak < other->peak) - (one->peak > other->peak);
}

/* The part of the page's range in which memory was recorded. */
static LoomRange
get_recorded (const LoomPageInput *input, const LoomMemoryUse *use)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < use->devices->len; i++) {
    const LoomMemoryDevice *device = get_device (use, i);
    const LoomMemoryEvent *events = &g_array_index (use->events->events, LoomMemoryEvent, device->first);
    if (device->n == 0)
      continue;
    range.begin_ns = MIN (range.begin_ns, events[0].time_ns);
    range.end_ns = MAX (range.end_ns, events[device->n - 1].time_ns + 1);
  }
  return range.begin_ns < range.end_ns ? range : input->range;
}

static void
add_chart (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  LoomRange range = get_recorded (input, use);
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  for (guint i = 0; i < use->devices->len; i++)
    g_ptr_array_add (devices, (gpointer) get_device (use, i));
  g_ptr_array_sort (devices, compare_peaks);
  guint n = MIN (devices->len, MAX_LINES);
  LoomChart *chart = loom_chart_new_lines (_ ("Allocated memory over time"), C_ ("chart", "time"), "ns", "B", TRUE);
  for (guint i = 0; i < n; i++) {
    const LoomMemoryDevice *device = devices->pdata[i];
    g_autofree char *name = dup_device_name (input, device);
    loom_chart_add_line (chart, name, i);
    add_curve (chart, input, use, device, range);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n * N_POINTS; i++) {
    guint k = i % N_POINTS;
    double length = (double) MAX (range.end_ns - range.begin_ns, 1);
    const LoomRange part = { range.begin_ns + (gint64) (length * k / N_POINTS),
                             range.begin_ns + (gint64) (length * (k + 1) / N_POINTS) + 1 };
    loom_page_content_set_place (sheet, i, part, NULL, 0);
  }
  if (devices->len > MAX_LINES) {
    g_autofree char *text =
      g_strdup_printf (ngettext ("The chart shows the %u device with the highest peak.",
                                 "The chart shows the %u devices with the highest peaks.", MAX_LINES),
                       MAX_LINES);
    loom_page_content_add_note (sheet, text);
  }
}

/* --- devices --------------------------------------------------------------------------------------------------------- */

static LoomResultTable *
new_device_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Memory by device"));
  loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  guint peak =
    loom_result_table_add_column (table, C_ ("column", "Peak"), "B", _ ("The most that is allocated at once"));
  loom_result_table_add_column (table, C_ ("column", "At begin"), "B", _ ("Allocated when the range begins"));
  loom_result_table_add_column (table, C_ ("column", "At end"), "B", _ ("Allocated when the range ends"));
  loom_result_table_add_column (table, C_ ("column", "Reserved"), "B",
                                _ ("The most that the allocator took from the device"));
  loom_result_table_add_share_column (table, C_ ("column", "Unused"),
                                      _ ("Part of the reserved memory that is not allocated at the peak"));
  loom_result_table_add_column (table, C_ ("column", "Allocations"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Per step"), "B",
                                _ ("Growth from step to step: the slope of a line through the levels at their ends"));
  loom_result_table_set_order (table, peak, TRUE);
  return table;
}

static void
add_device (LoomResultTable *table, const LoomPageInput *input, const LoomMemoryUse *use,
            const LoomMemoryDevice *device)
{
  g_autofree char *name = dup_device_name (input, device);
  gint64 least;
  double slope;
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, 1, (double) device->peak);
  loom_result_table_set_number (table, 2, (double) device->begin);
  loom_result_table_set_number (table, 3, (double) device->end);
  if (device->reserved_peak != LOOM_MEMORY_UNKNOWN)
    loom_result_table_set_number (table, 4, (double) device->reserved_peak);
  loom_result_table_set_number (table, 5, 100 * loom_memory_use_get_fragmentation (device));
  loom_result_table_set_number (table, 6, (double) device->n_allocations);
  if (loom_memory_use_get_growth (use, device, MIN_STEPS, &least, &slope))
    loom_result_table_set_number (table, 7, slope);
}

static void
add_devices (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  LoomResultTable *table = new_device_table ();
  for (guint i = 0; i < use->devices->len; i++)
    add_device (table, input, use, get_device (use, i));
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < use->devices->len; i++)
    set_place (sheet, input, i, get_device (use, i)->peak_span);
}

/* --- owners ---------------------------------------------------------------------------------------------------------- */

static LoomResultTable *
new_holder_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Who allocates memory"));
  loom_result_table_add_column (
    table, C_ ("column", "Operator"), NULL,
    _ ("The innermost operator around the allocation, or the function that a snapshot names"));
  loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  guint held = loom_result_table_add_column (table, C_ ("column", "Held at peak"), "B",
                                             _ ("Its blocks that are allocated at the peak of the device"));
  loom_result_table_add_share_column (table, C_ ("column", "Of peak"), NULL);
  loom_result_table_add_column (table, C_ ("column", "Allocations"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Allocated"), "B", _ ("Sum of all its allocations"));
  loom_result_table_add_column (table, C_ ("column", "Largest"), "B", _ ("Its largest allocation"));
  loom_result_table_add_column (table, C_ ("column", "Not freed"), "B",
                                _ ("Allocated in the range and not freed up to its end"));
  loom_result_table_set_order (table, held, TRUE);
  return table;
}

static void
add_holder (LoomResultTable *table, const LoomMemoryUse *use, const LoomMemoryDevice *device, const char *device_name,
            const LoomMemoryHolder *holder)
{
  g_autofree char *owner = dup_owner (loom_memory_use_get_owner (use, holder));
  loom_result_table_add_row (table, owner);
  loom_result_table_set_text (table, 1, device_name);
  loom_result_table_set_number (table, 2, (double) holder->held);
  if (device->peak > 0)
    loom_result_table_set_number (table, 3, 100 * (double) holder->held / (double) device->peak);
  loom_result_table_set_number (table, 4, (double) holder->n);
  loom_result_table_set_number (table, 5, (double) holder->allocated);
  if (holder->n > 0)
    loom_result_table_set_number (table, 6, (double) holder->largest);
  loom_result_table_set_number (table, 7, (double) holder->left);
}

/* Adds what no recorded allocation explains. Returns TRUE if there is something. */
static gboolean
add_before (LoomResultTable *table, const LoomMemoryDevice *device, const char *device_name)
{
  if (device->before <= 0)
    return FALSE;
  loom_result_table_add_row (table, _ ("allocated before the recording"));
  loom_result_table_set_text (table, 1, device_name);
  loom_result_table_set_number (table, 2, (double) device->before);
  loom_result_table_set_number (table, 3, 100 * (double) device->before / (double) device->peak);
  return TRUE;
}

static void
add_holders (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  LoomResultTable *table = new_holder_table ();
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < use->devices->len; i++) {
    const LoomMemoryDevice *device = get_device (use, i);
    g_autofree char *name = dup_device_name (input, device);
    guint n = MIN (device->n_holders, MAX (MAX_HOLDERS / use->devices->len, 5));
    for (guint k = 0; k < n; k++) {
      const LoomMemoryHolder *holder = loom_memory_use_get_holder (use, device, k);
      add_holder (table, use, device, name, holder);
      g_array_append_val (spans, holder->span);
    }
    if (add_before (table, device, name))
      g_array_append_val (spans, device->peak_span);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < spans->len; i++)
    set_place (sheet, input, i, g_array_index (spans, LoomSpanId, i));
}

/* --- the page -------------------------------------------------------------------------------------------------------- */

static void
fill (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  add_answer (sheet, input, use);
  add_notes (sheet, use);
  add_chart (sheet, input, use);
  add_devices (sheet, input, use);
  add_holders (sheet, input, use);
}

LoomPageContent *
loom_page_memory (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomSteps) steps = loom_steps_new (input->frame->timeline, cancellable);
  g_autoptr (LoomMemoryUse) use =
    steps != NULL ? loom_memory_use_new (input->frame->timeline, steps, input->range, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  if (use == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (use->devices->len == 0) {
    loom_page_content_add_missing (sheet, loom_memory_use_get_missing (use));
    loom_page_content_add_note (sheet, _ ("PyTorch records them with profile(profile_memory=True), or in a snapshot of "
                                          "torch.cuda.memory._dump_snapshot()."));
  } else
    fill (sheet, input, use);
  return loom_page_finish (sheet, cancellable);
}
