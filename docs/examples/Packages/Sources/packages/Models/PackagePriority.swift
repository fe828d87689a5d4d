import HoldfastModel

/// How much a system needs a package.
enum PackagePriority: String, EnumPersistable {
    case required = "REQUIRED"
    case important = "IMPORTANT"
    case standard = "STANDARD"
    case optional = "OPTIONAL"
    case extra = "EXTRA"
}
