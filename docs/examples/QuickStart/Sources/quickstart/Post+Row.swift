import HoldfastModel

extension Post {
    init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        title = try row.read(1)
        rating = try row.read(2)
        createdAt = try row.read(3)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(title)
        row.write(rating)
        row.write(createdAt)
    }
}
