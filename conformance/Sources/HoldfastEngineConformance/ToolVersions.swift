import HoldfastConformance
import HoldfastModel

/// The models of an application in three versions.
enum ToolVersions {
    /// At first: tools with a name, a size as a number, and an owner.
    enum First {
        static let models: [any Model.Type] = [Tool.self, Owner.self]

        struct Tool: Model {
            let id: String
            var name: String?
            var size: Int
            var owner: LazyReference<Owner>

            init(_ id: String, name: String? = nil, size: Int = 0, owner: Owner? = nil) {
                (self.id, self.name, self.size) = (id, name, size)
                self.owner = LazyReference(owner)
            }

            enum CodingKeys: String, ModelKey { case id, name, size, owner }
            static var isEager: Bool { false }
            static let schema = defineSchema { model in
                model.attributes(.primaryKey(fields: [CodingKeys.id]), .index(fields: ["size"], name: "bySize"))
                model.fields(
                    .field(CodingKeys.id), .field(CodingKeys.name, is: .optional),
                    .field(CodingKeys.size, ofType: .int),
                    .belongsTo(CodingKeys.owner, is: .optional, ofType: Owner.self, targetNames: ["ownerId"]))
            }
        }
    }

    /// With a field and an index more, and with a model more: additive.
    enum Second {
        static let models: [any Model.Type] = [Tool.self, Owner.self, Loan.self]

        struct Tool: Model {
            let id: String
            var colour: String?
            var name: String?
            var size: Int
            var owner: LazyReference<Owner>

            init(_ id: String, colour: String? = nil, name: String? = nil, size: Int = 0, owner: Owner? = nil) {
                (self.id, self.colour, self.name, self.size) = (id, colour, name, size)
                self.owner = LazyReference(owner)
            }

            enum CodingKeys: String, ModelKey { case id, colour, name, size, owner }
            static var isEager: Bool { false }
            static let schema = defineSchema { model in
                model.attributes(
                    .primaryKey(fields: [CodingKeys.id]), .index(fields: ["size"], name: "bySize"),
                    .index(fields: ["name"], name: "byName"))
                model.fields(
                    .field(CodingKeys.id), .field(CodingKeys.colour, is: .optional),
                    .field(CodingKeys.name, is: .optional), .field(CodingKeys.size, ofType: .int),
                    .belongsTo(CodingKeys.owner, is: .optional, ofType: Owner.self, targetNames: ["ownerId"]))
            }
        }

        struct Loan: Model {
            let id: String
            var tool: LazyReference<Tool>

            init(_ id: String, tool: Tool? = nil) {
                self.id = id
                self.tool = LazyReference(tool)
            }

            enum CodingKeys: String, ModelKey { case id, tool }
            static var isEager: Bool { false }
            static let schema = defineSchema { model in
                model.attributes(.primaryKey(fields: [CodingKeys.id]))
                model.fields(
                    .field(CodingKeys.id),
                    .belongsTo(CodingKeys.tool, is: .optional, ofType: Tool.self, targetNames: ["toolId"]))
            }
        }
    }

    /// Tools are devices now: renamed, with a label for a name, a size as text, and a grade that each must have.
    enum Third {
        static let models: [any Model.Type] = [Device.self, Owner.self]

        struct Device: Model {
            let id: String
            var label: String?
            var size: String
            var grade: Int
            var owner: LazyReference<Owner>

            init(_ id: String, label: String? = nil, size: String, grade: Int, owner: Owner? = nil) {
                (self.id, self.label, self.size, self.grade) = (id, label, size, grade)
                self.owner = LazyReference(owner)
            }

            enum CodingKeys: String, ModelKey { case id, label, size, grade, owner }
            static var isEager: Bool { false }
            static let schema = defineSchema { model in
                model.attributes(.primaryKey(fields: [CodingKeys.id]), .index(fields: ["grade"], name: "byGrade"))
                model.fields(
                    .field(CodingKeys.id), .field(CodingKeys.label, is: .optional), .field(CodingKeys.size),
                    .field(CodingKeys.grade, ofType: .int),
                    .belongsTo(CodingKeys.owner, is: .optional, ofType: Owner.self, targetNames: ["ownerId"]))
            }
        }
    }

    /// Who owns tools: the same in every version.
    struct Owner: Model {
        let id: String
        var name = ""

        init(_ id: String, name: String = "") { (self.id, self.name) = (id, name) }

        enum CodingKeys: String, ModelKey { case id, name }
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [CodingKeys.id]))
            model.fields(.field(CodingKeys.id), .field(CodingKeys.name))
        }
    }
}
