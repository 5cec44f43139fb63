/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Memory", which shows how much memory of each device is allocated over time, and which operators
 * allocated the memory that is in use at the peak.
 */
#include "loom-page-private.h"

#include "loom-memory-groups.h"
#include "loom-operators.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A memory curve divides the time range into this many intervals. For each interval, the curve has a point with the
 * highest level in the interval. It has two more points: the levels before the first event and after the last event,
 * which are also in the table of devices. */
#define N_POINTS 400
#define N_DRAWN (N_POINTS + 2)
/* Maximum number of curves in the chart; the devices with the highest peaks have curves. */
#define MAX_LINES 8
#define ALIKE_SHARE 0.02 /* two levels count as equal if their difference is less than this share of the peak */
/* two curves count as equal if their levels differ at no more than this share of their points */
#define ALIKE_POINTS 0.1
/* maximum number of rows in the table of owners (operators and modules that allocated memory) */
#define MAX_GROUPS 200
#define MIN_STEPS 3

static const LoomMemoryDevice *
get_device (const LoomMemoryUse *use, guint i)
{
  return &g_array_index (use->devices, LoomMemoryDevice, i);
}

/* Returns the name of a device: "rank 3, GPU 0", or "rank 3, host" for the memory of a host. Owned by the caller. */
static char *
dup_device_name (const LoomPageInput *input, const LoomMemoryDevice *device)
{
  g_autofree char *rank = loom_page_rank_name (input, device->node, device->rank, &device->source);
  if (device->is_host)
    return g_strdup_printf (
      /* Translators: the memory of the host of a rank, not of a GPU: "rank 3, host" */ _ ("%s, host"), rank);
  return g_strdup_printf (/* Translators: "rank 3, GPU 0" */ _ ("%s, GPU %d"), rank,
                          (int) CLAMP (device->number, 0, 65535));
}

/* Returns the name of `n` similar devices, of which `device` is the first: "rank 3, GPU 0 and 7 similar devices". Owned
 * by the caller. */
static char *
dup_similar_devices (const LoomPageInput *input, const LoomMemoryDevice *device, guint n)
{
  g_autofree char *name = dup_device_name (input, device);
  if (n < 2)
    return g_steal_pointer (&name);
  return g_strdup_printf (ngettext ("%s and %u similar device", "%s and %u similar devices", n - 1), name, n - 1);
}

/* Returns the GPU with the highest peak; if the run has no GPUs, the host with the highest peak. */
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

/* Returns the name of the module to which a group of owners belongs: "Linear_3", or "6 × Linear" if the owners belong
 * to 6 modules of one class. Owned by the caller. */
static char *
dup_module (const LoomMemoryOwner *owner, guint n_owners)
{
  if (n_owners < 2 || owner->module[0] == '\0')
    return g_strdup (owner->module);
  g_autofree char *class = loom_operators_dup_class (owner->module);
  return g_strdup_printf (
    /* Translators: a number of modules of one class: "6 × Linear" */ C_ ("owner of memory", "%u × %s"), n_owners,
    class);
}

/* Returns the name of a group of owners of memory, that is, of the operator and module that allocated it: "aten::mm in
 * Linear_3". Owned by the caller. */
static char *
dup_owner (const LoomMemoryUse *use, const LoomMemoryGroup *group)
{
  const LoomMemoryOwner *owner = &g_array_index (use->events->owners, LoomMemoryOwner, group->owner);
  g_autofree char *module = dup_module (owner, group->n_owners);
  if (owner->name[0] == '\0' && owner->module[0] == '\0')
    return g_strdup (C_ ("owner of memory", "unknown"));
  if (owner->module[0] == '\0')
    return g_strdup (owner->name);
  if (owner->name[0] == '\0')
    return g_steal_pointer (&module);
  /* Translators: an operator in a module: "aten::mm in Linear_3" */
  return g_strdup_printf (C_ ("owner of memory", "%s in %s"), owner->name, module);
}

