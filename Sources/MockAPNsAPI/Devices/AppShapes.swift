package final class CategorySummaryShape: Shape {
    package static let definition = Definition(CategorySummaryShape(), "CategorySummary")
    package let category = Member<String>()
    package let count = Member<Int>()
    package let topic = Member<String>(.topic, "The bundle identifier.")
}

package final class CategoryShape: Shape {
    package static let definition = Definition(CategoryShape(), "Category")
    package let actions = Member<[APIObject<CategoryActionShape>]>()
    package let summary = Part<CategorySummaryShape>()
}

package final class CategoryListShape: Shape {
    package static let definition = Definition(CategoryListShape(), "CategoryList")
    package let categories = Member<[APIObject<CategorySummaryShape>]>()
}

package final class AppShape: Shape {
    package static let definition = Definition(AppShape(), "App")
    package let icon = Member<String?>("The icon: data:image/png;base64, and the file.")
    package let name = Member<String?>()
    package let topic = Member<String>(.topic, "The bundle identifier.")
}

package final class AppListShape: Shape {
    package static let definition = Definition(AppListShape(), "AppList")
    package let apps = Member<[APIObject<AppShape>]>()
}

package final class StringsSummaryShape: Shape {
    package static let definition = Definition(StringsSummaryShape(), "StringsSummary")
    package let count = Member<Int>()
    package let language = Member<String>(.languageTag)
    package let topic = Member<String>(.topic, "The bundle identifier.")
}

package final class StringsTableShape: Shape {
    package static let definition = Definition(StringsTableShape(), "StringsTable")
    package let strings = Member<[String: String]>()
    package let summary = Part<StringsSummaryShape>()
}

package final class StringsListShape: Shape {
    package static let definition = Definition(StringsListShape(), "StringsList")
    package let tables = Member<[APIObject<StringsSummaryShape>]>()
}
