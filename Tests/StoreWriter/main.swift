// Writes changes to a store until it is killed, and prints the position of each one that is safe:
//
//     store-writer path normal|full

import MockAPNsLog
import MockAPNsSQLite
import MockAPNsWorld

var options = SQLiteStore.Options()
options.sync = SQLiteStore.Sync(rawValue: CommandLine.arguments[2]) ?? .normal
options.searchBacklog = 20
let store = try SQLiteStore(path: CommandLine.arguments[1], options: options)

var position: UInt64 = 0
try store.visitEntries(after: 0) { entry throws(StoreError) in position = entry.position }
while true {
    position += 1
    var entry = LogEntry(position: position, system: 0, world: 0, kind: "pushes", data: [])
    for number in 0..<3 as Range<UInt64> {
        var push = LoggedPush(seq: position * 3 + number, receivedAt: 0, answeredAt: 0)
        push.token = String(repeating: "ab", count: 32)
        push.body = [UInt8](repeating: 0x20, count: 500)
        entry.pushes.append(push)
    }
    try store.write([entry])
    print(position)
    _ = try store.tidy(at: 0)
}
