-- title: Waits of the Host for Devices
-- description: Calls in which a host thread waits for a device, by name and by the span that contains the call.
-- :limit = 50
SELECT span.name, outer_span.name AS around, span.rank, count(*) AS calls, sum(span.duration) AS total_ns, max(span.duration) AS longest_ns
FROM span LEFT JOIN span AS outer_span ON outer_span.id = span.parent
WHERE span.kind = 'synchronization'
GROUP BY span.name, outer_span.name, span.rank
ORDER BY total_ns DESC, 1, 3
LIMIT :limit
