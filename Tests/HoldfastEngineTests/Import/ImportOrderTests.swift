import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

@Suite struct ImportOrderTests {
    private enum Keys: String, CodingKey { case id }

    /// Models by name, each with the models to which it leads.
    func groups(_ models: KeyValuePairs<String, [String]>) throws -> [String] {
        let catalog = try ModelCatalog(
            schemas: models.map { name, parents in
                let relations = parents.map { parent in
                    ModelField(
                        name: "to\(parent)", type: .model(name: parent),
                        association: .belongsTo(associatedFieldName: nil, targetNames: ["\(parent)Id"]))
                }
                let fields = [ModelField(name: "id", type: .string, isRequired: true)] + relations
                return ModelSchema(
                    name: name, attributes: [.primaryKey(fields: [Keys.id])],
                    fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
            })
        return ImportGroup.ordered(catalog).map { group in
            group.entities.map(\.name).joined(separator: "+") + (group.isCyclic ? " in a circle" : "")
        }
    }

    @Test func parentsComeFirst() throws {
        #expect(try groups(["C": ["B"], "B": ["A"], "A": []]) == ["A", "B", "C"])
        #expect(try groups(["A": ["A"], "B": []]) == ["A in a circle", "B"])
    }

    @Test func onlyACircleIsImportedTogether() throws {
        let models: KeyValuePairs<String, [String]> = [
            "After": ["Left", "Before"], "Left": ["Right"], "Right": ["Left", "Before"], "Before": [],
            "Last": ["After"], "Other": ["Another"], "Another": ["Other", "Last"],
        ]
        #expect(
            try groups(models) == ["Before", "Left+Right in a circle", "After", "Last", "Other+Another in a circle"])
    }
}
