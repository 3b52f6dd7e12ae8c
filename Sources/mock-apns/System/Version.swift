/// The version of this program.
enum Version {
    static let text = "0.1.0"
    /// The commit that it was built from; whoever packages a build writes it here, because a build cannot tell.
    static let commit: String? = nil
}
