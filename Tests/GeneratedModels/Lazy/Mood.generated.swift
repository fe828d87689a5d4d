// The shape of a generated file.
import Foundation
import HoldfastModel

public enum Mood: String, EnumPersistable {
    case cheerful
    case `operator`
}
