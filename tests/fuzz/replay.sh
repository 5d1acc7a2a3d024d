#!/bin/sh
# replay.sh - the fuzz targets over their corpora and every past finding: none crashes, hangs or finds something unsound.
exec "${FXTOP_BUILD:-.}/tests/fuzz/replay"
