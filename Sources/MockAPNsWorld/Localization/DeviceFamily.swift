internal import MockAPNsFormats

/// A kind of device that localized texts may have a form for, by its name in string catalogs.
package enum DeviceFamily: String, CaseIterable, Sendable {
    case iphone
    case ipad
    case ipod
    case applewatch
    case appletv
    case applevision
    case mac
    /// Every device without a form.
    case other
}

extension DeviceFamily: Comparable, Archived {
    package static func < (left: Self, right: Self) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
