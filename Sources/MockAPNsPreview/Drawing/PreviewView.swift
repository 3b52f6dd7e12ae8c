/// A place where a notification is shown.
///
/// To add a view, add a case, its row and a draw function.
package enum PreviewView: String, CaseIterable {
    case lockScreen = "lock-screen"
    case banner
    case notificationCenter = "notification-center"
    case watch
    case liveActivity = "live-activity"

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

    package static func usual(for kind: PreviewKind) -> PreviewView {
        kind == .liveActivity ? .liveActivity : .lockScreen
    }

    package func fits(_ kind: PreviewKind) -> Bool {
        switch self {
        case .lockScreen: true
        case .liveActivity: kind == .liveActivity
        case .banner, .notificationCenter, .watch: kind == .alert || kind == .quiet
        }
    }
}
