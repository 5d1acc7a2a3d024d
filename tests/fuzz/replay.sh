#!/bin/sh
# replay.sh - the fuzz targets over their corpora and every past finding: none crashes, hangs or finds something unsound.
#
# FUZZ_CHANGES=N: and over N changed copies of each.
exec "${FXTOP_BUILD:-.}/tests/fuzz/replay" -c "${FUZZ_CHANGES:-0}"
