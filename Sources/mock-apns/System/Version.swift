enum Version {
    static let text = "0.2.0"
    /// The commit that it was built from; set when a build is packaged.
    static let commit: String? = nil
}
