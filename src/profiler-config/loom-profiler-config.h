/* SPDX-License-Identifier: Apache-2.0
 *
 * A profiler configuration as it is stored: the ProfilerConfig of a training-job request, profilerconfig.json in the
 * container, or an object that holds one under “ProfilerConfig”; formats/profiler-config-and-rules.md, part A. Everything
 * that stood in the file is kept, known or not, so that writing it again loses nothing.
 *
 * For one thread. What it means to the program that reads it in the container: loom-profiler-config-effect.h.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_PROFILER_METRIC_DETAILED,
  LOOM_PROFILER_METRIC_DATALOADER,
  LOOM_PROFILER_METRIC_PYTHON,
  LOOM_PROFILER_METRIC_HOROVOD,
  LOOM_PROFILER_METRIC_SMDATAPARALLEL,
} LoomProfilerMetric;
#define LOOM_N_PROFILER_METRICS (LOOM_PROFILER_METRIC_SMDATAPARALLEL + 1)

typedef enum {
  LOOM_PROFILER_CONFIG_REQUEST,   /* CamelCase */
  LOOM_PROFILER_CONFIG_CONTAINER, /* any other letter case */
  LOOM_PROFILER_CONFIG_WRAPPED,   /* under “ProfilerConfig”, in CamelCase */
} LoomProfilerConfigLayer;

typedef enum {
  LOOM_NOTE_HINT,
  LOOM_NOTE_WARNING, /* it does something else than it seems to */
  LOOM_NOTE_ERROR,   /* the SDK, the service or the reader refuses it */
} LoomProfilerNoteSeverity;

/* Something to say about a configuration. */
typedef struct {
  LoomProfilerNoteSeverity severity;
  const char *code; /* static, for programs */
  char *where;      /* the key it is about; "" the whole */
  char *message;    /* a sentence */
} LoomProfilerConfigNote;

typedef struct {
  LoomProfilerConfigLayer layer;
  JsonNode *root;         /* the document */
  JsonObject *request;    /* borrowed from it: what has the fields */
  JsonObject *parameters; /* borrowed, of “ProfilingParameters”; NULL without */
  JsonObject
    *metrics[LOOM_N_PROFILER_METRICS]; /* owned: their texts, parsed; NULL when absent, empty or no such text */
  GPtrArray *notes;                    /* LoomProfilerConfigNote: what was seen while reading */
} LoomProfilerConfig;

/* NULL with LOOM_ERROR_READ, LOOM_ERROR_LIMIT, or LOOM_ERROR_FORMAT (no JSON object, or one without the keys of a
 * configuration). */
LoomProfilerConfig *loom_profiler_config_read (const char *path, GError **error);
LoomProfilerConfig *loom_profiler_config_parse (const char *text, gsize length,
                                                GError **error); /* a 0 stands behind the text */
void loom_profiler_config_free (LoomProfilerConfig *config);

/* "request", "container", "wrapped" */
const char *loom_profiler_config_layer_to_string (LoomProfilerConfigLayer layer);
/* "hint", "warning", "error" */
const char *loom_profiler_config_note_severity_to_string (LoomProfilerNoteSeverity severity);
/* "DetailedProfilingConfig" */
const char *loom_profiler_config_metric_to_key (LoomProfilerMetric metric);

/* The member of that name in any letter case; the last one in the object's order when several differ in case only. NULL
 * when there is none or `object` is NULL. Borrowed. */
JsonNode *loom_profiler_config_member (JsonObject *object, const char *key);
/* How the object spells that member's name, or `key` itself when it has none. Borrowed from the object, or `key`. */
const char *loom_profiler_config_spelling (JsonObject *object, const char *key);

/* A text or a number as text; NULL when absent, null, or an object or array. Owned. */
char *loom_profiler_config_dup_text (JsonObject *object, const char *key);

/* Takes a note; `format` is translated, `where` may be NULL for the whole. */
void loom_profiler_config_note (GPtrArray *notes, LoomProfilerNoteSeverity severity, const char *code,
                                const char *where, const char *format, ...) G_GNUC_PRINTF (5, 6);
/* An empty array of LoomProfilerConfigNote. */
GPtrArray *loom_profiler_config_notes_new (void);
/* TRUE when one is an error. */
gboolean loom_profiler_config_notes_have_error (GPtrArray *notes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProfilerConfig, loom_profiler_config_free)

G_END_DECLS
