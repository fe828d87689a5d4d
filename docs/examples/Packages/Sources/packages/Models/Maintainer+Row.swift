import HoldfastModel

extension Maintainer {
    init(row: RowReader) throws(ModelError) {
        email = try row.read(0)
        name = try row.read(1)
        packages = row.children(by: "maintainer", keyColumns: 0)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(email)
        row.write(name)
    }
}
