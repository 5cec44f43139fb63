-- title: Time by Kind of Work
-- description: Self time of each rank by kind of work, on devices and on the host. Spans that repeat others are left out.
SELECT rank, kind, count(*) AS spans, sum(self) AS total_ns, max(duration) AS longest_ns
FROM span
WHERE kind <> 'none'
GROUP BY rank, kind
ORDER BY rank, total_ns DESC
