extension SimulatedSchema {
    /// The schema of runs that state none: folders, papers that may belong to a folder, and remarks that must belong to
    /// a paper; the service resolves conflicts of all of them, and everyone may do everything.
    public static let standard: SimulatedSchema = {
        do {
            return try SimulatedSchema(text)
        } catch {
            preconditionFailure("The schema of the simulation has problems: \(error)")
        }
    }()

    private static let text = """
        type Folder @model(timestamps: null) @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          papers: [Paper] @hasMany(indexName: "byFolder", fields: ["id"])
        }
        type Paper @model(timestamps: null) @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          folderId: ID @index(name: "byFolder") folder: Folder @belongsTo(fields: ["folderId"])
          remarks: [Remark] @hasMany(indexName: "byPaper", fields: ["id"])
        }
        type Remark @model(timestamps: null) @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          paperId: ID! @index(name: "byPaper") paper: Paper! @belongsTo(fields: ["paperId"])
        }
        """
}
