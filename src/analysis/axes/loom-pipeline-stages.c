/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pipeline-stages.h"

static gint
find_stage (GHashTable *firsts, gint rank)
{
  guint n_ranks = g_hash_table_size (firsts);
  for (guint stage = 0; stage < n_ranks; stage++) {
    const LoomFirstMessage *first = g_hash_table_lookup (firsts, GINT_TO_POINTER (rank));
    if (first == NULL)
      return -1;
    if (first->peer < 0)
      return (gint) stage;
    rank = first->peer;
  }
  return -1;
}

void
loom_pipeline_stages_init (LoomPipelineStages *stages, const LoomTransferList *list)
{
  GHashTableIter iter;
  gpointer rank;
  *stages = (LoomPipelineStages) { .stages = g_hash_table_new (NULL, NULL) };
  g_hash_table_iter_init (&iter, list->firsts);
  while (g_hash_table_iter_next (&iter, &rank, NULL)) {
    gint stage = find_stage (list->firsts, GPOINTER_TO_INT (rank));
    if (stage < 0)
      continue;
    g_hash_table_insert (stages->stages, rank, GINT_TO_POINTER (stage + 1));
    stages->n = MAX (stages->n, (guint) stage + 1);
  }
}

void
loom_pipeline_stages_clear (LoomPipelineStages *stages)
{
  g_clear_pointer (&stages->stages, g_hash_table_unref);
}

gint
loom_pipeline_stages_get (const LoomPipelineStages *stages, gint rank)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (stages->stages, GINT_TO_POINTER (rank))) - 1;
}
