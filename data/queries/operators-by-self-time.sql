-- title: Operators by Self Time
-- description: Operators on the host by self time, which excludes the operators and calls inside them. For an index only the self time is known.
-- :limit = 50
SELECT span.name, iif(max(track.sums), NULL, count(*)) AS calls, sum(span.self) AS self_ns,
       iif(max(track.sums), NULL, sum(span.duration)) AS total_ns, iif(max(track.sums), NULL, sum(span.self) / count(*)) AS mean_self_ns
FROM span JOIN track ON track.id = span.track
WHERE span.kind = 'operator'
GROUP BY span.name
ORDER BY self_ns DESC, span.name
LIMIT :limit
