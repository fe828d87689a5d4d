// The shape of a generated file.
import Foundation
import HoldfastModel

public enum Season: String, EnumPersistable {
    case monday = "MONDAY"
    case friday = "FRIDAY"
    case `default`
}
