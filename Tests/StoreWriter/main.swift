// Writes changes to a store until it is killed, and prints the position of each one that is safe:
//
//     store-writer path normal|full

import MockAPNsLog
import MockAPNsSQLite
import MockAPNsWorld
import TestSupport

var options = SQLiteStore.Options()
options.sync = SQLiteStore.Sync(rawValue: CommandLine.arguments[2]) ?? .normal
options.searchBacklog = 20
let store = try SQLiteStore(path: CommandLine.arguments[1], options: options)

var position: UInt64 = 0
try store.visitEntries(after: 0) { entry throws(StoreError) in position = entry.position }
while true {
    position += 1
    let entry = LogEntry.made(position, position * 3..<position * 3 + 3) { push in
        push.body = [UInt8](repeating: 0x20, count: 500)
    }
    try store.write([entry])
    print(position)
    _ = try store.tidy(at: 0)
}
