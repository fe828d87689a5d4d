import HoldfastGraphQL

/// Why a value is not one of its type; never contains the value.
struct InputFault: Error {
    /// What is wrong.
    enum Reason {
        /// There is no value, and the type demands one.
        case missing(TypeReference)
        /// The value does not fit, for a reason.
        case invalid(String)
        /// The input object has no such field.
        case unknown(in: String)
    }

    /// The variable, argument, or field.
    var name: String
    /// What is wrong.
    var reason: Reason
}

extension RequestFault {
    /// What a client receives, in the words of the original.
    ///
    /// A client that finds such a text about the filter of its subscription subscribes again without it.
    init(_ fault: InputFault, isOfSubscription: Bool = false) {
        let message =
            switch fault.reason {
            case .missing(let type): "Variable '\(fault.name)' has coerced Null value for NonNull type '\(type)'"
            case .invalid(let reason): "Variable '\(fault.name)' has an invalid value: \(reason)."
            case .unknown(let type) where isOfSubscription && fault.name != "not":
                "The variables input contains a field that is not defined for input object type '\(type)': '\(fault.name)'"
            case .unknown(let type):
                "The variables input contains a field name '\(fault.name)' that is not defined for input object type"
                    + " '\(type)'"
            }
        self.init(nil, message)
    }
}
