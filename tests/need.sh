# shellcheck shell=sh
# need.sh - to be sourced: installs Debian packages, but only those whose absence shows.
#
#     need make command -v make       package make is missing unless `command -v make` succeeds
#     need_install                    apt-get, if anything is missing; ends the script on failure

missing=''

need() {
    package=$1
    shift
    case "$missing " in *" $package "*) return ;; esac
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

has_header() {
    echo "#include <$1>" | gcc -E -
}

has_module() { # of Debian's python3
    /usr/bin/python3 -c "import $1"
}

links() { # what a compiler with these options links
    echo 'int main(void) { return 0; }' | "$@" -x c - -o /dev/null
}

need_install() {
    [ -n "$missing" ] || return 0
    echo "installing:$missing"
    as_root=''
    [ "$(id -u)" = 0 ] || as_root=sudo
    # shellcheck disable=SC2086 # a word a package
    if ! command -v apt-get >/dev/null; then
        echo "no apt-get here: install what answers to these Debian packages:$missing" >&2
        exit 1
    elif ! $as_root apt-get update ||
        ! $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends $missing; then
        echo "apt-get could not install:$missing" >&2
        exit 1
    fi
    missing=''
}
