import MockAPNsFormats
import Testing

@testable import MockAPNsInspector

/// `docs/differences.md` as a page.
@Suite struct DifferencesPageTests {
    @Test func `every setting leads to its row on the page`() async throws {
        try await withFixture { fixture in
            let openAPI = JSONParser.value(of: await fixture.get("/api/v1/openapi.json").bytes)
            let settings = openAPI?["components"]?["schemas"]?["Settings"]?["properties"]
            // It only sets others.
            for setting in RunTimeSetting.all where setting.name != "strict" {
                let link = settings?[setting.name]?["externalDocs"]?["url"]?.plainText
                let parts = try #require(link, "\(setting.name)").split(separator: "#")
                let page = await fixture.get(String(parts[0]))
                try #require(page.status == 200 && page.contentType == "text/html; charset=utf-8")
                let html = String(decoding: page.bytes, as: UTF8.self)
                #expect(html.contains("id=\"\(parts[1])\""), "\(setting.name)")
            }
        }
    }

    @Test func `the page loads nothing from elsewhere and runs nothing`() async throws {
        try await withFixture { fixture in
            let page = await fixture.get("/docs/differences")
            #expect(
                page[header: "Content-Security-Policy"]
                    == (await fixture.get("/docs"))[header: "Content-Security-Policy"])
            let html = String(decoding: page.bytes, as: UTF8.self)
            for word in ["<script", "javascript:", " style=", " onclick", "src="] {
                #expect(!html.contains(word), "\(word)")
            }
            for link in html.matches(of: /href="([^"]*)"/).map({ $0.1 }) {
                let isKnown = ["/docs", "/docs/style.css"].contains(link) || link.hasPrefix("https://")
                #expect(isKnown || html.contains("id=\"\(link.dropFirst())\""), "\(link) leads nowhere")
            }
            let ids = html.matches(of: /id="([^"]*)"/).map { $0.1 }
            #expect(Set(ids).count == ids.count)
            for mark in ["**", "](", "| ---"] { #expect(!html.contains(mark), "\(mark)") }
        }
    }
}
