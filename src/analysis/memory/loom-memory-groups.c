/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-memory-groups.h"

#include "loom-operators.h"

#include <math.h>
#include <string.h>

/* Returns TRUE if it is known which code allocated the memory that is in use at the peak of a device. */
static gboolean
knows_holders (const LoomMemoryUse *use, const LoomMemoryDevice *device)
{
  if (device->before > 0 || device->peak <= 0)
    return TRUE;
  for (guint i = 0; i < device->n_holders; i++)
    if (loom_memory_use_get_holder (use, device, i)->held > 0)
      return TRUE;
  return FALSE;
}

/* Returns a text that is equal for all owners of one group. Owned by the caller. */
static char *
dup_key (const LoomMemoryOwner *owner)
{
  g_autofree char *class = loom_operators_dup_class (owner->module);
  return g_strconcat (owner->name, "\t", class, NULL);
}

static void
add_holder (LoomMemoryGroup *group, const LoomMemoryHolder *holder)
{
  if (holder->largest > group->largest) {
    group->largest = holder->largest;
    group->span = holder->span;
  }
  group->n_owners++;
  group->n += holder->n;
  group->allocated += holder->allocated;
  group->held += holder->held;
  group->left += holder->left;
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const LoomMemoryGroup *one = a, *other = b;
  if (one->held != other->held)
    return one->held > other->held ? -1 : 1;
  return (one->allocated < other->allocated) - (one->allocated > other->allocated);
}

static void
add_before (GArray *groups, guint index, const LoomMemoryDevice *device)
{
  LoomMemoryGroup before = { .is_before = TRUE, .is_known = TRUE, .device = index, .n_devices = 1 };
  before.held = device->before;
  before.span = device->peak_span;
  if (device->before > 0)
    g_array_append_val (groups, before);
}

GArray *
loom_memory_groups_new_for_device (const LoomMemoryUse *use, guint device)
{
  const LoomMemoryDevice *own = &g_array_index (use->devices, LoomMemoryDevice, device);
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (LoomMemoryGroup));
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean is_known = knows_holders (use, own);
  for (guint i = 0; i < own->n_holders; i++) {
    const LoomMemoryHolder *holder = loom_memory_use_get_holder (use, own, i);
    char *key = dup_key (loom_memory_use_get_owner (use, holder));
    guint k = GPOINTER_TO_UINT (g_hash_table_lookup (by_key, key));
    if (k == 0) {
      /* holders are sorted by size, so the first holder of a group is its largest */
      LoomMemoryGroup group = { .is_known = is_known,
                                .is_left_known = is_known && loom_memory_use_knows_left (own),
                                .owner = holder->owner,
                                .device = device,
                                .n_devices = 1 };
      group.span = holder->span;
      g_array_append_val (groups, group);
      k = groups->len;
    }
    g_hash_table_replace (by_key, key, GUINT_TO_POINTER (k));
    add_holder (&g_array_index (groups, LoomMemoryGroup, k - 1), holder);
  }
  add_before (groups, device, own);
  g_array_sort (groups, compare_groups);
  return groups;
}

static gboolean
is_close (gint64 a, gint64 b, gint64 peak)
{
  return ABS ((double) a - (double) b) <= LOOM_MEMORY_GROUPS_ALIKE * (double) peak;
}

/* Returns TRUE if two groups of different devices are so similar that they are shown as one row. The caller must have
 * checked that their operators and classes are equal. */
static gboolean
is_alike (const LoomMemoryUse *use, const LoomMemoryGroup *a, const LoomMemoryGroup *b)
{
  const LoomMemoryDevice *one = &g_array_index (use->devices, LoomMemoryDevice, a->device),
                         *other = &g_array_index (use->devices, LoomMemoryDevice, b->device);
  gint64 peak = MAX (one->peak, other->peak);
  if (a->is_before && (one->before > one->initial) != (other->before > other->initial))
    return FALSE; /* events are missing on only one of the two devices */
  return one->is_host == other->is_host && a->is_known == b->is_known && a->is_left_known == b->is_left_known &&
         a->n_owners == b->n_owners && (a->n_owners != 1 || a->owner == b->owner) &&
         is_close (a->held, b->held, peak) && is_close (a->left, b->left, peak) &&
         is_close (a->allocated, b->allocated, MAX (a->allocated, b->allocated));
}

