table = dict(zip(COLUMNS, np.array(slots(plan), dtype=np.int64).T))
db = duckdb.connect()
db.register("slots", table)
db.execute(f"CREATE VIEW items AS FROM '{ITEMS}'")
db.execute(f"CREATE TEMP TABLE pieces AS {PIECES}")
wrong = db.execute("""
    SELECT count(*) FROM (SELECT size, count(*) AS found FROM pieces GROUP BY size) AS f
    FULL JOIN (SELECT size, sum("end" - "begin") AS wanted FROM slots GROUP BY size) AS w USING (size)
    WHERE found IS DISTINCT FROM wanted
""").fetchall()[0][0]
if wrong:
    raise ValueError("these are not the items that the plan was made for")

# The nth item of a size takes the nth slot for that size.
db.execute(f"""
    COPY (
        SELECT id, start, {KEEP},
            first + (nth - "begin") // times AS pack,
            place + (nth - "begin") % times AS place,
            "offset" + (nth - "begin") % times * {TAKES} AS "offset"
        FROM (SELECT *, row_number() OVER (PARTITION BY size ORDER BY id, start) - 1 AS nth FROM pieces) AS p
        ASOF JOIN slots AS s ON p.size = s.size AND p.nth >= s."begin"
    ) TO '{OUT}' (FORMAT parquet)
""")
