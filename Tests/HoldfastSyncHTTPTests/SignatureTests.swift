#if Sync
import Testing

@testable import HoldfastSyncHTTP

/// The examples that AWS publishes for its signature, version 4.
@Suite struct SignatureTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var path = "/"
        var query: [SignatureV4.Pair] = []
        var headers: [SignatureV4.Pair] = []
        var body = ""
        var signedHeaders = "host;x-amz-date"
        var signature: String

        var testDescription: String { name }
    }

    private static let credentials = AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

    static let examples = [
        Example(
            name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Example(
            name: "get-vanilla-query-order-key-case", query: [("Param2", "value2"), ("Param1", "value1")],
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Example(
            name: "get-vanilla-empty-query-key", query: [("Param1", "value1")],
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Example(
            name: "get-vanilla-utf8-query", query: [("\u{1234}", "bar")],
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Example(
            name: "get-unreserved", path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Example(
            name: "get-header-value-trim", headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signedHeaders: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Example(
            name: "post-vanilla", method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Example(
            name: "post-header-key-sort", method: "POST", headers: [("My-Header1", "value1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Example(
            name: "post-x-www-form-urlencoded", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
            signedHeaders: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    @Test(arguments: examples)
    func signatureIsAsPublished(_ example: Example) {
        let signature = SignatureV4(
            method: example.method, path: example.path, query: example.query,
            headers: [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")] + example.headers,
            body: Array(example.body.utf8), region: "us-east-1", service: "service", date: "20150830T123600Z")
        #expect(
            signature.authorization(Self.credentials)
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(example.signedHeaders), Signature=\(example.signature)")
    }

    /// The example that AWS's guide takes apart step by step.
    @Test func stepsAreAsPublished() {
        let signature = SignatureV4(
            method: "GET", path: "/", query: [("Action", "ListUsers"), ("Version", "2010-05-08")],
            headers: [
                ("content-type", "application/x-www-form-urlencoded; charset=utf-8"), ("host", "iam.amazonaws.com"),
                ("x-amz-date", "20150830T123600Z"),
            ], body: [], region: "us-east-1", service: "iam", date: "20150830T123600Z")
        #expect(
            signature.canonicalRequest == """
                GET
                /
                Action=ListUsers&Version=2010-05-08
                content-type:application/x-www-form-urlencoded; charset=utf-8
                host:iam.amazonaws.com
                x-amz-date:20150830T123600Z

                content-type;host;x-amz-date
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """)
        #expect(
            signature.stringToSign == """
                AWS4-HMAC-SHA256
                20150830T123600Z
                20150830/us-east-1/iam/aws4_request
                f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59
                """)
        #expect(
            signature.authorization(Self.credentials).hasSuffix(
                "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"))
    }

    @Test(arguments: [
        (0, "19700101T000000Z"), (1_440_938_160_999_999, "20150830T123600Z"),
        (1_709_208_000_000_000, "20240229T120000Z"),
    ])
    func dateIsWrittenInOneForm(_ microseconds: Int64, _ text: String) {
        #expect(SignatureV4.date(wallMicroseconds: microseconds) == text)
    }
}
#endif