/* Returns the size class of a group: the logarithm of its allocated bytes, rounded down. The base of the logarithm is
 * the greatest ratio of the allocated bytes of two similar groups. So the size classes of two similar groups differ by
 * at most 1. */
static gint
get_size_class (const LoomMemoryGroup *group)
{
  return group->allocated > 0
           ? (gint) floor (log ((double) group->allocated) / -log1p (-LOOM_MEMORY_GROUPS_ALIKE * (1 + 1e-9)))
           : -2;
}

/* Returns a key for finding similar groups. Groups with equal keys have the same operator, class and size class, and
 * can differ only in the amounts of memory. Owned by the caller. */
static char *
dup_row_key (const LoomMemoryUse *use, const LoomMemoryGroup *group, gint size_class)
{
  const LoomMemoryDevice *device = &g_array_index (use->devices, LoomMemoryDevice, group->device);
  g_autofree char *key = group->is_before
                           ? g_strdup ("\t\t")
                           : dup_key (&g_array_index (use->events->owners, LoomMemoryOwner, group->owner));
  return g_strdup_printf ("%d %d %d %u %u\t%s", size_class, device->is_host, group->is_known, group->n_owners,
                          group->n_owners == 1 ? group->owner : 0, key);
}

/* Returns the first of `rows` whose group is of another device than `group` and similar to `group`; G_MAXUINT if there
 * is none. `rows`: indices in `groups`, ascending; may be NULL. */
static guint
find_alike (const LoomMemoryUse *use, const GArray *groups, const GArray *rows, const LoomMemoryGroup *group)
{
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    guint number = g_array_index (rows, guint, i);
    const LoomMemoryGroup *row = &g_array_index (groups, LoomMemoryGroup, number);
    if (row->device != group->device && is_alike (use, row, group))
      return number;
  }
  return G_MAXUINT;
}

/* Joins a group with the first similar group of another device. If there is none, adds the group. Examines only groups
 * of similar size class (get_size_class()), so that the time is not quadratic if all devices are different. `by_key`:
 * dup_row_key() → GArray of the groups with this key, as indices in `groups`. */
static void
join (const LoomMemoryUse *use, GArray *groups, GHashTable *by_key, const LoomMemoryGroup *group)
{
  guint found = G_MAXUINT;
  gint size_class = get_size_class (group);
  for (gint i = -1; i <= 1; i++) {
    g_autofree char *key = dup_row_key (use, group, size_class + i);
    found = MIN (found, find_alike (use, groups, g_hash_table_lookup (by_key, key), group));
  }
  if (found != G_MAXUINT) {
    g_array_index (groups, LoomMemoryGroup, found).n_devices++;
    return;
  }
  char *key = dup_row_key (use, group, size_class);
  GArray *rows = g_hash_table_lookup (by_key, key);
  if (rows == NULL)
    g_hash_table_insert (by_key, g_strdup (key), rows = g_array_new (FALSE, FALSE, sizeof (guint)));
  g_free (key);
  g_array_append_val (rows, groups->len);
  g_array_append_vals (groups, group, 1);
}

GArray *
loom_memory_groups_new (const LoomMemoryUse *use)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (LoomMemoryGroup));
  g_autoptr (GHashTable) by_key =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < use->devices->len; i++) {
    g_autoptr (GArray) own = loom_memory_groups_new_for_device (use, i);
    for (guint k = 0; k < own->len; k++) {
      const LoomMemoryGroup *group = &g_array_index (own, LoomMemoryGroup, k);
      join (use, groups, by_key, group);
    }
  }
  g_array_sort (groups, compare_groups);
  return groups;
}
