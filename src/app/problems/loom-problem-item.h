/* SPDX-License-Identifier: Apache-2.0
 *
 * One row of the problems list: what happened, in which file, how often, where first, and what stands there. Everything
 * but the text at the place is known from the beginning and never changes; the text comes when a worker has read it
 * (notify::excerpt). Main thread.
 */
#pragma once

#include "loom-run.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a row says, borrowed from its run and from its list. */
typedef struct {
  LoomSeverity severity;
  const char *path; /* as the file system has it */
  const char *code; /* "truncated"; "unreadable" and "ignored" for files that are no source */
  const char *message;
  guint64 count;
  guint64 offset;       /* of the first, LOOM_OFFSET_NONE where there is no place */
  LoomByteSource *text; /* NULL when nothing can be read back */
  gboolean is_packed;   /* the offset counts in the unpacked text */
  const char *given;    /* what its source is called by hand; NULL: nothing */
} LoomProblemFacts;

#define LOOM_TYPE_PROBLEM_ITEM (loom_problem_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemItem, loom_problem_item, LOOM, PROBLEM_ITEM, GObject)

/* Keeps `run` alive. */
LoomProblemItem *loom_problem_item_new (LoomRun *run, const LoomProblemFacts *facts);
const LoomProblemFacts *loom_problem_item_get_facts (LoomProblemItem *item);

const char *loom_problem_item_get_path (LoomProblemItem *item); /* for people */
const char *loom_problem_item_get_name (LoomProblemItem *item); /* the file alone, behind the name it was given */
const char *loom_problem_item_severity_get_word (LoomSeverity severity);

/* NULL until it was read, "" where there is nothing to read; `at` is the place in it, in bytes. */
const char *loom_problem_item_get_excerpt (LoomProblemItem *item, gsize *at);
/* Asks a worker to read it, once. */
void loom_problem_item_load_excerpt (LoomProblemItem *item);

/* One line: severity, path, code, count, byte and message between tabs, and the text if it is known. */
char *loom_problem_item_dup_text (LoomProblemItem *item);
void loom_problem_item_facts_append (GString *out, const LoomProblemFacts *facts, const char *excerpt);

G_END_DECLS
