import HoldfastModel
import Testing

@Suite struct ModelAssociationTests {
    @Test(
        arguments: [
            (.belongsTo, .belongsTo(associatedFieldName: nil, targetNames: [])),
            (.belongsTo(targetName: "t"), .belongsTo(associatedFieldName: nil, targetNames: ["t"])),
            (
                .belongsTo(associatedWith: Key("k"), targetName: "t"),
                .belongsTo(associatedFieldName: "k", targetNames: ["t"])
            ),
            (
                .belongsTo(associatedWith: Key("k"), targetNames: ["t", "u"]),
                .belongsTo(associatedFieldName: "k", targetNames: ["t", "u"])
            ),
            (.belongsTo(associatedWith: nil), .belongsTo(associatedFieldName: nil, targetNames: [])),
            (
                .hasMany(associatedWith: Key("k")), .hasMany(associatedFieldName: "k", associatedFieldNames: ["k"])
            ),
            (
                .hasOne(associatedWith: Key("k"), targetName: "t"),
                .hasOne(associatedFieldName: "k", associatedFieldNames: [], targetNames: ["t"])
            ),
            (
                .hasOne(associatedWith: Key("k"), targetNames: ["t", "u"]),
                .hasOne(associatedFieldName: "k", associatedFieldNames: [], targetNames: ["t", "u"])
            ),
            (.hasOne(associatedWith: Key("k")), .hasOne(associatedFieldName: "k", targetNames: [])),
            (
                .hasOne(associatedFields: [Key("k"), Key("l")]),
                .hasOne(associatedFieldName: nil, associatedFieldNames: ["k", "l"], targetNames: [])
            ),
        ] as [(ModelAssociation, ModelAssociation)])
    func eachFormHasItsParts(association: ModelAssociation, parts: ModelAssociation) {
        #expect(association == parts)
    }
}
