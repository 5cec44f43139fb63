/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-location-consent-dialog.h"

#include "loom-alert-dialog.h"
#include "loom-archive-path.h"
#include "loom-ellipsize.h"

#include <glib/gi18n.h>

#define MOST_SHOWN 8     /* maximum number of listed locations, so that the dialog fits on a screen */
#define MOST_LETTERS 120 /* maximum number of letters of a location that are shown */

typedef struct {
  LoomLocationAnswer answer;
  gpointer data;
  GDestroyNotify free_data;
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
  Question *question = data;
  if (question->free_data != NULL)
    question->free_data (question->data);
  g_free (question);
}

static void
answered (LoomAlertDialog *dialog, const char *response, gpointer data)
{
  Question *question = data;
  question->answer (question->data, g_str_equal (response, "fetch"));
}

static char *
dup_body (const char *const *locations)
{
  guint n = g_strv_length ((char **) locations);
  GString *text = g_string_new (_ (
    "This session loads files from other machines. The author of the session chose these files, and each machine will see your request. Download only from machines that you trust."));
  g_string_append_c (text, '\n');
  for (guint i = 0; i < MIN (n, MOST_SHOWN); i++) {
    g_autofree char *printable = loom_archive_path_dup_printable (locations[i]),
                    *shown = loom_ellipsize_middle (printable, MOST_LETTERS);
    g_string_append_printf (text, "\n%s", shown);
  }
  if (n > MOST_SHOWN) {
    g_string_append_c (text, '\n');
    g_string_append_printf (text, ngettext ("and %u more", "and %u more", n - MOST_SHOWN), n - MOST_SHOWN);
  }
  return g_string_free (text, FALSE);
}

void
loom_location_consent_dialog_ask (GtkWidget *widget, const char *const *locations, LoomLocationAnswer answer,
                                  gpointer data, GDestroyNotify free_data)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && locations != NULL && answer != NULL);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWindow *parent = GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
  Question *question = g_new (Question, 1);
  *question = (Question) { answer, data, free_data };
  g_autofree char *body = dup_body (locations);
  LoomAlertDialog *dialog = loom_alert_dialog_new (parent, _ ("Download from Other Machines?"), body);
  loom_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "fetch", _ ("_Download"), NULL);
  loom_alert_dialog_set_default_response (dialog, "cancel");
  loom_alert_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered), question, question_free, 0);
  loom_alert_dialog_present (dialog, parent);
}
