/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes Python profiles (LoomPythonProfile). An importer adds functions, calls and frames, and then calls
 * loom_python_profile_builder_finish(). Only one thread at a time may use a builder.
 */
#pragma once

#include "loom-python-profile.h"

typedef struct _LoomPythonProfileBuilder LoomPythonProfileBuilder;

LoomPythonProfileBuilder *loom_python_profile_builder_new (LoomPythonProfileKind kind);
void loom_python_profile_builder_free (LoomPythonProfileBuilder *builder);

void loom_python_profile_builder_set_timer (LoomPythonProfileBuilder *builder, LoomPythonProfileTimer timer);
void loom_python_profile_builder_set_interval (LoomPythonProfileBuilder *builder, LoomPythonProfilePoint start,
                                               LoomPythonProfilePoint end);
/* Sets framework, node and rank of the profile. `framework` and `node` are copied and may be NULL. */
void loom_python_profile_builder_set_place (LoomPythonProfileBuilder *builder, const char *framework, const char *node,
                                            gint rank);
void loom_python_profile_builder_set_n_samples (LoomPythonProfileBuilder *builder, gint64 n_samples);

/* Returns the index of the function with this file, line and name; adds it without calls and time if it is new.
 * Texts need not end with NUL; invalid UTF-8 in them is replaced. Returns G_MAXUINT32 if there are
 * LOOM_PYTHON_PROFILE_MAX_FUNCTIONS functions already. */
guint32 loom_python_profile_builder_function (LoomPythonProfileBuilder *builder, const char *file, gsize file_length,
                                              gint64 line, const char *name, gsize name_length);
/* Returns a function whose members may be changed, except file, line and name. Valid until another function is
 * added. */
LoomPythonProfileFunction *loom_python_profile_builder_get_function (LoomPythonProfileBuilder *builder,
                                                                     guint32 function);
guint32 loom_python_profile_builder_get_n_functions (LoomPythonProfileBuilder *builder);

/* Adds calls of a function. Calls with the same caller and callee are added up when the profile is finished. Returns
 * FALSE if there are LOOM_PYTHON_PROFILE_MAX_CALLS calls already. */
gboolean loom_python_profile_builder_call (LoomPythonProfileBuilder *builder, const LoomPythonProfileCall *call);

/* Adds a frame of the call tree, and returns its index. Parents must be added before their children. `start_ns` is used
 * only in profiles of the kind LOOM_PYTHON_PROFILE_SESSION; for LOOM_PYTHON_PROFILE_REPORT it is computed. Returns
 * LOOM_FRAME_NONE if there are LOOM_PYTHON_PROFILE_MAX_FRAMES frames already. Function and duration can be set later
 * with loom_python_profile_builder_set_frame(). */
guint32 loom_python_profile_builder_frame (LoomPythonProfileBuilder *builder, guint32 parent, guint32 function,
                                           gint64 start_ns, gint64 dur_ns);
void loom_python_profile_builder_set_frame (LoomPythonProfileBuilder *builder, guint32 frame, guint32 function,
                                            gint64 dur_ns);

/* Returns the profile and frees the builder. For a sampled profile, the call tree is the source of the times of
 * functions and of the list of calls; the time of recursive calls of a function is counted only once. */
LoomPythonProfile *loom_python_profile_builder_finish (LoomPythonProfileBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonProfileBuilder, loom_python_profile_builder_free)
