import Foundation

/// Sends pushes with SwiftNIO over one connection: the TLS of async-http-client, APNSwift and Vapor.
///
/// Reads a `Job` on stdin and prints `Answers`. Trusts `certs/ca.pem` below the working directory.
@main struct SwiftPush {
    static func main() async throws {
        let job = try JSONDecoder().decode(Job.self, from: FileHandle.standardInput.readDataToEndOfFile())
        guard let url = URL(string: job.base), let host = url.host, let port = url.port else {
            fail("invalid base '\(job.base)': expected https://host:port")
        }
        let connection: Connection
        do { connection = try await Connection(host: host, port: port) } catch {
            fail("no TLS connection to \(job.base): \(error)")
        }
        let answers =
            if job.parallel { await sendAtOnce(job.requests, over: connection) } else {
                await sendInTurn(job.requests, over: connection)
            }
        print(String(decoding: try JSONEncoder().encode(Answers(answers: answers)), as: UTF8.self))
        try await connection.close()
    }

    private static func sendInTurn(_ requests: [Job.Request], over connection: Connection) async -> [Answer] {
        var answers: [Answer] = []
        for request in requests { answers.append(await connection.send(request)) }
        return answers
    }

    private static func sendAtOnce(_ requests: [Job.Request], over connection: Connection) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { group in
            for (place, request) in requests.enumerated() { group.addTask { (place, await connection.send(request)) } }
            return await group.reduce(into: [Answer](repeating: Answer(), count: requests.count)) { $0[$1.0] = $1.1 }
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }
}
