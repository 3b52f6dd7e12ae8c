import Foundation
import MockAPNs
import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector

/// The inspector's page, as the server sends it.
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/CMockAPNsPage/web")
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    private func text(_ response: APIResponse) -> String { String(decoding: response.bytes, as: UTF8.self) }

    private func api(_ fixture: Fixture, token: String? = nil, showsPage: Bool = true) -> DebugAPI {
        DebugAPI(
            subject: InspectedServer(
                server: fixture.server, facts: Inspector.Facts(version: "1.2.3"), readiness: fixture.readiness,
                apiHost: "127.0.0.1", showsPage: showsPage), hosts: HostPolicy(boundHost: "127.0.0.1", allowed: []),
            access: Inspector.Access(token: token))
    }

    private func request(_ target: String, _ method: String = "GET", accept: String? = nil) -> APIRequest {
        var request = APIRequest(method: method, target: target)
        request.set("Host", "localhost:8197")
        request.localPort = 8_197
        request.set("Accept", accept)
        return request
    }

    // MARK: The files

    @Test func `the table has a row for every file, and no others`() throws {
        // Resolved, as the enumerator gives them.
        let root = Self.folder.resolvingSymlinksInPath().path + "/"
        let files = try #require(FileManager.default.enumerator(atPath: root))
        var found: [String: [UInt8]] = [:]
        while let path = files.nextObject() as? String {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: root + path, isDirectory: &isFolder)
            guard !isFolder.boolValue else { continue }
            found[path] = Array(try Data(contentsOf: URL(filePath: root + path)))
        }
        for document in ["../../../docs/clients.md", "../../../docs/tests.md", "../differences.html"] {
            let url = Self.folder.appending(path: document)
            found[url.lastPathComponent] = Array(try Data(contentsOf: url))
        }
        let rows = Dictionary(grouping: PageFile.all, by: \.path)
        for (path, bytes) in found {
            guard let row = rows[path]?.first else {
                Issue.record("web/\(path) is not in the program: run scripts/page-table")
                continue
            }
            // Not in the expectation, which would print every byte.
            let isSame = row.bytes == bytes
            #expect(isSame, "\(path) is another than in the folder")
        }
        for (path, files) in rows {
            #expect(found[path] != nil, "\(path) is no file of Sources/CMockAPNsPage/web")
            #expect(files.count == 1, "\(path) has two rows")
        }
        #expect(found.count > 3)
    }

    @Test func `a file's content type follows from its name`() {
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "md": "text/markdown; charset=utf-8",
        ]
        for file in PageFile.all {
            #expect(file.contentType == types[String(file.path.split(separator: ".").last ?? "")], "\(file.path)")
        }
    }

    /// What the policy would not let a browser do must not be in the page in the first place.
    @Test func `the page loads only its own files and has no inline code`() throws {
        let html = try #require(PageFile.at("index.html").map { String(decoding: $0.bytes, as: UTF8.self) })
        let references = html.matches(of: /\b(?:src|href)="([^"]*)"/).map { String($0.1) }
        #expect(references.contains("/ui/app.js") && references.contains("/ui/icon.svg"))
        let routes = RouteTable(DebugAPI.allRoutes)
        for reference in references where !reference.hasPrefix("#") {
            let place = reference.prefix { $0 != "#" && $0 != "?" }
            let isFile = place.hasPrefix("/ui/") && PageFile.at(String(place.dropFirst(4))) != nil
            #expect(isFile || routes.match(String(place)) != nil, "\(reference)")
        }
        #expect(html.matches(of: /<script(?![^>]*\bsrc=)/).isEmpty, "a script in the page itself")
        #expect(html.matches(of: /\s(style|on[a-z]+)=|<style|javascript:/).isEmpty)
    }

    @Test func `modules and style sheets lead to files that there are`() {
        for file in PageFile.all where file.path.hasSuffix(".js") || file.path.hasSuffix(".css") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let pattern =
                /(?m)(?:^import\s+|^(?:import|export)\s[^;"']*?\sfrom\s+|\bimport\(|^\s*@import\s+(?:url\()?)["']([^"']+)/
            for match in text.matches(of: pattern) {
                let reference = String(match.1)
                // The page shows snippets for Node: text in a module, and no import of it.
                if reference.hasPrefix("node:") { continue }
                let path = URL(string: reference, relativeTo: URL(string: "http://host/ui/\(file.path)"))?.path ?? ""
                #expect(
                    path.hasPrefix("/ui/") && PageFile.at(String(path.dropFirst(4))) != nil,
                    "\(file.path) asks for \(reference), which is \(path)")
            }
        }
    }

    // MARK: The routes

    static let places = [
        "/", "/?q=is:rejected&ns=t-42&after=3&whatever", "/p/psh_0000010000000001", "/p/%3Cscript%3E",
        "/latest?q=topic:a", "/devices", "/devices/@alice", "/devices/00ff", "/faults", "/faults/flt_1", "/feedback",
        "/keys", "/connections", "/connections/c17", "/log",
    ]

    @Test(arguments: places) func `the page is served at each of its paths with a policy`(target: String) async throws {
        try await withFixture { fixture in
            for method in ["GET", "HEAD"] {
                let page = await api(fixture).answer(request(target, method))
                #expect(page.status == 200)
                #expect(page.contentType == "text/html; charset=utf-8")
                #expect(page.bytes == PageFile.at("index.html")?.bytes)
                #expect(
                    page[header: "Content-Security-Policy"]
                        == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
                        + "; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                        + " require-trusted-types-for 'script'; trusted-types event-stream")
                #expect(page[header: "X-Content-Type-Options"] == "nosniff")
                #expect(page[header: "Referrer-Policy"] == "no-referrer")
                #expect(page[header: "Cross-Origin-Opener-Policy"] == "same-origin")
                #expect(page[header: "Cache-Control"] == "no-store")
            }
            #expect(await api(fixture).answer(request(target, "POST")).status == 405)
        }
    }

    @Test func `a picture of another server is shown in a document that allows nothing else`() async throws {
        try await withFixture { fixture in
            let address = "https://Example.com:8443/a.png?b=\"><script>&c='"
            let encoded = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = await api(fixture).answer(request("/ui/picture/" + encoded))
            #expect(page.status == 200)
            let source = "https://Example.com:8443/a.png?b=&quot;&gt;&lt;script&gt;&amp;c=&#39;"
            #expect(text(page).contains("<img src=\"\(source)\""))
            #expect(
                page[header: "Content-Security-Policy"]
                    == "default-src 'none'; img-src https://Example.com:8443; style-src 'unsafe-inline'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'self'; sandbox")
            #expect(page[header: "Referrer-Policy"] == "no-referrer")
            #expect(page[header: "Set-Cookie"] == nil)
        }
    }

    @Test(arguments: [
        "a.png", "javascript%3Aalert(1)", "file%3A%2F%2F%2Fa.png", "https%3A%2F%2F",
        "https%3A%2F%2Fa%3B%20script-src%20*", "https%3A%2F%2Fa%0D%0AX%3A%20y%2F", "https%3A%2F%2Fuser%40a%2Fb.png",
        "https%3A%2F%2Fb%C3%BCcher.de%2F",
    ]) func `an invalid address of a picture is refused`(address: String) async throws {
        try await withFixture { fixture in
            let answer = await api(fixture).answer(request("/ui/picture/" + address))
            #expect(answer.status == 400, "\(text(answer))")
        }
    }

    @Test func `each file is under ui, with the same policy`() async throws {
        try await withFixture { fixture in
            for file in PageFile.all {
                let answer = await api(fixture).answer(request("/ui/" + file.path))
                #expect(answer.status == 200 && answer.bytes == file.bytes, "\(file.path)")
                #expect(answer.contentType == file.contentType)
                #expect(answer[header: "Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
            }
            let icon = await api(fixture).answer(request("/favicon.ico"))
            #expect(icon.contentType == "image/svg+xml" && icon.bytes == PageFile.at("icon.svg")?.bytes)
        }
    }

    static let codings: [(accepted: String?, isJoined: Bool)] = [
        (nil, false), ("gzip", true), ("deflate, GZIP;q=0.5", true), ("br,gzip", true), ("gzip;q=0", false),
        ("gzip; q=0.000", false), ("identity", false), ("gzippy", false),
    ]

    /// Without `scripts/join-page`, nothing is joined, and everybody gets the files as they are written.
    @Test(arguments: codings) func `a client that takes gzip gets the joined page, if the build has joined it`(
        accepted: String?, isJoined: Bool
    ) async throws {
        try await withFixture { fixture in
            for (target, path) in [("/", "index.html"), ("/devices", "index.html"), ("/ui/loading.js", "loading.js")] {
                var asked = request(target)
                asked.set("Accept-Encoding", accepted)
                let answer = await api(fixture).answer(asked)
                let joined = PageFile.joined(at: path)
                #expect(answer.bytes == (isJoined ? joined : nil)?.bytes ?? PageFile.at(path)?.bytes, "\(target)")
                #expect(answer[header: "Content-Encoding"] == (isJoined && joined != nil ? "gzip" : nil))
                #expect(answer[header: "Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
            }
        }
    }

    @Test(arguments: [
        "/ui/nothing.js", "/ui/", "/ui", "/ui/../page.c", "/ui/%2e%2e/page.c", "/ui//app.js", "/ui/app.js/",
        "/ui/style", "/ui/app.js%00", "/UI/app.js", "/index.html", "/p/", "/p/a/b", "/devices/",
    ]) func `an unknown file or path is not found`(target: String) async throws {
        try await withFixture { fixture in
            let answer = await api(fixture).answer(request(target))
            #expect(answer.status == 404 && answer.contentType == APIResponse.problem)
        }
    }

    @Test func `a misspelled file gets the nearest as a suggestion, without a query`() async throws {
        try await withFixture { fixture in
            let answer = await api(fixture).answer(request("/ui/ap.js"))
            #expect(answer.text("detail") == "The page has no file 'ap.js'; did you mean '/ui/app.js'?")
            #expect(await api(fixture).answer(request("/ui/app.js?v=1")).status == 400)
            #expect(await api(fixture).answer(request("/ui/a%zz")).status == 400)
        }
    }

    @Test func `the page is not in the API's document`() {
        let described = OpenAPIDocument(groups: RouteGroup.all, version: "1").json["paths"]
        for route in PageRoutes.routes {
            #expect(described?[route.path] == nil, "\(route.path)")
            #expect(!route.path.hasPrefix("/api/"))
            #expect(!DebugAPI.routes.contains { $0.path == route.path })
        }
        #expect(DebugAPI.allRoutes.count == DebugAPI.routes.count + PageRoutes.routes.count)
    }

    @Test func `without the page, the API works and the page's path says why`() async throws {
        try await withFixture { fixture in
            let api = api(fixture, showsPage: false)
            for target in Self.places + ["/ui/app.js", "/favicon.ico"] {
                let answer = await api.answer(request(target))
                #expect(answer.status == 404, "\(target)")
                #expect(answer.text("detail")?.contains("without --no-ui (MOCK_APNS_NO_UI)") == true)
            }
            #expect(await api.answer(request("/api/v1/info")).status == 200)
            #expect(await api.answer(request("/docs")).status == 200)
        }
    }

    // MARK: Who may look

    @Test func `a browser without the token gets instructions`() async throws {
        try await withFixture { fixture in
            let api = api(fixture, token: "s3cret")
            for target in ["/", "/p/x?ns=%22%3E%3Cb%3E\"><b>", "/ui/app.js", "/api/v1/info", "//evil.example/"] {
                let page = await api.answer(request(target, accept: Self.browser))
                #expect(page.status == 401 && page.contentType == "text/html; charset=utf-8")
                #expect(page[header: "WWW-Authenticate"] != nil)
                #expect(page[header: "Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
                let html = text(page)
                #expect(html.contains("<code>/?token=&lt;token&gt;</code>"))
                #expect(html.contains("--api-token"))
                #expect(!html.contains("s3cret") && !html.contains("\"><b>") && !html.contains("href=\"//"))
                #expect(html.contains("<a href=\"/"))
                // A program gets what programs get.
                let problem = await api.answer(request(target))
                #expect(problem.status == 401 && problem.contentType == APIResponse.problem)
            }
            var signedIn = request("/p/x")
            signedIn.set("Cookie", "mock-apns-token-8197=s3cret")
            #expect(await api.answer(signedIn).bytes == PageFile.at("index.html")?.bytes)
            let link = await api.answer(request("/p/x?q=a&token=s3cret", accept: Self.browser))
            #expect(link.status == 303 && link[header: "Location"] == "/p/x?q=a")
        }
    }

    static let accepts: [(accept: String?, isPage: Bool)] = [
        (nil, false), ("*/*", false), ("text/html", true), (browser, true), ("TEXT/HTML;q=1", true),
        ("application/json, text/html", false), ("text/html, application/json", true),
        ("application/xml, text/html", true), ("text/plain", false), ("text/htmlx", false),
    ]

    @Test(arguments: accepts) func `a problem is HTML for a browser and JSON for a program`(
        accept: String?, isPage: Bool
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/%3Cscript%3Ealert(1)</script>", accept: accept)
            #expect(answer.status == 404)
            #expect(answer.contentType == (isPage ? HTMLText.contentType : APIResponse.problem))
            if isPage {
                #expect(text(answer).contains("<a href=\"/\">Inspector</a>"))
                #expect(!text(answer).contains("<script") && !text(answer).contains("alert(1)<"))
            }
            // Only looking is for people.
            let post = await api(fixture).answer(request("/api/v1/info", "POST", accept: accept))
            #expect(post.status == 405 && post.contentType == APIResponse.problem)
        }
    }

    @Test func `the page is refused for another host`() async throws {
        try await withFixture { fixture in
            var asked = request("/", accept: Self.browser)
            asked.set("Host", "evil.example")
            let answer = await api(fixture).answer(asked)
            #expect(answer.status == 421 && answer.contentType == HTMLText.contentType)
            #expect(text(answer).contains("--allowed-host evil.example"))
        }
    }

    @Test func `the page is served whole over a socket`() async throws {
        try await withInspector { _, _, port in
            let page = try await HTTPClient.ask("/p/psh_1?ns=a", port: port)
            #expect(page.status == 200 && page.body.contains("/ui/app.js"))
            #expect(page.headers.contains { $0 == ("Content-Type", "text/html; charset=utf-8") })
            #expect(page.headers.contains { $0.name == "Content-Security-Policy" })
            for file in PageFile.all {
                let answer = try await HTTPClient.ask("/ui/" + file.path, port: port)
                #expect(answer.status == 200 && Array(answer.body.utf8) == file.bytes, "\(file.path)")
            }
            let head = try await HTTPClient.ask("/", port: port, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    // MARK: Links

    @Test func `a report links to the push it is about`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            func report(_ path: String, _ body: String, _ api: DebugAPI) async -> String {
                var asked = request(path, "POST", accept: "text/plain")
                asked.body = Array(body.utf8)
                let answer = await api.answer(asked)
                #expect(answer.status == 409, "\(path)")
                return text(answer)
            }
            // The page explains the nearest push by the matcher, unless that makes the link too long.
            let match = #"{"topic":"com.example.other"}"#
            let long = #"{"topic":"\#(String(repeating: "x", count: 1_500))"}"#
            let cases: [(path: String, body: String, query: String)] = [
                ("verify", #"{"match":\#(match)}"#, "?match=" + Base64URL.encode(match.utf8)),
                ("verify", #"{"match":\#(long)}"#, ""), ("verify", #"{"match":{},"count":{"never":true}}"#, ""),
                ("verify-sequence", #"{"steps":[{},{"topic":"com.example.other"}]}"#, ""),
                ("verify-none-unverified", "{}", ""),
            ]
            for (path, body, query) in cases {
                let page = await report("/api/v1/pushes/" + path, body, api(fixture))
                let link = "\nlook: http://localhost:8197/p/psh_0000010000000001\(query)\n"
                #expect(page.contains(link), "\(page)")
                let none = await report("/api/v1/pushes/" + path, body, api(fixture, showsPage: false))
                #expect(!none.contains("look:"), "\(none)")
            }
        }
    }

    @Test func `a report of a namespace links to it`() async throws {
        try await withFixture { fixture in
            let api = api(fixture)
            func post(_ path: String, _ body: String) async -> APIResponse {
                var asked = request(path, "POST")
                asked.body = Array(body.utf8)
                return await api.answer(asked)
            }
            #expect(await post("/api/v1/namespaces", #"{"name":"t-42"}"#).status == 201)
            let export = await { () async -> String in
                fixture.publish(PushDraft())
                return text(await api.answer(request("/api/v1/pushes/export")).whole())
            }()
            #expect(await post("/api/v1/namespaces/t-42/pushes/import", export).status == 201)
            let failed = await post("/api/v1/namespaces/t-42/pushes/verify-none-unverified", "{}")
            let report = try #require(failed.text("report"))
            #expect(report.contains("http://localhost:8197/p/psh_"), "\(report)")
            #expect(report.contains("?ns=t-42\n"))
        }
    }
}
