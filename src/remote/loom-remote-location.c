/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-remote-location.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define HOUR_DIGITS 10
#define S3 "s3://"

gboolean
loom_remote_location_is_remote (const char *text)
{
  g_autofree char *scheme = g_uri_parse_scheme (text);
  return scheme != NULL && g_ascii_strcasecmp (scheme, "file") != 0 && strstr (text, "://") == text + strlen (scheme);
}

void
loom_remote_location_free (LoomRemoteLocation *location)
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
take_filter (LoomRemoteLocation *location, const char *filter)
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

/* Returns the filter at the end of a location; NULL if the location has no filter. A filter begins with "#suffix=" or
 * "#hours=". Any other text after “#” belongs to the location, because an S3 key may contain “#”. */
static const char *
find_filter (const char *text)
{
  const char *suffix = g_strrstr (text, "#suffix="), *hours = g_strrstr (text, "#hours=");
  return suffix != NULL && (hours == NULL || suffix < hours) ? suffix : hours;
}

/* Returns TRUE if the name consists only of characters that S3 allows in the name of a bucket. */
static gboolean
is_bucket (const char *name)
{
  return name[0] != '-' && name[0] != '\0' &&
         strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-") == strlen (name);
}

/* Returns FALSE with `error` for a key that looks like a URL, for example "file://…". The command aws would replace
 * such a key by the content of this file or page, and send the content to the host of the bucket. */
static gboolean
check_key (const char *text, const char *key, GError **error)
{
  static const char *const expanded[] = { "file://", "fileb://", "http://", "https://" };
  for (guint i = 0; i < G_N_ELEMENTS (expanded); i++)
    if (g_ascii_strncasecmp (key, expanded[i], strlen (expanded[i])) == 0) {
      g_set_error (
        error, LOOM_ERROR, LOOM_ERROR_FORMAT,
        _ (
          "“%s” is not allowed: its key begins with “%s”, so the aws command would read a file or a web page with that name, and send its contents to the bucket’s host"),
        text, expanded[i]);
      return FALSE;
    }
  return TRUE;
}

/* Returns FALSE with `error` for a user or host that begins with a dash: in an sftp:// location, gvfs passes them to
 * the command ssh, which would treat them as options. Addresses in brackets are checked too, because some URI parsers
 * remove the brackets. */
static gboolean
check_host (const char *text, GError **error)
{
  const char *slashes = strstr (text, "://"), *begin = slashes != NULL ? slashes + strlen ("://") : text;
  g_autofree char *host = g_uri_unescape_segment (begin, begin + strcspn (begin, "/?#"), NULL);
  if (host != NULL && host[0] != '-' && strstr (host, "@-") == NULL && strstr (host, "[-") == NULL)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               _ ("“%s” is not allowed: names of users and hosts cannot begin with a dash"), text);
  return FALSE;
}

static gboolean
take_bucket (LoomRemoteLocation *location, const char *text, GError **error)
{
  memcpy (location->uri, S3, strlen (S3)); /* the commands aws and rclone need the scheme in lower case */
  const char *bucket = location->uri + strlen (S3), *slash = strchr (bucket, '/');
  location->bucket = slash != NULL ? g_strndup (bucket, (gsize) (slash - bucket)) : g_strdup (bucket);
  location->key = g_strdup (slash != NULL ? slash + 1 : "");
  if (is_bucket (location->bucket))
    return check_key (text, location->key, error);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” does not contain a bucket; use s3://bucket/prefix"),
               text);
  return FALSE;
}

LoomRemoteLocation *
loom_remote_location_new (const char *text, GError **error)
{
  g_autoptr (LoomRemoteLocation) location = g_new0 (LoomRemoteLocation, 1);
  const char *filter = find_filter (text);
  location->uri = filter != NULL ? g_strndup (text, (gsize) (filter - text)) : g_strdup (text);
  for (gsize n = strlen (location->uri);
       n > 0 && location->uri[n - 1] == '/' && !g_str_has_suffix (location->uri, "://"); n--)
    location->uri[n - 1] = '\0';
  if (filter != NULL && !take_filter (location, filter + 1)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s”: hours must be given as #hours=YYYYMMDDHH-YYYYMMDDHH"),
                 text);
    return NULL;
  }
  location->is_s3 = g_ascii_strncasecmp (location->uri, S3, strlen (S3)) == 0;
  gboolean good = location->is_s3 ? take_bucket (location, text, error) : check_host (location->uri, error);
  return good ? g_steal_pointer (&location) : NULL;
}

gboolean
loom_remote_location_is_same (const char *text, const char *other)
{
  g_autoptr (LoomRemoteLocation) a = loom_remote_location_new (text, NULL), b = loom_remote_location_new (other, NULL);
  return a != NULL && b != NULL && strcmp (a->uri, b->uri) == 0;
}

char *
loom_remote_location_dup_text (const char *uri, const char *suffix, const char *first_hour, const char *last_hour)
{
  GString *text = g_string_new (uri);
  if (suffix != NULL && suffix[0] != '\0')
    g_string_append_printf (text, "#suffix=%s", suffix);
  if (first_hour != NULL && last_hour != NULL)
    g_string_append_printf (text, "%shours=%s-%s", suffix != NULL && suffix[0] != '\0' ? "&" : "#", first_hour,
                            last_hour);
  return g_string_free (text, FALSE);
}

gboolean
loom_remote_location_wants (const LoomRemoteLocation *location, const char *name)
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
