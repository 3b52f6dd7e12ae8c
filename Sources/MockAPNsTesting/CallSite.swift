internal import Testing

#if canImport(XCTest)
internal import XCTest
#endif

/// The place in a test that is shown with a failure.
struct CallSite {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// Fails the current test here, and returns the error that ends it.
    ///
    /// Swift Testing does not report that error again. XCTest has no way to say so, and reports it as a second failure.
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
        } catch {
            return error
        }
    }

    private var sourceLocation: SourceLocation {
        SourceLocation(
            fileID: "\(fileID)",
            filePath: "\(filePath)",
            line: Int(line),
            column: Int(column)
        )
    }
}
