/// Controls that show a part of the rows of a page.
///
/// Without scripts they are not there, and every row is shown.
package struct Filter: Sendable {
    /// A choice among values, of which each row has some.
    package struct Choice: Sendable {
        var title: String
        var values: [(key: String, title: String)]

        /// Creates a choice.
        ///
        /// - Parameters:
        ///   - title: The label of the choice.
        ///   - values: The values in ``DataTable/Row``'s keys, and their names.
        package init(_ title: String, _ values: [(key: String, title: String)]) {
            self.title = title
            self.values = values
        }
    }

    private let choices: [Choice]

    package init(_ choices: [Choice]) { self.choices = choices }

    /// The controls.
    package var html: HTML {
        let controls = choices.map { choice -> HTML in
            let options = choice.values.map { "<option value=\"\($0.key)\">\($0.title)</option>" as HTML }
            return """
                <label>\(choice.title) <select><option value="">all</option>
                \(options.joined())
                </select></label>
                """
        }
        return """
            <form class="filter" hidden="hidden" aria-label="Filter">
            \(controls.joined())
            <label>contains <input type="search" /></label>
            <output aria-live="polite"></output>
            </form>
            """
    }
}
