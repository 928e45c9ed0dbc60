#!/usr/bin/env python3
"""Makes the files of this folder: the same sequences with what bears loss in them, in every form in which Parquet and Arrow
keep lists. records.jsonl is what all of them say. Needs pyarrow; deterministic.
"""
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
# Prompt, response, second prompt, second response, source. Some have no response, one no source.
TURNS = [(6, 2, 0, 0, "a"), (1, 3, 2, 1, "b"), (5, 0, 0, 0, "a"), (0, 4, 3, 2, ""), (2, 1, 0, 0, "β")]


def path(name):
    return os.path.join(HERE, name)


def labels(turns):
    first, answer, second, more, _ = turns
    return [-100] * first + [9] * answer + [-100] * second + [7] * more


def records():
    for turns in TURNS:
        of = labels(turns)
        yield {"input_ids": [5] * len(of), "labels": of, "source": turns[4]}


def table(list_type, mask=False):
    all_of = list(records())
    told = [[label != -100 for label in row["labels"]] if mask else row["labels"] for row in all_of]
    element = pa.bool_() if mask else list_type[1]
    # A row without labels is left out, and said to be.
    return pa.table(
        {
            "source": pa.array([row["source"] for row in all_of] + ["a"]),
            "input_ids": pa.array([row["input_ids"] for row in all_of] + [[5]], list_type[0](list_type[1])),
            "loss_mask" if mask else "labels": pa.array(told + [None], list_type[0](element)),
        }
    )


def ipc(name, of, stream=False):
    with pa.OSFile(path(name), "wb") as out:
        new = pa.ipc.new_stream if stream else pa.ipc.new_file
        with new(out, of.schema) as writer:
            writer.write_table(of, max_chunksize=2)


def main():
    with open(path("records.jsonl"), "w", encoding="utf-8") as out:
        for row in [*records(), {"input_ids": [5], "labels": None, "source": "a"}]:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    plain, large = (pa.list_, pa.int64()), (pa.large_list, pa.int32())
    pq.write_table(table(plain), path("labels.parquet"), row_group_size=2)
    pq.write_table(table(large), path("labels-v2.parquet"), data_page_version="2.0", compression="zstd")
    pq.write_table(table((pa.list_, pa.int16())), path("labels-plain.parquet"), use_dictionary=False, compression="none")
    pq.write_table(table(plain, mask=True), path("mask.parquet"))
    ipc("labels.arrow", table(plain))
    ipc("labels-stream.arrow", table(large), stream=True)
    ipc("whole.arrow", table(plain).slice(0, len(TURNS)))
    ipc("mask.arrow", table((pa.list_, pa.int8()), mask=True))
    # Fixed lists have one length.
    fixed = [[-100, -100, 4, 4], [-100, 4, -100, 4], [-100] * 4]
    of = pa.table({"labels": pa.array([*fixed, None], pa.list_(pa.int32(), 4))})
    ipc("fixed.arrow", of)
    pq.write_table(of, path("fixed.parquet"))
    with open(path("fixed.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(json.dumps({"labels": row}) + "\n" for row in [*fixed, None])
    pairs = [row for row in TURNS if not row[2] and not row[3]]
    of = pa.table(
        {
            "prompt_tokens": pa.array([row[0] for row in pairs], pa.int32()),
            "completion_tokens": pa.array([float(row[1]) for row in pairs]),
            "source": pa.array([row[4] for row in pairs], pa.string()),
        }
    )
    pq.write_table(of, path("pairs.parquet"))
    ipc("pairs.arrow", of)
    of = pa.table(
        {
            "prompt_ids": pa.array([[1] * row[0] for row in pairs]),
            "completion_ids": pa.array([[1] * row[1] for row in pairs]),
            "source": pa.array([row[4] for row in pairs], pa.string_view()),
        }
    )
    ipc("lists.arrow", of)
    with open(path("pairs.jsonl"), "w", encoding="utf-8") as out:
        for row in pairs:
            of = {"prompt_tokens": row[0], "completion_tokens": row[1], "source": row[4]}
            out.write(json.dumps(of, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
