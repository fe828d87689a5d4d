import HoldfastStorage
import Testing

@Suite struct TypeMappingTests {
    @Test func tableBeginsWithEveryScalarOnceInOrder() {
        #expect(Array(TypeMapping.table.map(\.fieldType).prefix(FieldType.scalars.count)) == FieldType.scalars)
    }

    @Test func tableEndsWithEnumerationEmbeddedAndLists() {
        let rest = TypeMapping.table.map(\.fieldType).dropFirst(FieldType.scalars.count)
        #expect(
            Array(rest) == [
                .enumeration("AnEnum"), .embedded("AType"), .list(of: .string, elementsAreRequired: false),
                .list(of: .string, elementsAreRequired: true),
            ])
    }

    @Test(arguments: TypeMapping.table)
    func rowsAgreeWithTheFieldType(row: TypeMapping) {
        #expect(row.storageType == row.fieldType.storageType)
        for cell in [row.graphQLName, row.swiftType, row.rejects, row.order, row.canonicalForm] {
            #expect(!cell.isEmpty)
            #expect(!cell.contains("|") && !cell.contains("\n"))
        }
    }

    @Test(
        arguments: [
            (.id, "ID", "String"), (.int, "Int", "Int"), (.float, "Float", "Double"), (.boolean, "Boolean", "Bool"),
            (.date, "AWSDate", "Temporal.Date"), (.time, "AWSTime", "Temporal.Time"),
            (.dateTime, "AWSDateTime", "Temporal.DateTime"), (.timestamp, "AWSTimestamp", "Int"),
            (.json, "AWSJSON", "String"), (.ipAddress, "AWSIPAddress", "String"),
            (.list(of: .string, elementsAreRequired: true), "[String!]", "[String]"),
        ] as [(FieldType, String, String)])
    func namesAreThoseOfGraphQLAndSwift(type: FieldType, graphQLName: String, swiftType: String) throws {
        let row = try #require(TypeMapping.table.first { $0.fieldType == type })
        #expect(row.graphQLName == graphQLName)
        #expect(row.swiftType == swiftType)
    }

    @Test func onlyFloatsAndTimesAreCanonicalized() {
        let types = TypeMapping.table.filter { $0.valueClass == .canonicalized }.map(\.fieldType)
        #expect(types == [.float, .date, .time, .dateTime])
    }

    @Test func markdownHasALineForEachRow() {
        let lines = TypeMapping.markdown.split(separator: "\n")
        #expect(lines.count == TypeMapping.table.count + 2)
        for line in lines { #expect(line.count { $0 == "|" } == 8) }
        #expect(TypeMapping.markdown.contains("| `AWSDateTime` | `Temporal.DateTime` | `timestamp` | canonicalized |"))
    }
}
