/* SPDX-License-Identifier: Apache-2.0
 *
 * A location that is not a local path: "s3://bucket/prefix", or anything that GIO opens ("sftp://host/folder"). A filter
 * may follow after "#": "#suffix=.json", "#hours=2024061710-2024061712", or both joined with "&".
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  char *uri; /* address of the location, without its filter and without a trailing slash */
  gboolean is_s3;
  /* bucket and key of an S3 location; the key has no trailing slash; "": the whole bucket */
  char *bucket, *key;
  char *suffix;                 /* suffix of the names of the wanted files; NULL: any name */
  char *first_hour, *last_hour; /* first and last hour of the wanted files, YYYYMMDDHH, both included; NULL: any hour */
} LoomRemoteLocation;

/* Returns TRUE for the address of a remote location, such as "s3://…"; FALSE for paths and for file:// URIs. */
gboolean loom_remote_location_is_remote (const char *text);

/* Parses the text of a location. Returns NULL with LOOM_ERROR_FORMAT if it is invalid, or if a command such as aws
 * would interpret it as an option or as a local file. */
LoomRemoteLocation *loom_remote_location_new (const char *text, GError **error);
void loom_remote_location_free (LoomRemoteLocation *location);

/* Returns TRUE if both texts name the same location, ignoring filters. */
gboolean loom_remote_location_is_same (const char *text, const char *other);

/* Returns the text of a location with a filter. `suffix` NULL: the filter has no suffix. `first_hour` or `last_hour`
 * NULL: the filter has no hours. Owned by the caller. */
char *loom_remote_location_dup_text (const char *uri, const char *suffix, const char *first_hour,
                                     const char *last_hour);

/* Returns TRUE if the file `name` matches the suffix and the hours of the location's filter. If smdebug made the folder
 * of the file, the name of the folder is the hour of the file (YYYYMMDDHH). Files in other folders match all hours. */
gboolean loom_remote_location_wants (const LoomRemoteLocation *location, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRemoteLocation, loom_remote_location_free)
