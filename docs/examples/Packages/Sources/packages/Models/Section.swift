import HoldfastModel

/// A shelf of the archive, such as "games".
struct Section: Model {
    let name: String
    var packages: List<Package>?

    init(name: String, packages: List<Package>? = []) {
        self.name = name
        self.packages = packages
    }
}
