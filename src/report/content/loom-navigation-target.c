/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and frees navigation targets.
 */
#include "loom-navigation-target.h"

G_DEFINE_BOXED_TYPE (LoomNavigationTarget, loom_navigation_target, loom_navigation_target_copy,
                     loom_navigation_target_free)

LoomNavigationTarget *
loom_navigation_target_copy (const LoomNavigationTarget *target)
{
  g_return_val_if_fail (target != NULL, NULL);
  LoomNavigationTarget *copy = g_memdup2 (target, sizeof *target);
  copy->spans = g_memdup2 (target->spans, target->n_spans * sizeof *target->spans);
  copy->parts = g_memdup2 (target->parts, target->n_parts * sizeof *target->parts);
  copy->node = g_strdup (target->node);
  copy->device = g_strdup (target->device);
  return copy;
}

void
loom_navigation_target_free (LoomNavigationTarget *copy)
{
  if (copy == NULL)
    return;
  g_free ((gpointer) copy->spans);
  g_free ((gpointer) copy->parts);
  g_free ((gpointer) copy->node);
  g_free ((gpointer) copy->device);
  g_free (copy);
}
