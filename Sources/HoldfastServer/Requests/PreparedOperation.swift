import HoldfastGraphQL
import HoldfastWire

/// An operation that passed all checks against the API, with the values of its variables.
struct PreparedOperation: Sendable {
    let document: DocumentCache.Checked
    let operation: OperationDefinition
    let collector: SelectionCollector

    /// Why there is none.
    enum Failure: Error {
        /// The document is not one for the API, or a variable has a value of another type.
        case invalid([(fault: RequestFault, location: Location?)])
        /// There are several operations, and no name says which is meant.
        case unnamed
    }

    init(_ body: RequestBody, in service: Service) throws(Failure) {
        let document: DocumentCache.Checked
        do {
            document = try service.documents.document(body.query)
        } catch {
            throw .invalid(error.faults)
        }
        let named = document.operations.filter { body.operationName == nil || $0.name?.text == body.operationName }
        guard let operation = named.first, named.count == 1 || body.operationName != nil else { throw .unnamed }
        let coercion = InputCoercion(api: service.schema.api)
        // By their bytes: as text, some names are equal that are spelled differently. A request may have very many.
        var given: [[UInt8]: WireValue] = [:]
        for member in body.variables.members { given[Array(member.name.utf8)] = member.value }
        var variables: [String: WireValue] = [:]
        var types: [String: TypeReference] = [:]
        for variable in operation.variables {
            let name = variable.name.text
            types[name] = variable.type
            do {
                if let value = given[Array(name.utf8)] {
                    variables[name] = try coercion.coerce(value, as: variable.type, named: name)
                } else if let value = variable.defaultValue.flatMap({ WireValue($0, variables: [:]) }) {
                    variables[name] = try coercion.coerce(value, as: variable.type, named: name)
                } else if variable.type.isNonNull {
                    variables[name] = try coercion.coerce(.null, as: variable.type, named: name)
                }
            } catch {
                let fault = RequestFault(error, isOfSubscription: operation.kind == .subscription)
                throw .invalid([(fault, variable.name.location)])
            }
        }
        self.document = document
        self.operation = operation
        collector = SelectionCollector(
            api: service.schema.api, fragments: document.fragments, variables: variables, types: types)
    }
}
