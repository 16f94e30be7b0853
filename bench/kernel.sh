#!/bin/sh
# kernel.sh KERNEL - kernel values and feature maps on public sets, at the widths of Lee 2011, Table 3.2.
#
# KERNEL is the program of kernel.c. The sets are taken from the folder RRM_DATASETS, packed or not.
set -eu

kernel=$1

# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-kernel
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

while read -r gamma name; do
    file=$RRM_DATASETS/$name
    [ -f "$file" ] || file=$file.gz
    [ -f "$file" ] || continue
    await_idle
    "$kernel" "$gamma" "$file" 512 1024
done <<END
0.001 a9a
0.01 mnist.scale
1 covtype.libsvm.binary.scale
1 ijcnn1.tr
0.01 news20
END
