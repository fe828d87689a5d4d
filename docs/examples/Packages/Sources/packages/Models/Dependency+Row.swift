import HoldfastModel

extension Dependency {
    init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        kind = try row.read(1)
        target = try row.read(2)
        constraint = try row.read(3)
        _package = row.reference(4)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(kind)
        row.write(target)
        row.write(constraint)
        try row.write(_package)
    }
}
