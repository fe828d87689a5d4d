/// The types of records, by the places of their models.
enum RecordTypes {
    /// The type of the records at a place.
    static func type(at index: Int) -> any SimulatedRecord.Type {
        func record<Place: ModelPlace>(_ place: Place.Type) -> any SimulatedRecord.Type { PlacedRecord<Place>.self }
        return record(place(index))
    }

    private static func place(_ index: Int) -> any ModelPlace.Type {
        func even<Half: ModelPlace>(_ half: Half.Type) -> any ModelPlace.Type { EvenPlace<Half>.self }
        func odd<Half: ModelPlace>(_ half: Half.Type) -> any ModelPlace.Type { OddPlace<Half>.self }
        if index == 0 { return FirstPlace.self }
        let half = place(index / 2)
        return index % 2 == 0 ? even(half) : odd(half)
    }
}
