/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a “look” is the data that determine the text of an event except for its times: name, category,
 * track and context. The looks of events, and the lengths of the text of their args, are found when packets are first
 * read, so that usual events need not be read again.
 */
#pragma once

#include "loom-perfetto-texts.h"
#include "loom-proto.h"

typedef struct {
  /* pointers to texts that LoomPerfettoTexts owns, where equal texts have the same address. `name` NULL: the event is
   * unusual and its text must be made. `category` NULL: the event has no category */
  const char *name, *category;
  guint32 track;
  guint32 context; /* index in LoomPerfettoTrace.contexts */
} LoomPerfettoLook;

typedef struct {
  GArray *looks;  /* LoomPerfettoLook: each look that events have, once */
  guint32 *slots; /* hash table that finds a look: each slot is the index in `looks` + 1; 0: the slot is free */
  gsize n_slots;  /* number of elements of `slots`, a power of two */
  guint64 seed;   /* see loom-perfetto-ids.h */
} LoomPerfettoLooks;

LoomPerfettoLooks *loom_perfetto_looks_new (void);
void loom_perfetto_looks_free (LoomPerfettoLooks *self);

/* Returns the index of a look that equals `look`; adds `look` if there is none. */
guint32 loom_perfetto_looks_find (LoomPerfettoLooks *self, const LoomPerfettoLook *look);

/* Returns the look with an index; valid until another one is added. Borrowed. */
static inline const LoomPerfettoLook *
loom_perfetto_looks_get (const LoomPerfettoLooks *self, guint32 index)
{
  return &g_array_index (self->looks, LoomPerfettoLook, index);
}

/* The data for looking up the texts to which the fields of an event refer by number. */
typedef struct {
  const LoomPerfettoTexts *texts;
  guint32 generation;
  guint64 place;
} LoomPerfettoOrigin;

/* The parts of an event on which its text depends. */
typedef struct {
  const char *name, *category; /* pointers to texts that LoomPerfettoTexts owns, as in LoomPerfettoLook */
  gboolean is_rare;            /* TRUE: the event has a field for which no length is computed; the other members are
                                * then undefined */
  gsize n_args;                /* length in bytes of the text of the args without braces */
} LoomPerfettoParts;

/* Adds a field of an event that is its name, its category or one of its args. Sets `is_rare` if no length can be
 * computed for the field. */
void loom_perfetto_looks_add_field (LoomPerfettoParts *parts, const LoomPerfettoOrigin *from,
                                    const LoomProtoField *field);

/* Returns the length in bytes of an arg in the text: its name, a colon and its value. Returns 0 if the length cannot be
 * computed, for example because the message does not have exactly one name and one value. */
gsize loom_perfetto_looks_measure_arg (const LoomPerfettoOrigin *from, const LoomProtoField *message);
