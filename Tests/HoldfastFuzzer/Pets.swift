import HoldfastGraphQL

/// The schema of the examples in the specification, with a few things more.
enum Pets {
    static let schema: GraphQLSchema = {
        do {
            return try GraphQLSchema(GraphQLDocument(parsing: text))
        } catch {
            preconditionFailure("The schema of the tests is wrong: \(error)")
        }
    }()

    static let text = """
        directive @once on FIELD | QUERY | FRAGMENT_DEFINITION | VARIABLE_DEFINITION
        directive @many(n: Int!) repeatable on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        type Query {
          dog: Dog
          cat: Cat
          pet: Pet
          catOrDog: CatOrDog
          dogOrHuman: DogOrHuman
          human(id: ID): Human
          findDog(searchBy: FindDogInput): Dog
          pick(by: PetPick, list: [PetPick!]): Pet
          booleanList(list: [Boolean!]): Boolean
          arguments: Arguments
          anything(value: Any, nested: Complex): String
        }
        type Mutation { addPet(pet: PetInput!): Pet, addPets(pets: [PetInput!]!): [Pet] }
        type Subscription { newMessage(room: ID): Message, disallowed: Boolean }
        scalar Any
        type Message { body: String, sender: String }
        enum DogCommand { SIT, DOWN, HEEL }
        enum CatCommand { JUMP }
        interface Sentient { name: String! }
        interface Pet { name: String!, nickname: String }
        type Dog implements Pet {
          name: String!
          nickname: String
          barkVolume: Int
          doesKnowCommand(dogCommand: DogCommand!): Boolean!
          isHouseTrained(atOtherHomes: Boolean): Boolean!
          owner: Human
          extra: String
        }
        type Alien implements Sentient { name: String!, homePlanet: String }
        type Human implements Sentient { name: String!, pets: [Pet!], friends(first: Int = 10): [Human] }
        type Cat implements Pet {
          name: String!
          nickname: String
          meowVolume: Int
          doesKnowCommand(catCommand: CatCommand!): Boolean!
          extra: Int
          owner: Human
        }
        union CatOrDog = Cat | Dog
        union DogOrHuman = Dog | Human
        input FindDogInput { name: String, owner: String }
        input PetInput { name: String!, age: Int = 1, kind: String! = "dog", inner: PetInput }
        input PetPick @oneOf { cat: String, dog: Int }
        input Complex { name: String, owner: String!, list: [Int!], flag: Boolean! = false }
        type Arguments {
          multipleRequirements(x: Int!, y: Int!): Int!
          booleanArgField(booleanArg: Boolean): Boolean
          floatArgField(floatArg: Float): Float
          intArgField(intArg: Int): Int
          stringArgField(stringArg: String): String
          idArgField(idArg: ID): ID
          nonNullBooleanArgField(nonNullBooleanArg: Boolean!): Boolean!
          booleanListArgField(booleanListArg: [Boolean]!): [Boolean]
          intListArgField(list: [[Int]]): Int
          optionalNonNullBooleanArgField(optionalBooleanArg: Boolean! = false): Boolean!
          enumArgField(command: DogCommand): DogCommand
        }
        """
}
