table = spark.createDataFrame(slots(plan), COLUMNS)
wanted = table.groupBy("size").agg(F.sum(F.expr("end - begin")).alias("wanted"))
found = pieces.groupBy("size").agg(F.count("*").alias("found"))
if not found.join(wanted, "size", "full").where("not (found <=> wanted)").isEmpty():
    raise ValueError("these are not the items that the plan was made for")

# The nth item of a size takes the nth slot for that size. A size is one partition: the most frequent one takes longest.
nth = F.row_number().over(Window.partitionBy("size").orderBy("id", "start")) - 1
assignment = (
    pieces.withColumn("nth", nth)
    .join(F.broadcast(table), "size")
    .where("nth >= begin and nth < end")
    .selectExpr(
        "id",
        "start",
        *KEEP,
        "first + (nth - begin) div times as pack",
        "place + (nth - begin) % times as place",
        f"offset + (nth - begin) % times * {TAKES} as offset",
    )
)
assignment.write.mode("overwrite").parquet(OUT)
