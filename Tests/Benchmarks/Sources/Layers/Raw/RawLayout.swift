import HoldfastStorage

/// The statements of the raw layer, on the tables that the SQLite adapter makes.
enum RawLayout {
    /// How every connection is set up; the same as the adapter's.
    static let pragmas = """
        pragma journal_mode = wal;
        pragma synchronous = full;
        pragma cache_size = -16384;
        pragma secure_delete = off;
        """

    private static let columns =
        #""id", "title", "content", "rating", "status", "createdAt", "createdAt_tail", "holdfast_version""#

    static let upsert = """
        insert into "Item"(\(columns)) values (?, ?, ?, ?, ?, ?, ?, ?)
        on conflict ("id") do update set "title" = excluded."title", "content" = excluded."content",
            "rating" = excluded."rating", "status" = excluded."status", "createdAt" = excluded."createdAt",
            "createdAt_tail" = excluded."createdAt_tail", "holdfast_version" = excluded."holdfast_version"
        """
    static let readOne = #"select \#(columns) from "Item" where "id" = ?"#
    static let readAll = #"select \#(columns) from "Item" order by "id""#
    static let page = """
        select \(columns) from "Item" where "status" = ? and "createdAt" > ? order by "createdAt", "id" limit ?
        """
    static let firstPage = """
        select \(columns) from "Item" where "status" = ? order by "createdAt", "id" limit ?
        """
    static let nextPage = """
        select \(columns) from "Item" where "status" = ? and ("createdAt", "id") > (?, ?)
        order by "createdAt", "id" limit ?
        """
}

extension RawStatement {
    /// Binds all columns of ``RawLayout/upsert``.
    @inline(__always)
    func bind(_ item: Item, version: Int64) {
        bind(item.id, at: 0)
        bind(item.title, at: 1)
        bind(item.content, at: 2)
        bind(Int64(item.rating), at: 3)
        bind(item.status, at: 4)
        bind(item.createdAt.utcText, at: 5)
        bind(item.createdAt.tail.text, at: 6)
        bind(version, at: 7)
    }

    /// Reads the columns of a row.
    @inline(__always)
    func item() throws -> Item {
        guard let tail = WrittenForm(text: utf8(6)), let createdAt = Timestamp(utcText: utf8(5), tail: tail) else {
            throw RawError(description: "a time cannot be read")
        }
        // Not needed here, but every layer reads it.
        consume(Int(integer(7)))
        return Item(
            id: text(0), title: text(1), content: text(2), rating: Int(integer(3)), status: text(4),
            createdAt: createdAt)
    }
}
