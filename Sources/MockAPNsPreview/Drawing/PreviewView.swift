/// The part of a view that a picture shows.
package enum PreviewCrop: String, CaseIterable {
    /// The whole device, with the facts that it does not show below.
    case device
    /// The notification, or what is shown instead of one.
    case notification
}

/// A place where a notification is shown.
package enum PreviewView: String, CaseIterable {
    case lockScreen = "lock-screen"
    case banner
    case notificationCenter = "notification-center"
    case watch
    case liveActivity = "live-activity"

    package struct Row {
        package let name: String
        package var width = 433.0
        var height: (PreviewScene) -> Double = { _ in 892 }
        let draw: (PreviewScene, inout PreviewCanvas) -> Void
    }

    package var row: Row {
        switch self {
        case .lockScreen: Row(name: "Lock screen", draw: LockScreen.draw)
        case .banner: Row(name: "Banner", height: HomeScreen.height, draw: HomeScreen.draw)
        case .notificationCenter: Row(name: "Notification Center", draw: NotificationCenterScreen.draw)
        case .watch: Row(name: "Apple Watch", width: 340, height: { _ in 370 }, draw: WatchScreen.draw)
        case .liveActivity: Row(name: "Live Activity", draw: LockScreen.draw)
        }
    }

    package static func usual(for kind: PreviewKind) -> PreviewView {
        kind == .liveActivity ? .liveActivity : .lockScreen
    }

    package func fits(_ kind: PreviewKind) -> Bool {
        switch self {
        case .lockScreen: true
        case .liveActivity: kind == .liveActivity
        case .banner where kind == .voip: true
        case .banner, .notificationCenter, .watch: kind == .alert || kind == .quiet
        }
    }
}