/* Makes `span` the target of a chart element or table row: the place on the timeline that the element shows when
 * activated. Does nothing if `span` is LOOM_SPAN_ID_NONE. */
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

/* --- sentence at the top of the page, and notes ------------------------------------------------------------------- */

static guint
count_of_kind (const LoomMemoryUse *use, gboolean is_host)
{
  guint n = 0;
  for (guint i = 0; i < use->devices->len; i++)
    n += get_device (use, i)->is_host == is_host;
  return n;
}

/* Returns how many other devices of the same kind (GPU or host) have about the same peak as `device`. */
static guint
count_equal_peaks (const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  guint n = 0;
  for (guint i = 0; i < use->devices->len; i++) {
    const LoomMemoryDevice *other = get_device (use, i);
    n += other != device && other->is_host == device->is_host &&
         (double) other->peak >= (1 - ALIKE_SHARE) * (double) device->peak;
  }
  return n;
}

/* Sets `largest` to the group of owners (operators and modules) that hold most of the memory at the device's peak.
 * Returns FALSE if no owner is known. */
static gboolean
find_largest (const LoomMemoryUse *use, const LoomMemoryDevice *device, LoomMemoryGroup *largest)
{
  guint index = (guint) (device - &g_array_index (use->devices, LoomMemoryDevice, 0));
  g_autoptr (GArray) groups = loom_memory_groups_new_for_device (use, index);
  for (guint i = 0; i < groups->len; i++) {
    *largest = g_array_index (groups, LoomMemoryGroup, i);
    if (!largest->is_before)
      return largest->held > 0;
  }
  return FALSE;
}

/* Returns a sentence about the owner (operator and module) that allocates most. It is used if the file of the device
 * contains no addresses, so that it is unknown which allocations are in use at the peak. Returns "" if no allocation is
 * recorded. Owned by the caller. */
static char *
dup_most_allocated (const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  guint index = (guint) (device - &g_array_index (use->devices, LoomMemoryDevice, 0));
  g_autoptr (GArray) groups = loom_memory_groups_new_for_device (use, index);
  const LoomMemoryGroup *most = NULL;
  for (guint i = 0; i < groups->len; i++) {
    const LoomMemoryGroup *group = &g_array_index (groups, LoomMemoryGroup, i);
    most = !group->is_before && (most == NULL || group->allocated > most->allocated) ? group : most;
  }
  if (most == NULL || most->allocated <= 0)
    return g_strdup ("");
  g_autofree char *owner = dup_owner (use, most), *all = loom_chart_format ((double) most->allocated, "B");
  return g_strdup_printf (
    /* Translators: an operator, and an amount of memory */
    _ ("The file does not say which allocations are in use at the peak; %s allocates most, %s in total."), owner, all);
}

/* Returns a sentence about the largest part of the memory at the peak: which owner (operator and module) holds it, or
 * that it was allocated before the recording. If both are unknown, the sentence states which owner allocates most.
 * Owned by the caller. */
static char *
dup_largest_part (const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  LoomMemoryGroup group;
  gint64 held = find_largest (use, device, &group) ? group.held : 0;
  g_autofree char *before = loom_chart_format ((double) device->before, "B"),
                  *part = loom_chart_format ((double) held, "B");
  if (device->before > held && device->before > device->initial)
    return g_strdup_printf (_ ("No recorded allocation explains %s of the peak."), before);
  if (device->before > held)
    return g_strdup_printf (_ ("%s of the peak was allocated before the recording."), before);
  g_autofree char *owner = held > 0 ? dup_owner (use, &group) : NULL;
  return owner != NULL ? g_strdup_printf (_ ("The largest part of the peak, %s, is held by %s."), part, owner)
                       : dup_most_allocated (use, device);
}

