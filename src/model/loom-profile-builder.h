/* SPDX-License-Identifier: Apache-2.0
 *
 * The only writer of a Python profile. One thread at a time.
 */
#pragma once

#include "loom-profile.h"

G_BEGIN_DECLS

typedef struct _LoomProfileBuilder LoomProfileBuilder;

LoomProfileBuilder *loom_profile_builder_new (LoomProfileKind kind);
void loom_profile_builder_free (LoomProfileBuilder *builder);

void loom_profile_builder_set_timer (LoomProfileBuilder *builder, LoomProfileTimer timer);
void loom_profile_builder_set_interval (LoomProfileBuilder *builder, LoomProfilePoint start, LoomProfilePoint end);
/* `framework` and `node` may be NULL and are copied. */
void loom_profile_builder_set_place (LoomProfileBuilder *builder, const char *framework, const char *node, gint rank);
void loom_profile_builder_set_n_samples (LoomProfileBuilder *builder, gint64 n_samples);

/* The function of a file, a line and a name: the same for the same three. New ones have no calls and no time. The texts
 * need not end with NUL, and what is no UTF-8 in them is replaced. G_MAXUINT32 at LOOM_PROFILE_MAX_FUNCTIONS. */
guint32 loom_profile_builder_function (LoomProfileBuilder *builder, const char *file, gsize file_length, gint64 line,
                                       const char *name, gsize name_length);
/* Valid until the next function is added. Everything but the three above may be changed. */
LoomProfileFunction *loom_profile_builder_get_function (LoomProfileBuilder *builder, guint32 function);
guint32 loom_profile_builder_get_n_functions (LoomProfileBuilder *builder);

/* Calls of the same two are added up when the profile is finished. FALSE at LOOM_PROFILE_MAX_CALLS. */
gboolean loom_profile_builder_call (LoomProfileBuilder *builder, const LoomProfileCall *call);

/* A frame of the tree; parents come before their children. `start_ns` counts for sessions; where a report is laid out
 * it is worked out. LOOM_FRAME_NONE at LOOM_PROFILE_MAX_FRAMES. What is not known yet can be set later. */
guint32 loom_profile_builder_frame (LoomProfileBuilder *builder, guint32 parent, guint32 function, gint64 start_ns, gint64 dur_ns);
void loom_profile_builder_set_frame (LoomProfileBuilder *builder, guint32 frame, guint32 function, gint64 dur_ns);

/* Consumes the builder. Of a sampled profile the functions' times and the calls are those of its tree: a function below
 * itself counts once. */
LoomProfile *loom_profile_builder_finish (LoomProfileBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProfileBuilder, loom_profile_builder_free)

G_END_DECLS
