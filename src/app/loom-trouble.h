/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong with a load, in words: what happened, to which file, what now. Pure: reads the document only.
 */
#pragma once

#include "loom-document.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_TROUBLE_NONE,
  LOOM_TROUBLE_NOTHING, /* nothing can be shown: the window says so on a page of its own */
  LOOM_TROUBLE_PARTLY,  /* something is shown, something is missing: a bar says so */
} LoomTroubleKind;

typedef struct {
  LoomTroubleKind kind;
  char *title;          /* a short sentence */
  char *body;           /* what, where, what now; may be NULL */
  gboolean has_details; /* the problems list says more */
} LoomTrouble;

/* Of the last load of a document that is not loading. Clear afterwards. */
void loom_trouble_find (LoomDocument *document, LoomTrouble *trouble);
void loom_trouble_clear (LoomTrouble *trouble);

/* Entries of the problems list that are worth a badge: failed files, warnings and errors of sources. */
guint loom_trouble_count (const LoomRun *run);
/* The same of one source. */
guint loom_trouble_count_source (const LoomSource *source);

G_END_DECLS
