/// The selections of a document in flat form: what each set of braces contains, by index.
struct SelectionGraph {
    /// One entry of a selection.
    enum Entry {
        /// A field, by its index.
        case field(Int)
        /// An inline fragment, by the index of its selection.
        case set(Int)
        /// The use of a fragment, by the index of the fragment.
        case fragment(Int)
    }

    /// A field with the types that the schema gives it.
    struct Field {
        let selection: FieldSelection
        /// The type on which the field is selected.
        let parent: SchemaType
        /// The type of the field, when it exists.
        let type: TypeReference?
        /// Whether something can be selected of the field.
        let isComposite: Bool
        /// The selection on the field, when there is one.
        let set: Int?
    }

    private(set) var sets: [[Entry]] = []
    private(set) var fields: [Field] = []

    /// Adds a selection and returns its index.
    mutating func add(_ entries: [Entry]) -> Int {
        sets.append(entries)
        return sets.count - 1
    }

    /// Adds a field and returns its index.
    mutating func add(_ field: Field) -> Int {
        fields.append(field)
        return fields.count - 1
    }
}
