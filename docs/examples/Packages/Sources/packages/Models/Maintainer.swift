import HoldfastModel

/// A person or team that looks after packages.
struct Maintainer: Model {
    let email: String
    var name: String
    var packages: List<Package>?

    init(email: String, name: String, packages: List<Package>? = []) {
        self.email = email
        self.name = name
        self.packages = packages
    }
}
