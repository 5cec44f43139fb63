/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the message about a failed or incomplete load: what happened, to which file, and what to do. Reads the
 * document, and the disk to see whether files are gone or empty. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

typedef enum {
  LOOM_LOAD_ERROR_NONE,
  LOOM_LOAD_ERROR_NOTHING, /* nothing can be shown: the window shows this message on a page of its own */
  LOOM_LOAD_ERROR_PARTLY,  /* a part of the run is missing: the window shows this message in a bar above the rest */
} LoomLoadErrorKind;

typedef struct {
  LoomLoadErrorKind kind;
  char *title;          /* heading of the message, a short sentence */
  char *body;           /* text below the heading: the reason and advice; may be NULL */
  gboolean has_details; /* TRUE if the list of problems says more than this message */
} LoomLoadError;

/* Fills `trouble` with the error of the last load; the caller clears it. The document must not be loading. */
void loom_load_error_find (LoomDocument *document, LoomLoadError *trouble);
void loom_load_error_clear (LoomLoadError *trouble);

/* Returns the number that the badge of problems shows: failed files, plus warnings and errors of sources. */
guint loom_load_error_count (const LoomRun *run);
/* Returns the number of warnings and errors of one source. */
guint loom_load_error_count_source (const LoomSource *source);
