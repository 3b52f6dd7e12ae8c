// Begins a turn of a log that replicas share, and keeps it until it is killed or its input ends:
//
//     turn-holder url

import Foundation
import MockAPNsLog
import MockAPNsPostgres

let log = try PostgresLog(CommandLine.arguments[1])
let head = try log.beginTurn()
// Not `print`, which waits for more to write to a pipe.
FileHandle.standardOutput.write(Data("\(head.position)\n".utf8))
_ = readLine()
