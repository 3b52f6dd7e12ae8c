/// Code points that Unicode reserves as noncharacters, which no string literal may have.
public enum Noncharacters {
    /// One of each kind.
    public static let text = String(
        String.UnicodeScalarView([0xfffe, 0xffff, 0xfdd0, 0x1_fffe, 0x10_ffff].compactMap { Unicode.Scalar($0) }))
}
