SELECT sum(u.duration), u.of_set FROM span a, interval_union((SELECT interval_set(b.start, b.duration) FROM span b WHERE b.parent = a.id)) u GROUP BY u.intervals
