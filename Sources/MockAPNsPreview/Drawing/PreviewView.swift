/// Where a notification can be seen.
///
/// To add one: add a case and its row, and the function that draws it.
package enum PreviewView: String, CaseIterable {
    case lockScreen = "lock-screen"
    case banner
    case notificationCenter = "notification-center"
    case watch
    case liveActivity = "live-activity"

    /// Its name for people, the size of what is drawn, and what draws it.
    package struct Row {
        package let name: String
        package let width: Double
        let height: (PreviewScene) -> Double
        let draw: (PreviewScene, inout PreviewCanvas) -> Void
    }

    package var row: Row {
        switch self {
        case .lockScreen:
            Row(name: "Lock screen", width: 433, height: { _ in 892 }, draw: LockScreen.draw)
        case .banner:
            Row(name: "Banner", width: 433, height: HomeScreen.height, draw: HomeScreen.draw)
        case .notificationCenter:
            Row(
                name: "Notification Center",
                width: 433,
                height: { _ in 892 },
                draw: NotificationCenterScreen.draw
            )
        case .watch:
            Row(name: "Apple Watch", width: 340, height: { _ in 370 }, draw: WatchScreen.draw)
        case .liveActivity:
            Row(name: "Live Activity", width: 433, height: { _ in 892 }, draw: LockScreen.draw)
        }
    }

    /// What is shown where nobody has said which.
    package static func usual(for kind: PreviewKind) -> PreviewView {
        kind == .liveActivity ? .liveActivity : .lockScreen
    }

    /// Whether it shows anything of such a push.
    package func fits(_ kind: PreviewKind) -> Bool {
        switch self {
        case .lockScreen: true
        case .liveActivity: kind == .liveActivity
        case .banner, .notificationCenter, .watch: kind == .alert || kind == .quiet
        }
    }
}
