public import HoldfastStorage

/// The records on the other side of a has-many relation, loaded by ``fetch()`` or page by page.
///
/// A list that was not fetched appears empty when it is counted or iterated; check ``isLoaded`` where that matters. It
/// may be used from any task.
///
/// ```swift
/// try await post.comments?.fetch()  // until then the list is empty
/// let texts = post.comments?.map(\.text)  // ["Thank you"]
/// ```
public final class List<Element: Model>: Sendable, Codable, ExpressibleByArrayLiteral, RandomAccessCollection {
    private struct State: Sendable {
        var elements: [Element]?
        /// Loads the next page; `nil` if there is none.
        var next: NextPage?
    }

    /// Loads the page that follows one of a list.
    public typealias NextPage = @Sendable () async throws -> List<Element>

    private let state: Mutex<State>
    /// How the elements are asked for; `nil` for models that are given.
    let request: ChildrenRequest?
    private let loader: (any ModelLoader)?

    /// A list of given models, and how the ones after them are loaded, if there are more.
    public init(elements: [Element], next: NextPage? = nil) {
        state = Mutex(State(elements: elements, next: next))
        request = nil
        loader = nil
    }

    /// An empty list.
    public convenience init() { self.init(elements: []) }

    /// A list written out in code.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements: elements) }

    /// The records whose fields lead to a parent, not yet loaded.
    ///
    /// - Parameters:
    ///   - parent: The parent's key.
    ///   - fields: The fields of the element that lead to it: one that belongs to it, or those that hold its key.
    ///   - loader: Where to load from; `nil` for the loader of the ``ModelRegistry``.
    public convenience init(parent: RecordKey, fields: [String], loader: (any ModelLoader)?) {
        self.init(request: ChildrenRequest(fields: fields, parent: parent), loader: loader)
    }

    private init(request: ChildrenRequest, loader: (any ModelLoader)?) {
        state = Mutex(State(elements: nil, next: nil))
        self.request = request
        self.loader = loader
    }

    private convenience init(page: ChildrenPage<Element>, of request: ChildrenRequest, loader: (any ModelLoader)?) {
        self.init(elements: page.models, next: Self.next(request, after: page, loader))
    }

    /// Whether the elements, or the first page of them, are loaded.
    public var isLoaded: Bool { state.withLock { $0.elements != nil } }

    /// The loaded elements; empty before ``fetch()``.
    public var elements: [Element] { state.withLock { $0.elements ?? [] } }

    /// The loaded elements, or `nil` before ``fetch()``.
    var loadedElements: [Element]? { state.withLock(\.elements) }

    /// Loads all elements, once.
    ///
    /// - Throws: What the store throws; the list stays unloaded then. ``ModelError`` `.missingRelation` if the list
    ///   belongs to no store.
    public func fetch() async throws { try await load(limit: nil) }

    /// Loads the first elements, once; ``getNextPage()`` loads those after them.
    ///
    /// - Parameter limit: The largest number of records; greater than 0.
    /// - Throws: As ``fetch()``; the store's ``/HoldfastStorage/StorageError`` `.misuse` for a limit below 1.
    public func fetch(limit: Int) async throws { try await load(limit: limit) }

    /// Whether there are elements after the loaded ones; `false` before the list is loaded.
    ///
    /// After ``fetch()`` only a list from a service has more: its loader may answer a part.
    public func hasNextPage() -> Bool { state.withLock { $0.next != nil } }

    /// Loads the elements after the loaded ones; this list stays as it is.
    ///
    /// - Returns: A list of at most as many elements as this one was fetched with.
    /// - Throws: ``CoreError`` `.clientValidation` if there is no next page; what the store throws.
    public func getNextPage() async throws -> List<Element> {
        guard let next = state.withLock(\.next) else {
            throw CoreError.clientValidation(
                "There is no next page.", "Call `getNextPage()` only when `hasNextPage()` is true.", nil)
        }
        return try await next()
    }

    private func load(limit: Int?) async throws {
        guard !isLoaded, var request else { return }
        request.limit = limit
        let page = try await Self.store(loader).loadChildren(Element.self, request)
        let next = Self.next(request, after: page, loader)
        state.withLock { state in
            if state.elements == nil { state = State(elements: page.models, next: next) }
        }
    }

    private static func store(_ loader: (any ModelLoader)?) throws(ModelError) -> any ModelLoader {
        guard let loader = loader ?? ModelRegistry.loader else {
            throw ModelError(.missingRelation, "The list of '\(Element.modelName)' does not belong to a store.")
        }
        return loader
    }

    private static func next(
        _ request: ChildrenRequest, after page: ChildrenPage<Element>, _ loader: (any ModelLoader)?
    ) -> NextPage? {
        guard page.next != nil || page.pageToken != nil else { return nil }
        var next = request
        next.after = page.next
        next.pageToken = page.pageToken
        return { [next] in
            List(page: try await store(loader).loadChildren(Element.self, next), of: next, loader: loader)
        }
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of loaded elements.
    public var endIndex: Int { state.withLock { $0.elements?.count ?? 0 } }
    /// The loaded element at a position.
    public subscript(position: Int) -> Element { elements[position] }
    /// Scans the loaded elements as they are when the scan begins.
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// Reads an array, the form of a list that was not loaded, or a service's page; anything else is an empty list.
    public convenience init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: ListKeys.self) {
            let identifiers = try container.decodeIfPresent([KeyComponent].self, forKey: .identifiers) ?? []
            let fields = try container.decodeIfPresent([String].self, forKey: .fields) ?? []
            let items = try container.decodeIfPresent([Element].self, forKey: .items)
            guard !identifiers.isEmpty, !fields.isEmpty else {
                self.init(elements: items ?? [])
                return
            }
            var request = ChildrenRequest(fields: fields, parent: RecordKey(identifiers.map(\.value)))
            request.parentModel = try container.decodeIfPresent(String.self, forKey: .parentModel)
            request.parentField = try container.decodeIfPresent(String.self, forKey: .parentField)
            let loader = decoder.userInfo[.modelLoader] as? any ModelLoader
            guard let items else {
                self.init(request: request, loader: loader)
                return
            }
            let token = try container.decodeIfPresent(String.self, forKey: .nextToken)
            self.init(page: ChildrenPage(items, pageToken: token), of: request, loader: loader)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Element] = []
            while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
            self.init(elements: elements)
        } else {
            self.init(elements: [])
        }
    }

    /// Writes the loaded elements as an array.
    ///
    /// A list that was not loaded is written as the parent's key and the fields that lead to it, under
    /// `dataStoreAssociatedIdentifiers` and `dataStoreAssociatedFields`.
    public func encode(to encoder: any Encoder) throws {
        if let request, !isLoaded {
            var container = encoder.container(keyedBy: ListKeys.self)
            try container.encode(request.parent.components.map(KeyComponent.init), forKey: .identifiers)
            try container.encode(request.fields, forKey: .fields)
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(elements)
        }
    }
}

extension List {
    /// 0: the number of records in the store is not known; count them with a query.
    public var totalCount: Int { 0 }

    /// The list itself; to load a page, use ``fetch(limit:)``.
    @available(*, deprecated, message: "has no effect; use fetch(limit:)")
    public func limit(_ limit: Int) -> Self { self }
}

/// The names in the forms of a list that was not loaded and of a service's page.
private enum ListKeys: String, CodingKey {
    case identifiers = "dataStoreAssociatedIdentifiers"
    case fields = "dataStoreAssociatedFields"
    case parentModel = "dataStoreParentModel"
    case parentField = "dataStoreParentField"
    case items, nextToken
}
