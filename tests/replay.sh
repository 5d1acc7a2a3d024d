#!/bin/sh
# replay.sh - the fuzz target over its corpus and every past finding: none crashes, hangs or leaves an unsound model.
exec "${FXTOP_BUILD:-.}/tests/replay_reader" "${srcdir:-.}/tests/corpus"