static void
add_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  const LoomMemoryDevice *device = find_highest (use);
  guint n_equal = count_equal_peaks (use, device), n = count_of_kind (use, device->is_host);
  g_autofree char *name = dup_device_name (input, device), *peak = loom_chart_format ((double) device->peak, "B"),
                  *part = dup_largest_part (use, device), *all = NULL;
  if (n_equal > 0 && n_equal + 1 < n)
    all = g_strdup_printf (/* Translators: "4 of 8 devices have 28 GiB allocated at their peak, the others less." */
                           _ ("%u of %u devices have %s allocated at their peak; the other devices have less."),
                           n_equal + 1, n, peak);
  else if (n_equal > 0)
    all = g_strdup_printf (/* Translators: "Each of 4 devices has 28 GiB allocated at its peak." */
                           ngettext ("%u device has %s allocated at its peak.",
                                     "Each of %u devices has %s allocated at its peak.", n_equal + 1),
                           n_equal + 1, peak);
  else
    all = g_strdup_printf (_ ("%s has %s allocated at its peak."), name, peak);
  g_autofree char *text = loom_sentence_join (all, part);
  loom_page_content_add_answer (sheet, text);
}

static void
add_notes (LoomPageContent *sheet, const LoomMemoryUse *use)
{
  guint64 n_breaks = 0;
  gboolean is_relative = FALSE, knows_all_left = TRUE;
  for (guint i = 0; i < use->devices->len; i++) {
    knows_all_left &= loom_memory_use_knows_left (get_device (use, i));
    n_breaks += get_device (use, i)->n_breaks;
    is_relative |= get_device (use, i)->is_relative;
  }
  if (is_relative)
    loom_page_content_add_note (
      sheet,
      _ (
        "The file does not state how much memory was already allocated when the recording began, so allocated memory counts from 0 at that time."));
  if (n_breaks > 0) {
    g_autofree char *text = g_strdup_printf (
      ngettext (
        "%" PRIu64 " recorded amount of memory does not follow from the one before it, because events are missing.",
        "%" PRIu64 " recorded amounts of memory do not follow from the ones before them, because events are missing.",
        (gulong) n_breaks),
      n_breaks);
    loom_page_content_add_note (sheet, text);
  }
  if (!knows_all_left)
    loom_page_content_add_note (
      sheet,
      _ (
        "No freed block has the address of a recorded allocation, so it is not known which allocations were not freed."));
  if (use->events->n_left > 0)
    loom_page_content_add_note (sheet, _ ("There are too many allocations; the last ones are skipped."));
}

/* --- chart of memory curves --------------------------------------------------------------------------------------- */

/* Sets `levels` to the highest level in each of N_POINTS intervals of the range, in bytes. */
static void
fill_curve (const LoomMemoryUse *use, const LoomMemoryDevice *device, LoomRange range, double *levels)
{
  const LoomMemoryEvent *events = &g_array_index (use->events->events, LoomMemoryEvent, device->first);
  gint64 level = device->begin, length = MAX (range.end_ns - range.begin_ns, 1);
  guint at = 0;
  for (guint i = 0; i < N_POINTS; i++) {
    gint64 end_ns = range.begin_ns + (gint64) ((double) length * (i + 1) / N_POINTS), highest = level;
    for (; at < device->n && (events[at].time_ns < end_ns || i + 1 == N_POINTS); at++) {
      level = events[at].allocated;
      highest = MAX (highest, level);
    }
    levels[i] = (double) highest;
  }
}

/* Returns TRUE if two curves are so similar that drawing one of them is enough. They may differ at a few points,
 * because ranks that do the same work differ for a short time in each step. */
static gboolean
is_alike (const double *levels, const double *other, double peak)
{
  guint n_apart = 0;
  for (guint i = 0; i < N_POINTS; i++)
    n_apart += fabs (levels[i] - other[i]) > ALIKE_SHARE * peak;
  return n_apart <= N_POINTS * ALIKE_POINTS;
}

typedef struct {
  const LoomMemoryDevice *device; /* the first of the devices to which this curve belongs */
  double *levels;                 /* N_DRAWN levels in bytes: the level before the first event, the highest level in
                                   * each of the N_POINTS intervals, and the level after the last event */
  guint n;
} Curve;

