/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what the operations of a Megatron step wait for, from the operations of one rank of each stage.
 * The rules are those of the program of Lin et al. (dependency_model.py of ByteDance-Seed/StragglerAnalysis): a send follows
 * its computation; a receive precedes its computation and follows the computation before that.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_SLOWDOWN_PHASE_FORWARD_COMPUTE,
  LOOM_SLOWDOWN_PHASE_BACKWARD_COMPUTE,
  LOOM_SLOWDOWN_PHASE_FORWARD_SEND,
  LOOM_SLOWDOWN_PHASE_FORWARD_RECV,
  LOOM_SLOWDOWN_PHASE_BACKWARD_SEND,
  LOOM_SLOWDOWN_PHASE_BACKWARD_RECV,
  LOOM_SLOWDOWN_PHASE_PARAMS_ALL_GATHER,
  LOOM_SLOWDOWN_PHASE_GRADS_REDUCE_SCATTER,
  LOOM_SLOWDOWN_PHASE_LAYERNORM,
  LOOM_SLOWDOWN_PHASE_EMBEDDING,
  LOOM_SLOWDOWN_PHASE_SEPARATE,
  LOOM_SLOWDOWN_PHASE_GC,
  LOOM_SLOWDOWN_PHASE_CLIP,
  LOOM_SLOWDOWN_PHASE_OPTIMIZER,
  LOOM_N_SLOWDOWN_PHASES,
} LoomSlowdownPhase;

/* An operation of the first step of the first row: the model of those of all steps and rows. */
typedef struct {
  guint32 stage, sequence, type;
  gint64 chunk, begin_ns, end_ns;
  guint32 group;      /* number of the group of templates that meet; LOOM_SLOWDOWN_NONE */
  gboolean all_rows;  /* the group is one over all rows */
  gboolean is_paired; /* for a message: it is not a no-op at an end of the pipeline */
} LoomSlowdownTemplate;

typedef struct {
  guint32 operation, before; /* templates */
} LoomSlowdownTemplateWait;

typedef struct {
  GArray *all;             /* LoomSlowdownTemplate, by stage, then start, sequence, type */
  GArray *waits;           /* LoomSlowdownTemplateWait */
  guint32 *first_of_stage; /* [stage] first template; the last element is the total */
  guint32 n_stages, n_groups;
  gboolean overlaps; /* gradients are reduced while the rank computes */
} LoomSlowdownTemplates;

void loom_slowdown_templates_init (LoomSlowdownTemplates *templates, guint32 n_stages);
void loom_slowdown_templates_clear (LoomSlowdownTemplates *templates);

/* Templates are added by ascending stage. O(stages). */
void loom_slowdown_templates_add (LoomSlowdownTemplates *templates, const LoomSlowdownTemplate *template);

/* Fills `waits` and the groups. Call it once, when all are added. */
void loom_slowdown_templates_connect (LoomSlowdownTemplates *templates);

LoomSlowdownTemplate *loom_slowdown_templates_get (const LoomSlowdownTemplates *templates, guint32 number);

/* The operation of a stage with this number in its order; LOOM_SLOWDOWN_NONE. O(operations of the stage). */
guint32 loom_slowdown_templates_find (const LoomSlowdownTemplates *templates, guint32 stage, guint type,
                                      guint32 sequence);
