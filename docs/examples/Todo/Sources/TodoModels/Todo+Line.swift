extension Todo {
    /// The task as one line of text.
    public var line: String { "[\(isDone ? "x" : " ")] \(title)" }
}
