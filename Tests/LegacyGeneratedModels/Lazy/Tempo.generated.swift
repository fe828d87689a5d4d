// The shape of a generated file.
import Foundation
import HoldfastModel

public enum Tempo: String, EnumPersistable {
    case cheerful
    case `operator`
}
