// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Address: Embeddable {
    var street: String
    var floors: [Int]?
    var position: Position?

    public init(street: String, floors: [Int]? = nil, position: Position? = nil) {
        self.street = street
        self.floors = floors
        self.position = position
    }
}

public struct Position: Embeddable {
    var latitude: Double
    var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
