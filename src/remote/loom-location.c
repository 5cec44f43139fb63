/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-location.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define HOUR_DIGITS 10
#define S3 "s3://"

gboolean
loom_location_is_remote (const char *text)
{
  g_autofree char *scheme = g_uri_parse_scheme (text);
  return scheme != NULL && g_ascii_strcasecmp (scheme, "file") != 0 && strstr (text, "://") == text + strlen (scheme);
}

void
loom_location_free (LoomLocation *location)
{
  if (location == NULL)
    return;
  g_free (location->uri);
  g_free (location->bucket);
  g_free (location->key);
  g_free (location->suffix);
  g_free (location->first_hour);
  g_free (location->last_hour);
  g_free (location);
}

static gboolean
is_hour (const char *text, gsize length)
{
  return length == HOUR_DIGITS && strspn (text, "0123456789") >= HOUR_DIGITS;
}

static gboolean
take_filter (LoomLocation *location, const char *filter)
{
  g_auto (GStrv) parts = g_strsplit (filter, "&", -1);
  for (guint i = 0; parts[i] != NULL; i++) {
    const char *value = strchr (parts[i], '=');
    if (value != NULL && g_str_has_prefix (parts[i], "suffix=")) {
      g_free (location->suffix);
      location->suffix = g_strdup (value + 1);
    } else if (value != NULL && g_str_has_prefix (parts[i], "hours=")) {
      const char *dash = strchr (value, '-');
      if (dash == NULL || !is_hour (value + 1, (gsize) (dash - value - 1)) || !is_hour (dash + 1, strlen (dash + 1)))
        return FALSE;
      g_free (location->first_hour);
      g_free (location->last_hour);
      location->first_hour = g_strndup (value + 1, HOUR_DIGITS);
      location->last_hour = g_strdup (dash + 1);
    } else {
      return FALSE;
    }
  }
  return TRUE;
}

/* Keys of S3 may hold a “#”: only what can be read as a filter is one. */
static const char *
find_filter (const char *text)
{
  const char *suffix = g_strrstr (text, "#suffix="), *hours = g_strrstr (text, "#hours=");
  return suffix != NULL && (hours == NULL || suffix < hours) ? suffix : hours;
}

LoomLocation *
loom_location_new (const char *text, GError **error)
{
  g_autoptr (LoomLocation) location = g_new0 (LoomLocation, 1);
  const char *filter = find_filter (text);
  location->uri = filter != NULL ? g_strndup (text, (gsize) (filter - text)) : g_strdup (text);
  for (gsize n = strlen (location->uri); n > 0 && location->uri[n - 1] == '/' && !g_str_has_suffix (location->uri, "://"); n--)
    location->uri[n - 1] = '\0';
  if (filter != NULL && !take_filter (location, filter + 1)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s”: hours are given as #hours=YYYYMMDDHH-YYYYMMDDHH"), text);
    return NULL;
  }
  location->is_s3 = g_ascii_strncasecmp (location->uri, S3, strlen (S3)) == 0;
  if (!location->is_s3)
    return g_steal_pointer (&location);
  memcpy (location->uri, S3, strlen (S3)); /* the commands know it by this spelling */
  const char *bucket = location->uri + strlen (S3), *slash = strchr (bucket, '/');
  location->bucket = slash != NULL ? g_strndup (bucket, (gsize) (slash - bucket)) : g_strdup (bucket);
  location->key = g_strdup (slash != NULL ? slash + 1 : "");
  if (location->bucket[0] != '\0' && location->bucket[0] != '-')
    return g_steal_pointer (&location);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” names no bucket; give s3://bucket/prefix"), text);
  return NULL;
}

char *
loom_location_dup_text (const char *uri, const char *suffix, const char *first_hour, const char *last_hour)
{
  GString *text = g_string_new (uri);
  if (suffix != NULL && suffix[0] != '\0')
    g_string_append_printf (text, "#suffix=%s", suffix);
  if (first_hour != NULL && last_hour != NULL)
    g_string_append_printf (text, "%shours=%s-%s", suffix != NULL && suffix[0] != '\0' ? "&" : "#", first_hour, last_hour);
  return g_string_free (text, FALSE);
}

gboolean
loom_location_wants (const LoomLocation *location, const char *name)
{
  if (location->suffix != NULL && !g_str_has_suffix (name, location->suffix))
    return FALSE;
  if (location->first_hour == NULL)
    return TRUE;
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  for (guint i = 0; parts[0] != NULL && parts[i + 1] != NULL; i++)
    if (is_hour (parts[i], strlen (parts[i])))
      return strcmp (parts[i], location->first_hour) >= 0 && strcmp (parts[i], location->last_hour) <= 0;
  return TRUE;
}
