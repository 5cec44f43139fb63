/* SPDX-License-Identifier: Apache-2.0
 *
 * A report's first and last chapter in the language of the person: words of clocks and of problems, which files have in English.
 */
#include "fixture.h"

#include "loom-book-private.h"
#include "loom-locale.h"

#include <libintl.h>
#include <string.h>

static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  textdomain (GETTEXT_PACKAGE); /* looks at the language anew */
}

/* All of both chapters, tab-separated. */
static char *
dup_chapters (LoomTimeline *timeline)
{
  LoomReportOptions options = { .numbers = LOOM_NUMBERS_INTENDED };
  LoomRange range;
  g_assert_true (loom_timeline_get_extent (timeline, &range));
  g_autoptr (LoomSheet) front = loom_book_new_run_sheet (timeline, &options, range);
  g_autoptr (LoomSheet) last = loom_book_new_sources_sheet (timeline, NULL, range);
  g_autofree char *first_text = loom_sheet_dup_tsv (front), *last_text = loom_sheet_dup_tsv (last);
  return g_strconcat (first_text, last_text, NULL);
}

static LoomTimeline *
make_run (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++)
    fake_job_step (job, 1, 0, i, i, i + 0.9);
  LoomTimeline *timeline = fake_job_timeline (job);
  const LoomSource *source = loom_run_get_source (loom_timeline_get_run (timeline), 0);
  loom_log_add (source->log, LOOM_SEVERITY_WARNING, "test", 0, "one");
  loom_log_add (source->log, LOOM_SEVERITY_ERROR, "test-too", 0, "two");
  return timeline;
}

static void
test_words (void)
{
  static const struct {
    const char *language, *clock, *warning, *error;
  } rows[] = {
    { "C", "exact", "Warning", "Error" }, { "de", "exakt", "Warnung", "Fehler" }, { "fr", "exacte", "Avertissement", "Erreur" },
    { "es", "exacto", "Advertencia", "Error" }, { "ja", "正確", "警告", "エラー" }, { "zh_CN", "精确", "警告", "错误" },
  };
  g_autoptr (LoomTimeline) timeline = make_run ();
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    speak (rows[i].language);
    g_autofree char *text = dup_chapters (timeline), *clocks = g_strdup_printf ("%s 1\n", rows[i].clock), *warning = g_strdup_printf ("\t%s\tone", rows[i].warning),
                    *error = g_strdup_printf ("\t%s\ttwo", rows[i].error), *column = g_strdup_printf ("\t%s\t", rows[i].clock);
    g_test_message ("%s", text);
    g_assert_nonnull (strstr (text, clocks));
    g_assert_nonnull (strstr (text, column));
    g_assert_nonnull (strstr (text, warning));
    g_assert_nonnull (strstr (text, error));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  loom_locale_bind ("");
  g_test_add_func ("/report/language/words", test_words);
  return g_test_run ();
}
