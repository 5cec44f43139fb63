-- title: Ranks That Others Wait For
-- description: How long other ranks wait for each rank in collectives, summed over the waiting ranks, as on the page Stragglers. If several ranks are late, a wait is divided among those that are still missing. Also how often a rank arrives last, and how long after the previous one. Compare the time that the devices of the ranks compute: a rank that is late, but does not compute longer than the others, may wait for another rank itself, or be delayed by its host or by data. The report names the cause.
WITH arrivals AS (
  SELECT collective, rank, arrival, late_by, wait, ranks,
         row_number() OVER by_arrival AS place,
         arrival - lag(arrival, 1, arrival) OVER by_arrival AS gap
  FROM collective
  WINDOW by_arrival AS (PARTITION BY collective ORDER BY arrival, id)
),
shares AS ( -- between two arrivals, the ranks that have arrived wait; each rank that has not arrived causes an equal share of these waits
  SELECT *, sum((place - 1.0) * gap / (ranks - place + 1)) OVER (PARTITION BY collective ORDER BY place) AS share
  FROM arrivals
),
computing AS (
  SELECT rank, sum(self) AS computing_ns FROM span WHERE kind = 'compute' GROUP BY rank
)
SELECT rank, count(*) AS collectives, CAST(round(sum(share)) AS INTEGER) AS others_wait_ns,
       CAST(round(max(share)) AS INTEGER) AS most_in_one_ns, sum(wait = 0 AND late_by > 0) AS last_in,
       sum(iif(wait = 0, late_by, 0)) AS after_last_but_one_ns, computing.computing_ns
FROM shares LEFT JOIN computing USING (rank)
GROUP BY rank
ORDER BY others_wait_ns DESC, rank
