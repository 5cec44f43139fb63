/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-templates.h"

#include "loom-slowdown-replay.h"

/* Tolerated difference between the clocks of ranks. Such a difference can make a message seem to begin after the
 * computation that needs it. */
#define CLOCK_ERROR_NS 50000

void
loom_slowdown_templates_init (LoomSlowdownTemplates *templates, guint32 n_stages)
{
  *templates = (LoomSlowdownTemplates) { .all = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownTemplate)),
                                         .waits = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownTemplateWait)),
                                         .first_of_stage = g_new0 (guint32, n_stages + 2),
                                         .n_stages = n_stages };
}

void
loom_slowdown_templates_clear (LoomSlowdownTemplates *templates)
{
  g_clear_pointer (&templates->all, g_array_unref);
  g_clear_pointer (&templates->waits, g_array_unref);
  g_clear_pointer (&templates->first_of_stage, g_free);
}

void
loom_slowdown_templates_add (LoomSlowdownTemplates *templates, const LoomSlowdownTemplate *template)
{
  g_array_append_vals (templates->all, template, 1);
  for (guint32 i = template->stage + 1; i <= templates->n_stages; i++)
    templates->first_of_stage[i]++;
  templates->overlaps |= template->type == LOOM_SLOWDOWN_PHASE_SEPARATE;
}

LoomSlowdownTemplate *
loom_slowdown_templates_get (const LoomSlowdownTemplates *templates, guint32 number)
{
  return &g_array_index (templates->all, LoomSlowdownTemplate, number);
}

guint32
loom_slowdown_templates_find (const LoomSlowdownTemplates *templates, guint32 stage, guint type, guint32 sequence)
{
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++)
    if (loom_slowdown_templates_get (templates, i)->type == type &&
        loom_slowdown_templates_get (templates, i)->sequence == sequence)
      return i;
  return LOOM_SLOWDOWN_NONE;
}

static void
add_wait (LoomSlowdownTemplates *templates, guint32 operation, guint32 before)
{
  const LoomSlowdownTemplateWait wait = { operation, before };
  if (operation != LOOM_SLOWDOWN_NONE && before != LOOM_SLOWDOWN_NONE)
    g_array_append_val (templates->waits, wait);
}

/* Makes each operation of a stage whose type is in the bit mask `of_types` wait for the previous such operation of the
 * stage. Returns the last such operation; LOOM_SLOWDOWN_NONE: the stage has none. */
static guint32
chain (LoomSlowdownTemplates *templates, guint32 stage, guint of_types)
{
  guint32 last = LOOM_SLOWDOWN_NONE;
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++) {
    if ((of_types & 1u << loom_slowdown_templates_get (templates, i)->type) == 0)
      continue;
    add_wait (templates, i, last);
    last = i;
  }
  return last;
}

/* --- pairs of messages -------------------------------------------------------------------------------------------- */

/* The messages of one type that a stage sends or receives in the forward or the backward pass, and the computations of
 * the stage in the same pass. */
typedef struct {
  guint32 stage;
  guint type, compute;
  gboolean receives;
  /* start of the last computation and end of the first computation of the stage in this pass */
  gint64 last_begin_ns, first_end_ns;
  /* `n_computations`: number of computations; `n_messages`: number of messages that belong to a computation
   * (is_message()) */
  guint n_computations, n_messages;
} Messages;

static gboolean
is_message (const Messages *messages, const LoomSlowdownTemplate *template)
{
  if (template->type != messages->type)
    return FALSE;
  return messages->receives ? template->begin_ns <= messages->last_begin_ns + CLOCK_ERROR_NS
                            : template->end_ns >= messages->first_end_ns - CLOCK_ERROR_NS;
}

