-- title: Longest Gaps of Streams
-- description: The longest gaps between two spans of one stream of a device, in which other streams may work, with the names of the spans before and after. Annotations of a stream are not work.
-- :limit = 50
WITH work AS (
  SELECT span.id, span.track, span.rank, span.name, span.start, span.start + span.duration AS stop,
         max(span.start + span.duration) OVER (PARTITION BY span.track ORDER BY span.start, span.id
                                               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until
  FROM span JOIN track ON track.id = span.track
  WHERE track.device AND NOT track.derived AND span.kind <> 'none'),
longer AS ( -- without spans inside others, so that the span before a gap is the one that ends last
  SELECT *, lag(stop) OVER line AS before, lag(name) OVER line AS previous
  FROM work
  WHERE busy_until IS NULL OR stop > busy_until
  WINDOW line AS (PARTITION BY track ORDER BY start, id))
SELECT longer.rank, track.name AS track, longer.before AS start, longer.start - longer.before AS duration, longer.previous AS after_this,
       longer.name AS before_this
FROM longer JOIN track ON track.id = longer.track
WHERE longer.start > longer.before
ORDER BY 4 DESC, 3
LIMIT :limit
