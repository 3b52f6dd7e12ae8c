// Work that is put off, so that many events cause little of it.

/// The shortest time until work is tried again that is still going on.
const SHORTEST = 50

/// Returns a function that runs `work` after a pause, once for all calls until then, and never twice at a time. A call
/// may give another pause (in milliseconds).
export function soon(work, usual = 0) {
  let timer = 0
  let isWorking = false
  const run = async (pause) => {
    timer = isWorking ? setTimeout(run, Math.max(pause, SHORTEST), pause) : 0
    if (isWorking) return
    isWorking = true
    try {
      await work()
    } finally {
      isWorking = false
    }
  }
  return (pause = usual) => { timer ||= setTimeout(run, pause, pause) }
}

/// Returns a function that runs `work` when it was not called for a while (in milliseconds).
export function whenStill(work, rest) {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, rest)
  }
}
