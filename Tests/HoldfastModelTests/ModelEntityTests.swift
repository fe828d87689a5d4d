import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct ModelEntityTests {
    func models(_ schemas: ModelSchema...) -> [String: ModelSchema] {
        Dictionary(schemas.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func everyTypeBecomesItsFieldType() throws {
        let entity = try Sample.schema.entity(among: [:])
        #expect(
            entity.fields.map(\.type) == [
                .string, .string, .int, .float, .boolean, .date, .time, .dateTime, .timestamp,
                .enumeration("PostStatus"), .embedded("Place"), .list(of: .int, elementsAreRequired: false),
                .list(of: .enumeration("PostStatus"), elementsAreRequired: false),
            ])
        #expect(entity.fields.map(\.isRequired) == [true] + Array(repeating: false, count: 12))
        #expect(entity.fields.map(\.name) == Sample.schema.columns)
        #expect(entity.indexes == [IndexSchema("byCount", on: ["count", "text"])])
        #expect(entity.primaryKey == ["id"])
    }

    @Test func aForeignKeyTakesTheTypesOfTheOtherKeyInItsOrder() throws {
        let stay = schema(
            named: "Stay", [],
            [.id(), .belongsTo(Key("visit"), is: .optional, ofType: Visit.self, targetNames: ["who", "when"])])
        let entity = try stay.entity(among: models(stay, Visit.schema))
        #expect(
            entity.fields == [
                FieldSchema("id", .string, isRequired: true), FieldSchema("who", .string), FieldSchema("when", .date),
            ])
        #expect(entity.indexes == [IndexSchema("by_visit", on: ["who", "when"])])
    }

    @Test func aRequiredRelationMakesItsColumnsRequired() throws {
        let entity = try OrderLine.schema.entity(among: models(Order.schema, OrderLine.schema))
        #expect(entity.field(named: "orderShop") == FieldSchema("orderShop", .string, isRequired: true))
        #expect(entity.field(named: "orderNumber") == FieldSchema("orderNumber", .int, isRequired: true))
    }

    @Test func aHasManyRelationHasNoColumns() throws {
        let entity = try Blog.schema.entity(among: models(Blog.schema, Post.schema))
        #expect(entity.fields.map(\.name) == ["id", "name"])
        #expect(entity.indexes.isEmpty)
    }

    @Test func anExplicitFieldBeatsTheColumnOfARelation() throws {
        let line = schema(
            named: "Line", [.primaryKey(fields: ["number", "id"])],
            [
                .field(Key("number"), ofType: .int), .field(Key("id")),
                .belongsTo(Key("counter"), is: .optional, ofType: Counter.self, targetName: "number"),
            ])
        let entity = try line.entity(among: models(line, Counter.schema))
        #expect(entity.fields.map(\.name) == ["number", "id"])
        #expect(entity.indexes == [IndexSchema("by_counter", on: ["number"])])
    }

    @Test func aModelWithoutAKeyIsRefused() {
        let thing = schema([], [.field(Key("a"))])
        #expect { try thing.entity(among: [:]) } throws: { ($0 as? ModelError)?.kind == .invalidSchema }
    }

    @Test(
        arguments: [
            .belongsTo(Key("blog"), ofType: Blog.self),
            .hasMany(Key("blogs"), ofType: Blog.self, associatedWith: Key("thing")),
            .hasOne(Key("blog"), ofType: Blog.self, associatedWith: Key("thing")),
        ] as [ModelFieldDefinition])
    func aRelationToAModelThatIsNotThereIsRefused(relation: ModelFieldDefinition) {
        let thing = schema([], [.id(), relation])
        #expect { try thing.entity(among: models(thing)) } throws: { error in
            guard let error = error as? ModelError else { return false }
            return error.kind == .invalidSchema && error.message.contains("'Thing.blog")
        }
    }

    @Test(arguments: [[], ["a"], ["a", "b", "c"]])
    func aRelationNeedsATargetNameForEachFieldOfTheOtherKey(targetNames: [String]) {
        let thing = schema([], [.id(), .belongsTo(Key("visit"), ofType: Visit.self, targetNames: targetNames)])
        #expect { try thing.entity(among: models(thing, Visit.schema)) } throws: {
            ($0 as? ModelError)?.kind == .invalidSchema
        }
    }

    @Test func aRelationToAModelWhoseKeyIsNotAFieldIsRefused() {
        let broken = schema(named: "Blog", [.primaryKey(fields: ["nothing"])], [.id()])
        let thing = schema([], [.id(), .belongsTo(Key("blog"), ofType: Blog.self)])
        #expect { try thing.entity(among: models(thing, broken)) } throws: {
            ($0 as? ModelError)?.kind == .invalidSchema
        }
    }

    @Test(arguments: [["blogID"], ["blogID", "title"], ["title"]])
    func aDeclaredIndexMayHaveTheNameOfTheOneForARelation(fields: [String]) throws {
        let thing = schema(
            [.index(fields: fields, name: "by_blog")],
            [.id(), .field(Key("title")), .belongsTo(Key("blog"), ofType: Blog.self, targetName: "blogID")])
        let entity = try thing.entity(among: models(thing, Blog.schema))
        #expect(throws: Never.self) { try StorageSchema(entities: [entity]) }
        #expect(entity.indexes.first == IndexSchema("by_blog", on: fields))
        #expect(entity.indexes.contains { $0.fields.first == "blogID" })
    }
}
