/// The kinds of lexical tokens.
enum TokenKind: UInt8 {
    case endOfSource
    case exclamationMark
    case dollar
    case ampersand
    case leftParenthesis
    case rightParenthesis
    case spread
    case colon
    case equals
    case at
    case leftBracket
    case rightBracket
    case leftBrace
    case verticalBar
    case rightBrace
    case name
    case int
    case float
    case string
    case blockString

    /// How messages call a token of this kind.
    var phrase: String {
        switch self {
        case .endOfSource: "the end of the text"
        case .exclamationMark: "\"!\""
        case .dollar: "\"$\""
        case .ampersand: "\"&\""
        case .leftParenthesis: "\"(\""
        case .rightParenthesis: "\")\""
        case .spread: "\"...\""
        case .colon: "\":\""
        case .equals: "\"=\""
        case .at: "\"@\""
        case .leftBracket: "\"[\""
        case .rightBracket: "\"]\""
        case .leftBrace: "\"{\""
        case .verticalBar: "\"|\""
        case .rightBrace: "\"}\""
        case .name: "a name"
        case .int: "an integer"
        case .float: "a number"
        case .string, .blockString: "a string"
        }
    }
}
