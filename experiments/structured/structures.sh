# structures.sh - sourced by the tables of this folder: the families of S-151 as one file, $file.
# shellcheck shell=bash disable=SC2154
structures() {
    data_file rna.s151.tar
    if [ ! -f "$out/s151.svm" ]; then
        case $file in *.gz) zcat "$file" ;; *) cat "$file" ;; esac | tar x -C "$out"
        "$bin/bpseq" encode "$out"/s151/*.bpseq >"$out/s151.part" 2>"$temporary/log"
        mv "$out/s151.part" "$out/s151.svm"
    fi
    file=$out/s151.svm
}
