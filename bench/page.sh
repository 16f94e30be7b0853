# page.sh - for the scripts of this folder: a table of a document, written by the script that measures it. Sourced, from
# a script of this folder.
#
# The script calls await_idle before each row and pipes the table, with its heading lines, into write_table NAME
# PEER...: it is printed, and put into docs/speed.md (PAGE) between the lines "<!-- bench NAME -->" and "<!-- end -->",
# with the versions of the peers (Debian packages) and the machine below. SKIP_IDLE_CHECK=yes: it does not wait, and
# says so; SKIP_IDLE_CHECK=WORDS: it says WORDS of the machine instead. A table without seconds (runs is empty) has no
# such line.
# shellcheck shell=sh

busy_ticks() { # of all processors since the machine's start, by all but what waits
    awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 }' /proc/stat
}

# Whether other programs take less than 0.3 of one processor: the load now, for a second. The load of the last minute
# would be that of the row before.
is_idle() {
    earlier=$(busy_ticks)
    sleep 1
    awk -v ticks=$(($(busy_ticks) - earlier)) -v second="$(getconf CLK_TCK)" 'BEGIN { exit !(ticks < 0.3 * second) }'
}

await_idle() {
    [ "${SKIP_IDLE_CHECK:-no}" = no ] || return 0
    while ! is_idle; do
        [ -n "${waiting:-}" ] ||
            echo 'waiting until other programs take less than 0.3 of a processor (SKIP_IDLE_CHECK=yes: at once)' >&2
        waiting=yes
    done
}

# The processor, its cores, whether it was idle; then the peers.
conditions() { # PEER...
    sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr '\n' ',' | sed 's/ *Processor//; s/,$//'
    printf ', %s cores, ' "$(nproc --all)"
    case ${SKIP_IDLE_CHECK:-no} in
    no) printf 'idle' ;;
    yes) printf 'load not checked' ;;
    *) printf '%s' "$SKIP_IDLE_CHECK" ;;
    esac
    for peer; do
        case $peer in
        *' '*) printf '; %s' "$peer" ;; # in words
        *) printf '; %s %s' "$peer" "$(dpkg-query -W -f '${Version}' "$peer" 2>/dev/null || echo 'of unknown version')" ;;
        esac
    done
    if [ "${CLOCK:-wall}" = user ]; then printf '; user CPU seconds'; else printf '; seconds of the clock'; fi
    if [ "$runs" = 1 ]; then echo ', of a run.'; else echo ", the fastest of $runs runs."; fi
}

write_table() { # NAME PEER...
    name=$1
    shift
    { cat && { [ -z "$runs" ] || { echo && conditions "$@"; }; }; } | tee "$temporary/table"
    "$(dirname "$0")/fill.sh" "${PAGE:-$(dirname "$0")/../docs/speed.md}" "bench $name" <"$temporary/table"
}
