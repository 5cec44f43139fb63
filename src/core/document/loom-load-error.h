/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong with a load, in words: what happened, to which file, what now. Pure: reads the document only.
 */
#pragma once

#include "loom-document.h"

typedef enum {
  LOOM_LOAD_ERROR_NONE,
  LOOM_LOAD_ERROR_NOTHING, /* nothing can be shown: the window says so on a page of its own */
  LOOM_LOAD_ERROR_PARTLY,  /* something is shown, something is missing: a bar says so */
} LoomLoadErrorKind;

typedef struct {
  LoomLoadErrorKind kind;
  char *title;          /* a short sentence */
  char *body;           /* what, where, what now; may be NULL */
  gboolean has_details; /* the problems list says more */
} LoomLoadError;

/* Of the last load of a document that is not loading. Clear afterwards. */
void loom_load_error_find (LoomDocument *document, LoomLoadError *trouble);
void loom_load_error_clear (LoomLoadError *trouble);

/* Entries of the problems list that are worth a badge: failed files, warnings and errors of sources. */
guint loom_load_error_count (const LoomRun *run);
/* The same of one source. */
guint loom_load_error_count_source (const LoomSource *source);
