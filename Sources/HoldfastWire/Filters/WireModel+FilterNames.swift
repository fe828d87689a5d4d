extension WireModel {
    /// A filter or condition with the service's names of the columns in the place of the store's.
    package func withWireNames(_ filter: WireValue) -> WireValue {
        guard let object = filter.object else { return filter }
        var named = JSONObject()
        for member in object.members {
            switch member.name {
            case "and", "or": named[member.name] = .array((member.value.array ?? []).map(withWireNames))
            case "not": named[member.name] = withWireNames(member.value)
            default: named[columns.wireName(of: member.name)] = member.value
            }
        }
        return .object(named)
    }
}
