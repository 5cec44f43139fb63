/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: “looks” of the events of a Perfetto trace. A look consists of the name, category, track and
 * context of an event. Together with the times and args, it determines the JSON text of the event. Looks, and the
 * lengths of the text of the args, are computed when packets are first read, so that usual events need not be read
 * again.
 */
#pragma once

#include "loom-perfetto-texts.h"
#include "loom-proto.h"

typedef struct {
  /* borrowed from LoomPerfettoTexts, which returns the same address for equal texts. `name` NULL: the event is unusual,
   * so its length is not computed and its text must be made. `category` NULL: the event has no category */
  const char *name, *category;
  guint32 track;
  guint32 context; /* index in LoomPerfettoTrace.contexts */
} LoomPerfettoLook;

typedef struct {
  /* LoomPerfettoLook elements: all different looks (combinations of name, category, track and context) of the events */
  GArray *looks;
  /* hash table that finds a look by its content: each slot is the index in `looks` + 1; 0: the slot is free */
  guint32 *slots;
  gsize n_slots; /* number of elements of `slots`, a power of two */
  guint64 seed;  /* random number on which the hashes depend (see loom-perfetto-ids.h) */
} LoomPerfettoLooks;

LoomPerfettoLooks *loom_perfetto_looks_new (void);
void loom_perfetto_looks_free (LoomPerfettoLooks *self);

/* Returns the index of the look (name, category, track and context of an event) that equals `look`; adds `look` if
 * there is none. */
guint32 loom_perfetto_looks_find (LoomPerfettoLooks *self, const LoomPerfettoLook *look);

/* Returns the look (name, category, track and context of an event) with this index; valid until another look is added.
 * Borrowed. */
static inline const LoomPerfettoLook *
loom_perfetto_looks_get (const LoomPerfettoLooks *self, guint32 index)
{
  return &g_array_index (self->looks, LoomPerfettoLook, index);
}

/* The data that are needed to find the texts to which an event refers by number. */
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
