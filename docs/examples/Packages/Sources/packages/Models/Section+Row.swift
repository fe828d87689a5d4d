import HoldfastModel

extension Section {
    init(row: RowReader) throws(ModelError) {
        name = try row.read(0)
        packages = row.children(by: "section", keyColumns: 0)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(name)
    }
}
