-- title: Longest Idle Times of Devices
-- description: The longest times in which no stream of a device works, with the names of the spans before and after. Annotations are not work.
-- :limit = 50
WITH work AS (
  SELECT span.id, track.process, span.rank, span.name, span.start, span.start + span.duration AS stop,
         max(span.start + span.duration) OVER (PARTITION BY track.process ORDER BY span.start, span.id
                                               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until
  FROM span JOIN track ON track.id = span.track
  WHERE track.device AND NOT track.derived AND span.kind NOT IN ('none', 'synchronization')),
longer AS ( -- without spans inside others, so that the span before an idle time is the one that ends last
  SELECT *, lag(stop) OVER device AS before, lag(name) OVER device AS previous
  FROM work
  WHERE busy_until IS NULL OR stop > busy_until
  WINDOW device AS (PARTITION BY process ORDER BY start, id))
SELECT longer.rank, process.name AS device, longer.before AS start, longer.start - longer.before AS duration,
       longer.previous AS after_this, longer.name AS before_this
FROM longer JOIN process ON process.id = longer.process
WHERE longer.start > longer.before
ORDER BY 4 DESC, 3, 1, 2
LIMIT :limit
