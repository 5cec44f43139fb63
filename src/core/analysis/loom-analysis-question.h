/* SPDX-License-Identifier: Apache-2.0
 *
 * A question, which is a request for one result about a range of a run. It contains all data that a worker thread needs
 * to compute the result. LoomAnalysisContext makes the questions. The worker thread and the main thread share only the
 * tables of the question (LoomAnalysisTables), which any thread may use.
 */
#pragma once

#include "loom-analysis-tables.h"
#include "loom-findings.h"
#include "loom-worker.h"

typedef enum {
  LOOM_RANGE_SCOPE_ALL,
  LOOM_RANGE_SCOPE_LOOP, /* the time range of the training loop */
  LOOM_RANGE_SCOPE_VISIBLE,
  LOOM_RANGE_SCOPE_SELECTION,
  LOOM_N_RANGE_SCOPES
} LoomRangeScope;

/* What a question requests. The comment beside each value names the type of the result. */
typedef enum {
  LOOM_ANALYSIS_QUESTION_PAGE,        /* LoomPageContent */
  LOOM_ANALYSIS_QUESTION_FINDINGS,    /* LoomFindings, with the findings of the built-in rules and the rule files */
  LOOM_ANALYSIS_QUESTION_RULES,       /* LoomFindings, with the findings of the given rules */
  LOOM_ANALYSIS_QUESTION_BOTTLENECKS, /* GArray of gint64: the times of the bottlenecks in timeline ns, ascending */
  /* Array with one static text for each page, in the order of loom_pages_get(). The text names the data that the
   * page needs and the run does not have; it is NULL if nothing is missing. */
  LOOM_ANALYSIS_QUESTION_LACKS,
  LOOM_ANALYSIS_QUESTION_LATE_RANKS, /* GArray of LoomRowLateness: the ranks for which other ranks wait */
  LOOM_ANALYSIS_QUESTION_LOOP,       /* LoomRange of the training loop, empty if no loop was found */
} LoomAnalysisQuestionKind;

/* A question, which is the input of a worker thread. The worker thread owns the objects to which the members point. */
typedef struct {
  LoomAnalysisQuestionKind kind;
  LoomAnalysisTables *tables;
  const LoomPage *page; /* for LOOM_ANALYSIS_QUESTION_PAGE: the page to compute */
  LoomRangeScope scope;
  char **rule_files; /* for LOOM_ANALYSIS_QUESTION_FINDINGS: paths of more rule files; may be NULL */
  GPtrArray *rules;  /* for LOOM_ANALYSIS_QUESTION_RULES: the rules to evaluate */
  LoomRange range;   /* the range of the scope; for LOOM_RANGE_SCOPE_LOOP, the worker thread sets it */
  LoomAnalysisThresholds thresholds;
  gint64 zero_ns;             /* the time, in timeline ns, from which the times in the result are counted */
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL if no source was renamed */
  /* Number of spans of the run. The progress bar uses it as the amount of work for computing a page. If the tables
   * must be made first, the amount is doubled. */
  guint64 n_spans;
} LoomAnalysisQuestion;

/* Returns the functions of the worker thread that computes the result of a question. The input of the worker thread
 * is the question. The result is NULL only when cancelled. */
LoomWorkerKind loom_analysis_question_get_worker (LoomAnalysisQuestionKind kind);
