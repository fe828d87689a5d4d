/// The few numbers that a reader looks for first.
package struct Tiles: Sendable {
    /// What a number means for the reader.
    package enum Meaning: String, Sendable { case plain, good, bad, open }

    /// One number.
    package struct Tile: Sendable {
        var value: String
        var label: String
        var meaning: Meaning

        package init(_ value: String, _ label: String, _ meaning: Meaning = .plain) {
            self.value = value
            self.label = label
            self.meaning = meaning
        }
    }

    private let tiles: [Tile]

    package init(_ tiles: [Tile]) { self.tiles = tiles }

    /// The numbers as a list.
    package var html: HTML {
        let items = tiles.map { tile -> HTML in
            """
            <li class="\(tile.meaning.rawValue)"><b>\(Self.sign(tile.meaning))\(tile.value)</b> <span>\(tile.label)</span></li>
            """
        }
        return "<ul class=\"tiles\">\n\(items.joined())\n</ul>"
    }

    /// The meaning for those who see no colors.
    private static func sign(_ meaning: Meaning) -> HTML {
        switch meaning {
        case .plain: ""
        case .good: "<span aria-hidden=\"true\">✓</span> "
        case .bad: "<span aria-hidden=\"true\">✗</span> "
        case .open: "<span aria-hidden=\"true\">~</span> "
        }
    }
}
