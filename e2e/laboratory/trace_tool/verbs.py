"""What each verb does; they return the exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cc.links.catalogue import LinkCatalogue
from cc.links.traces.formats.base import TraceFormat
from cc.links.traces.formats.registry import FORMATS, format_named, format_of_name
from cc.links.traces.summary import summary_of
from cc.links.traces.trace import Trace, TraceOperationError, mean_bits_per_s
from e2e.laboratory.trace_tool.chart import chart_of
from e2e.laboratory.trace_tool.report import fitness, one_line, report
from e2e.laboratory.trace_tool.source import Source, TraceToolError, read_source

EXIT_INVALID = 1
COUNTED_S = 0.1  # opportunities become rates in bins of that length
Verb = Callable[[argparse.Namespace, LinkCatalogue], int]


def show(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """Figures of a trace."""
    source = read_source(options.input, options, catalogue)
    bin_s = options.bin_s or (1.0 if source.trace.duration_s >= 10 else 0.1)
    with _told_of(source):
        summary = summary_of(source.trace, bin_s=bin_s)
    sys.stdout.write(report(source, summary))
    return 0


def validate(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """Every file is looked at, and a line said of each."""
    code = 0
    for name in options.inputs:
        try:
            source = read_source(name, options, catalogue)
        except TraceToolError as error:
            sys.stderr.write(f"{error}\n")
            code = EXIT_INVALID
        else:
            warning = fitness(source.trace)
            sys.stdout.write(f"{name}: {one_line(source.trace)}, {source.kind}{warning and '; '}{warning}\n")
    return code


def plot(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """The rate over time, as a picture."""
    from e2e.laboratory.trace_tool.picture import WRITERS, draw  # noqa: PLC0415 - the other verbs need no packages

    source = read_source(options.input, options, catalogue)
    output = options.output or Path(f"{source.stem}.svg")
    if output.suffix not in WRITERS:
        raise TraceToolError(f"{output}: of what kind? Let the name end in one of {', '.join(WRITERS)}")
    with _told_of(source):
        chart = chart_of(source, bin_s=options.bin_s)
    _write(output, draw(chart, output), source)
    sys.stdout.write(f"wrote {output}\n")
    return 0


def convert(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """The same in another format."""
    return _change(options, catalogue, lambda trace: trace)


def cut(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """A part."""
    return _change(
        options,
        catalogue,
        lambda trace: trace.cut(options.from_s, trace.duration_s if options.to_s is None else options.to_s),
    )


def scale(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """To a mean or by a factor, then capped."""
    if options.mean is None and options.factor is None and options.cap is None:
        raise TraceToolError("scale to what? Give --mean RATE, --factor N or --cap RATE")

    def scaled(trace: Trace) -> Trace:
        factor = options.factor if options.mean is None else options.mean / mean_bits_per_s(trace)
        to_scale = trace if factor is None else trace.scaled(factor)
        return to_scale if options.cap is None else to_scale.capped(options.cap)

    return _change(options, catalogue, scaled)


def repeat(options: argparse.Namespace, catalogue: LinkCatalogue) -> int:
    """Over and over."""
    return _change(options, catalogue, lambda trace: trace.repeated(options.duration_s))


def _change(options: argparse.Namespace, catalogue: LinkCatalogue, operation: Callable[[Trace], Trace]) -> int:
    chosen = _format_of_output(options)
    source = read_source(options.input, options, catalogue)
    with _told_of(source):
        changed = operation(source.trace)
        text = chosen.write(changed, min(options.bin_s or COUNTED_S, changed.duration_s))
    _write(options.output, text.encode(), source)
    for note in source.notes:
        sys.stdout.write(f"{source.name}: {note}\n")
    sys.stdout.write(f"wrote {options.output}: {one_line(changed)}, {chosen.name}\n")
    return 0


@contextmanager
def _told_of(source: Source) -> Iterator[None]:
    try:
        yield
    except TraceOperationError as error:
        raise TraceToolError(f"{source.name}: {error}") from error


def _format_of_output(options: argparse.Namespace) -> TraceFormat:
    if options.format is not None:
        return format_named(options.format)
    found = format_of_name(options.output.name)
    if found is None:
        suffixes = ", ".join(f.suffixes[0] for f in FORMATS)
        raise TraceToolError(
            f"{options.output}: of what format? Let the name end in one of {suffixes}, or give --format"
        )
    return found


def _write(output: Path, content: bytes, source: Source) -> None:
    """Whole or not at all, and never over what was read."""
    if os.path.exists(output) and Path(source.name).exists() and output.samefile(source.name):
        raise TraceToolError(f"{output}: is the trace that is read; write another file")
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(output)
    except OSError as error:
        with suppress(OSError):  # where it could not be written, there may be nothing to remove, or no way to it
            part.unlink()
        raise TraceToolError(f"{output}: cannot be written: {error.strerror}") from error
