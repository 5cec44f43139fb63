/* SPDX-License-Identifier: Apache-2.0
 *
 * A place that is no path: "s3://bucket/prefix", or whatever GIO opens ("sftp://host/folder"). What follows "#" narrows it:
 * "#suffix=.json", "#hours=2024061710-2024061712", both with "&" between.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *uri; /* without "#…" and without a slash at its end */
  gboolean is_s3;
  char *bucket, *key;           /* of S3; key "" for all of it, without a slash at its end */
  char *suffix;                 /* NULL any */
  char *first_hour, *last_hour; /* YYYYMMDDHH, both included; NULL any */
} LoomRemoteLocation;

/* FALSE for paths and for files of this machine. */
gboolean loom_remote_location_is_remote (const char *text);

/* NULL with LOOM_ERROR_FORMAT, also for texts that the commands which fetch would take for something else: an option, or a file of
 * this machine. */
LoomRemoteLocation *loom_remote_location_new (const char *text, GError **error);
void loom_remote_location_free (LoomRemoteLocation *location);

/* Whether both texts name the same place, whatever narrows them. */
gboolean loom_remote_location_is_same (const char *text, const char *other);

/* The text for a place and what narrows it, either may be NULL; FALSE hours are left out. Owned. */
char *loom_remote_location_dup_text (const char *uri, const char *suffix, const char *first_hour,
                                     const char *last_hour);

/* Whether a file of the location is wanted; the hour is that of the folder it stands in, as smdebug writes them, and files
 * in no such folder belong to all hours. */
gboolean loom_remote_location_wants (const LoomRemoteLocation *location, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteLocation, loom_remote_location_free)

G_END_DECLS
