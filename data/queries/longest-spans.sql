-- title: Longest Spans
-- description: The longest spans, without steps and other ranges that only enclose work. The id lets the window show a span on the timeline.
-- :limit = 50
SELECT span.id, span.name, span.kind, span.rank, track.name AS track, span.start, span.duration, span.self
FROM span JOIN track ON track.id = span.track
WHERE span.kind NOT IN ('annotation', 'none') AND NOT track.derived
ORDER BY span.duration DESC, span.id
LIMIT :limit
