-- title: Findings of the Rules
-- description: The rules that fired, sorted by lost time.
SELECT rule, severity, message, lost, start, duration, places, rank, explained, own_lost
FROM finding
WHERE status = 'fired'
ORDER BY own_lost DESC, id
