import HoldfastModel

/// A package of the archive; its name is its key.
struct Package: Model {
    let name: String
    var version: String
    var architecture: String
    var summary: String
    /// In KiB.
    var installedSize: Int
    var homepage: String?
    var priority: PackagePriority?
    internal var _maintainer: LazyReference<Maintainer>
    var maintainer: Maintainer? {
        get async throws { try await _maintainer.get() }
    }
    internal var _section: LazyReference<Section>
    var section: Section? {
        get async throws { try await _section.get() }
    }
    var dependencies: List<Dependency>?

    init(
        name: String, version: String, architecture: String, summary: String, installedSize: Int,
        homepage: String? = nil, priority: PackagePriority? = nil, maintainer: Maintainer? = nil,
        section: Section? = nil, dependencies: List<Dependency>? = []
    ) {
        self.name = name
        self.version = version
        self.architecture = architecture
        self.summary = summary
        self.installedSize = installedSize
        self.homepage = homepage
        self.priority = priority
        self._maintainer = LazyReference(maintainer)
        self._section = LazyReference(section)
        self.dependencies = dependencies
    }

    mutating func setMaintainer(_ maintainer: Maintainer? = nil) { _maintainer = LazyReference(maintainer) }

    mutating func setSection(_ section: Section? = nil) { _section = LazyReference(section) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        version = try values.decode(String.self, forKey: .version)
        architecture = try values.decode(String.self, forKey: .architecture)
        summary = try values.decode(String.self, forKey: .summary)
        installedSize = try values.decode(Int.self, forKey: .installedSize)
        homepage = try? values.decode(String?.self, forKey: .homepage)
        priority = try? values.decode(PackagePriority?.self, forKey: .priority)
        _maintainer =
            try values.decodeIfPresent(LazyReference<Maintainer>.self, forKey: .maintainer) ?? LazyReference(nil)
        _section = try values.decodeIfPresent(LazyReference<Section>.self, forKey: .section) ?? LazyReference(nil)
        dependencies = try values.decodeIfPresent(List<Dependency>.self, forKey: .dependencies) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(version, forKey: .version)
        try container.encode(architecture, forKey: .architecture)
        try container.encode(summary, forKey: .summary)
        try container.encode(installedSize, forKey: .installedSize)
        try container.encode(homepage, forKey: .homepage)
        try container.encode(priority, forKey: .priority)
        try container.encode(_maintainer, forKey: .maintainer)
        try container.encode(_section, forKey: .section)
        try container.encode(dependencies, forKey: .dependencies)
    }
}
