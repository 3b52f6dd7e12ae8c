# shellcheck shell=bash
# A time limit for a command and its child processes. To be sourced.

# A process and its descendants, children before parents.
family() {
    local child
    for child in $(pgrep -P "$1" || true); do family "$child"; done
    echo "$1"
}

# within MINUTES LOG COMMAND...: runs a command. Returns 124 if it took too long and was killed with its children.
within() {
    local deadline=$((SECONDS + $1 * 60)) log=$2 running
    shift 2
    "$@" >"$log" 2>&1 &
    running=$!
    while kill -0 "$running" 2>/dev/null; do
        if ((SECONDS >= deadline)); then
            # shellcheck disable=SC2046 # a list of numbers
            kill -KILL $(family "$running") 2>/dev/null || true
            wait "$running" 2>/dev/null || true
            return 124
        fi
        sleep 1
    done
    wait "$running"
}
