/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: tables of the event names and the kinds of statistics of a plane of an XSpace, with the data
 * that are needed to compute the lengths of args. The tables are made once per plane and used for each event.
 */
#pragma once

#include "loom-seeded-hash.h"
#include "loom-xplane-space.h"

/* Args that are made from the details of a kernel or copy (loom_xplane_args_append_details()). Each value is the number
 * of an arg's name (LoomXplaneStatKind.key), and also the number of a bit in sets of such args. */
enum {
  LOOM_XPLANE_KEY_REGISTERS,
  LOOM_XPLANE_KEY_BYTES,
  LOOM_XPLANE_KEY_GRID,
  LOOM_XPLANE_KEY_BLOCK,
  LOOM_XPLANE_KEY_DURATION,
  LOOM_XPLANE_N_KEYS,
};

typedef enum {
  LOOM_XPLANE_NO_DETAILS,
  LOOM_XPLANE_KERNEL_DETAILS,
  LOOM_XPLANE_COPY_DETAILS,
} LoomXplaneDetails;

/* A kind of statistic in the plane, such as "correlation_id". */
typedef struct {
  gint64 id;
  const char *name; /* name of the arg; borrowed from the plane */
  gsize n_key;      /* length in bytes of the name of the arg with quotes and colon */
  gsize n_text; /* length in bytes of the name of the kind with quotes; used if the value of a statistic is a reference
                 * to this name */
  guint32 key;  /* number of the name of the arg; kinds with the same name have the same number */
  LoomXplaneDetails details;
  guint link; /* 1 + index of the member of LoomXplaneLinkIds that equals `id`; 0: statistics of this kind do not link
               * events */
  gboolean is_correlation;
  gboolean is_usable; /* FALSE: the lengths of args of this kind are not computed */
} LoomXplaneStatKind;

/* An event name in the plane. */
typedef struct {
  gint64 id;
  const LoomXplaneName *name;
  /* index of the first arg that the metadata of this name adds, and number of these args; they are in an array of the
   * caller */
  guint32 first, n;
  gboolean is_looked; /* TRUE if the caller has set `first`, `n` and `is_usable` */
  gboolean is_usable;
} LoomXplaneEventName;

/* Elements with ids below this number are found without hashing. Profilers number names and statistics from 1 on. */
#define LOOM_XPLANE_KINDS_DENSE 1024

typedef struct {
  guint32 *dense; /* array indexed by ids below LOOM_XPLANE_KINDS_DENSE: 1 + the index of an element; 0: none */
  guint32 *slots; /* hash table: each slot is 1 + the index of an element; 0: the slot is free */
  guint32 n_slots;
  guint64 seed;
} LoomXplaneIds;

typedef struct {
  GArray *stats;  /* LoomXplaneStatKind */
  GArray *names;  /* LoomXplaneEventName */
  guint32 n_keys; /* number of different names of args, including the LOOM_XPLANE_N_KEYS fixed ones */
  LoomXplaneIds by_stat, by_name;
} LoomXplaneKinds;

LoomXplaneKinds *loom_xplane_kinds_new (const LoomXplane *plane);
void loom_xplane_kinds_free (LoomXplaneKinds *self);

static inline guint32
loom_xplane_kinds_hash (const LoomXplaneIds *ids, gint64 id)
{
  return (guint32) loom_seeded_hash_mix ((guint64) id ^ ids->seed) & (ids->n_slots - 1);
}

/* Returns the kind of statistic with this id; NULL: the plane does not have it. */
static inline const LoomXplaneStatKind *
loom_xplane_kinds_find_stat (const LoomXplaneKinds *self, gint64 id)
{
  const LoomXplaneStatKind *stats = (const LoomXplaneStatKind *) (gpointer) self->stats->data;
  if (G_LIKELY ((guint64) id < LOOM_XPLANE_KINDS_DENSE))
    return self->by_stat.dense[id] != 0 ? &stats[self->by_stat.dense[id] - 1] : NULL;
  guint32 slot = loom_xplane_kinds_hash (&self->by_stat, id);
  for (; self->by_stat.slots[slot] != 0; slot = (slot + 1) & (self->by_stat.n_slots - 1))
    if (stats[self->by_stat.slots[slot] - 1].id == id)
      return &stats[self->by_stat.slots[slot] - 1];
  return NULL;
}

/* Returns the name of events with this id; NULL: the plane does not have it. */
static inline LoomXplaneEventName *
loom_xplane_kinds_find_name (const LoomXplaneKinds *self, gint64 id)
{
  LoomXplaneEventName *names = (LoomXplaneEventName *) (gpointer) self->names->data;
  if (G_LIKELY ((guint64) id < LOOM_XPLANE_KINDS_DENSE))
    return self->by_name.dense[id] != 0 ? &names[self->by_name.dense[id] - 1] : NULL;
  guint32 slot = loom_xplane_kinds_hash (&self->by_name, id);
  for (; self->by_name.slots[slot] != 0; slot = (slot + 1) & (self->by_name.n_slots - 1))
    if (names[self->by_name.slots[slot] - 1].id == id)
      return &names[self->by_name.slots[slot] - 1];
  return NULL;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomXplaneKinds, loom_xplane_kinds_free)
