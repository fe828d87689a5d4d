extension ModelField {
    /// Whether the field is a relation.
    public var hasAssociation: Bool { association != nil }

    /// The name of the related model, if this is a relation.
    public var associatedModelName: ModelName? {
        switch type {
        case .model(let name), .collection(let name): name
        default: nil
        }
    }

    /// The related model, if this is a relation to a model in the ``ModelRegistry``.
    public var associatedModel: (any Model.Type)? { associatedModelName.flatMap(ModelRegistry.modelType) }

    /// Whether this model holds the key of the related one.
    public var isAssociationOwner: Bool {
        if case .belongsTo = association { true } else { false }
    }

    /// Whether the relation leads to at most one record.
    public var isBelongsToOrHasOne: Bool {
        switch association {
        case .belongsTo, .hasOne: true
        case .hasMany, nil: false
        }
    }

    /// The same as ``isBelongsToOrHasOne``, under its older name.
    public var _isBelongsToOrHasOne: Bool { isBelongsToOrHasOne }

    /// The field at the other end of the relation, if the related model is in the ``ModelRegistry`` and has one.
    public var associatedField: ModelField? {
        guard let other = associatedModelName.flatMap(ModelRegistry.modelSchema(from:)) else { return nil }
        let name: String? =
            switch association {
            case .hasMany(let name, let names): name ?? names.first
            case .hasOne(let name, let names, _): name ?? names.first
            case .belongsTo(let name, _): name
            case nil: nil
            }
        return name.flatMap(other.field(withName:))
    }

    /// The names of the fields at the other end: those of the relation, or the related model's primary key.
    public var associatedFieldNames: [String] {
        switch association {
        case .hasMany(let name, let names): return names.isEmpty ? name.map { [$0] } ?? [] : names
        case .hasOne, .belongsTo:
            return associatedModelName.flatMap(ModelRegistry.modelSchema(from:))?.primaryKeyNames ?? []
        case nil: return []
        }
    }

    /// Whether each record on either side relates to at most one of the other.
    public var isOneToOne: Bool {
        switch association {
        case .hasOne: true
        case .belongsTo: if case .hasOne = associatedField?.association { true } else { false }
        case .hasMany, nil: false
        }
    }

    /// Whether this model's record relates to many that belong to it.
    public var isOneToMany: Bool {
        guard case .hasMany = association else { return false }
        return associatedField?.isAssociationOwner ?? false
    }

    /// Whether many records of this model relate to one of the other.
    public var isManyToOne: Bool {
        guard isAssociationOwner, case .hasMany = associatedField?.association else { return false }
        return true
    }

    /// Whether the field holds values of a type without its own table, or a list.
    public var isEmbeddedType: Bool {
        switch type {
        case .embedded, .embeddedCollection: true
        default: false
        }
    }

    /// The schema of the embedded type, if the field holds one.
    public var embeddedTypeSchema: ModelSchema? { type.embeddedSchema }
}
