import HoldfastServer
import HoldfastWire
import Testing

/// The client's end of a connection.
struct TestClient: Sendable {
    let connection: ServerConnection

    /// Opens a connection and takes the frames that begin it.
    static func open(_ test: TestServer, headers: [String: String] = ["x-api-key": "key"]) async throws -> TestClient {
        let client = TestClient(connection: await test.server.connect(with: Credentials(headers: headers)))
        await client.send(["type": "connection_init"])
        #expect(
            try await client.next().text == #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
        #expect(try await client.next().text == #"{"type":"ka"}"#)
        return client
    }

    func send(_ frame: WireValue) async { await connection.receive(frame.bytes) }

    func start(
        _ id: String, _ query: String, _ variables: WireValue = [:], authorization: WireValue = ["x-api-key": "key"]
    ) async {
        let data: WireValue = ["query": .string(query), "variables": variables]
        await send([
            "id": .string(id), "type": "start",
            "payload": ["data": .string(data.text), "extensions": ["authorization": authorization]],
        ])
    }

    func next() async throws -> WireValue {
        let frame = try #require(await connection.next())
        return try WireValue(parsing: frame)
    }
}
