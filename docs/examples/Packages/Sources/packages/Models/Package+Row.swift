import HoldfastModel

extension Package {
    init(row: RowReader) throws(ModelError) {
        name = try row.read(0)
        version = try row.read(1)
        architecture = try row.read(2)
        summary = try row.read(3)
        installedSize = try row.read(4)
        homepage = try row.read(5)
        priority = try row.read(6)
        _maintainer = row.reference(7)
        _section = row.reference(8)
        dependencies = row.children(by: "package", keyColumns: 0)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(name)
        row.write(version)
        row.write(architecture)
        row.write(summary)
        row.write(installedSize)
        row.write(homepage)
        row.write(priority)
        try row.write(_maintainer)
        try row.write(_section)
    }
}
