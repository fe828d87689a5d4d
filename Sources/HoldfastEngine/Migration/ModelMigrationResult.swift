/// What a migration does with the unsent changes and the sync state of a model.
enum ModelMigrationResult: Sendable {
    /// The model's records are given up.
    case gone
    /// The model continues under a name.
    case kept(KeptModel)
}
