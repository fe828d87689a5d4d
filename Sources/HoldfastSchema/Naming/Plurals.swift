/// English plurals, by the rules that the service applies to the names of models: those of npm's `pluralize` 8.0.0.
///
/// The rules look at a whole name and know nothing of camel case: `Foot` becomes `Feet`, but `BigFoot` `BigFoots`. What
/// they replace has the case of what was there: `FAQ` becomes `FAQS`, and `MyBOX` `MyBOXES`.
package enum Plurals {
    /// The plural of a model's name: `People` for `Person`, `UserFollowings` for `UserFollowing`.
    package static func plural(of name: String) -> String {
        let lower = name.lowercased()
        if irregularPlurals.contains(lower) { return restoreCase(of: name, in: lower) }
        if let plural = irregular[lower] { return restoreCase(of: name, in: plural) }
        if uncountable.contains(lower) || keepsForm(lower) { return name }
        for rule in rules {
            if let plural = rule.plural(of: name, lower) { return plural }
        }
        guard let last = name.last, last.isASCII, !lower.hasSuffix("s") else { return name }
        return name + (last.isUppercase ? "S" : "s")
    }

    /// One rule: names that end in one of the stems and one of the endings.
    private struct Rule {
        /// The letters before the ending; a class in brackets stands for one letter, `[^…]` for any other.
        let stems: [String]
        let endings: [String]
        /// What takes the place of the ending; `nil` if the name keeps its form.
        let replacement: String?
        /// Whether only the stem may come before the ending.
        var isWhole = false

        func plural(of name: String, _ lower: String) -> String? {
            for ending in endings where lower.hasSuffix(ending) {
                let head = Array(lower.dropLast(ending.count))
                // The longest stem begins first, as the match of a regular expression does.
                guard let count = stems.compactMap({ letterCount(of: $0, atTheEndOf: head) }).max() else { continue }
                guard let replacement else { return name }
                let match = String(name.suffix(count + ending.count))
                let changed: String = match.dropLast(ending.count) + replacement
                return name.dropLast(match.count) + Plurals.restoreCase(of: match, in: changed)
            }
            return nil
        }

        /// The number of letters that a stem takes up at the end of a word; `nil` if the word does not end in it.
        private func letterCount(of stem: String, atTheEndOf word: [Character]) -> Int? {
            var left = word[...]
            var pattern = Array(stem)[...]
            while let last = pattern.popLast() {
                guard let letter = left.popLast() else { return nil }
                guard last == "]" else {
                    if last != letter { return nil }
                    continue
                }
                guard let open = pattern.lastIndex(of: "[") else { return nil }
                let letters = pattern[(open + 1)...]
                pattern = pattern[..<open]
                let isFound = letters.contains(letter)
                if letters.first == "^" ? isFound : !isFound { return nil }
            }
            return !isWhole || left.isEmpty ? word.count - left.count : nil
        }
    }

    private static func keepsForm(_ word: String) -> Bool {
        for ending in ["pok\u{e9}mon", "pokemon", "deer", "fish", "measles", "ois", "ous", "pox", "sheep"]
        where word.hasSuffix(ending) { return true }
        guard word.hasSuffix("ese"), let before = word.dropLast(3).last else { return false }
        return !"aeiou".contains(before)
    }

    /// A text in the case of the word whose place it takes: in lower case, in upper case, or with one capital.
    private static func restoreCase(of word: String, in text: String) -> String {
        let lower = text.lowercased()
        if word == text { return text }
        if word == word.lowercased() { return lower }
        if word == word.uppercased() { return text.uppercased() }
        return word == Names.upperFirst(word) ? Names.upperFirst(lower) : lower
    }

    // The plural of these words is the word.
    private static let uncountable: Set<String> = [
        "adulthood", "advice", "agenda", "aid", "aircraft", "alcohol", "ammo", "analytics", "anime", "athletics",
        "audio", "bison", "blood", "bream", "buffalo", "butter", "carp", "cash", "chassis", "chess", "clothing",
        "cod", "commerce", "cooperation", "corps", "debris", "diabetes", "digestion", "elk", "energy", "equipment",
        "excretion", "expertise", "firmware", "flounder", "fun", "gallows", "garbage", "graffiti", "hardware",
        "headquarters", "health", "herpes", "highjinks", "homework", "housework", "information", "jeans", "justice",
        "kudos", "labour", "literature", "machinery", "mackerel", "mail", "media", "mews", "moose", "music", "mud",
        "manga", "news", "only", "personnel", "pike", "plankton", "pliers", "police", "pollution", "premises",
        "rain", "research", "rice", "salmon", "scissors", "series", "sewage", "shambles", "shrimp", "software",
        "staff", "swine", "tennis", "traffic", "transportation", "trout", "tuna", "wealth", "welfare", "whiting",
        "wildebeest", "wildlife", "you",
    ]

    private static let irregular: [String: String] = [
        "i": "we", "me": "us", "he": "they", "she": "they", "them": "them", "myself": "ourselves",
        "yourself": "yourselves", "itself": "themselves", "herself": "themselves", "himself": "themselves",
        "themself": "themselves", "is": "are", "was": "were", "has": "have", "this": "these", "that": "those",
        "echo": "echoes", "dingo": "dingoes",
        "volcano": "volcanoes", "tornado": "tornadoes", "torpedo": "torpedoes", "genus": "genera",
        "viscus": "viscera", "stigma": "stigmata", "stoma": "stomata", "dogma": "dogmata", "lemma": "lemmata",
        "schema": "schemata", "anathema": "anathemata", "ox": "oxen", "axe": "axes", "die": "dice", "yes": "yeses",
        "foot": "feet", "eave": "eaves", "goose": "geese", "tooth": "teeth", "quiz": "quizzes", "human": "humans",
        "proof": "proofs", "carve": "carves", "valve": "valves", "looey": "looies", "thief": "thieves",
        "groove": "grooves", "pickaxe": "pickaxes", "passerby": "passersby",
    ]

    private static let irregularPlurals = Set(irregular.values)

    /// The first that fits counts.
    private static let rules: [Rule] = [
        Rule(stems: [""], endings: ["thou"], replacement: "you", isWhole: true),
        Rule(stems: [""], endings: ["man", "men"], replacement: "men"),
        Rule(stems: ["eaux"], endings: [""], replacement: nil),
        Rule(stems: ["child"], endings: ["ren", ""], replacement: "ren"),
        Rule(stems: ["pe"], endings: ["rson", "ople"], replacement: "ople"),
        Rule(stems: ["m", "titm", "l"], endings: ["ice", "ouse"], replacement: "ice", isWhole: true),
        Rule(
            stems: ["matr", "cod", "mur", "sil", "vert", "ind", "append"], endings: ["ix", "ex"], replacement: "ices"),
        Rule(stems: ["x", "ch", "ss", "sh", "zz"], endings: [""], replacement: "es"),
        Rule(stems: ["[^ch][ieo][ln]"], endings: ["ey"], replacement: "ies"),
        Rule(stems: ["[^aeiouy]", "qu"], endings: ["y"], replacement: "ies"),
        Rule(stems: ["kni", "wi", "li"], endings: ["fe"], replacement: "ves"),
        Rule(stems: ["ar", "l", "ea", "eo", "oa", "hoo"], endings: ["f"], replacement: "ves"),
        Rule(stems: [""], endings: ["sis"], replacement: "ses"),
        Rule(
            stems: [
                "apheli", "hyperbat", "periheli", "asyndet", "noumen", "phenomen", "criteri", "organ", "prolegomen",
                "hedr", "automat",
            ], endings: ["a", "on"], replacement: "a"),
        Rule(
            stems: [
                "agend", "addend", "millenni", "dat", "extrem", "bacteri", "desiderat", "strat", "candelabr", "errat",
                "ov", "symposi", "curricul", "automat", "quor",
            ], endings: ["a", "um"], replacement: "a"),
        Rule(stems: ["her", "at", "gr"], endings: ["o"], replacement: "oes"),
        Rule(stems: ["seraph", "cherub"], endings: ["im", ""], replacement: "im"),
        Rule(stems: ["alumn", "alg", "vertebr"], endings: ["ae", "a"], replacement: "ae"),
        Rule(
            stems: [
                "alumn", "syllab", "vir", "radi", "nucle", "fung", "cact", "stimul", "termin", "bacill", "foc", "uter",
                "loc", "strat",
            ], endings: ["us", "i"], replacement: "i"),
        Rule(stems: ["[^l]ias", "[aeiou]las", "[ejzr]as", "[iu]am"], endings: [""], replacement: nil),
        Rule(stems: ["e[mn]u"], endings: ["s", ""], replacement: "s"),
        Rule(stems: ["alias", "[^aou]us", "t[lm]as", "gas", "ris"], endings: [""], replacement: "es"),
        Rule(stems: ["ax", "test"], endings: ["is"], replacement: "es"),
    ]
}
