-- title: Longest Gaps on Devices
-- description: The longest gaps between two spans of a device stream, with the names of the spans before and after.
-- :limit = 50
WITH work AS (
  SELECT span.track, span.rank, span.name, span.start, span.start + span.duration AS stop,
         lag(span.start + span.duration) OVER line AS before, lag(span.name) OVER line AS previous
  FROM span JOIN track ON track.id = span.track
  WHERE track.device AND NOT track.derived AND span.depth = 0 AND span.kind <> 'none'
  WINDOW line AS (PARTITION BY span.track ORDER BY span.start, span.id))
SELECT work.rank, track.name AS track, work.before AS start, work.start - work.before AS duration, work.previous AS after_this,
       work.name AS before_this
FROM work JOIN track ON track.id = work.track
WHERE work.start > work.before
ORDER BY 4 DESC, 3
LIMIT :limit
