#!/bin/bash
# hat.sh OUT ROWS SEED [K] - makes OUT/hat-ROWS-SEED.train (OUT/hat-ROWS-SEED-K.train: K basis functions), unless it is
# there.
set -euo pipefail
data=$1/hat-$2-$3${4:+-$4}.train
if [ ! -f "$data" ]; then
    awk -v m="$2" -v seed="$3" -v k="${4:-0}" -f "$(dirname "$0")/hat.awk" >"$data.part"
    mv "$data.part" "$data"
fi