/* Assigns each device to the first curve that is similar to its own curve (is_alike()). If there is none, adds a new
 * curve, up to MAX_LINES curves. Returns the number of devices without a curve. */
static guint
find_curves (const LoomMemoryUse *use, const GPtrArray *devices, LoomRange range, GArray *curves)
{
  guint n_left = 0;
  g_autofree double *levels = g_new (double, N_POINTS);
  for (guint i = 0; i < devices->len; i++) {
    const LoomMemoryDevice *device = devices->pdata[i];
    guint k = 0;
    fill_curve (use, device, range, levels);
    while (k < curves->len && !is_alike (levels, g_array_index (curves, Curve, k).levels, (double) device->peak))
      k++;
    if (k < curves->len)
      g_array_index (curves, Curve, k).n++;
    else if (k < MAX_LINES) {
      Curve curve = { device, g_memdup2 (levels, N_POINTS * sizeof (double)), 1 };
      g_array_append_val (curves, curve);
    } else
      n_left++;
  }
  return n_left;
}

static void
add_curve (LoomChart *chart, const LoomPageInput *input, const Curve *curve, guint color, LoomRange range)
{
  gint64 zero_ns = loom_page_get_zero (input);
  double length = (double) MAX (range.end_ns - range.begin_ns, 1);
  g_autofree char *name = dup_similar_devices (input, curve->device, curve->n);
  loom_chart_add_line (chart, name, color);
  loom_chart_add_point (chart, (double) loom_time_sub (range.begin_ns, zero_ns), (double) curve->device->begin, FALSE);
  for (guint i = 0; i < N_POINTS; i++) {
    gint64 begin_ns = range.begin_ns + (gint64) (length * i / N_POINTS);
    loom_chart_add_point (chart, (double) loom_time_sub (begin_ns, zero_ns), curve->levels[i], FALSE);
  }
  loom_chart_add_point (chart, (double) loom_time_sub (range.end_ns, zero_ns), (double) curve->device->end, FALSE);
}

static int
compare_peaks (gconstpointer a, gconstpointer b)
{
  const LoomMemoryDevice *one = *(const LoomMemoryDevice *const *) a, *other = *(const LoomMemoryDevice *const *) b;
  if (one->is_host != other->is_host)
    return one->is_host ? 1 : -1;
  return (one->peak < other->peak) - (one->peak > other->peak);
}

/* Returns the part of the page's range in which memory was recorded. */
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
set_curve_places (LoomPageContent *sheet, guint n, LoomRange range)
{
  double length = (double) MAX (range.end_ns - range.begin_ns, 1);
  for (guint i = 0; i < n * N_DRAWN; i++) {
    guint k = (guint) CLAMP ((int) (i % N_DRAWN) - 1, 0, N_POINTS - 1);
    const LoomRange part = { range.begin_ns + (gint64) (length * k / N_POINTS),
                             range.begin_ns + (gint64) (length * (k + 1) / N_POINTS) + 1 };
    loom_page_content_set_place (sheet, i, part, NULL, 0);
  }
}

static void
clear_curve (gpointer curve)
{
  g_free (((Curve *) curve)->levels);
}

