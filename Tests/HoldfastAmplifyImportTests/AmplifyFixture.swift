#if SQLite
import HoldfastAdapterTestSupport
import HoldfastSQLiteTestSupport

/// A file in the layout of amplify-swift's DataStore, written without Holdfast.
struct AmplifyFixture {
    let directory = TemporaryDirectory()
    let database: RawDatabase

    var path: String { directory.file("App.db") }

    /// Creates the tables of the test models and those that the DataStore keeps for itself.
    init() {
        database = RawDatabase(directory.file("App.db"))
        run("PRAGMA auto_vacuum = full; PRAGMA encoding = \"utf-8\"; PRAGMA foreign_keys = on;")
        run(
            """
            create table "ModelSyncMetadata" ("id" text primary key not null, "lastSync" integer,
              "syncPredicate" text);
            create table "MutationEvent" ("id" text primary key not null, "createdAt" text not null,
              "graphQLFilterJSON" text, "inProcess" integer not null, "json" text not null,
              "modelId" text not null, "modelName" text not null, "mutationType" text not null,
              "version" integer);
            create table "MutationSyncMetadata" ("id" text primary key not null, "deleted" integer not null,
              "lastChangedAt" integer not null, "version" integer not null);
            create table "Blog" ("id" text primary key not null, "name" text not null);
            create table "Post" ("id" text primary key not null, "createdAt" text, "rating" integer,
              "status" text, "tags" text, "title" text not null, "blogID" text,
              foreign key("blogID") references "Blog"("id") on delete cascade);
            create table "Sample" ("id" text primary key not null, "count" integer, "day" text, "flag" integer,
              "instant" text, "numbers" text, "place" text, "ratio" real, "seconds" integer, "status" text,
              "statuses" text, "text" text, "time" text);
            create table "Order" ("@@primaryKey" text primary key not null, "shop" text not null,
              "number" integer not null, "note" text);
            create index "shop_number_pk" on "Order" ("shop", "number");
            create table "OrderLine" ("id" text primary key not null, "title" text not null,
              "@@orderForeignKey" text not null,
              foreign key("@@orderForeignKey") references "Order"("@@primaryKey") on delete cascade);
            """)
    }

    /// Runs statements, which must succeed.
    func run(_ sql: String) {
        precondition(database.execute(sql) == 0, "the fixture's SQL must be right")
    }

    func metadata(_ id: String, _ version: Int, deleted: Bool = false, at time: Int = 1_700_000_000_000) {
        run("insert into MutationSyncMetadata values ('\(id)', \(deleted ? 1 : 0), \(time), \(version))")
    }

    /// Queues a change.
    ///
    /// - Parameters:
    ///   - model: The name of the record's model.
    ///   - id: The record's identifier.
    ///   - type: The type of the mutation.
    ///   - second: When it was made, in seconds after 2024-01-01T00:00Z, less than 60.
    ///   - version: The version of the record; none by default.
    ///   - isInProcess: Whether it is marked as in process; false by default.
    ///   - condition: The JSON text of the GraphQL filter; none by default.
    func mutation(
        _ model: String, _ id: String, _ type: String, second: Int, version: Int? = nil, isInProcess: Bool = false,
        condition: String? = nil
    ) {
        let time = "2024-01-01T00:00:\(second < 10 ? "0" : "")\(second).000Z"
        run(
            """
            insert into MutationEvent values (lower(hex(randomblob(16))), '\(time)',
              \(condition.map { "'\($0)'" } ?? "null"), \(isInProcess ? 1 : 0), '{}', '\(id)', '\(model)', '\(type)',
              \(version.map(String.init) ?? "null"))
            """)
    }
}
#endif
