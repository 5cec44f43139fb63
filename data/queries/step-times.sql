-- title: Step Times by Rank
-- description: Number, mean, shortest and longest step of each rank, by the format that recorded them.
SELECT format, mode, rank, count(*) AS steps, sum(duration) / count(*) AS mean, min(duration) AS shortest, max(duration) AS longest
FROM step
GROUP BY format, mode, rank
ORDER BY format, mode, rank
