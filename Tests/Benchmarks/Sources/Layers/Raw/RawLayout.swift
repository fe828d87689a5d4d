import HoldfastStorage

/// The tables and statements of the raw layer.
enum RawLayout {
    /// How every connection is set up.
    static let pragmas = """
        pragma journal_mode = wal;
        pragma synchronous = full;
        """

    static let tables = """
        create table if not exists "Item" (
            "id" text not null, "title" text, "content" text, "rating" integer, "status" text, "createdAt" integer,
            "version" integer not null,
            primary key ("id")
        ) without rowid, strict;
        create index if not exists "Item.byStatus" on "Item" ("status", "createdAt");
        """

    private static let columns = #""id", "title", "content", "rating", "status", "createdAt", "version""#

    static let upsert = """
        insert into "Item" (\(columns)) values (?, ?, ?, ?, ?, ?, ?)
        on conflict ("id") do update set "title" = excluded."title", "content" = excluded."content",
            "rating" = excluded."rating", "status" = excluded."status", "createdAt" = excluded."createdAt",
            "version" = excluded."version"
        """
    static let readOne = #"select \#(columns) from "Item" where "id" = ?"#
    static let readAll = #"select \#(columns) from "Item" order by "id""#
    static let page = """
        select \(columns) from "Item" where "status" = ? and "createdAt" > ? order by "createdAt", "id" limit ?
        """
    static let firstOfWalk = """
        select \(columns) from "Item" where "status" = ? order by "createdAt", "id" limit ?
        """
    static let nextOfWalk = """
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
        bind(item.createdAt, at: 5)
        bind(version, at: 6)
    }

    @inline(__always)
    func bind(_ instant: Timestamp, at position: Int32) {
        bind(instant.secondsSinceEpoch * 1_000 + Int64(instant.nanoseconds / 1_000_000), at: position)
    }

    /// Reads the columns of a row.
    @inline(__always)
    func item() -> Item {
        Item(
            id: text(0), title: text(1), content: text(2), rating: Int(integer(3)), status: text(4),
            createdAt: instant(5))
    }

    @inline(__always)
    func instant(_ column: Int32) -> Timestamp {
        let milliseconds = integer(column)
        return Timestamp(
            secondsSinceEpoch: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000,
            tail: TemporalTail(offset: 0, fractionDigits: 3))
    }
}
