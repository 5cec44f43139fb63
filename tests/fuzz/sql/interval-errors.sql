SELECT interval_set(NULL, 1, 2), interval_set(1, -1), (SELECT count(*) FROM interval_join(5, -1)), interval_set(9223372036854775807, 9223372036854775807) FROM interval_union(NULL)
