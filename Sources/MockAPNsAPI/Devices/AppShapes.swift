package import MockAPNsFormats
package import MockAPNsWorld

package final class CategorySummaryShape: Shape {
    package typealias Source = (name: AppKey<String>, count: Int)
    package static let definition = Definition(CategorySummaryShape(), "CategorySummary")
    package let category = Member<String> { $0.name.key }
    package let count = Member<Int> { $0.count }
    package let topic = Member<String>(.topic, "The bundle identifier.") { $0.name.app }
}

package final class CategoryShape: Shape {
    package typealias Source = (name: AppKey<String>, actions: [NotificationAction])
    package static let definition = Definition(CategoryShape(), "Category")
    package let actions = Member<[APIObject<CategoryActionShape>]> { $0.actions.map { APIObject($0) } }
    package let summary = Part<CategorySummaryShape> { ($0.name, $0.actions.count) }
}

package final class CategoryListShape: Shape {
    package typealias Source = [CategorySummaryShape.Source]
    package static let definition = Definition(CategoryListShape(), "CategoryList")
    package let categories = Member<[APIObject<CategorySummaryShape>]> { $0.map { APIObject($0) } }
}

package final class AppShape: Shape {
    package static let iconPrefix = "data:image/png;base64,"
    package typealias Source = (description: AppDescription, app: String)
    package static let definition = Definition(AppShape(), "App")
    package let icon = Member<String?>("The icon: data:image/png;base64, and the file.") {
        $0.description.icon.map { iconPrefix + Base64.encode($0) }
    }
    package let name = Member<String?> { $0.description.name }
    package let topic = Member<String>(.topic, "The bundle identifier.") { $0.app }
}

package final class AppListShape: Shape {
    package typealias Source = [AppShape.Source]
    package static let definition = Definition(AppListShape(), "AppList")
    package let apps = Member<[APIObject<AppShape>]> { $0.map { APIObject($0) } }
}

package final class StringsSummaryShape: Shape {
    package typealias Source = (name: AppKey<LanguageTag>, count: Int)
    package static let definition = Definition(StringsSummaryShape(), "StringsSummary")
    package let count = Member<Int> { $0.count }
    package let language = Member<String>(.languageTag) { $0.name.key.description }
    package let topic = Member<String>(.topic, "The bundle identifier.") { $0.name.app }
}

package final class StringsTableShape: Shape {
    package typealias Source = (name: AppKey<LanguageTag>, texts: LocalizedTexts)
    package static let definition = Definition(StringsTableShape(), "StringsTable")
    package let isDevelopmentLanguage = Member<Bool> { $0.texts.isDevelopmentLanguage }
    package let strings = Member<[String: String]>("The texts, in their most general form.") {
        $0.texts.texts.mapValues { $0.text }
    }
    package let variations = Member<[String: JSONValue]>("Texts that vary, as a string catalog has them.") {
        $0.texts.texts.filter { !$0.value.isPlain }.mapValues { $0.localization }
    }
    package let summary = Part<StringsSummaryShape> { ($0.name, $0.texts.count) }
}

package final class StringsListShape: Shape {
    package typealias Source = [StringsSummaryShape.Source]
    package static let definition = Definition(StringsListShape(), "StringsList")
    package let tables = Member<[APIObject<StringsSummaryShape>]> { $0.map { APIObject($0) } }
}