static void
count_messages (const LoomSlowdownTemplates *templates, Messages *messages)
{
  messages->last_begin_ns = G_MININT64;
  messages->first_end_ns = G_MAXINT64;
  guint32 first = templates->first_of_stage[messages->stage], end = templates->first_of_stage[messages->stage + 1];
  for (guint32 i = first; i < end; i++) {
    const LoomSlowdownTemplate *template = loom_slowdown_templates_get (templates, i);
    if (template->type != messages->compute)
      continue;
    messages->n_computations++;
    messages->last_begin_ns = MAX (messages->last_begin_ns, template->begin_ns);
    messages->first_end_ns = MIN (messages->first_end_ns, template->end_ns);
  }
  for (guint32 i = first; i < end && messages->n_computations > 0; i++)
    messages->n_messages += is_message (messages, loom_slowdown_templates_get (templates, i));
}

/* Returns TRUE if a message has both a sender and a receiver. Returns FALSE for a message at an end of the pipeline,
 * where one of the two is missing: it transfers nothing. `chunk`: the part of the model to which the computation of the
 * message belongs; −1 counts as 0. */
static gboolean
has_peer (const LoomSlowdownTemplates *templates, const Messages *messages, gint64 chunk)
{
  gint64 n_chunks = 1, step = messages->type == LOOM_SLOWDOWN_PHASE_FORWARD_SEND ||
                                  messages->type == LOOM_SLOWDOWN_PHASE_BACKWARD_RECV
                                ? 1
                                : -1;
  for (guint i = 0; i < templates->all->len; i++)
    n_chunks = MAX (n_chunks, loom_slowdown_templates_get (templates, i)->chunk + 1);
  gint64 peer = MAX (chunk, 0) * templates->n_stages + messages->stage + step;
  return peer >= 0 && peer < n_chunks * templates->n_stages;
}

static void
match (LoomSlowdownTemplates *templates, const Messages *messages, guint32 message, guint32 computation)
{
  guint32 compute = loom_slowdown_templates_find (templates, messages->stage, messages->compute, computation);
  if (compute == LOOM_SLOWDOWN_NONE)
    return;
  loom_slowdown_templates_get (templates, message)->is_paired =
    has_peer (templates, messages, loom_slowdown_templates_get (templates, compute)->chunk);
  add_wait (templates, messages->receives ? compute : message, messages->receives ? message : compute);
  if (messages->receives && computation > 0)
    add_wait (templates, message,
              loom_slowdown_templates_find (templates, messages->stage, messages->compute, computation - 1));
}

static void
match_messages (LoomSlowdownTemplates *templates, guint32 stage, guint type)
{
  Messages messages = { .stage = stage,
                        .type = type,
                        .compute = type == LOOM_SLOWDOWN_PHASE_FORWARD_SEND || type == LOOM_SLOWDOWN_PHASE_FORWARD_RECV
                                     ? LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE
                                     : LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE,
                        .receives =
                          type == LOOM_SLOWDOWN_PHASE_FORWARD_RECV || type == LOOM_SLOWDOWN_PHASE_BACKWARD_RECV };
  count_messages (templates, &messages);
  guint32 computation = messages.receives && messages.n_messages + 1 == messages.n_computations ? 1 : 0;
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++)
    if (messages.n_computations > 0 && is_message (&messages, loom_slowdown_templates_get (templates, i)))
      match (templates, &messages, i, computation++);
}

/* Returns the n-th message (from 0) of a type in a stage. Counts only messages between two stages (is_paired).
 * LOOM_SLOWDOWN_NONE: there is none. */
static guint32
find_paired (const LoomSlowdownTemplates *templates, guint32 stage, guint type, guint n)
{
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++)
    if (loom_slowdown_templates_get (templates, i)->type == type &&
        loom_slowdown_templates_get (templates, i)->is_paired && n-- == 0)
      return i;
  return LOOM_SLOWDOWN_NONE;
}

/* For each n, puts the n-th send of a stage and the n-th receive of its neighbour into the same group. The neighbour is
 * the next stage in the forward pass, and the previous stage in the backward pass. */
