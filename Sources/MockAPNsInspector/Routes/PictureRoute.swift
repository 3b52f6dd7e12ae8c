internal import MockAPNsAPI

/// A document with one picture of another server, for a frame of the page.
///
/// The page itself allows no pictures of other servers. The policy of this document allows those of one server, and
/// nothing else.
enum PictureRoute {
    static let route = Route("GET", "/ui/picture/{address}") { (call) throws(Problem) in
        let address = call.pathParts["address"] ?? ""
        guard let server = server(of: address) else {
            throw Problem(
                .badPath, "'\(address)' is not the address of a picture: expected one such as https://host/a.png")
        }
        let style = "<style>body { margin: 0 } img { max-width: 100%; max-height: 100vh }</style>"
        let picture = "<img src=\"\(HTMLText.escaped(address))\" alt=\"The picture at this address\">"
        return .text(
            HTMLText.page(title: "Picture", body: style + picture), as: HTMLText.contentType,
            headers: APIResponse.safety(
                "default-src 'none'; img-src \(server); style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'self'; sandbox"))
    }

    private static let hostCharacters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]".utf8)

    /// The scheme, host and port of an address, as a source of a policy; `nil` for other texts.
    private static func server(of address: String) -> Substring? {
        let scheme = ["https://", "http://"].first { address.lowercased().hasPrefix($0) }
        guard let scheme else { return nil }
        let host = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !host.isEmpty, host.utf8.allSatisfy(hostCharacters.contains) else { return nil }
        return address[..<host.endIndex]
    }
}
