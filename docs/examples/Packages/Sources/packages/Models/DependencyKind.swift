import HoldfastModel

/// How strongly one package wants another.
enum DependencyKind: String, EnumPersistable {
    case preDepends = "PRE_DEPENDS"
    case depends = "DEPENDS"
    case recommends = "RECOMMENDS"
    case suggests = "SUGGESTS"
}
