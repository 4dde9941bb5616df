#!/usr/bin/env bash
# Checks the library LIBRARY with the program in $1: a table in the summary, annotations in the log.
set -euo pipefail
options=(--library "${LIBRARY:-.}")
since=${SINCE:-}
if [ -z "$since" ] && [ "${GITHUB_EVENT_NAME:-}" = pull_request ]; then
    # What is checked out is the merge of the pull request; its first parent is what it is merged into.
    since=HEAD^1
fi
if [ -n "$since" ]; then
    options+=("--since=$since")
fi
if [ "${STRICT:-false}" = true ]; then
    options+=(--strict)
fi
# The summary first: it is there whatever becomes of the annotations. Findings are for the second run to report.
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    status=0
    "$1" check "${options[@]}" --format markdown >> "$GITHUB_STEP_SUMMARY" || status=$?
    if [ "$status" -gt 1 ]; then
        exit "$status"
    fi
fi
exec "$1" check "${options[@]}" --format github
