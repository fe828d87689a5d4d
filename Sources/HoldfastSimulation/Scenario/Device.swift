import HoldfastStorage

/// A device of a scripted scenario, and what can happen to it.
///
/// ```swift
/// let (phone, tablet) = (Device(0), Device(1))
/// let scenario = Scenario(devices: 2) {
///     phone.save("Task", 1, "title")
///     Pause(.seconds(10))
///     tablet.goOffline()
///     tablet.save("Task", 1, "isDone")
///     phone.delete("Task", 1)
///     Pause(.seconds(60))
///     tablet.goOnline()
/// }
/// ```
public struct Device: Sendable, Hashable {
    /// The number of the device, from 0.
    public let number: Int

    /// A device by its number.
    public init(_ number: Int) { self.number = number }

    /// The application creates a record, or gives some fields of it other values.
    ///
    /// - Parameters:
    ///   - model: The name of the model.
    ///   - record: The number of the record; the same number is the same record on all devices.
    ///   - fields: The names of the fields; a new record has values in its required fields, too.
    ///   - parent: The number of the records to which a new one belongs; none by default.
    /// - Returns: The line of the script.
    public func save(_ model: String, _ record: Int, _ fields: String..., in parent: Int? = nil) -> ScriptLine {
        .happens(.save(client: number, model: model, record: record, fields: fields, parent: parent))
    }

    /// The application takes the values of some fields of a record away.
    ///
    /// - Parameters:
    ///   - model: The name of the model.
    ///   - record: The number of the record.
    ///   - fields: The names of the fields; required ones keep their values.
    /// - Returns: The line of the script.
    public func empty(_ model: String, _ record: Int, _ fields: String...) -> ScriptLine {
        .happens(.empty(client: number, model: model, record: record, fields: fields))
    }

    /// The application saves a record as soon as its next change has arrived at the service.
    ///
    /// - Parameters:
    ///   - model: The name of the model.
    ///   - record: The number of the record.
    ///   - fields: The names of the fields.
    /// - Returns: The line of the script.
    public func react(_ model: String, _ record: Int, _ fields: String...) -> ScriptLine {
        .happens(.react(client: number, model: model, record: record, fields: fields))
    }

    /// The application deletes a record, and what belongs to it.
    public func delete(_ model: String, _ record: Int) -> ScriptLine {
        .happens(.delete(client: number, model: model, record: record))
    }

    /// The application changes some fields of a record if a number in it is still what the application has, also at the
    /// service.
    ///
    /// - Parameters:
    ///   - model: The name of the model; its first field of type `Int` is the number.
    ///   - record: The number of the record.
    ///   - fields: The names of the fields.
    /// - Returns: The line of the script.
    public func saveIf(_ model: String, _ record: Int, _ fields: String...) -> ScriptLine {
        .happens(.saveIf(client: number, model: model, record: record, fields: fields))
    }

    /// The application deletes a record, and what belongs to it, on the same condition as ``saveIf(_:_:_:)``.
    public func deleteIf(_ model: String, _ record: Int) -> ScriptLine {
        .happens(.deleteIf(client: number, model: model, record: record))
    }

    /// The application has a record belong to other records from now on.
    ///
    /// - Parameters:
    ///   - model: The name of the model.
    ///   - record: The number of the record.
    ///   - parent: The number of the other records; `nil` for none, where the record need not belong to one.
    /// - Returns: The line of the script.
    public func move(_ model: String, _ record: Int, to parent: Int?) -> ScriptLine {
        .happens(.move(client: number, model: model, record: record, parent: parent))
    }

    /// The application decides about its oldest change that was given up, if there is one.
    public func decide(_ decision: Scenario.LetterDecision) -> ScriptLine {
        .happens(.letter(client: number, decision))
    }

    /// The application begins to synchronize; all devices do so at the start.
    public func start() -> ScriptLine { .happens(.command(client: number, .start)) }

    /// The application stops synchronizing.
    public func stop() -> ScriptLine { .happens(.command(client: number, .stop)) }

    /// The device loses its network.
    public func goOffline() -> ScriptLine { .happens(.network(client: number, isUp: false)) }

    /// The device has a network again.
    public func goOnline() -> ScriptLine { .happens(.network(client: number, isUp: true)) }

    /// The next requests of the device meet a fault.
    ///
    /// - Parameters:
    ///   - fault: What becomes of the requests.
    ///   - count: How many requests; one by default.
    /// - Returns: The line of the script.
    public func requests(_ fault: Scenario.RequestFault, count: Int = 1) -> ScriptLine {
        .happens(.requests(client: number, fault, count: count))
    }

    /// The application is killed at its next commit, and starts again later.
    ///
    /// - Parameters:
    ///   - pause: How long it is gone.
    ///   - isBefore: Whether the application is killed before the commit is made; it is made by default.
    /// - Returns: The line of the script.
    public func die(for pause: Duration, beforeCommit isBefore: Bool = false) -> ScriptLine {
        .happens(.death(client: number, commits: 0, isBefore: isBefore, pause: pause.microseconds / 1_000))
    }

    /// What the application knows of its user meets a fault.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - count: How often; once by default.
    /// - Returns: The line of the script.
    public func provider(_ fault: Scenario.ProviderFault, count: Int = 1) -> ScriptLine {
        .happens(.provider(client: number, fault, count: count))
    }

    /// Another user signs in.
    public func signIn(_ user: Int) -> ScriptLine { .happens(.user(client: number, user)) }
}
