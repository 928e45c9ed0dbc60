table = pl.DataFrame(slots(plan), schema=COLUMNS, orient="row").cast(pl.Int64)
wanted = table.group_by("size").agg((pl.col("end") - pl.col("begin")).sum().alias("wanted"))
found = pieces.group_by("size").agg(pl.len().cast(pl.Int64).alias("found")).collect()
if not found.join(wanted, on="size", how="full").filter(pl.col("found").ne_missing(pl.col("wanted"))).is_empty():
    raise ValueError("these are not the items that the plan was made for")

# All items of a size follow each other, in their own order: so do the slots for them.
copy = (pl.col("at_item") - pl.col("at")) % pl.col("times")
assignment = (
    pieces.sort("size", "id", "start")
    .with_row_index("at_item")
    .with_columns(pl.col("at_item").cast(pl.Int64))
    .join_asof(table.lazy().drop("size"), left_on="at_item", right_on="at", strategy="backward", coalesce=False)
    .with_columns(
        pack=pl.col("first") + (pl.col("at_item") - pl.col("at")) // pl.col("times"),
        place=pl.col("place") + copy,
        offset=pl.col("offset") + copy * TAKES,
    )
    .select("id", "start", *KEEP, "pack", "place", "offset")
    .collect()
)
assignment.write_parquet(OUT)
