/* SPDX-License-Identifier: Apache-2.0
 *
 * Readings that clocks took between two barriers, with the bound their format states (formats/composer.md §2, §3). One per
 * file: enough to say who ran together, and a pair among others where a file has collectives too.
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

#define UNKNOWN_BOUND_NS LOOM_NS_PER_MS

static guint64
key_of (const LoomDeclaredClock *decl)
{
  gboolean has_cycle = decl->sync_cycle != NULL && decl->sync_cycle[0] != '\0';
  guint64 group = loom_string_pool_hash (decl->sync_group, strlen (decl->sync_group));
  return loom_string_pool_hash_join (group, has_cycle
                                              ? loom_string_pool_hash (decl->sync_cycle, strlen (decl->sync_cycle))
                                              : (guint64) decl->sync_order);
}

void
loom_evidence_add_sync_points (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups gathering;
  loom_evidence_groups_init (&gathering);
  for (guint clock = 0; clock < loom_run_get_n_clocks (run); clock++) {
    const LoomDeclaredClock *decl = loom_run_get_clock (run, clock);
    if (decl->has_sync && decl->sync_group != NULL)
      loom_evidence_groups_add (&gathering, key_of (decl), clock, decl->sync_ns, decl->sync_error_ns, 0);
  }
  loom_evidence_groups_close (&gathering);
  const LoomObservation *all = (const LoomObservation *) (gpointer) gathering.all->data;
  for (guint i = 0, n; i < gathering.all->len; i += n) {
    gint64 uncertainty_ns = LOOM_NS_PER_US;
    n = loom_evidence_groups_count_equal (&gathering, i);
    for (guint j = i; j < i + n; j++)
      uncertainty_ns = MAX (uncertainty_ns, all[j].arrival_ns < 0 ? UNKNOWN_BOUND_NS : all[j].arrival_ns);
    loom_evidence_begin (evidence, LOOM_EVIDENCE_SYNC_POINTS, uncertainty_ns);
    for (guint j = i; j < i + n; j++)
      loom_evidence_read (evidence, all[j].clock, all[j].local_ns, LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  loom_evidence_groups_clear (&gathering);
}
