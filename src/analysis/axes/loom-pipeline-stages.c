/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pipeline-stages.h"

/* The first message that a rank sends or receives. */
typedef struct {
  gint peer; /* the rank from which this rank receives its first message; −1: the first message is sent by this rank */
  gint64 begin_ns;
} First;

static void
note_first (GHashTable *firsts, gint rank, gint peer, gint64 begin_ns)
{
  First *first = g_hash_table_lookup (firsts, GINT_TO_POINTER (rank));
  if (first != NULL && first->begin_ns <= begin_ns)
    return;
  First own = { peer, begin_ns };
  g_hash_table_insert (firsts, GINT_TO_POINTER (rank), g_memdup2 (&own, sizeof own));
}

static gint
find_stage (GHashTable *firsts, gint rank)
{
  guint n_ranks = g_hash_table_size (firsts);
  for (guint stage = 0; stage < n_ranks; stage++) {
    const First *first = g_hash_table_lookup (firsts, GINT_TO_POINTER (rank));
    if (first == NULL)
      return -1;
    if (first->peer < 0)
      return (gint) stage;
    rank = first->peer;
  }
  return -1;
}

static void
note_messages (GHashTable *firsts, const LoomTransferList *list)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    if (transfer->other_trace == G_MAXUINT32)
      continue;
    gint sender = g_array_index (list->ranks, gint, transfer->first_rank),
         receiver = g_array_index (list->ranks, gint, transfer->first_rank + 1);
    if (sender < 0 || receiver < 0 || sender == receiver)
      continue;
    note_first (firsts, sender, -1, transfer->range.begin_ns);
    note_first (firsts, receiver, sender, transfer->range.begin_ns);
  }
}

void
loom_pipeline_stages_init (LoomPipelineStages *stages, const LoomTransferList *list)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer rank;
  *stages = (LoomPipelineStages) { .stages = g_hash_table_new (NULL, NULL) };
  note_messages (firsts, list);
  g_hash_table_iter_init (&iter, firsts);
  while (g_hash_table_iter_next (&iter, &rank, NULL)) {
    gint stage = find_stage (firsts, GPOINTER_TO_INT (rank));
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
