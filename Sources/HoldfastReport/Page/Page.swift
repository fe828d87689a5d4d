/// A page for a browser, complete in one file: it loads nothing, and it works without scripts.
package struct Page: Sendable {
    /// A part of a page, which the list at the top links to.
    package struct Section: Sendable {
        /// Its name in addresses.
        package var id: String
        /// Its heading.
        package var title: String
        /// What it contains.
        package var body: HTML

        package init(_ id: String, _ title: String, _ body: HTML) {
            self.id = id
            self.title = title
            self.body = body
        }
    }

    private let title: String
    private let subtitle: String
    private let top: HTML
    private let sections: [Section]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: The heading of the page, which is also its name in the browser.
    ///   - subtitle: What the page is about, in one line.
    ///   - top: What is above the list of sections.
    ///   - sections: The parts of the page, in order.
    package init(_ title: String, subtitle: String, top: HTML = "", sections: [Section]) {
        self.title = title
        self.subtitle = subtitle
        self.top = top
        self.sections = sections
    }

    /// The page as a file.
    package var text: String { html.text }

    private var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>\(title) · Holdfast</title>
        <style>
        \(Style.css)
        </style>
        </head>
        <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
        <p class="brand">Holdfast</p>
        <h1>\(title)</h1>
        <p class="quiet">\(subtitle)</p>
        </header>
        <main id="content">
        \(top)
        \(contents)
        \(sections.map(section).joined())
        </main>
        <footer class="quiet"><p>This page is one file. It loads nothing and works offline.</p></footer>
        <script>
        \(Script.filter)
        </script>
        </body>
        </html>

        """
    }

    private var contents: HTML {
        guard sections.count > 1 else { return "" }
        return """
            <nav aria-label="Sections"><ul class="links">
            \(sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as HTML }.joined())
            </ul></nav>
            """
    }

    private func section(_ section: Section) -> HTML {
        """
        <section id="\(section.id)" aria-labelledby="\(section.id)-title">
        <h2 id="\(section.id)-title">\(section.title)</h2>
        \(section.body)
        </section>
        """
    }
}
