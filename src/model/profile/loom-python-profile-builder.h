/* SPDX-License-Identifier: Apache-2.0
 *
 * The only writer of a Python profile. One thread at a time.
 */
#pragma once

#include "loom-python-profile.h"

G_BEGIN_DECLS

typedef struct _LoomPythonProfileBuilder LoomPythonProfileBuilder;

LoomPythonProfileBuilder *loom_python_profile_builder_new (LoomPythonProfileKind kind);
void loom_python_profile_builder_free (LoomPythonProfileBuilder *builder);

void loom_python_profile_builder_set_timer (LoomPythonProfileBuilder *builder, LoomPythonProfileTimer timer);
void loom_python_profile_builder_set_interval (LoomPythonProfileBuilder *builder, LoomPythonProfilePoint start,
                                               LoomPythonProfilePoint end);
/* `framework` and `node` may be NULL and are copied. */
void loom_python_profile_builder_set_place (LoomPythonProfileBuilder *builder, const char *framework, const char *node,
                                            gint rank);
void loom_python_profile_builder_set_n_samples (LoomPythonProfileBuilder *builder, gint64 n_samples);

/* The function of a file, a line and a name: the same for the same three. New ones have no calls and no time. The texts
 * need not end with NUL, and what is no UTF-8 in them is replaced. G_MAXUINT32 at LOOM_PYTHON_PROFILE_MAX_FUNCTIONS. */
guint32 loom_python_profile_builder_function (LoomPythonProfileBuilder *builder, const char *file, gsize file_length,
                                              gint64 line, const char *name, gsize name_length);
/* Valid until the next function is added. Everything but the three above may be changed. */
LoomPythonProfileFunction *loom_python_profile_builder_get_function (LoomPythonProfileBuilder *builder,
                                                                     guint32 function);
guint32 loom_python_profile_builder_get_n_functions (LoomPythonProfileBuilder *builder);

/* Calls of the same two are added up when the profile is finished. FALSE at LOOM_PYTHON_PROFILE_MAX_CALLS. */
gboolean loom_python_profile_builder_call (LoomPythonProfileBuilder *builder, const LoomPythonProfileCall *call);

/* A frame of the tree; parents come before their children. `start_ns` counts for sessions; where a report is laid out
 * it is worked out. LOOM_FRAME_NONE at LOOM_PYTHON_PROFILE_MAX_FRAMES. What is not known yet can be set later. */
guint32 loom_python_profile_builder_frame (LoomPythonProfileBuilder *builder, guint32 parent, guint32 function,
                                           gint64 start_ns, gint64 dur_ns);
void loom_python_profile_builder_set_frame (LoomPythonProfileBuilder *builder, guint32 frame, guint32 function,
                                            gint64 dur_ns);

/* Consumes the builder. Of a sampled profile the functions' times and the calls are those of its tree: a function below
 * itself counts once. */
LoomPythonProfile *loom_python_profile_builder_finish (LoomPythonProfileBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonProfileBuilder, loom_python_profile_builder_free)

G_END_DECLS
