SELECT count(*), count(start), sum(duration), total(start), avg(duration), min(start), max(duration) FROM span WHERE name LIKE '%e%' AND start > 5 AND duration < 800 AND kind = 'compute'
