/* SPDX-License-Identifier: Apache-2.0
 *
 * A profiler configuration as it is stored in a file: the ProfilerConfig of a request for a training job, the
 * profilerconfig.json in the container, or an object that contains one of these under the key “ProfilerConfig”. All
 * keys of the file are kept, also unknown ones, so that nothing is lost when the configuration is written again.
 *
 * Only one thread may use a configuration. For its effect in the container see loom-profiler-config-effect.h.
 */
#pragma once

#include <json-glib/json-glib.h>

typedef enum {
  LOOM_PROFILER_METRIC_DETAILED,
  LOOM_PROFILER_METRIC_DATALOADER,
  LOOM_PROFILER_METRIC_PYTHON,
  LOOM_PROFILER_METRIC_HOROVOD,
  LOOM_PROFILER_METRIC_SMDATAPARALLEL,
} LoomProfilerMetric;
#define LOOM_N_PROFILER_METRICS (LOOM_PROFILER_METRIC_SMDATAPARALLEL + 1)

typedef enum {
  LOOM_PROFILER_CONFIG_REQUEST,   /* the ProfilerConfig of a request; its keys are in CamelCase */
  LOOM_PROFILER_CONFIG_CONTAINER, /* the profilerconfig.json of the container, whose keys are not in CamelCase */
  LOOM_PROFILER_CONFIG_WRAPPED,   /* an object with the key “ProfilerConfig”, whose value has keys in CamelCase */
} LoomProfilerConfigLayer;

typedef enum {
  LOOM_NOTE_HINT,
  LOOM_NOTE_WARNING, /* the effect of the configuration is not its obvious meaning */
  /* the SDK, the service, or the program that reads the configuration in the container rejects the configuration */
  LOOM_NOTE_ERROR,
} LoomProfilerNoteSeverity;

/* A remark about a configuration, for example that the container ignores one of its keys. */
typedef struct {
  LoomProfilerNoteSeverity severity;
  const char *code; /* identifies the kind of remark for programs; static */
  char *where;      /* the key that the remark is about; "": the remark is about the whole configuration */
  char *message;    /* the text of the remark, one sentence */
} LoomProfilerConfigNote;

typedef struct {
  LoomProfilerConfigLayer layer;
  JsonNode *root; /* the whole JSON document that was read */
  /* the object with the keys of a configuration: `root` itself, or an object inside it; borrowed */
  JsonObject *request;
  JsonObject *parameters; /* borrowed: the object “ProfilingParameters”; NULL: the configuration has none */
  /* owned: array indexed by LoomProfilerMetric: the parsed text of the metric; NULL: the text is missing, empty or
   * invalid */
  JsonObject *metrics[LOOM_N_PROFILER_METRICS];
  GPtrArray *notes; /* LoomProfilerConfigNote: what was noticed while the configuration was read */
} LoomProfilerConfig;

/* Reads a configuration. Returns NULL with LOOM_ERROR_READ, LOOM_ERROR_LIMIT, or LOOM_ERROR_FORMAT (the text is not a
 * JSON object, or has no key of a configuration). */
LoomProfilerConfig *loom_profiler_config_read (const char *path, GError **error);
/* Parses a configuration from a text of `length` bytes; text[length] must be a zero byte. Returns NULL on failure, with
 * the same errors as loom_profiler_config_read() except LOOM_ERROR_READ. */
LoomProfilerConfig *loom_profiler_config_parse (const char *text, gsize length, GError **error);
void loom_profiler_config_free (LoomProfilerConfig *config);

/* Returns the name of a layer: "request", "container" or "wrapped". Static. */
const char *loom_profiler_config_layer_to_string (LoomProfilerConfigLayer layer);
/* Returns the name of a severity: "hint", "warning" or "error". Static. */
const char *loom_profiler_config_note_severity_to_string (LoomProfilerNoteSeverity severity);
/* Returns the key of a metric, for example "DetailedProfilingConfig". */
const char *loom_profiler_config_metric_to_key (LoomProfilerMetric metric);

/* Returns the member of `object` with the name `key`, ignoring case. If several members have this name, returns the
 * last of them in the object. Returns NULL if no member has it, or if `object` is NULL. Borrowed. */
JsonNode *loom_profiler_config_member (JsonObject *object, const char *key);
/* Returns the name of a member as it is spelled in the object, with upper and lower case; if there is no such member,
 * returns `key`. Borrowed from the object, or `key` itself. */
const char *loom_profiler_config_spelling (JsonObject *object, const char *key);

/* Returns the value of the member `key` if it is a text, or a number or boolean converted to a text; NULL if the member
 * is missing, null, an object or an array. Owned by the caller. */
char *loom_profiler_config_dup_text (JsonObject *object, const char *key);

/* Appends a note. `format` must be untranslated; this function translates it. `where` NULL: the note is about the whole
 * configuration. */
void loom_profiler_config_note (GPtrArray *notes, LoomProfilerNoteSeverity severity, const char *code,
                                const char *where, const char *format, ...) G_GNUC_PRINTF (5, 6);
/* Makes an empty array of LoomProfilerConfigNote. */
GPtrArray *loom_profiler_config_notes_new (void);
/* Returns TRUE if any note is an error. */
gboolean loom_profiler_config_notes_have_error (GPtrArray *notes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProfilerConfig, loom_profiler_config_free)
