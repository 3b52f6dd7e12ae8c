import TestSupport
import Testing

@testable import MockAPNsWorld

struct ListenerTests {
    // Who cancels a task holds its lock while its handlers run, and one of them needs the world's; who wakes it needs
    // the task's. In the wrong order the two wait for each other for ever.
    @Test func `listeners may leave while something happens`() async throws {
        let world = try JudgingWorld().world
        let journal = world.journal
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { for number in 0..<20_000 { _ = world.mark("\(number)") } }
                group.addTask {
                    for _ in 0..<5_000 {
                        let changes = journal.changes()
                        let listening = Task { for await _ in changes {} }
                        await Task.yield()
                        listening.cancel()
                        await listening.value
                    }
                }
            }
        }
        await eventually { world.listenerCount == 0 }
    }
}