static void
add_chart (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  LoomRange range = get_recorded (input, use);
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  g_autoptr (GArray) curves = g_array_new (FALSE, FALSE, sizeof (Curve));
  g_array_set_clear_func (curves, clear_curve);
  for (guint i = 0; i < use->devices->len; i++)
    g_ptr_array_add (devices, (gpointer) get_device (use, i));
  g_ptr_array_sort (devices, compare_peaks);
  guint n_left = find_curves (use, devices, range, curves);
  LoomChart *chart = loom_chart_new_lines (_ ("Allocated memory over time"), _ ("time since start"), "ns", "B", TRUE);
  for (guint i = 0; i < curves->len; i++)
    add_curve (chart, input, &g_array_index (curves, Curve, i), i, range);
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_curve_places (sheet, curves->len, range);
  if (n_left > 0) {
    g_autofree char *text = g_strdup_printf (ngettext ("The chart does not show %u device with a lower peak.",
                                                       "The chart does not show %u devices with lower peaks.", n_left),
                                             n_left);
    loom_page_content_add_note (sheet, text);
  }
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

static LoomResultTable *
new_device_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Memory by device"));
  loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  guint peak = loom_result_table_add_column (table, C_ ("column", "Peak"), "B",
                                             _ ("Highest total of memory allocated at the same time"));
  loom_result_table_add_column (table, C_ ("column", "At Start"), "B", _ ("Allocated when the range begins"));
  loom_result_table_add_column (table, C_ ("column", "At End"), "B", _ ("Allocated when the range ends"));
  loom_result_table_add_column (table, C_ ("column", "Reserved"), "B",
                                _ ("Largest amount that the allocator reserved on the device"));
  loom_result_table_add_share_column (table, C_ ("column", "Unused"),
                                      _ ("Part of the reserved memory that is not allocated at the peak"));
  loom_result_table_add_column (table, C_ ("column", "Allocations"), "", NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Growth per Step"), "B",
    _ (
      "Growth from step to step: the slope of a line through the amounts of memory allocated at the ends of the steps"));
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

/* --- owners ------------------------------------------------------------------------------------------------------- */

/* Makes the table of owners (operators and modules that allocated memory). `is_known`: TRUE if, for at least one
 * device, it is known which owners hold the memory at its peak. The rows are then sorted by this memory, otherwise by
 * allocated memory. */
static LoomResultTable *
new_holder_table (gboolean is_known)
{
  LoomResultTable *table = loom_result_table_new (_ ("Who allocates memory"));
  loom_result_table_add_column (
    table, C_ ("column", "Operator"), NULL,
    _ ("The innermost operator around the allocation, or the function that a snapshot names"));
  loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  guint held = loom_result_table_add_column (
    table, C_ ("column", "Held at Peak"), "B",
    _ ("Size of this row’s allocations that are in use when the device’s memory use peaks; on one device"));
  loom_result_table_add_share_column (table, C_ ("column", "Share of Peak"), NULL);
  loom_result_table_add_column (table, C_ ("column", "Allocations"), "", NULL);
  guint allocated =
    loom_result_table_add_column (table, C_ ("column", "Allocated"), "B", _ ("Sum of all allocations of this row"));
  loom_result_table_add_column (table, C_ ("column", "Largest"), "B", _ ("Largest allocation of this row"));
  loom_result_table_add_column (table, C_ ("column", "Not Freed"), "B",
                                _ ("Allocated in the range and not freed by its end"));
  loom_result_table_set_order (table, is_known ? held : allocated, TRUE);
  return table;
}

/* Returns the devices of a group: "rank 3, GPU 0"; "each of 8 devices" if the group contains all devices of this kind;
 * otherwise "rank 0, GPU 0 and 3 similar devices". Owned by the caller. */
static char *
dup_group_devices (const LoomPageInput *input, const LoomMemoryUse *use, const LoomMemoryGroup *group)
{
  const LoomMemoryDevice *device = get_device (use, group->device);
  if (group->n_devices > 1 && group->n_devices == count_of_kind (use, device->is_host))
    return g_strdup_printf (
      /* Translators: what uses this amount of memory */ ngettext ("%u device", "each of %u devices", group->n_devices),
      group->n_devices);
  return dup_similar_devices (input, device, group->n_devices);
}

static void
add_group (LoomResultTable *table, const LoomPageInput *input, const LoomMemoryUse *use, const LoomMemoryGroup *group)
{
  const LoomMemoryDevice *device = get_device (use, group->device);
  g_autofree char *devices = dup_group_devices (input, use, group),
                  *owner = group->is_before ? NULL : dup_owner (use, group);
  const char *before = device->before > device->initial ? _ ("not explained by a recorded allocation")
                                                        : _ ("allocated before the recording");
  loom_result_table_add_row (table, group->is_before ? before : owner);
  loom_result_table_set_text (table, 1, devices);
  if (group->is_known)
    loom_result_table_set_number (table, 2, (double) group->held);
  if (group->is_known && device->peak > 0)
    loom_result_table_set_number (table, 3, 100 * (double) group->held / (double) device->peak);
  if (group->is_before)
    return;
  loom_result_table_set_number (table, 4, (double) group->n);
  loom_result_table_set_number (table, 5, (double) group->allocated);
  if (group->n > 0)
    loom_result_table_set_number (table, 6, (double) group->largest);
  if (group->is_left_known)
    loom_result_table_set_number (table, 7, (double) group->left);
}

static void
add_groups (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  g_autoptr (GArray) groups = loom_memory_groups_new (use);
  gboolean is_any_known = FALSE;
  guint n = MIN (groups->len, MAX_GROUPS);
  for (guint i = 0; i < groups->len && !is_any_known; i++)
    is_any_known = g_array_index (groups, LoomMemoryGroup, i).is_known;
  LoomResultTable *table = new_holder_table (is_any_known);
  for (guint i = 0; i < n; i++)
    add_group (table, input, use, &g_array_index (groups, LoomMemoryGroup, i));
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < n; i++)
    set_place (sheet, input, i, g_array_index (groups, LoomMemoryGroup, i).span);
}

