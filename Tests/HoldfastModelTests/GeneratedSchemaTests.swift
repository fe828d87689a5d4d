import GeneratedModels
import HoldfastModel
import HoldfastStorage
import LegacyGeneratedModels
import Testing

@Suite struct GeneratedSchemaTests {
    @Test func anOldFileStatesItsKeyByTheIdentifier() {
        #expect(Library.schema.primaryKeyNames == ["id"])
        #expect(Library.schema.primaryKey.fields.map(\.name) == ["id"])
        #expect(Shelf.schema.primaryKeyNames == ["id"])
        #expect(Shelf.schema.indexes.count == 2)
        #expect(Shelf.schema.primaryKeyIndexFields == ["id"])
    }

    @Test func compositeKeysKeepTheirOrder() {
        let key = Book.schema.primaryKey
        #expect(key.isCompositeKey)
        #expect(key.indexOfField(named: "edition") == 1)
        #expect(key.contains(named: "isbn") && !key.contains(named: "title"))
    }

    @Test func columnsAreInTheOrderOfTheFields() {
        #expect(
            Booking.schema.columns == [
                "id", "day", "roomBookingsBuilding", "roomBookingsNumber", "bookingReceiptCode", "createdAt",
                "updatedAt",
            ])
        #expect(Shelf.schema.sortedFields.map(\.name).first == "id")
        #expect(Shelf.schema.sortedFields.map(\.name).suffix(2) == ["items", "library"])
    }

    @Test func authRulesSayWhoMayDoWhat() {
        let rules = Library.schema.authRules
        #expect(rules.map(\.allow) == [.owner, .groups, .groups, .private, .public, .custom])
        #expect(rules.filter(modelOperation: .delete).map(\.provider) == [.userPools])
        #expect([AuthRule(allow: .public)].filter(modelOperation: .read).count == 1)
        #expect(Library.schema.hasAuthenticationRules && !Room.schema.hasAuthenticationRules)
    }

    @Test func embeddedTypesHaveSchemas() throws {
        let branches = try #require(Library.schema.field(withName: "branches"))
        #expect(branches.isEmbeddedType && branches.isArray)
        #expect(branches.embeddedTypeSchema?.orderedFields.map(\.name) == ["street", "floors", "position"])
        #expect(Library.schema.field(withName: "openingDays")?.embeddedTypeSchema == nil)
        #expect(Position.schema.pluralName == "Positions")
    }

    @Test func fieldTypesFollowFromSwiftTypes() {
        guard case .int = ModelFieldType.from(type: Int.self),
            case .dateTime = ModelFieldType.from(type: Temporal.DateTime.self),
            case .enum = ModelFieldType.from(type: Weekday.self),
            case .model("Room") = ModelFieldType.from(type: Room.self),
            case .embedded = ModelFieldType.from(type: Address.self)
        else {
            Issue.record("a type has another field type")
            return
        }
        #expect(ModelFieldType.customType([Address].self).isArray)
    }

    @Test func entitiesHaveTypedColumnsForForeignKeys() throws {
        let models: [any Model.Type] = [Library.self, Shelf.self, Item.self, Room.self, Receipt.self, Booking.self]
        let schemas = Dictionary(uniqueKeysWithValues: models.map { ($0.modelName, $0.schema) })
        let booking = try Booking.schema.entity(among: schemas)
        #expect(booking.field(named: "roomBookingsNumber")?.type == .int)
        let item = try Item.schema.entity(among: schemas)
        #expect(item.field(named: "shelfItemsId")?.isRequired == true)
        #expect(item.field(named: "history")?.type == .list(of: .embedded("Address"), elementsAreRequired: false))
        #expect(item.field(named: "days")?.type == .list(of: .enumeration("Weekday"), elementsAreRequired: false))
        _ = try StorageSchema(entities: try models.map { try $0.schema.entity(among: schemas) })
    }

    @Test func anEagerModelHasNoRootPath() {
        #expect(Item.isEager && Library.isEager)
        #expect(!Book.isEager && !BookGenres.isEager)
        #expect(Lesson.isEager && !Album.isEager)
    }

    @Test func systemModelsAreNotSynced() {
        #expect(MutationEvent.schema.isSystem && !MutationEvent.schema.isSyncable)
        #expect(Item.schema.isSyncable)
        #expect(BookGenres.schema.hasAssociations && !Receipt.schema.hasAssociations)
    }

    @Test func pathsNameTheirSteps() {
        let root = Book.Path()
        #expect(root.isRoot() && root.getKeyPath() == "")
        #expect(root.author.getKeyPath() == "author")
        let reviews = root.author.books.reviews
        #expect(reviews.getKeyPath() == "author.books.reviews")
        #expect(reviews.getMetadata().isCollection)
        #expect(reviews.getModelType() is Review.Type)
        let title: FieldPath<String> = root.title
        #expect(title.getMetadata().name == "title")
        #expect(Book.rootPath?.getModelType() is Book.Type)
    }
}
