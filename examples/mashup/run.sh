#!/bin/sh
# Runs all three parties on this machine. Each reads its own file alone; they talk over TLS.
set -eu
cd "$(dirname "$0")"
scumble=${SCUMBLE:-scumble}

[ -d keys ] || "$scumble" keys agreement.toml

pids=
for party in bank employer insurer; do
    "$scumble" party agreement.toml --as "$party" --data "$party.csv" \
        --cert "keys/$party.pem" --key "keys/$party.key" --ca keys/ca.pem "$@" &
    pids="$pids $!"
done
status=0
for pid in $pids; do
    wait "$pid" || status=$?
done
exit "$status"
