r"""Reports as rows of a table, and their groups, by Spark.

    spark-submit --py-files mayday_parts.py spark_triage.py names.txt --symbols build/ \
        --table reports.parquet --groups groups.json

The list has a name a line. The program and the files must be on every worker. A task may be done twice.
"""
import argparse
import json
import shlex

from mayday_parts import MAYDAY, merged, part_of_names
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import BooleanType, IntegerType, StringType, StructField, StructType

SCHEMA = StructType([
    StructField("source", StringType(), False),
    StructField("error", StringType()),
    StructField("id", StringType()),
    StructField("format", StringType()),
    StructField("kind", StringType()),
    StructField("app", StringType()),
    StructField("version", StringType()),
    StructField("build", StringType()),
    StructField("time", StringType()),
    StructField("os", StringType()),
    StructField("os_version", StringType()),
    StructField("device", StringType()),
    StructField("install", StringType()),
    StructField("signal", StringType()),
    StructField("message", StringType()),
    StructField("title", StringType()),
    StructField("grouping_key", StringType()),
    StructField("provisional", BooleanType()),
    StructField("threads", IntegerType()),
])


def row(line):
    """A report's document as a row of the table."""
    report = json.loads(line)
    app, system, reason = (report.get(name) or {} for name in ("app", "os", "reason"))
    signature = report.get("signature") or {}
    return Row(
        source=report["source"], error=report.get("error"), id=report.get("id"), format=report.get("format"),
        kind=report.get("kind"), app=app.get("name") or app.get("identifier"), version=app.get("version"),
        build=app.get("build"), time=report.get("time"), os=system.get("name"), os_version=system.get("version"),
        device=(report.get("device") or {}).get("model"), install=report.get("install"), signal=reason.get("signal"),
        message=reason.get("message"), title=signature.get("text"), grouping_key=signature.get("hash"),
        provisional=signature.get("provisional"), threads=len(report.get("threads") or []) if "id" in report else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names")
    parser.add_argument("--symbols", action="append", default=[])
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--table")
    parser.add_argument("--groups")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("mayday").getOrCreate()
    names = spark.sparkContext.textFile(options.names, options.tasks)
    if options.table:
        command = [MAYDAY, "symbolicate", "--ndjson", "--files-from", "-"]
        for path in options.symbols:
            command += ["--symbols", path]
        lines = names.pipe(shlex.join(command), checkCode=True)
        spark.createDataFrame(lines.map(row), SCHEMA).write.mode("overwrite").parquet(options.table)
    if options.groups:
        symbols = options.symbols
        parts = names.mapPartitions(lambda part: [part_of_names(part, symbols)])
        whole = parts.treeReduce(lambda one, other: merged([one, other]))
        with open(options.groups, "wb") as file:
            file.write(merged([whole], "--json"))
    spark.stop()


if __name__ == "__main__":
    main()
