/// What every schema contains: the scalars, the directives and the types of introspection.
enum BuiltIns {
    static let scalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

    /// The field that every composite type has.
    static let typename = FieldDefinition(name: "__typename", type: TypeReference("String").nonNull)

    /// The fields that the query root has besides.
    static let rootFields = [
        FieldDefinition(name: "__schema", type: TypeReference("__Schema").nonNull),
        FieldDefinition(
            name: "__type", arguments: [InputValueDefinition(name: "name", type: TypeReference("String").nonNull)],
            type: TypeReference("__Type")),
    ]

    /// The definitions; a test sees to it that they can be read.
    static let document: GraphQLDocument = {
        do throws(GraphQLSyntaxError) {
            return try GraphQLDocument(parsing: text, options: ParseOptions(keepsLocations: false))
        } catch {
            preconditionFailure("The built-in definitions must be GraphQL: \(error)")
        }
    }()

    private static let text = """
        scalar Int
        scalar Float
        scalar String
        scalar Boolean
        scalar ID

        directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @deprecated(reason: String! = "No longer supported")
          on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        directive @specifiedBy(url: String!) on SCALAR
        directive @oneOf on INPUT_OBJECT

        type __Schema {
          description: String
          types: [__Type!]!
          queryType: __Type!
          mutationType: __Type
          subscriptionType: __Type
          directives(includeDeprecated: Boolean! = false): [__Directive!]!
        }

        type __Type {
          kind: __TypeKind!
          name: String
          description: String
          fields(includeDeprecated: Boolean! = false): [__Field!]
          interfaces: [__Type!]
          possibleTypes: [__Type!]
          enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
          inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
          ofType: __Type
          specifiedByURL: String
          isOneOf: Boolean
        }

        enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }

        type __Field {
          name: String!
          description: String
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
          type: __Type!
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __InputValue {
          name: String!
          description: String
          type: __Type!
          defaultValue: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __EnumValue {
          name: String!
          description: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __Directive {
          name: String!
          description: String
          isRepeatable: Boolean!
          locations: [__DirectiveLocation!]!
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
        }

        enum __DirectiveLocation {
          QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION
          SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT
          INPUT_FIELD_DEFINITION
        }
        """
}
