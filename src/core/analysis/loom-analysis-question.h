/* SPDX-License-Identifier: Apache-2.0
 *
 * A question about a range of a run, with all data that a worker needs to compute the result. LoomAnalysisContext
 * makes questions. The worker and the main thread share only the question's tables (LoomAnalysisTables), which any
 * thread may use.
 */
#pragma once

#include "loom-analysis-tables.h"
#include "loom-findings.h"
#include "loom-worker.h"

typedef enum {
  LOOM_RANGE_SCOPE_ALL,
  LOOM_RANGE_SCOPE_LOOP, /* the time of the training loop */
  LOOM_RANGE_SCOPE_VISIBLE,
  LOOM_RANGE_SCOPE_SELECTION,
  LOOM_N_RANGE_SCOPES
} LoomRangeScope;

/* What to compute; each comment names the type of the result. */
typedef enum {
  LOOM_ANALYSIS_QUESTION_PAGE,        /* LoomPageContent */
  LOOM_ANALYSIS_QUESTION_FINDINGS,    /* LoomFindings of the built-in rules and the rule files */
  LOOM_ANALYSIS_QUESTION_RULES,       /* LoomFindings of given rules */
  LOOM_ANALYSIS_QUESTION_BOTTLENECKS, /* GArray of gint64: times of the bottlenecks, timeline ns, ascending */
  /* array with one static text for each page, in the order of loom_pages_get(): the data that the run lacks for the
   * page; an element is NULL if nothing is missing */
  LOOM_ANALYSIS_QUESTION_LACKS,
  LOOM_ANALYSIS_QUESTION_LATE_RANKS, /* GArray of LoomRowLateness: the ranks for which others wait */
  LOOM_ANALYSIS_QUESTION_LOOP,       /* LoomRange of the training loop; empty if no loop was found */
} LoomAnalysisQuestionKind;

/* A question, which is the input of a worker. The worker owns the objects to which the members point. */
typedef struct {
  LoomAnalysisQuestionKind kind;
  LoomAnalysisTables *tables;
  const LoomPage *page; /* the page to compute, for LOOM_ANALYSIS_QUESTION_PAGE */
  LoomRangeScope scope;
  char **rule_files; /* more rule files for LOOM_ANALYSIS_QUESTION_FINDINGS; may be NULL */
  GPtrArray *rules;  /* the rules to evaluate, for LOOM_ANALYSIS_QUESTION_RULES */
  LoomRange range;   /* the range of the scope; if the scope is LOOM_RANGE_SCOPE_LOOP, the worker sets it */
  LoomAnalysisThresholds thresholds;
  gint64 zero_ns;             /* the instant, in timeline ns, to which the times in the result are relative */
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL: no source was renamed */
  /* Number of spans of the run. The progress bar counts computing a page as this amount of work. If the tables must be
   * made first, that counts as the same amount again. */
  guint64 n_spans;
} LoomAnalysisQuestion;

/* Returns the functions of a worker that computes the result of a question; the question is the worker's input. A
 * result is NULL only when cancelled. */
LoomWorkerKind loom_analysis_question_get_worker (LoomAnalysisQuestionKind kind);