static void
pair_messages (LoomSlowdownTemplates *templates, guint32 stage, guint send, guint receive)
{
  guint32 peer =
    (stage + (send == LOOM_SLOWDOWN_PHASE_FORWARD_SEND ? 1 : templates->n_stages - 1)) % templates->n_stages;
  for (guint n = 0;; n++) {
    guint32 sent = find_paired (templates, stage, send, n), received = find_paired (templates, peer, receive, n);
    if (sent == LOOM_SLOWDOWN_NONE || received == LOOM_SLOWDOWN_NONE)
      return;
    loom_slowdown_templates_get (templates, sent)->group = loom_slowdown_templates_get (templates, received)->group =
      templates->n_groups++;
  }
}

/* Makes the first send and the first receive of the backward pass wait for a forward computation: the last but one of
 * the forward computations that precede the first backward computation. */
static void
hold_first_backward (LoomSlowdownTemplates *templates, guint32 stage)
{
  guint32 before[2] = { LOOM_SLOWDOWN_NONE, LOOM_SLOWDOWN_NONE };
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++) {
    if (loom_slowdown_templates_get (templates, i)->type == LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE)
      break;
    if (loom_slowdown_templates_get (templates, i)->type != LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE)
      continue;
    before[0] = before[1];
    before[1] = i;
  }
  add_wait (templates, loom_slowdown_templates_find (templates, stage, LOOM_SLOWDOWN_PHASE_BACKWARD_RECV, 0),
            before[0]);
  add_wait (templates, loom_slowdown_templates_find (templates, stage, LOOM_SLOWDOWN_PHASE_BACKWARD_SEND, 0),
            before[0]);
}

/* --- parameters, gradients and the end of the step ---------------------------------------------------------------- */

/* Returns the last backward computation of a chunk if `last` is TRUE, else the first forward computation of the chunk.
 * LOOM_SLOWDOWN_NONE: there is none. */
static guint32
find_of_chunk (const LoomSlowdownTemplates *templates, guint32 stage, gint64 chunk, gboolean last)
{
  guint32 found = LOOM_SLOWDOWN_NONE;
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++) {
    const LoomSlowdownTemplate *template = loom_slowdown_templates_get (templates, i);
    if (template->chunk != chunk ||
        template->type != (last ? LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE : LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE))
      continue;
    if (found == LOOM_SLOWDOWN_NONE ||
        (last && template->end_ns > loom_slowdown_templates_get (templates, found)->end_ns))
      found = i;
  }
  return found;
}

static void
hold_chunks (LoomSlowdownTemplates *templates, guint32 stage)
{
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++) {
    const LoomSlowdownTemplate *template = loom_slowdown_templates_get (templates, i);
    if (template->type == LOOM_SLOWDOWN_PHASE_PARAMS_ALL_GATHER)
      add_wait (templates, find_of_chunk (templates, stage, template->chunk, FALSE), i);
    else if (template->type == LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER && templates->overlaps)
      add_wait (templates, i, find_of_chunk (templates, stage, template->chunk, TRUE));
  }
}

static guint32
find_last_computation (const LoomSlowdownTemplates *templates, guint32 stage)
{
  guint32 found = LOOM_SLOWDOWN_NONE;
  for (guint32 i = templates->first_of_stage[stage]; i < templates->first_of_stage[stage + 1]; i++) {
    const LoomSlowdownTemplate *template = loom_slowdown_templates_get (templates, i);
    if (template->type <= LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE &&
        (found == LOOM_SLOWDOWN_NONE || template->end_ns > loom_slowdown_templates_get (templates, found)->end_ns))
      found = i;
  }
  return found;
}

/* Makes each operation at the end of a step wait for the previous one, in this order: garbage collection, reductions,
 * clipping of gradients, optimizer. */
