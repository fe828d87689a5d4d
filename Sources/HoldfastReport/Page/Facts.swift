/// Names with their values, such as a machine and the versions on it.
package struct Facts: Sendable {
    private let facts: [(name: String, value: HTML)]

    package init(_ facts: [(name: String, value: HTML)]) { self.facts = facts }

    /// The facts as a list.
    package var html: HTML {
        let items = facts.map { fact -> HTML in "<div><dt>\(fact.name)</dt><dd>\(fact.value)</dd></div>" }
        return "<dl class=\"facts\">\n\(items.joined())\n</dl>"
    }

    /// A command to be copied.
    package static func command(_ text: String) -> HTML { "<pre class=\"command\" tabindex=\"0\">\(text)</pre>" }
}
