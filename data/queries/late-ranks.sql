-- title: Ranks That Others Wait For
-- description: How long the others wait for each rank in collectives, summed over those that wait, as on the page Stragglers; and how often it is the last to arrive, and how long after the last but one.
WITH arrivals AS (
  SELECT collective, rank, arrival, late_by, wait, ranks,
         row_number() OVER by_arrival AS place,
         arrival - lag(arrival, 1, arrival) OVER by_arrival AS gap
  FROM collective
  WINDOW by_arrival AS (PARTITION BY collective ORDER BY arrival, id)
),
shares AS ( -- those that have arrived wait for those that have not, which share the time of each wait equally
  SELECT *, sum((place - 1.0) * gap / (ranks - place + 1)) OVER (PARTITION BY collective ORDER BY place) AS share
  FROM arrivals
)
SELECT rank, count(*) AS collectives, CAST(round(sum(share)) AS INTEGER) AS others_wait_ns,
       CAST(round(max(share)) AS INTEGER) AS most_in_one_ns, sum(wait = 0 AND late_by > 0) AS last_in,
       sum(iif(wait = 0, late_by, 0)) AS after_last_but_one_ns
FROM shares
GROUP BY rank
ORDER BY others_wait_ns DESC, rank
