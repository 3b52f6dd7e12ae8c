internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The number of the newest push: take it before acting, then ask for what came after it.
enum SequenceRoute {
    static func current(_ call: Route.Call) throws(Problem) -> APIResponse {
        let extent = call.subject.journal.extent
        return .json(
            APIObject<SequenceShape> {
                $0.epoch = extent.epoch
                $0.seq = extent.lastSeq
            }
        )
    }
}
