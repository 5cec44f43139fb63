/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses which of several files is loaded if all should contain the same trace. The interface is described in
 * loom-load-duplicates.h.
 */
#include "loom-load-duplicates.h"

#include "loom-archive-path.h"
#include "loom-file-discovery.h"

#include <glib/gi18n.h>

static gboolean
is_incomplete (const LoomTrace *trace)
{
  gboolean incomplete = FALSE;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    incomplete |= loom_trace_get_source (trace, i)->incomplete;
  return incomplete;
}

static guint64
count_events (const LoomTrace *trace)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    n += loom_trace_get_source (trace, i)->n_events;
  return n;
}

gboolean
loom_load_duplicates_are_needed (const LoomLoadUnit *unit)
{
  return unit->duplicates != NULL && unit->error == NULL && (unit->trace == NULL || is_incomplete (unit->trace));
}

static gboolean
is_better (const LoomTrace *trace, const LoomTrace *other)
{
  if (trace == NULL || other == NULL)
    return trace != NULL;
  guint64 n = count_events (trace), n_other = count_events (other);
  return n > n_other || (n == n_other && is_incomplete (other) && !is_incomplete (trace));
}

void
loom_load_duplicates_choose (LoomLoadUnit *unit, LoomLoadUnit *duplicate)
{
  if (!is_better (duplicate->trace, unit->trace))
    return;
  LoomLoadUnit before = *unit;
  unit->kind = duplicate->kind, duplicate->kind = before.kind;
  unit->lines = duplicate->lines, duplicate->lines = before.lines;
  unit->files = duplicate->files, duplicate->files = before.files;
  unit->n_bytes = duplicate->n_bytes, duplicate->n_bytes = before.n_bytes;
  unit->trace = duplicate->trace, duplicate->trace = before.trace;
  unit->failed = duplicate->failed, duplicate->failed = before.failed;
}

static void
note_duplicate (const LoomLoadUnit *unit, const LoomLoadUnit *duplicate, LoomRun *run)
{
  const LoomFoundFile *loaded = g_ptr_array_index (unit->files, 0);
  g_autofree char *shown = loom_archive_path_dup_shown (loaded->path);
  g_autofree char *reason = g_strdup_printf (_ ("the same trace as “%s”, which is loaded"), shown);
  for (guint i = 0; unit->is_loaded && i < duplicate->files->len; i++)
    loom_run_add_precious (run, ((const LoomFoundFile *) g_ptr_array_index (duplicate->files, i))->path, reason, FALSE);
  for (guint i = 0; !unit->is_loaded && i + 1 < duplicate->failed->len; i += 2)
    loom_run_add_unread (run, g_ptr_array_index (duplicate->failed, i), g_ptr_array_index (duplicate->failed, i + 1));
}

void
loom_load_duplicates_note (const GPtrArray *units, LoomRun *run)
{
  for (guint i = 0; i < units->len; i++) {
    const LoomLoadUnit *unit = g_ptr_array_index (units, i);
    for (guint j = 0; unit->duplicates != NULL && j < unit->duplicates->len; j++)
      note_duplicate (unit, g_ptr_array_index (unit->duplicates, j), run);
  }
}
