/* SPDX-License-Identifier: Apache-2.0
 *
 * The cached palette indices: one array per trace and one per loaded detail (loom-run-details.h).
 */
#include "loom-name-colors.h"
#include "loom-run-details.h"

#include <string.h>

#define UNKNOWN 0xFF

/* The colours of a trace's names, as palette indices: two bytes per name, the first for spans on the host, the second
 * for spans on a device. */
typedef struct {
  LoomTrace *trace;
  guint8 *index;
} TraceColors;

struct _LoomNameColors {
  GArray *traces;
  LoomRun *run; /* run of the timeline, borrowed; NULL: there is no timeline */
  /* palette indices of the names of each detail (events that were read from a trace in place of its index, see
   * loom-run-details.h); NULL: not computed yet. The index of a detail is its trace number minus the number of traces.
   * No reference to the details is kept, because details are freed while they are out of view */
  guint8 *details[LOOM_RUN_MOST_DETAILS];
};

static void
trace_colors_clear (gpointer data)
{
  TraceColors *colors = data;
  loom_trace_unref (colors->trace);
  g_free (colors->index);
}

LoomNameColors *
loom_name_colors_new (void)
{
  LoomNameColors *colors = g_new0 (LoomNameColors, 1);
  colors->traces = g_array_new (FALSE, TRUE, sizeof (TraceColors));
  g_array_set_clear_func (colors->traces, trace_colors_clear);
  return colors;
}

void
loom_name_colors_forget_details (LoomNameColors *colors)
{
  for (guint i = 0; i < LOOM_RUN_MOST_DETAILS; i++)
    g_clear_pointer (&colors->details[i], g_free);
}

void
loom_name_colors_free (LoomNameColors *colors)
{
  if (colors == NULL)
    return;
  loom_name_colors_forget_details (colors);
  g_array_unref (colors->traces);
  g_free (colors);
}

static guint8 *
new_indices (const LoomTrace *trace)
{
  gsize n_bytes = 2 * (gsize) loom_trace_get_n_names (trace);
  return memset (g_malloc (MAX (n_bytes, 1)), UNKNOWN, n_bytes);
}

static void
append_trace (LoomNameColors *colors, LoomTrace *trace)
{
  TraceColors entry = { loom_trace_ref (trace), new_indices (trace) };
  g_array_append_val (colors->traces, entry);
}

static guint8 *
get_indices (LoomNameColors *colors, guint number)
{
  guint n = colors->traces->len;
  if (number < n)
    return g_array_index (colors->traces, TraceColors, number).index;
  if (colors->details[number - n] == NULL)
    colors->details[number - n] = new_indices (loom_run_get_trace (colors->run, number));
  return colors->details[number - n];
}

void
loom_name_colors_set_timeline (LoomNameColors *colors, LoomTimeline *timeline)
{
  g_return_if_fail (colors != NULL);
  LoomRun *run = timeline != NULL ? loom_timeline_get_run (timeline) : NULL;
  loom_name_colors_forget_details (colors);
  colors->run = run;
  guint n = run != NULL ? loom_run_get_n_traces (run) : 0, same = 0;
  while (same < n && same < colors->traces->len &&
         g_array_index (colors->traces, TraceColors, same).trace == loom_run_get_trace (run, same))
    same++;
  g_array_set_size (colors->traces, same);
  for (guint i = same; i < n; i++)
    append_trace (colors, loom_run_get_trace (run, i));
}

guint
loom_name_colors_get (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device)
{
  guint8 *slot = &get_indices (colors, trace)[2 * (gsize) name_id + (device ? 1 : 0)];
  if (*slot == UNKNOWN) {
    const LoomName *name = loom_trace_get_name (loom_run_get_trace (colors->run, trace), name_id);
    int reserved = loom_chrome_color_find (name->cname);
    *slot =
      (guint8) (reserved >= 0 ? LOOM_N_SPAN_COLORS + (guint) reserved
                              : loom_theme_palette_index_of_name (name->text, name->category, name->text_hash, device));
  }
  return *slot;
}

LoomWorkFamily
loom_name_colors_family (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device)
{
  return loom_theme_family_of_index (loom_name_colors_get (colors, trace, name_id, device));
}
