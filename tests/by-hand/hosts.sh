#!/bin/bash
# hosts.sh BIN - by hand (make hosts-test), as root: train-mpi over three network namespaces in place of hosts, each with
# an address of its own on a bridge. The model is that of one machine; a process that is killed, and a host whose network
# is cut off during training, end all others within 20 s, without a model. Needs iproute2 and Open MPI.
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
here=librrm$$
bridge=rrm$$
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1

clean_up() {
    local host
    pkill -KILL -f "^$bin/train-mpi .*$work"
    for host in 1 2 3; do ip netns del $here-$host; done
    ip link del "$bridge"
    rm -rf "$work"
} 2>"$work/clean"
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "hosts.sh: $*" >&2
    exit 1
}

ip link add "$bridge" type bridge && ip link set "$bridge" up || fail 'no bridge (as root, with iproute2)'
for host in 1 2 3; do
    ip netns add $here-$host &&
        ip link add "$bridge.$host" type veth peer name eth0 netns $here-$host &&
        ip link set "$bridge.$host" master "$bridge" up &&
        ip -n $here-$host address add 10.77.0.$host/24 dev eth0 &&
        ip -n $here-$host link set eth0 up && ip -n $here-$host link set lo up || fail "no namespace $host"
done

# What mpirun calls in place of ssh: ADDRESS COMMAND...
cat >"$work/agent" <<END
#!/bin/sh
address=\$1
shift
exec ip netns exec $here-\${address##*.} sh -c "\$*"
END
chmod +x "$work/agent"

over_hosts() { # ARGUMENTS...
    ip netns exec $here-1 timeout 60 mpirun --host 10.77.0.1,10.77.0.2,10.77.0.3 --mca plm_rsh_agent "$work/agent" \
        --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
        --mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
        "$bin/train-mpi" -q "$@"
}

# Whether the run of over_hosts in the background ends within 20 s, with an error and without a model.
ends_soon() { # WHAT
    local begun=$SECONDS status=0
    wait $! || status=$?
    [ $status -ne 0 ] || fail "$1: exit status 0"
    [ $((SECONDS - begun)) -le 20 ] || fail "$1: all ended after $((SECONDS - begun)) s"
    [ ! -e "$work/model" ] || fail "$1: a model"
    echo "$1: all ended after $((SECONDS - begun)) s, status $status"
}

data=$(cd "$(dirname "$0")/../../data" && pwd)
over_hosts -s ipm -l 1e-3 "$data/blobs.train" "$work/model" || fail "exit status $?"
mpirun -q --oversubscribe -n 3 "$bin/train-mpi" -q -s ipm -l 1e-3 "$data/blobs.train" "$work/one" || fail 'one machine'
cmp "$work/model" "$work/one" || fail 'another model than on one machine'
echo 'three hosts: the model of one machine'

long=(-s bundle-ls -e 0 -p 10000000 -l 1e-9 "$data/blobs.train" "$work/model")
rm "$work/model"
over_hosts "${long[@]}" >"$work/out" 2>&1 &
sleep 5
pkill -KILL -n -f "^$bin/train-mpi .*$work" || fail "nothing runs: $(cat "$work/out")"
ends_soon 'a process that is killed'

over_hosts "${long[@]}" >"$work/out" 2>&1 &
sleep 5
ip link set "$bridge.3" down
ends_soon 'a host that is cut off'
