#!/bin/sh
# fetch.sh - downloads public data sets from the LIBSVM data page into a folder.
#
#     sh data/fetch.sh [--from URL] FOLDER [NAME...]      all sets, or the ones named
#     sh data/fetch.sh --list                             the table below
#
# Each file is unpacked, its rows and (where known) index:value pairs are counted, and only then it
# gets its name: a wrong or cut download is refused and removed. What is there and right, plain or
# as NAME.gz, is left alone. --from takes another base URL, also file:///... for a local mirror.
# Installs curl and bzip2 where they are needed and missing (Debian).
set -u
# shellcheck source=/dev/null
. "$(dirname "$0")/../tests/need.sh"

from=https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets

# name, path on the page, rows, pairs ("-": not checked)
table() {
    cat <<END
a9a                          binary/a9a                               32561    451592
a9a.t                        binary/a9a.t                             16281    225731
w8a                          binary/w8a                               49749    579586
w8a.t                        binary/w8a.t                             14951    174276
ijcnn1.tr                    binary/ijcnn1.tr.bz2                     35000    455000
ijcnn1.val                   binary/ijcnn1.val.bz2                    14990    194870
ijcnn1.t                     binary/ijcnn1.t.bz2                      91701    -
covtype.libsvm.binary.scale  binary/covtype.libsvm.binary.scale.bz2   581012   6940438
connect-4                    multiclass/connect-4                     67557    2837394
mnist.scale                  multiclass/mnist.scale.bz2               60000    8994156
mnist.scale.t                multiclass/mnist.scale.t.bz2             10000    1511219
news20                       multiclass/news20.bz2                    15935    1272569
news20.t                     multiclass/news20.t.bz2                  3993     321123
news20.binary                binary/news20.binary.bz2                 19996    -
rcv1_train.binary            binary/rcv1_train.binary.bz2             20242    -
rcv1_test.binary             binary/rcv1_test.binary.bz2              677399   -
real-sim                     binary/real-sim.bz2                      72309    -
combined                     multiclass/vehicle/combined.bz2          78823    -
combined.t                   multiclass/vehicle/combined.t.bz2        19705    -
usps                         multiclass/usps.bz2                      7291     -
usps.t                       multiclass/usps.t.bz2                    2007     -
dna.scale                    multiclass/dna.scale                     2000     -
dna.scale.t                  multiclass/dna.scale.t                   1186     -
heart_scale                  binary/heart_scale                       270      -
german.numer_scale           binary/german.numer_scale                1000     -
colon-cancer                 binary/colon-cancer.bz2                  62       -
housing_scale                regression/housing_scale                 506      -
cpusmall                     regression/cpusmall                      8192     -
END
}

usage() {
    echo "usage: fetch.sh [--from URL] FOLDER [NAME...]    or    fetch.sh --list" >&2
    exit 2
}

download() { # URL FILE
    case $1 in
    file://*) cp "${1#file://}" "$2" ;;
    *)
        if command -v curl >/dev/null; then
            curl -fSL --retry 3 --connect-timeout 30 -o "$2" "$1"
        else
            wget -O "$2" "$1"
        fi
        ;;
    esac
}

unpack() { # FILE URL, to standard output; the URL's ending names the packing
    case $2 in
    *.bz2) bzip2 -dc "$1" ;;
    *) cat "$1" ;;
    esac
}

# Whether FILE is whole: it ends in a newline and has these many rows and pairs.
check() { # FILE ROWS PAIRS
    awk -v file="$1" -v rows="$2" -v pairs="$3" '
        { n += NF - 1 }
        END {
            if (NR != rows) { print file ": " NR " rows, not " rows; exit 1 }
            if (pairs != "-" && n != pairs) { print file ": " n " pairs, not " pairs; exit 1 }
        }' "$1" >&2 || return 1
    if [ "$(tail -c 1 "$1" | od -An -tx1 | tr -d ' ')" != 0a ]; then
        echo "$1: the last line is cut short" >&2
        return 1
    fi
}

present() { # FILE ROWS PAIRS
    if [ -f "$1" ]; then
        check "$1" "$2" "$3"
    elif [ -f "$1.gz" ]; then
        gzip -dc "$1.gz" >"$part" && check "$part" "$2" "$3"
    else
        return 1
    fi
}

fetch() { # NAME PATH ROWS PAIRS
    part=$folder/.$1.part.$$ packed=$folder/.$1.packed.$$
    if present "$folder/$1" "$3" "$4"; then
        echo "$1: already there"
        rm -f "$part"
        return 0
    fi
    if download "$from/$2" "$packed" && unpack "$packed" "$2" >"$part" &&
        check "$part" "$3" "$4" && mv "$part" "$folder/$1"; then
        rm -f "$packed"
        echo "$1: $3 rows"
    else
        rm -f "$packed" "$part"
        echo "$1: not fetched from $from/$2" >&2
        return 1
    fi
}

has_downloader() {
    command -v curl || command -v wget
}

has_certificates() { # where Debian has them
    [ ! -e /etc/debian_version ] || [ -e /etc/ssl/certs/ca-certificates.crt ]
}

# What fetching these sets takes; nothing for those that are there and for names that are unknown.
need_tools() { # NAME...
    for name; do
        [ ! -f "$folder/$name" ] && [ ! -f "$folder/$name.gz" ] || continue
        case $from in
        file://*) ;;
        *)
            need curl has_downloader
            need ca-certificates has_certificates
            ;;
        esac
        case $(table | awk -v name="$name" '$1 == name { print $2 }') in
        *.bz2) need bzip2 command -v bzip2 ;;
        esac
    done
    need_install
}

while [ $# -gt 0 ]; do
    case $1 in
    --list) table && exit 0 ;;
    --from)
        [ $# -ge 2 ] || usage
        from=${2%/}
        shift 2
        ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || usage
folder=$1
shift
mkdir -p "$folder" || exit 1
# shellcheck disable=SC2046 # a word a name
[ $# -gt 0 ] || set -- $(table | awk '{ print $1 }')
need_tools "$@"

part='' packed=''
trap 'rm -f "$part" "$packed"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0
for name; do
    row=$(table | awk -v name="$name" '$1 == name')
    if [ -z "$row" ]; then
        echo "fetch.sh: no data set $name; --list shows them" >&2
        failed=1
    else
        # shellcheck disable=SC2086 # the words of the row
        fetch $row || failed=1
    fi
done
exit $failed
