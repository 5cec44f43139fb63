/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-colors.h"

#include <string.h>

#define UNKNOWN 0xFF

/* The palette indices of a trace's names: two bytes per name, for the host and for a device. */
typedef struct {
  LoomTrace *trace;
  guint8 *index;
} TraceColors;

struct _LoomNameColors {
  GArray *traces;
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
loom_name_colors_free (LoomNameColors *colors)
{
  if (colors == NULL)
    return;
  g_array_unref (colors->traces);
  g_free (colors);
}

static void
append_trace (LoomNameColors *colors, LoomTrace *trace)
{
  gsize n_bytes = 2 * (gsize) loom_trace_get_n_names (trace);
  TraceColors entry = { loom_trace_ref (trace), g_malloc (MAX (n_bytes, 1)) };
  memset (entry.index, UNKNOWN, n_bytes);
  g_array_append_val (colors->traces, entry);
}

void
loom_name_colors_set_timeline (LoomNameColors *colors, LoomTimeline *timeline)
{
  g_return_if_fail (colors != NULL);
  LoomRun *run = timeline != NULL ? loom_timeline_get_run (timeline) : NULL;
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
  const TraceColors *entry = &g_array_index (colors->traces, TraceColors, trace);
  guint8 *slot = &entry->index[2 * (gsize) name_id + (device ? 1 : 0)];
  if (*slot == UNKNOWN) {
    const LoomName *name = loom_trace_get_name (entry->trace, name_id);
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
