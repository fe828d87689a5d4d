/// The types of records, by the positions of their models.
enum RecordTypes {
    /// The type of the records at a position.
    static func type(at index: Int) -> any SimulatedRecord.Type {
        func record<Position: ModelPosition>(_ position: Position.Type) -> any SimulatedRecord.Type {
            PlacedRecord<Position>.self
        }
        return record(position(index))
    }

    private static func position(_ index: Int) -> any ModelPosition.Type {
        func even<Half: ModelPosition>(_ half: Half.Type) -> any ModelPosition.Type { EvenPosition<Half>.self }
        func odd<Half: ModelPosition>(_ half: Half.Type) -> any ModelPosition.Type { OddPosition<Half>.self }
        if index == 0 { return FirstPosition.self }
        let half = position(index / 2)
        return index % 2 == 0 ? even(half) : odd(half)
    }
}
