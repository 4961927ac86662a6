# A private PostgreSQL server, for the scripts that source this file. They set nothing and call
# `start_server FSYNC URL_VARIABLE`, and `stop_server` in the end; `base` is its directory.
# shellcheck shell=bash

base=       # directory of the server
server=     # process id of the server
user=       # who runs the server, where it is not the caller

postgres_bin() { # the directory of initdb, where there is one
    local found
    if found=$(command -v initdb); then
        dirname "$(readlink -f "$found")"
    else
        found=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)
        [[ -x $found ]] && dirname "$found"
    fi
}

as_server() { # PostgreSQL refuses to run as root
    if [[ -z $user ]]; then
        (cd "$base" && "$@")
    elif command -v runuser >/dev/null; then
        (cd "$base" && runuser -u "$user" -- "$@")
    else
        (cd "$base" && setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@")
    fi
}

start_server() { # on or off: whether a commit waits for the disk; the variable for its URL
    local bin
    bin=$(postgres_bin)
    # Not TMPDIR: others must be able to enter it, and the path of a socket has to be short.
    base=$(mktemp -d /tmp/assam-test.XXXXXX)
    if [[ $(id -u) -eq 0 ]]; then
        user=postgres
        id -u $user >/dev/null 2>&1 || user=nobody
        chown "$user" "$base"
    fi
    chmod 700 "$base"
    as_server "$bin/initdb" -D "$base/data" -U postgres -A trust --no-locale -E UTF8 --no-sync \
        >"$base/initdb.log" 2>&1 || { cat "$base/initdb.log" >&2; die "initdb failed"; }
    # Only a socket: no port to clash.
    cat >>"$base/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$base'
max_connections = 200
fsync = $1
CONF
    as_server "$bin/pg_ctl" -D "$base/data" -l "$base/server.log" -s -w -t 60 start </dev/null \
        || { cat "$base/server.log" >&2; die "PostgreSQL did not start"; }
    server=$(head -n 1 "$base/data/postmaster.pid")
    export "$2=postgres://postgres@${base//\//%2F}/postgres"
    echo "$("$bin/postgres" --version), process $server, in $base"
}

stop_server() {
    local signal
    # Fast, then immediate, then by force.
    for signal in INT QUIT KILL; do
        kill -$signal "$server" 2>/dev/null || break
        for _ in {1..100}; do
            kill -0 "$server" 2>/dev/null || break 2
            sleep 0.05
        done
    done
}

stop_server_at_exit() { # however the script ends, which keeps its status
    trap end_without_server EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

end_without_server() {
    local status=$?
    trap '' INT TERM HUP
    [[ -n $server ]] && stop_server
    [[ -n $base ]] && rm -rf "$base"
    exit "$status"
}
