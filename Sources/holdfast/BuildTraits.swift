#if CLI
/// The package traits of this build.
enum BuildTraits {
    /// The value of `--traits` for a build that has what this one has, and more.
    static func value(adding missing: [String]) -> String {
        var traits = ["default", "CLI"]
        #if Server
        traits.append("Server")
        #endif
        #if LevelDB
        traits.append("LevelDB")
        #endif
        #if PostgreSQL
        traits.append("PostgreSQL")
        #endif
        traits += missing
        return traits.joined(separator: ",")
    }
}
#endif
