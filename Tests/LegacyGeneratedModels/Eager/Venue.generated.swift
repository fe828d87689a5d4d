// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Venue: Embeddable {
    var street: String
    var floors: [Int]?
    var spot: Spot?

    public init(street: String, floors: [Int]? = nil, spot: Spot? = nil) {
        self.street = street
        self.floors = floors
        self.spot = spot
    }
}

public struct Spot: Embeddable {
    var latitude: Double
    var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
