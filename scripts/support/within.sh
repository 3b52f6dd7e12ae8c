# shellcheck shell=bash
# A limit on silence for a command and its child processes. To be sourced.
#
# There is no limit on the whole: a slow or busy machine makes progress slowly.

# A process and its descendants, children before parents.
family() {
    local child
    for child in $(pgrep -P "$1" || true); do family "$child"; done
    echo "$1"
}

# What a log and its events have grown to.
progress() { cat "$1" "$1.events" 2>/dev/null | wc -c; }

# The cases that had begun but not ended, from a log's events: those of Swift's runner, or lines of Tests/Interop/report.py.
unfinished() {
    comm -23 <(_cases testStarted started "$1.events") <(_cases testEnded ended "$1.events")
}
_cases() {
    sed -nE -e "s/.*\"kind\":\"$1\".*\"testID\":\"([^\"]*:[0-9]+:[0-9]+)\".*/\1/p" -e "s/^$2	//p" "$3" |
        sed 's,\\/,/,g' | sort
}

# within MINUTES LOG COMMAND...: runs a command with its output in LOG and, as TEST_EVENTS, its cases in LOG.events. If for
# that many minutes neither grows, adds the stacks of its servers and Swift tests to LOG, kills it with its children, and
# returns 124.
within() {
    local silence=$(($1 * 60)) log=$2 running size=-1 now last=$SECONDS
    shift 2
    TEST_EVENTS=$log.events "$@" >"$log" 2>&1 &
    running=$!
    while kill -0 "$running" 2>/dev/null; do
        now=$(progress "$log")
        if [[ $now != "$size" ]]; then
            size=$now last=$SECONDS
        elif ((SECONDS - last >= silence)); then
            scripts/support/stacks.py --below "$running" >>"$log" 2>&1 || true
            # shellcheck disable=SC2046 # a list of numbers
            kill -KILL $(family "$running") 2>/dev/null || true
            wait "$running" 2>/dev/null || true
            return 124
        fi
        sleep 1
    done
    wait "$running"
}
