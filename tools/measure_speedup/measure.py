"""Measures real tokens per second of training with padding, packs and unpadded sequences. See README.md.

    python measure.py --out h100.json
    python measure.py --toy --check
"""

from __future__ import annotations

import argparse
import datetime
import json
import logging
import pathlib
import platform
import subprocess
import sys
import warnings
from typing import Callable, Iterable, List, Optional

import torch

from batches import METHODS, read_counts
from check import Failed, check
from model import SHAPES, Shape, toy
from training import Data, Entry, Settings, measure, release

DATASETS = pathlib.Path(__file__).resolve().parents[2] / "static" / "datasets"
DATA = f"{DATASETS / 'wikipedia_bert_512.csv'}:512,{DATASETS / 'squad_1_1_bert_384.csv'}:384"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    add = parser.add_argument
    add("--device", type=device, default="cuda" if torch.cuda.is_available() else "cpu", help="cuda, cuda:1, cpu")
    add("--models", type=listed(SHAPES), default=list(SHAPES), help="names with commas between: " + ",".join(SHAPES))
    add("--data", type=data_sets, default=DATA, help="files of length,count with their limits: FILE:LIMIT,FILE:LIMIT")
    add("--methods", type=listed(METHODS), default=list(METHODS), help=",".join(METHODS))
    add("--rows", type=positive, help="rows of a step (default 16, toy 2); `unpadded` has one of as many slots")
    add("--steps", type=positive, help="steps that are timed at a time (default 100, toy 2)")
    add("--warmup", type=positive, help="steps before, not timed (default 10, toy 1)")
    add("--repeats", type=positive, help="how often the steps are timed (default 3, toy 2)")
    add("--seed", type=int, default=0, help="of lengths, tokens and weights")
    add("--toy", action="store_true", help="2 layers of width 32: shows that all runs, its rates mean nothing")
    add("--check", action="store_true", help="first prove that every method computes each sequence as if alone")
    add("--out", default="-", help="file for the JSON, written anew after each measurement; - is standard output")
    return parser.parse_args()


def device(text: str) -> torch.device:
    try:
        found = torch.device(text)
    except RuntimeError as error:
        raise argparse.ArgumentTypeError(str(error).splitlines()[0])
    if found.type not in ("cpu", "cuda"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither cpu nor cuda")
    if found.type == "cuda" and not torch.cuda.is_available():
        raise argparse.ArgumentTypeError("this PyTorch finds no NVIDIA GPU")
    return found


def listed(known: Iterable[str]) -> Callable[[str], List[str]]:
    """A parser of names with commas between."""

    def parse(text: str) -> List[str]:
        names = [name.strip() for name in text.split(",")]
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
        return names

    return parse


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def data_sets(text: str) -> List[Data]:
    found = []
    for each in text.split(","):
        path, _, limit = each.rpartition(":")
        try:
            found.append(Data(pathlib.Path(path).stem, int(limit), read_counts(path, int(limit))))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise argparse.ArgumentTypeError(f"{each!r} is not FILE:LIMIT of a file of length,count: {error}")
    return found


def settings_of(args: argparse.Namespace) -> Settings:
    rows, steps, warmup, repeats = (2, 2, 1, 2) if args.toy else (16, 100, 10, 3)
    return Settings(
        device=args.device,
        rows=args.rows or rows,
        steps=args.steps or steps,
        warmup=args.warmup or warmup,
        repeats=args.repeats or repeats,
        seed=args.seed,
    )


def environment(args: argparse.Namespace, settings: Settings) -> Entry:
    gpu = settings.device.type == "cuda"
    return {
        "device": torch.cuda.get_device_name(settings.device) if gpu else f"CPU ({platform.machine()})",
        "driver": driver() if gpu else None,
        "cuda": torch.version.cuda if gpu else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "seed": args.seed,
        "toy": args.toy,
        "precision": settings.precision,
        "warmup": settings.warmup,
        "repeats": settings.repeats,
    }


def driver() -> Optional[str]:
    """The version of NVIDIA's driver, which PyTorch does not tell."""
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def write(report: Entry, out: str) -> None:
    """Called after each measurement: a run that is cut off leaves what it had."""
    text = json.dumps(report, indent=2) + "\n"
    if out != "-":
        pathlib.Path(out).write_text(text, encoding="utf-8")


def run_all(args: argparse.Namespace, settings: Settings, report: Entry) -> None:
    for name in args.models:
        for data in args.data:
            # BERT's shape has 512 learned positions; a longer limit needs more.
            shape = shape_of(name, args.toy, data.limit)
            for method in args.methods:
                measured, rejected = measure(shape, data, method, settings)
                report["measurements"] += measured
                report["rejected_kernels"] += rejected
                if not measured:
                    why = "; ".join(f"{each['kernel']}: {each['reason']}" for each in rejected)
                    where = {"model": name, "data": data.name, "method": method}
                    report["unavailable"].append({**where, "reason": why})
                tell(name, data, method, measured)
                write(report, args.out)
                release(settings.device)


def shape_of(name: str, small: bool, limit: int) -> Shape:
    shape = toy(SHAPES[name]) if small else SHAPES[name]
    return shape.with_positions(limit)


def tell(name: str, data: Data, method: str, measured: List[Entry]) -> None:
    said = "unavailable"
    for each in measured:
        said = "{real_tokens_per_second:>12,.0f} real tokens/s ± {spread:.1%} by {kernel}".format(**each)
    print(f"{name:<12} {data.name:<24} {method:<14} {said}", file=sys.stderr, flush=True)


def main() -> int:
    args = arguments()
    # What PyTorch cannot do is told in the report, once.
    warnings.simplefilter("ignore")
    logging.getLogger("torch").setLevel(logging.ERROR)
    settings = settings_of(args)
    report = {**environment(args, settings), "measurements": [], "unavailable": [], "rejected_kernels": []}
    if args.check:
        try:
            report["check"] = check(settings.device)
        except Failed as failed:
            print(f"check failed: {failed}", file=sys.stderr)
            return 1
    run_all(args, settings, report)
    if args.out == "-":
        print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
