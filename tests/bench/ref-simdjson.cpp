/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference: simdjson's On-Demand walk over the fields a viewer needs (ph, cat, name, pid, tid, ts, dur, id), on one
 * thread, over the mapped file. Nothing is kept: no columns, no interning, no sorting. Everything from opening the
 * file is inside the time. One line of JSON. Usage: ref-simdjson PATH…
 */
#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace simdjson;

struct Seen {
  uint64_t events = 0; /* without metadata events */
  uint64_t bytes = 0;  /* length of all texts; printed with the sum of times, so that the compiler cannot omit reading a field */
  double sum = 0;
};

/* A mapped file with the padding that simdjson needs: zero pages after the last page of the file. */
static const char *
map_padded (const char *path, size_t *length, size_t *room)
{
  struct stat status;
  int fd = open (path, O_RDONLY);
  if (fd < 0 || fstat (fd, &status) != 0)
    return nullptr;
  *length = (size_t) status.st_size;
  *room = *length + SIMDJSON_PADDING;
  void *place = mmap (nullptr, *room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED)
    place = mmap (place, *length, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, fd, 0);
  close (fd);
  return place == MAP_FAILED ? nullptr : (const char *) place;
}

/* An id is a number or a text. */
static void
take_id (ondemand::value value, Seen &seen)
{
  if (value.type () == ondemand::json_type::string)
    seen.bytes += value.get_string ().value ().size ();
  else
    seen.sum += value.get_double ().value ();
}

static void
take_event (ondemand::object event, Seen &seen)
{
  bool real = false;
  for (auto field : event) {
    auto key = field.key ().value ();
    ondemand::value value = field.value ().value ();
    if (key == "ph") {
      std::string_view phase = value.get_string ();
      real = phase != "M";
      seen.bytes += phase.size ();
    } else if (key == "name" || key == "cat") {
      seen.bytes += value.get_string ().value ().size ();
    } else if (key == "ts" || key == "dur") {
      seen.sum += value.get_double ().value ();
    } else if (key == "pid" || key == "tid" || key == "id") {
      take_id (value, seen);
    } /* args and other members: simdjson's On-Demand parser skips them */
  }
  seen.events += real;
}

static void
walk (const char *path, Seen &seen)
{
  size_t length, room;
  const char *text = map_padded (path, &length, &room);
  if (text == nullptr)
    throw simdjson_error (IO_ERROR);
  ondemand::parser parser;
  ondemand::document document = parser.iterate (padded_string_view (text, length, room));
  ondemand::array events;
  if (document.type () == ondemand::json_type::array)
    events = document.get_array ();
  else
    events = document.find_field_unordered ("traceEvents").get_array ();
  for (auto event : events)
    take_event (event.get_object (), seen);
  munmap ((void *) text, room);
}

int
main (int argc, char **argv)
{
  Seen seen;
  auto begin = std::chrono::steady_clock::now ();
  try {
    for (int i = 1; i < argc; i++)
      walk (argv[i], seen);
  } catch (const simdjson_error &error) {
    fprintf (stderr, "%s\n", error.what ());
    return 1;
  }
  std::chrono::duration<double> wall = std::chrono::steady_clock::now () - begin;
  struct rusage usage; /* of the whole process, which does nothing else */
  getrusage (RUSAGE_SELF, &usage);
  double cpu = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  printf ("{\"wall\": %.6f, \"cpu\": %.6f, \"events\": %llu, \"check\": %.0f, \"kernel\": \"%s\"}\n", wall.count (), cpu,
          (unsigned long long) seen.events, seen.sum + (double) seen.bytes, get_active_implementation ()->name ().c_str ());
  return 0;
}
