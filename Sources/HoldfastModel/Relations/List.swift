import HoldfastStorage
import Synchronization

/// The records on the other side of a has-many relation, loaded by ``fetch()``.
public final class List<Element: Model>: Sendable, Codable, ExpressibleByArrayLiteral, RandomAccessCollection {
    private struct Source: Sendable {
        let parent: RecordKey
        let field: String
        let loader: (any ModelLoader)?
    }

    private let loaded: Mutex<[Element]?>
    private let source: Source?

    /// A list of models at hand.
    public init(elements: [Element]) {
        loaded = Mutex(elements)
        source = nil
    }

    /// A list written out in code.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements: elements) }

    init(parent: RecordKey, field: String, loader: (any ModelLoader)?) {
        loaded = Mutex(nil)
        source = Source(parent: parent, field: field, loader: loader)
    }

    /// Whether the elements are at hand.
    public var isLoaded: Bool { loaded.withLock { $0 != nil } }

    /// The elements at hand; empty before ``fetch()``.
    public var elements: [Element] { loaded.withLock { $0 ?? [] } }

    /// Loads the elements, once.
    ///
    /// - Throws: What the store throws; the list stays unloaded then.
    public func fetch() async throws {
        guard !isLoaded, let source else { return }
        guard let loader = source.loader else {
            throw ModelError(.missingRelation, "The list of '\(Element.modelName)' belongs to no store.")
        }
        let elements = try await loader.loadChildren(Element.self, by: source.field, of: source.parent)
        loaded.withLock { $0 = elements }
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of elements at hand.
    public var endIndex: Int { elements.count }
    /// The element at a position of those at hand.
    public subscript(position: Int) -> Element { elements[position] }

    /// Reads an array.
    public convenience init(from decoder: any Decoder) throws {
        self.init(elements: try decoder.singleValueContainer().decode([Element].self))
    }

    /// Writes the elements at hand.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
