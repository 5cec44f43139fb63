/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits the memory of a load. The interface is described in loom-memory-budget.h.
 */
#include "loom-memory-budget.h"

#include "loom-deferred-free.h"
#include "loom-limits.h"
#include "loom-memory-info.h"

#include <glib/gi18n.h>
#include <stdatomic.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Maximum number of calls of malloc_trim(). The calls return freed memory to the kernel, because freed memory that
 * malloc keeps counts as used. Their number is limited because each takes milliseconds. */
#define MAX_TRIMS 16

struct _LoomMemoryBudget {
  guint64 n_bytes;
  _Atomic gint64 reserved;
  _Atomic gboolean reached;
  _Atomic guint n_trims;
};

LoomMemoryBudget *
loom_memory_budget_new (guint64 n_bytes)
{
  LoomMemoryBudget *budget = g_new0 (LoomMemoryBudget, 1);
  guint64 available = n_bytes == 0 ? loom_memory_info_get_available () : 0;
  if (available == G_MAXUINT64)
    budget->n_bytes = G_MAXUINT64;
  else
    budget->n_bytes =
      n_bytes > 0 ? n_bytes : loom_memory_info_get_anonymous () + available / 100 * LOOM_LIMIT_MEMORY_PERCENT;
  return budget;
}

void
loom_memory_budget_free (LoomMemoryBudget *budget)
{
  g_free (budget);
}

guint64
loom_memory_budget_get_bytes (const LoomMemoryBudget *budget)
{
  return budget != NULL ? budget->n_bytes : G_MAXUINT64;
}

void
loom_memory_budget_reserve (LoomMemoryBudget *budget, gint64 n_bytes)
{
  if (budget != NULL)
    atomic_fetch_add_explicit (&budget->reserved, n_bytes, memory_order_relaxed);
}

guint64
loom_memory_budget_get_room (const LoomMemoryBudget *budget)
{
  if (budget == NULL)
    return G_MAXUINT64;
  gint64 reserved = atomic_load_explicit (&budget->reserved, memory_order_relaxed);
  guint64 held = loom_memory_info_get_anonymous () + (guint64) MAX (reserved, 0);
  return budget->n_bytes - MIN (held, budget->n_bytes);
}

static gboolean
is_exceeded (LoomMemoryBudget *budget)
{
  return loom_memory_budget_get_room (budget) == 0;
}

gboolean
loom_memory_budget_check (LoomMemoryBudget *budget)
{
  if (budget == NULL || loom_memory_budget_is_reached (budget) || !is_exceeded (budget))
    return loom_memory_budget_is_reached (budget);
  loom_deferred_free_wait ();
  if (!is_exceeded (budget))
    return FALSE;
#ifdef __GLIBC__
  if (atomic_fetch_add (&budget->n_trims, 1) < MAX_TRIMS) {
    malloc_trim (0);
    if (!is_exceeded (budget))
      return FALSE;
  }
#endif
  atomic_store (&budget->reached, TRUE);
  return TRUE;
}

gboolean
loom_memory_budget_is_reached (const LoomMemoryBudget *budget)
{
  return budget != NULL && atomic_load_explicit (&budget->reached, memory_order_relaxed);
}

char *
loom_memory_budget_explain (const LoomMemoryBudget *budget)
{
  g_autofree char *size = g_format_size (loom_memory_budget_get_bytes (budget));
  return g_strdup_printf (
    _ (
      "the memory budget of %s is used up; raise it (--memory-budget, or the setting memory-budget) or open fewer files"),
    size);
}
