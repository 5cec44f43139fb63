-- title: Time by Kind of Work
-- description: Self time of each rank by kind of work, on devices and on the host. Spans that repeat others are left out.
SELECT rank, kind, count(*) AS spans, sum(self) AS total, max(duration) AS longest
FROM span
WHERE kind <> 'none'
GROUP BY rank, kind
ORDER BY rank, total DESC
