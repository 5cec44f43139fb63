SELECT name, max(duration), sum(CASE WHEN duration > 5 THEN start END) FILTER (WHERE start < 99), group_concat(start) FROM span WHERE duration = 90 OR start IN (1, 2) HAVING sum(start) > 1 LIMIT 1
