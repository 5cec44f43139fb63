-- title: Ranks That Come Last
-- description: How often each rank is the last to arrive in a collective, and how long the others wait for it alone.
SELECT rank, count(*) AS last_of, sum(late_by) AS waited_for_ns, max(late_by) AS longest_ns,
       (SELECT count(DISTINCT collective) FROM collective) AS collectives
FROM collective
WHERE wait = 0 AND late_by > 0
GROUP BY rank
ORDER BY waited_for_ns DESC, rank
