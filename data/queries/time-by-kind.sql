-- title: Time by Kind of Work
-- description: Self time of each rank by kind of work, on devices and on the host, without spans that repeat others; total_ns is the sum of self times. For the host part of an index only the time is known.
SELECT span.rank, span.kind, iif(max(track.sums), NULL, count(*)) AS spans, sum(span.self) AS total_ns,
       iif(max(track.sums), NULL, max(span.duration)) AS longest_ns
FROM span JOIN track ON track.id = span.track
WHERE span.kind <> 'none'
GROUP BY span.rank, span.kind
ORDER BY span.rank, total_ns DESC
