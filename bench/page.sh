# page.sh - for the scripts of this folder: a table of a document, written by the script that measures it. Sourced, from
# a script of this folder.
#
# The script calls await_idle before each row and pipes the table, with its heading lines, into write_table NAME PEER...:
# it is printed, and put into docs/speed.md (PAGE) between the lines "<!-- bench NAME -->" and "<!-- end -->", with the
# versions of the peers (Debian packages) and the machine below. SKIP_IDLE_CHECK=yes: it does not wait, and says so;
# SKIP_IDLE_CHECK=WORDS: it says WORDS of the machine instead. A table without seconds (runs is empty) has no such line.
# shellcheck shell=sh

# Until the load of the last minute is below 0.3.
await_idle() {
    [ "${SKIP_IDLE_CHECK:-no}" = no ] || return 0
    while ! awk '{ exit !($1 < 0.3) }' /proc/loadavg; do
        [ -n "${waiting:-}" ] || echo "waiting until the load is below 0.3 (SKIP_IDLE_CHECK=yes: at once)" >&2
        waiting=yes
        sleep 2
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
