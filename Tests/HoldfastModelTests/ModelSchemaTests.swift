import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite struct ModelSchemaTests {
    @Test func columnsAreInTheOrderOfTheFields() {
        #expect(Post.schema.columns == ["id", "title", "rating", "status", "tags", "createdAt", "blogID"])
        #expect(Order.schema.columns == ["note", "shop", "number"])
        #expect(OrderLine.schema.columns == ["id", "orderShop", "orderNumber", "title"])
    }

    @Test func aColumnOfTwoFieldsIsOnceAtItsFirstPosition() {
        let line = schema(
            [.primaryKey(fields: ["postId", "id"])],
            [
                .field(Key("postId")), .field(Key("id")),
                .belongsTo(Key("post"), ofType: Post.self, targetName: "postId"), .field(Key("text")),
            ])
        #expect(line.columns == ["postId", "id", "text"])
        #expect(line.primaryKeyColumns == [0, 1])
    }

    @Test func primaryKeyColumnsFollowTheOrderOfTheKeyNotOfTheFields() {
        #expect(Order.schema.primaryKeyNames == ["shop", "number"])
        #expect(Order.schema.primaryKeyColumns == [1, 2])
        #expect(Visit.schema.primaryKeyNames == ["guest", "day"])
        #expect(Visit.schema.primaryKeyColumns == [1, 0])
    }

    @Test(
        arguments: [
            ([.primaryKey(fields: ["a"]), .index(fields: ["b"], name: nil)], true, ["a"]),
            ([.index(fields: ["b"], name: nil), .primaryKey(fields: ["b", "a"])], true, ["b", "a"]),
            ([.index(fields: ["b", "a"], name: nil)], true, ["b", "a"]),
            ([.index(fields: ["a"], name: nil), .index(fields: ["b"], name: nil)], false, ["a"]),
            ([.index(fields: ["b"], name: "byB")], true, ["id"]),
            ([], true, ["id"]),
            ([.index(fields: ["b"], name: "byB")], false, []),
        ] as [([ModelAttribute], Bool, [String])])
    func thePrimaryKeyIsTheStatedOneElseTheUnnamedIndexElseTheIdentifier(
        attributes: [ModelAttribute], hasIdentifier: Bool, key: [String]
    ) {
        let fields: [ModelFieldDefinition] = [.field(Key("a")), .field(Key("b"))]
        #expect(schema(attributes, (hasIdentifier ? [.id()] : []) + fields).primaryKeyNames == key)
    }

    @Test func attributesInTheClosureReplaceThoseOfTheCall() {
        let replaced = Counter.defineSchema(attributes: .primaryKey(fields: ["a"])) { model in
            model.attributes(.primaryKey(fields: ["b"]), .index(fields: ["a"], name: "byA"))
            model.fields(.field(Key("a")), .field(Key("b")))
        }
        #expect(replaced.primaryKeyNames == ["b"])
        #expect(replaced.attributes.count == 2)
        #expect(replaced.name == "Counter")
    }

    @Test func pluralNamesAreKept() {
        #expect(Blog.schema.listPluralName == "Blogs")
        #expect(Blog.schema.syncPluralName == "Blogs")
        #expect(Post.schema.listPluralName == nil)
    }

    @Test func identifiersAreRequiredText() throws {
        for definition in [ModelFieldDefinition.id(), .id("id"), .id(Key("id"))] {
            let field = try #require(schema([], [definition]).field(withName: "id"))
            #expect(field.isRequired && !field.isReadOnly)
            #expect(field.columns == ["id"])
        }
    }

    @Test func fieldsAreRequiredAndWritableByDefault() throws {
        let thing = schema(
            [], [.id(), .field(Key("a")), .field(Key("b"), is: .optional, isReadOnly: true, ofType: .int)])
        let required = try #require(thing.field(withName: "a"))
        let optional = try #require(thing.field(withName: "b"))
        #expect(required.isRequired && !required.isReadOnly)
        #expect(!optional.isRequired && optional.isReadOnly)
        #expect(thing.field(withName: "c") == nil)
    }

    @Test(
        arguments: [
            (.belongsTo(Key("post"), ofType: Post.self), ["postId"]),
            (.belongsTo(Key("post"), ofType: Post.self, associatedWith: Key("lines"), targetName: "p"), ["p"]),
            (.belongsTo(Key("order"), ofType: Order.self, targetNames: ["a", "b"]), ["a", "b"]),
            (.belongsTo(Key("post"), ofType: Post.self, targetNames: []), ["postId"]),
            (.hasMany(Key("posts"), ofType: Post.self, associatedWith: Key("blog")), []),
            (.hasMany(Key("posts"), ofType: Post.self, associatedFields: [Key("a"), Key("b")]), []),
            (.hasOne(Key("post"), ofType: Post.self, associatedWith: Key("blog"), targetName: "x"), []),
            (.hasOne(Key("post"), ofType: Post.self, associatedFields: [Key("blog")]), []),
        ] as [(ModelFieldDefinition, [String])])
    func aRelationIsKeptUnderItsTargetNamesOrNotAtAll(definition: ModelFieldDefinition, columns: [String]) throws {
        let thing = schema([], [.id(), definition])
        #expect(thing.columns == ["id"] + columns)
        #expect(try #require(thing.orderedFields.last).columns == columns)
    }

    @Test func relationsNameTheOtherModel() {
        #expect(Post.schema.field(withName: "blog")?.associatedModelName == "Blog")
        #expect(Blog.schema.field(withName: "posts")?.associatedModelName == "Post")
        #expect(Post.schema.field(withName: "title")?.associatedModelName == nil)
        #expect(
            Blog.schema.field(withName: "posts")?.association
                == .hasMany(associatedFieldName: "blog", associatedFieldNames: ["blog"]))
        #expect(
            OrderLine.schema.field(withName: "order")?.association
                == .belongsTo(associatedFieldName: "lines", targetNames: ["orderShop", "orderNumber"]))
    }
}
