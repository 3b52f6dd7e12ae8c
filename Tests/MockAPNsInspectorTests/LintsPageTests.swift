import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

/// The page that `learn` of a lint leads to.
@Suite struct LintsPageTests {
    @Test func `every lint leads to its place on the page`() async throws {
        try await withFixture { fixture in
            for lint in Lint.allCases {
                let parts = lint.learn.split(separator: "#", maxSplits: 1)
                let page = await fixture.get(String(parts[0]))
                try #require(page.status == 200 && page.contentType == "text/html; charset=utf-8")
                let html = String(decoding: page.bytes, as: UTF8.self)
                let article = try #require(html.split(separator: "<article id=\"\(parts[1])\">").last)
                for text in [lint.meaning, lint.why, lint.fix, lint.source] {
                    let end = article.split(separator: "</article>")[0]
                    #expect(end.contains(HTMLText.escaped(text)), "\(lint.id)")
                }
                #expect(html.contains("<li><a href=\"#\(lint.id)\">"), "\(lint.id)")
            }
        }
    }

    @Test func `the page loads nothing from elsewhere and runs nothing`() async throws {
        try await withFixture { fixture in
            let page = await fixture.get("/docs/lints")
            let docs = await fixture.get("/docs")
            #expect(page[header: "Content-Security-Policy"] != nil)
            #expect(page[header: "Content-Security-Policy"] == docs[header: "Content-Security-Policy"])
            let html = String(decoding: page.bytes, as: UTF8.self)
            for word in ["<script", "javascript:", " style=", " onclick", "src="] {
                #expect(!html.contains(word), "\(word)")
            }
            let links = Set(html.matches(of: /href="([^"]*)"/).map { String($0.1) })
            #expect(links.filter { !$0.hasPrefix("#") }.sorted() == ["/docs", "/docs/style.css"])
            for link in links where link.hasPrefix("#") {
                #expect(html.contains("id=\"\(link.dropFirst())\""), "\(link) leads nowhere")
            }
        }
    }
}
