/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds for which operations each operation of a Megatron step waits. The input is the
 * operations of one rank of each stage. The rules are those of the program of Lin et al. (dependency_model.py of
 * ByteDance-Seed/StragglerAnalysis): a send waits for the computation that produces its data. A computation waits for
 * the message that brings its data. Receiving this message waits for the previous computation.
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

/* An operation of the first step of the first row (data-parallel rank). It represents the same operation in all other
 * steps and rows. */
typedef struct {
  guint32 stage, sequence, type;
  gint64 chunk, begin_ns, end_ns;
  /* number of the collective or message to which the operation belongs; LOOM_SLOWDOWN_NONE: it belongs to none */
  guint32 group;
  /* TRUE: the group contains the operations of all rows (data-parallel ranks); FALSE: the operations of each row are a
   * group of their own */
  gboolean all_rows;
  /* TRUE for a message between two stages; FALSE for other operations, and for a message at an end of the pipeline,
   * which transfers nothing */
  gboolean is_paired;
} LoomSlowdownTemplate;

typedef struct {
  guint32 operation, before; /* indices in LoomSlowdownTemplates.all; `operation` waits for `before` */
} LoomSlowdownTemplateWait;

typedef struct {
  GArray *all;   /* LoomSlowdownTemplate, sorted by stage, then by start, sequence and type */
  GArray *waits; /* LoomSlowdownTemplateWait: waits between templates */
  /* array: [stage] index in `all` of the first template of the stage; the last element is the length of `all` */
  guint32 *first_of_stage;
  guint32 n_stages, n_groups;
  gboolean overlaps; /* TRUE if gradients are reduced while the rank computes */
} LoomSlowdownTemplates;

void loom_slowdown_templates_init (LoomSlowdownTemplates *templates, guint32 n_stages);
void loom_slowdown_templates_clear (LoomSlowdownTemplates *templates);

/* Adds a template. Templates must be added in ascending order of stage. O(stages). */
void loom_slowdown_templates_add (LoomSlowdownTemplates *templates, const LoomSlowdownTemplate *template);

/* Adds the waits and sets the groups of the templates. Must be called once, after the last template was added. */
void loom_slowdown_templates_connect (LoomSlowdownTemplates *templates);

LoomSlowdownTemplate *loom_slowdown_templates_get (const LoomSlowdownTemplates *templates, guint32 number);

/* Returns the index of the template with a stage, type and sequence number; LOOM_SLOWDOWN_NONE: there is none.
 * O(templates of the stage). */
guint32 loom_slowdown_templates_find (const LoomSlowdownTemplates *templates, guint32 stage, guint type,
                                      guint32 sequence);
