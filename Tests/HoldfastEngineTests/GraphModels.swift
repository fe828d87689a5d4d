import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

// Models of every shape of relation; most are read and written through `Codable`.

/// A node of a tree; belongs to another node.
struct TreeNode: Model {
    let id: String
    var name = ""
    var parent: LazyReference<TreeNode>

    init(_ id: String, name: String = "", parent: TreeNode? = nil) {
        self.id = id
        self.name = name
        self.parent = LazyReference(parent)
    }

    enum CodingKeys: String, ModelKey { case id, name, parent }
    class Path: ModelPath<TreeNode> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .belongsTo(CodingKeys.parent, is: .optional, ofType: TreeNode.self, targetNames: ["parentID"]))
    }
}

/// One half of a cycle of two models.
struct LeftHalf: Model {
    let id: String
    var right: LazyReference<RightHalf>

    init(_ id: String, right: RightHalf? = nil) {
        self.id = id
        self.right = LazyReference(right)
    }

    enum CodingKeys: String, ModelKey { case id, right }
    class Path: ModelPath<LeftHalf> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .belongsTo(CodingKeys.right, is: .optional, ofType: RightHalf.self, targetNames: ["rightID"]))
    }
}

/// The other half of the cycle.
struct RightHalf: Model {
    let id: String
    var left: LazyReference<LeftHalf>

    init(_ id: String, left: LeftHalf? = nil) {
        self.id = id
        self.left = LazyReference(left)
    }

    enum CodingKeys: String, ModelKey { case id, left }
    class Path: ModelPath<RightHalf> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .belongsTo(CodingKeys.left, is: .optional, ofType: LeftHalf.self, targetNames: ["leftID"]))
    }
}

/// A house: the top of a diamond, and the eager parent of rooms.
struct House: Model {
    let id: String
    var name = ""
    var deed: Deed?

    init(_ id: String, name: String = "") {
        self.id = id
        self.name = name
    }

    enum CodingKeys: String, ModelKey { case id, name, deed }
    class Path: ModelPath<House> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .hasOne(CodingKeys.deed, is: .optional, ofType: Deed.self, associatedWith: Deed.CodingKeys.house))
    }

    init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        name = try row.read(1)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
    }
}

/// The one deed of a house.
struct Deed: Model {
    let id: String
    var house: LazyReference<House>

    init(_ id: String, house: House) {
        self.id = id
        self.house = LazyReference(house)
    }

    enum CodingKeys: String, ModelKey { case id, house }
    class Path: ModelPath<Deed> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .belongsTo(CodingKeys.house, ofType: House.self, targetNames: ["houseID"]))
    }
}

/// A room of a house, which it holds itself.
struct Room: Model {
    let id: String
    var name = ""
    var house: House

    init(_ id: String, name: String = "", house: House) {
        self.id = id
        self.name = name
        self.house = house
    }

    enum CodingKeys: String, ModelKey { case id, name, house }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .belongsTo(CodingKeys.house, ofType: House.self, targetNames: ["houseID"]))
    }

    init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        name = try row.read(1)
        house = try row.requiredParent("house", keyColumns: 2)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
        try row.write(parent: house)
    }
}

/// Who lives in a house.
struct Tenant: Model {
    let id: String
    var name = ""
    var house: House

    init(_ id: String, name: String = "", house: House) {
        self.id = id
        self.name = name
        self.house = house
    }

    enum CodingKeys: String, ModelKey { case id, name, house }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .belongsTo(CodingKeys.house, ofType: House.self, targetNames: ["houseID"]))
    }
}

/// A room let to a tenant: the bottom of the diamond, and the join model of rooms and tenants.
struct Lease: Model {
    let id: String
    var rent: Int
    var room: Room
    var tenant: Tenant?

    init(_ id: String, rent: Int = 0, room: Room, tenant: Tenant? = nil) {
        self.id = id
        self.rent = rent
        self.room = room
        self.tenant = tenant
    }

    enum CodingKeys: String, ModelKey { case id, rent, room, tenant }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.rent, ofType: .int),
            .belongsTo(CodingKeys.room, ofType: Room.self, targetNames: ["roomID"]),
            .belongsTo(CodingKeys.tenant, is: .optional, ofType: Tenant.self, targetNames: ["tenantID"]))
    }
}

extension StorageAdapter {
    /// A data store with the models of this file.
    func graphStore(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await dataStore(
            models: [
                TreeNode.self, LeftHalf.self, RightHalf.self, House.self, Deed.self, Room.self, Tenant.self, Lease.self,
            ],
            options: options)
    }
}

extension EngineAdapter {
    /// A data store with the models of this file.
    func graph(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await make().graphStore(options)
    }
}

extension LazyReference {
    /// The key's only text.
    var id: String? { (try? key()).flatMap { $0 }?.outboxText }
}

/// Expects a model error of a kind.
func refusal(_ body: () async throws -> Void) async -> ModelError.Kind? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? ModelError)?.kind
    }
}
