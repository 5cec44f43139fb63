/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what events with equal text up to their times have in common, and the length of the text of their
 * args. Found while packets are read for the first time, so that usual events need not be read again.
 */
#pragma once

#include "loom-perfetto-texts.h"
#include "loom-proto.h"

typedef struct {
  /* borrowed from LoomPerfettoTexts, where equal texts are the same pointer; `name` NULL: the event is not usual, its text
   * must be made; `category` NULL: it has none */
  const char *name, *category;
  guint32 track;
  guint32 context; /* index in LoomPerfettoTrace.contexts */
} LoomPerfettoLook;

typedef struct {
  GArray *looks;  /* LoomPerfettoLook */
  guint32 *slots; /* hash table: index in `looks` + 1; 0: free */
  gsize n_slots;  /* a power of two */
} LoomPerfettoLooks;

LoomPerfettoLooks *loom_perfetto_looks_new (void);
void loom_perfetto_looks_free (LoomPerfettoLooks *self);

/* Returns the index of the look; equal looks have the same index. */
guint32 loom_perfetto_looks_find (LoomPerfettoLooks *self, const LoomPerfettoLook *look);

/* Returns the look with an index; valid until another one is added. Borrowed. */
static inline const LoomPerfettoLook *
loom_perfetto_looks_get (const LoomPerfettoLooks *self, guint32 index)
{
  return &g_array_index (self->looks, LoomPerfettoLook, index);
}

/* The data that are needed to find the texts to which the fields of an event refer. */
typedef struct {
  const LoomPerfettoTexts *texts;
  guint32 generation;
  guint64 place;
} LoomPerfettoOrigin;

/* The fields of an event that its text depends on. */
typedef struct {
  const char *name, *category; /* as in LoomPerfettoLook */
  gboolean is_rare;            /* TRUE: one of the fields is rare, and the other members mean nothing */
  gsize n_args;                /* length in bytes of the text of the args without braces */
} LoomPerfettoParts;

/* Adds a field of an event that is its name, its category or an arg. Sets `is_rare` for a field of which no length is
 * computed. */
void loom_perfetto_looks_add_field (LoomPerfettoParts *parts, const LoomPerfettoOrigin *from,
                                    const LoomProtoField *field);