/* --- main figures for the summary --------------------------------------------------------------------------------- */

static void
add_peak_figure (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryDevice *device)
{
  g_autofree char *name = dup_device_name (input, device), *peak = loom_chart_format ((double) device->peak, "B"),
                  *note = g_strdup_printf (
                    /* Translators: %s is "rank 3, GPU 0" */ _ ("most that was allocated at one time, on %s"), name);
  loom_page_content_add_figure (sheet, _ ("Peak Memory"), peak, note);
}

static void
add_holder_figure (LoomPageContent *sheet, const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  LoomMemoryGroup group;
  if (!find_largest (use, device, &group) || group.held < device->before)
    return;
  g_autofree char *held = loom_chart_format ((double) group.held, "B"), *owner = dup_owner (use, &group),
                  *note =
                    g_strdup_printf (/* Translators: %s is an operator or function */ _ ("allocated by %s"), owner);
  loom_page_content_add_figure (sheet, _ ("Largest Part of the Peak"), held, note);
}

gboolean
loom_page_add_memory_figures (LoomPageContent *sheet, const LoomPageInput *input, LoomSteps *steps,
                              GCancellable *cancellable)
{
  g_autoptr (LoomMemoryUse) use = loom_memory_use_new (input->frame->timeline, steps, input->range, cancellable);
  if (use == NULL)
    return FALSE;
  if (use->devices->len == 0)
    return TRUE;
  const LoomMemoryDevice *device = find_highest (use);
  loom_page_content_add_figures (sheet, _ ("At a Glance"));
  add_peak_figure (sheet, input, device);
  add_holder_figure (sheet, use, device);
  if (device->reserved_peak != LOOM_MEMORY_UNKNOWN) {
    g_autofree char *reserved = loom_chart_format ((double) device->reserved_peak, "B");
    loom_page_content_add_figure (sheet, _ ("Reserved Memory"), reserved,
                                  _ ("most that the allocator held, including what was not in use"));
  }
  return TRUE;
}

/* --- page of memory ----------------------------------------------------------------------------------------------- */

static void
fill (LoomPageContent *sheet, const LoomPageInput *input, const LoomMemoryUse *use)
{
  add_answer (sheet, input, use);
  add_notes (sheet, use);
  add_chart (sheet, input, use);
  add_groups (sheet, input, use);
  add_devices (sheet, input, use);
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
    loom_page_add_missing (sheet, loom_memory_use_get_missing (use), loom_memory_use_get_advice (use));
  } else
    fill (sheet, input, use);
  return loom_page_finish (sheet, cancellable);
}
