/// Items kept in one way; what the benchmarks measure.
///
/// Every method does its whole work before it returns, and many calls of the measured operation at once where that
/// operation is short, so that nothing of the comparison itself is measured. Reads return something computed from
/// what they read.
protocol ItemStore: Sendable {
    /// Creates or replaces one item; returns when it survives a loss of power.
    func save(_ item: Item) async throws

    /// Creates or replaces items in one commit; returns when they survive a loss of power.
    func save(_ items: ArraySlice<Item>) async throws

    /// Reads items one by one within one snapshot.
    func readInSnapshot(_ ids: [String]) async throws -> Int

    /// Reads items one by one, each as last committed.
    func readLatest(_ ids: [String]) async throws -> Int

    /// Asks one after the other.
    func ask(_ queries: [ItemQuery]) async throws -> Int

    /// Reads everything into structs.
    func scan() async throws -> Int

    /// Reads everything, holding a bounded part of it at a time.
    ///
    /// - Parameter pause: Called now and then on the way.
    /// - Returns: A number computed from what was read.
    /// - Throws: An error of the store.
    func stream(pause: () -> Void) async throws -> Int

    /// Reads all items of a status, oldest first, page by page, each page beginning after the last item read.
    func scanPages(status: String, pageSize: Int) async throws -> Int

    /// Ends the use of the store.
    func close() async throws
}

/// A store that reports changes.
protocol ObservableItemStore: ItemStore {
    /// Saves the states of one item one by one, each after an observer saw the one before.
    ///
    /// - Parameter states: Of one id, each with a title of its own.
    /// - Returns: The time from the call of each save to the observation of what it saved.
    /// - Throws: An error of the store.
    func observe(states: ArraySlice<Item>) async throws -> Samples
}

/// A layer over a back end that takes part in the benchmarks.
struct Contender: Sendable {
    /// The back end: `sqlite`, `leveldb`, `memory`, `postgresql`.
    var adapter: String
    /// What is above it: `raw`, `adapter`, `datastore`, `grdb-record`, `grdb-codable`, or ``noLog``.
    var layer: String
    /// Whether a store can be opened again.
    var isPersistent = true
    /// Opens the store in a directory; creates it if the directory is empty.
    var open: @Sendable (_ directory: String) async throws -> any ItemStore

    /// Both names.
    var label: String { "\(adapter)/\(layer)" }

    /// The layer of stores that keep no change log: `datastore` on SQLite, `adapter` on PostgreSQL.
    static let noLog = "no log"
}
