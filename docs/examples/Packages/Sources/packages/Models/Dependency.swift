import Foundation
import HoldfastModel

/// One package's wish for another; of alternatives ("a | b") each is a record.
struct Dependency: Model {
    let id: String
    var kind: DependencyKind
    /// The name of the package depended on, which need not be in the archive.
    var target: String
    /// The versions that will do, such as ">= 2.34"; `nil` for any.
    var constraint: String?
    internal var _package: LazyReference<Package>
    var package: Package {
        get async throws { try await _package.require() }
    }

    init(
        id: String = UUID().uuidString, kind: DependencyKind, target: String, constraint: String? = nil,
        package: Package
    ) {
        self.id = id
        self.kind = kind
        self.target = target
        self.constraint = constraint
        self._package = LazyReference(package)
    }

    mutating func setPackage(_ package: Package) { _package = LazyReference(package) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        kind = try values.decode(DependencyKind.self, forKey: .kind)
        target = try values.decode(String.self, forKey: .target)
        constraint = try? values.decode(String?.self, forKey: .constraint)
        _package = try values.decode(LazyReference<Package>.self, forKey: .package)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(target, forKey: .target)
        try container.encode(constraint, forKey: .constraint)
        try container.encode(_package, forKey: .package)
    }
}
