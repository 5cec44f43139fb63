/* SPDX-License-Identifier: Apache-2.0
 *
 * A question about a range of a run, complete with all that a worker needs to answer it. LoomAnalysisContext asks; the worker
 * shares nothing with the main thread but the tables.
 */
#pragma once

#include "loom-analysis-tables.h"
#include "loom-findings.h"
#include "loom-worker.h"

typedef enum {
  LOOM_RANGE_SCOPE_ALL,
  LOOM_RANGE_SCOPE_LOOP, /* the training loop */
  LOOM_RANGE_SCOPE_VISIBLE,
  LOOM_RANGE_SCOPE_SELECTION,
  LOOM_N_RANGE_SCOPES
} LoomRangeScope;

/* What is asked for, and the type of the answer. */
typedef enum {
  LOOM_ANALYSIS_QUESTION_PAGE,        /* LoomPageContent */
  LOOM_ANALYSIS_QUESTION_FINDINGS,    /* LoomFindings of the built-in rules and the rule files */
  LOOM_ANALYSIS_QUESTION_RULES,       /* LoomFindings of some rules */
  LOOM_ANALYSIS_QUESTION_BOTTLENECKS, /* GArray of gint64, timeline ns, ascending */
  LOOM_ANALYSIS_QUESTION_LACKS, /* array of static texts in the order of loom_pages_get(); NULL: nothing is lacking */
  LOOM_ANALYSIS_QUESTION_LOOP,  /* LoomRange of the training loop; empty: there is none */
} LoomAnalysisQuestionKind;

/* The worker owns what the question points to. */
typedef struct {
  LoomAnalysisQuestionKind kind;
  LoomAnalysisTables *tables;
  const LoomPage *page; /* for a page */
  LoomRangeScope scope;
  char **rule_files; /* for findings; may be NULL */
  GPtrArray *rules;  /* for rules */
  LoomRange range;   /* of the scope; the worker sets it for the training loop */
  LoomAnalysisThresholds thresholds;
  LoomSourceOverrides *names; /* the names given to sources by hand; NULL: none */
  guint64 n_spans;            /* of the run: a page counts as much progress as the tables do */
} LoomAnalysisQuestion;

/* How a worker answers a question, which is its input: an answer is NULL only when cancelled. */
LoomWorkerKind loom_analysis_question_get_worker (LoomAnalysisQuestionKind kind);
