/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule MemoryLeak: finds devices whose allocated memory grows with every step (loom-memory-use.h).
 */
#include <glib/gi18n.h>

#include "loom-memory-use.h"
#include "loom-rule-private.h"

enum { GROWTH };

/* Ranks with fewer steps than this are not checked, because growth may be caused by the warm-up. */
#define MIN_STEPS 4

/* Returns the name of a device, such as "GPU 0 of rank 3"; "GPU 0" if the rank is unknown. Owned by the caller. */
static char *
dup_device (const LoomMemoryDevice *device)
{
  g_autofree char *name =
    device->is_host ? g_strdup (_ ("host memory")) : g_strdup_printf ("GPU %d", (int) CLAMP (device->number, 0, 65535));
  return loom_rule_dup_device (name, device->rank, device->is_process);
}

static void
mark_steps (LoomRuleResult *result, const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  for (guint i = 1; i < device->n_steps; i++) {
    const LoomMemoryStep *step = &g_array_index (use->steps, LoomMemoryStep, device->first_step + i);
    LoomRuleOccurrence mark = { step->end_ns, step->end_ns + 1, "", "", step->span };
    loom_timeline_get_span (use->timeline, step->span, &mark.begin_ns, &mark.end_ns);
    loom_rule_result_add_mark (result, &mark);
  }
}

/* Sets the message of the result. `worst`: the device whose memory grows fastest; NULL: the memory of no device grows
 * with every step. `least`: smallest growth of the memory of `worst` in one step, in bytes. `slope`: mean growth per
 * step, in bytes. */
static void
say (LoomRuleResult *result, const LoomMemoryDevice *worst, gint64 least, double slope)
{
  if (result->n_datapoints == 0) {
    loom_rule_result_set_not_enough (result, 0, MIN_STEPS, C_ ("rule counts", "steps"));
    return;
  }
  if (worst == NULL) {
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("Memory does not grow with every step"));
    return;
  }
  g_autofree char *name = dup_device (worst), *lowest = g_format_size_full ((guint64) least, G_FORMAT_SIZE_IEC_UNITS),
                  *mean = g_format_size_full ((guint64) slope, G_FORMAT_SIZE_IEC_UNITS);
  loom_rule_result_set_message (result, LOOM_RULE_FIRED, /* Translators: a device and two sizes, for example 44.9 MiB */
                                _ ("Memory of %s grows with every step: by %s on average, and by at least %s"), name,
                                mean, lowest);
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomMemoryUse *use)
{
  const LoomMemoryDevice *worst = NULL;
  gint64 worst_least = 0;
  double worst_slope = 0, threshold = loom_rule_value (context, result, GROWTH);
  for (guint i = 0; i < use->devices->len; i++) {
    const LoomMemoryDevice *device = &g_array_index (use->devices, LoomMemoryDevice, i);
    gint64 least;
    double slope;
    if (device->peak <= 0 || !loom_memory_use_get_growth (use, device, MIN_STEPS, &least, &slope))
      continue;
    double percent = 100 * (double) least / (double) device->peak;
    g_autofree char *name = dup_device (device);
    loom_rule_details_set (result->details, name, slope);
    loom_rule_result_note_value (result, GROWTH, MAX (percent, 0), FALSE);
    result->n_datapoints++;
    if (!(percent > threshold))
      continue;
    result->n_violations++;
    mark_steps (result, use, device);
    if (worst == NULL || slope > worst_slope) {
      worst = device;
      worst_least = least;
      worst_slope = slope;
    }
  }
  say (result, worst, worst_least, worst_slope);
}

void
loom_rule_memory_leak (const LoomRuleContext *context, LoomRuleResult *result)
{
  if (!loom_memory_events_are_recorded (loom_timeline_get_run (context->frame->timeline))) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no allocations"));
    return;
  }
  g_autoptr (LoomSteps) steps = loom_steps_new (context->frame->timeline, context->cancellable);
  g_autoptr (LoomMemoryUse) use =
    steps != NULL ? loom_memory_use_new (context->frame->timeline, steps, context->frame->range, context->cancellable)
                  : NULL;
  if (use != NULL)
    judge (context, result, use);
}
