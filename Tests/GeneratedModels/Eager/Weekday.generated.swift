// The shape of a generated file.
import Foundation
import HoldfastModel

public enum Weekday: String, EnumPersistable {
    case monday = "MONDAY"
    case friday = "FRIDAY"
    case `default`
}
