import HoldfastModel
import HoldfastStorage

/// One step of a path: from the records of a model to those they relate to.
struct RelationStep: Sendable {
    /// The field.
    let field: String
    /// The related model.
    let related: ModelCatalog.RegisteredModel
    /// The columns on this side that hold the key which both sides share.
    let ownColumns: [Int]
    /// The columns on the other side that hold it.
    let relatedColumns: [Int]
    /// Whether it leads to several records.
    let isToMany: Bool

    /// Whether the other side is found by its primary key.
    var leadsToPrimaryKey: Bool { relatedColumns == related.entity.primaryKeyPositions }

    /// The names of ``relatedColumns``.
    var relatedColumnNames: [String] { relatedColumns.map { related.entity.fields[$0].name } }

    /// The key on this side of a row, or `nil` if the row relates to nothing.
    func ownKey(in rows: RowBuffer, _ row: Int) -> RecordKey? { rows.key(row, ownColumns) }

    /// The key on the other side of a row, or `nil` if it relates to nothing.
    func relatedKey(in rows: RowBuffer, _ row: Int) -> RecordKey? { rows.key(row, relatedColumns) }
}

extension ModelCatalog {
    /// The step through a field of a model.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` if the field is not a relation of the model.
    func step(through field: String, of model: RegisteredModel) throws(ModelError) -> RelationStep {
        guard let definition = model.schema.field(withName: field),
            let related = definition.associatedModelName.flatMap(self.model(named:))
        else {
            throw ModelError(
                .invalidSchema,
                "'\(model.entity.name).\(field)' is not a relation; a path can contain only relations.")
        }
        if let relation = model.schema.eagerRelations.first(where: { $0.field == field }) {
            return try checked(
                RelationStep(
                    field: field, related: related, ownColumns: relation.keyColumns,
                    relatedColumns: relation.keyColumns(of: related.schema), isToMany: false), of: model)
        }
        var fields: [String] = []
        if case .hasMany(let name, let names) = definition.association {
            fields = names.isEmpty ? name.map { [$0] } ?? [] : names
        }
        return try checked(
            RelationStep(
                field: field, related: related, ownColumns: model.entity.primaryKeyPositions,
                relatedColumns: related.schema.columnPositions(of: fields), isToMany: true), of: model)
    }

    private func checked(_ step: RelationStep, of model: RegisteredModel) throws(ModelError) -> RelationStep {
        guard step.ownColumns.count == step.relatedColumns.count, !step.ownColumns.isEmpty else {
            throw ModelError(
                .invalidSchema,
                "'\(model.entity.name).\(step.field)' and '\(step.related.entity.name)' do not share a key.")
        }
        return step
    }
}
