"""Copies a CSV file with a tool that Python finds, and prints what that took.

copy.py              the copies that can be made here: [{"name": ..., "version": ...}]
copy.py NAME FROM TO makes one of them:                {"seconds": ...}
"""

import importlib
import json
import sys
import time


def duckdb_copy(duckdb, source, target, options=""):
    source, target = (path.replace("'", "''") for path in (source, target))
    duckdb.sql("SET enable_progress_bar = false")  # it would be printed among the figures
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{source}'{options})) TO '{target}' (HEADER)")


# Name: the module, and what it does from file to file. Typed and as text, because which is faster is not ours to guess.
COPIES = {
    "polars": ("polars", lambda pl, a, b: pl.read_csv(a).write_csv(b)),
    "polars, as text": ("polars", lambda pl, a, b: pl.read_csv(a, infer_schema=False).write_csv(b)),
    "polars, streaming": ("polars", lambda pl, a, b: pl.scan_csv(a).sink_csv(b)),
    "polars, streaming as text": ("polars", lambda pl, a, b: pl.scan_csv(a, infer_schema=False).sink_csv(b)),
    "duckdb": ("duckdb", duckdb_copy),
    "duckdb, as text": ("duckdb", lambda duckdb, a, b: duckdb_copy(duckdb, a, b, ", all_varchar = true")),
}


def version(module):
    try:
        return importlib.import_module(module).__version__
    except ImportError:
        return None


def available():
    versions = {name: version(module) for name, (module, _) in COPIES.items()}
    return [{"name": name, "version": version} for name, version in versions.items() if version]


def copy(name, source, target):
    module, work = COPIES[name]
    tool = importlib.import_module(module)
    start = time.perf_counter()
    work(tool, source, target)
    return {"seconds": time.perf_counter() - start}


try:
    print(json.dumps(copy(*sys.argv[1:]) if len(sys.argv) > 1 else available()))
except Exception as error:
    # The message of a tool may quote a cell.
    sys.exit(f"{sys.argv[1:2]}: {type(error).__name__}")
