"""What DuckDB, pyarrow and warcio read in exports: python export.py FOLDER, which has TABLE.jsonl, TABLE.csv, TABLE.parquet and text.wet.gz."""

import csv
import json
import sys
from datetime import datetime, timezone
from pathlib import Path

import duckdb
import pyarrow.parquet
from warcio.archiveiterator import ArchiveIterator

folder = Path(sys.argv[1])


def plain(value):
    """As JSON has it."""
    if isinstance(value, datetime):
        utc = value.astimezone(timezone.utc) if value.tzinfo else value
        return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03}Z"
    return value


def same(name, one, other):
    if len(one) != len(other):
        raise SystemExit(f"{name}: {len(one)} rows, {len(other)} in JSON")
    for number, (a, b) in enumerate(zip(one, other)):
        if a != b:
            raise SystemExit(f"{name}, row {number}: {a} is not {b}")


def in_csv(value):
    """As CSV has it: no types, and what a spreadsheet would run as a formula has a quote in front."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


counts = {}
types = {}
for table in ("pages", "links", "hosts"):
    with open(folder / f"{table}.jsonl", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    arrow = pyarrow.parquet.read_table(folder / f"{table}.parquet")
    same(f"pyarrow, {table}", [{k: plain(v) for k, v in row.items()} for row in arrow.to_pylist()], rows)
    relation = duckdb.sql(f"SET TimeZone = 'UTC'; SELECT * FROM '{folder}/{table}.parquet'")
    names = relation.columns
    duck = [dict(zip(names, map(plain, row))) for row in relation.fetchall()]
    same(f"DuckDB, {table}", duck, rows)
    csv.field_size_limit(1 << 30)
    with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
        same(f"CSV, {table}", list(csv.DictReader(file)), [{k: in_csv(v) for k, v in row.items()} for row in rows])
    counts[table] = len(rows)
    types[table] = {name: str(kind) for name, kind in zip(names, relation.types)}

pages = duckdb.sql(f"SELECT count(DISTINCT url) FROM '{folder}/pages.parquet'").fetchall()[0][0]
by_host = duckdb.sql(f"SELECT host, pages FROM '{folder}/hosts.parquet' WHERE pages > 0").fetchall()
new = duckdb.sql(f"SELECT count(*) FROM '{folder}/pages.parquet' WHERE change = 'new'").fetchall()[0][0]

with open(folder / "pages.jsonl", encoding="utf-8") as lines:
    texts = [row["text"] for row in map(json.loads, lines) if row["change"] != "gone"]
converted = []
with open(folder / "text.wet.gz", "rb") as stream:
    for record in ArchiveIterator(stream, check_digests="raise"):
        if record.rec_type == "conversion":
            converted.append(record.content_stream().read().decode("utf-8"))
same("warcio, WET", converted, texts)

print(json.dumps({"counts": counts, "types": types, "pages": pages, "new": new, "byHost": dict(by_host), "wet": len(converted)}))
