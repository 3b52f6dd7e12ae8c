internal import Testing

#if canImport(XCTest)
internal import XCTest
#endif

/// The source location that is shown with a failure.
struct CallSite {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// Records a failure at this location, and returns the error to throw.
    ///
    /// Swift Testing does not report that error again. XCTest does, as a second failure; this cannot be avoided.
    func fail(_ report: String) -> any Error {
        guard Test.current != nil else {
            #if canImport(XCTest)
            XCTFail(report, file: filePath, line: line)
            #endif
            return APNsMock.Failure("an expectation was not met, as reported above")
        }
        let expectationIsMet = false
        do {
            try #require(expectationIsMet, "\(report)", sourceLocation: sourceLocation)
            return CancellationError()
        } catch { return error }
    }

    private var sourceLocation: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}
