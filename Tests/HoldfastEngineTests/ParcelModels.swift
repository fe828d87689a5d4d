import HoldfastModel

/// A place as an embedded type, with one more inside and lists of both kinds.
struct Station: Embeddable, Hashable {
    struct Gate: Embeddable, Hashable {
        var number: Int
        var opened: Temporal.DateTime?

        enum CodingKeys: String, ModelKey { case number, opened }
        static let schema = defineSchema { model in
            model.fields(
                .field(CodingKeys.number, ofType: .int), .field(CodingKeys.opened, is: .optional, ofType: .dateTime))
        }
    }

    var city: String
    var gate: Gate?
    var gates: [Gate]?
    var tags: [String]?

    enum CodingKeys: String, ModelKey { case city, gate, gates, tags }
    static let schema = defineSchema { model in
        model.fields(
            .field(CodingKeys.city), .field(CodingKeys.gate, is: .optional, ofType: .embedded(type: Gate.self)),
            .field(CodingKeys.gates, is: .optional, ofType: .embeddedCollection(of: Gate.self)),
            .field(CodingKeys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)))
    }
}

/// A sender with an embedded address.
struct Sender: Model {
    let id: String
    var home: Station?

    enum CodingKeys: String, ModelKey { case id, home }
    class Path: ModelPath<Sender> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.home, is: .optional, ofType: .embedded(type: Station.self)))
    }
}

/// A parcel with an embedded origin and a list of embedded stops; belongs to a sender.
struct Parcel: Model {
    let id: String
    var origin: Station?
    var stops: [Station?]?
    var weight: Int?
    var sender: LazyReference<Sender>

    init(id: String, origin: Station? = nil, stops: [Station?]? = nil, weight: Int? = nil, sender: Sender? = nil) {
        self.id = id
        self.origin = origin
        self.stops = stops
        self.weight = weight
        self.sender = LazyReference(sender)
    }

    enum CodingKeys: String, ModelKey { case id, origin, stops, weight, sender }
    class Path: ModelPath<Parcel> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.origin, is: .optional, ofType: .embedded(type: Station.self)),
            .field(CodingKeys.stops, is: .optional, ofType: .embeddedCollection(of: Station.self)),
            .field(CodingKeys.weight, is: .optional, ofType: .int),
            .belongsTo(CodingKeys.sender, is: .optional, ofType: Sender.self, targetNames: ["senderID"]))
    }
}