static void
order_end (LoomSlowdownTemplates *templates, guint32 stage)
{
  static const guint tail[] = { LOOM_SLOWDOWN_PHASE_GC,        LOOM_SLOWDOWN_PHASE_LAYERNORM,
                                LOOM_SLOWDOWN_PHASE_EMBEDDING, LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER,
                                LOOM_SLOWDOWN_PHASE_SEPARATE,  LOOM_SLOWDOWN_PHASE_CLIP,
                                LOOM_SLOWDOWN_PHASE_OPTIMIZER };
  guint32 last = find_last_computation (templates, stage), reduced = LOOM_SLOWDOWN_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (tail); i++)
    for (guint32 k = templates->first_of_stage[stage]; k < templates->first_of_stage[stage + 1]; k++) {
      if (loom_slowdown_templates_get (templates, k)->type != tail[i])
        continue;
      if (tail[i] == LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER && templates->overlaps) {
        reduced = k;
        continue;
      }
      add_wait (templates, k, last);
      last = k;
    }
  /* If reductions run during computation (templates->overlaps), they are not in the chain that the loop above made;
   * `reduced` is the last of them. The reduction of layer norm gradients, which follows the garbage collection, waits
   * for `reduced`, too. */
  add_wait (templates, loom_slowdown_templates_find (templates, stage, LOOM_SLOWDOWN_PHASE_LAYERNORM, 0), reduced);
}

static guint32
join (LoomSlowdownTemplates *templates, guint32 number, guint32 group, gboolean all_rows)
{
  loom_slowdown_templates_get (templates, number)->group = group != LOOM_SLOWDOWN_NONE ? group : templates->n_groups++;
  loom_slowdown_templates_get (templates, number)->all_rows = all_rows;
  return loom_slowdown_templates_get (templates, number)->group;
}

/* Sets the groups of operations that wait for each other. For most collectives, a group contains the operations of one
 * stage in all rows (data-parallel ranks). For the reduction of embedding gradients, it contains the operations of the
 * first and the last stage of a row; for the clipping of gradients, those of all stages and rows. A message that is not
 * between two stages is a group of its own. */
static void
join_groups (LoomSlowdownTemplates *templates)
{
  guint32 embedding = LOOM_SLOWDOWN_NONE, clip = LOOM_SLOWDOWN_NONE;
  for (guint32 i = 0; i < templates->all->len; i++) {
    guint type = loom_slowdown_templates_get (templates, i)->type;
    if (type == LOOM_SLOWDOWN_PHASE_PARAMS_ALL_GATHER || type == LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER ||
        type == LOOM_SLOWDOWN_PHASE_SEPARATE)
      join (templates, i, LOOM_SLOWDOWN_NONE, TRUE);
    else if (type == LOOM_SLOWDOWN_PHASE_EMBEDDING)
      embedding = join (templates, i, embedding, FALSE);
    else if (type == LOOM_SLOWDOWN_PHASE_CLIP)
      clip = join (templates, i, clip, TRUE);
    else if (type >= LOOM_SLOWDOWN_PHASE_FORWARD_SEND && type <= LOOM_SLOWDOWN_PHASE_BACKWARD_RECV &&
             loom_slowdown_templates_get (templates, i)->group == LOOM_SLOWDOWN_NONE)
      join (templates, i, LOOM_SLOWDOWN_NONE, FALSE);
  }
}

void
loom_slowdown_templates_connect (LoomSlowdownTemplates *templates)
{
  for (guint32 stage = 0; stage < templates->n_stages; stage++) {
    for (guint type = LOOM_SLOWDOWN_PHASE_FORWARD_SEND; type <= LOOM_SLOWDOWN_PHASE_BACKWARD_RECV; type++) {
      match_messages (templates, stage, type);
      chain (templates, stage, 1u << type);
    }
    chain (templates, stage, 1u << LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE | 1u << LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE);
    chain (templates, stage,
           1u << LOOM_SLOWDOWN_PHASE_PARAMS_ALL_GATHER | 1u << LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER);
    hold_first_backward (templates, stage);
    hold_chunks (templates, stage);
    order_end (templates, stage);
  }
  for (guint32 stage = 0; stage < templates->n_stages; stage++) {
    pair_messages (templates, stage, LOOM_SLOWDOWN_PHASE_FORWARD_SEND, LOOM_SLOWDOWN_PHASE_FORWARD_RECV);
    pair_messages (templates, stage, LOOM_SLOWDOWN_PHASE_BACKWARD_SEND, LOOM_SLOWDOWN_PHASE_BACKWARD_RECV);
  }
  join_groups (templates);
}
