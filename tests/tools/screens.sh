#!/bin/sh
# screens.sh [--write] [CASE ...] - golden screens (screens.py).
exec python3 "$(dirname "$0")/screens.py" "$@"
