/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-model.h"

void
loom_slowdown_model_init (LoomSlowdownModel *model)
{
  *model = (LoomSlowdownModel) { .likes = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownLike)),
                                 .kinds = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownPart)),
                                 .workers = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownWorker)),
                                 .steps = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownStep)),
                                 .places = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownPlace)) };
  loom_slowdown_replay_init (&model->replay);
}

void
loom_slowdown_model_clear (LoomSlowdownModel *model)
{
  loom_slowdown_replay_clear (&model->replay);
  g_clear_pointer (&model->likes, g_array_unref);
  g_clear_pointer (&model->kinds, g_array_unref);
  g_clear_pointer (&model->workers, g_array_unref);
  g_clear_pointer (&model->steps, g_array_unref);
  g_clear_pointer (&model->places, g_array_unref);
}

guint32
loom_slowdown_model_add_like (LoomSlowdownModel *model, guint32 kind, gboolean is_transfer)
{
  const LoomSlowdownLike like = { .kind = kind, .is_transfer = is_transfer };
  g_array_append_val (model->likes, like);
  return model->likes->len - 1;
}

const LoomSlowdownLike *
loom_slowdown_model_get_like (const LoomSlowdownModel *model, const LoomSlowdownOperation *operation)
{
  return operation->like != LOOM_SLOWDOWN_NONE ? &g_array_index (model->likes, LoomSlowdownLike, operation->like)
                                               : NULL;
}

const LoomSlowdownOperation *
loom_slowdown_model_get_operations (const LoomSlowdownModel *model, guint32 *n)
{
  *n = model->replay.operations->len;
  return (const LoomSlowdownOperation *) (gconstpointer) model->replay.operations->data;
}
