#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The target that the environment variable `FUZZ_TARGET` names.
///
/// An environment variable, because the arguments are libFuzzer's.
private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        fatalError("invalid FUZZ_TARGET '\(name)': expected one of \(names)")
    }
    return target
}()

/// Runs one input; called by libFuzzer, which takes a crash for a finding.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count <= target.longest else { return -1 }
    do { try target.run(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}
