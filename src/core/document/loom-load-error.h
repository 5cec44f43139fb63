/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the message about a failed or incomplete load. It says what happened, to which file, and what the user can do.
 * Reads the document. Also examines the disk, to find out whether files are missing or empty. Called on the main
 * thread.
 */
#pragma once

#include "loom-document.h"

typedef enum {
  LOOM_LOAD_ERROR_NONE,
  LOOM_LOAD_ERROR_NOTHING, /* nothing can be shown: the window shows the message on a separate page */
  LOOM_LOAD_ERROR_PARTLY,  /* a part of the run is missing: the window shows the message in a bar above the run */
} LoomLoadErrorKind;

typedef struct {
  LoomLoadErrorKind kind;
  char *title;          /* the heading of the message, which is a short sentence */
  char *body;           /* the text below the heading, which gives the reason and advice; may be NULL */
  gboolean has_details; /* TRUE if the list of problems contains more than this message says */
} LoomLoadError;

/* Fills `trouble` with the message about the last load. The caller must clear `trouble`. The document must not be
 * loading. */
void loom_load_error_find (LoomDocument *document, LoomLoadError *trouble);
void loom_load_error_clear (LoomLoadError *trouble);

/* Returns the number for the badge of the problems button: failed files, and warnings and errors of sources. */
guint loom_load_error_count (const LoomRun *run);
/* Returns the number of warnings and errors of one source. */
guint loom_load_error_count_source (const LoomSource *source);
