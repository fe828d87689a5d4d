#if Sync
internal import HoldfastSync
internal import HoldfastWire

extension AuthHeaders {
    /// The headers of a request that is signed with AWS credentials.
    ///
    /// A request for a socket is signed as if `{}` were posted to the path followed by `/connect`.
    static func signed(
        _ request: AuthorizedRequest, _ endpoint: Endpoint, region: String, date: String,
        _ credentials: AWSCredentials
    ) -> AuthHeaders {
        var headers = [
            Header("content-type", "application/json; charset=UTF-8"), Header("host", endpoint.authority),
            Header("x-amz-date", date),
        ]
        if request.kind != .query {
            headers =
                [
                    Header("accept", "application/json, text/javascript"), Header("content-encoding", "amz-1.0"),
                ] + headers
        }
        if let token = credentials.sessionToken { headers.append(Header("X-Amz-Security-Token", token)) }
        let signature = SignatureV4(
            path: request.kind == .socket ? endpoint.path + "/connect" : endpoint.path,
            headers: headers.map { ($0.name, $0.value) }, body: request.body, region: region, date: date)
        headers.append(Header("Authorization", signature.authorization(credentials)))
        return AuthHeaders(headers)
    }

    /// Identifies the token or credentials from which a set of headers comes: a signature differs each time.
    var secret: [String?] {
        let authorization = self["authorization"].map { value in
            value.hasPrefix("AWS4-") ? String(value.prefix { $0 != "/" }) : value
        }
        return [authorization, self["x-amz-security-token"]]
    }
}

extension Endpoint {
    /// The region in the name of AWS's own hosts; `nil` elsewhere.
    var awsRegion: String? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAWS = parts.count >= 5 && parts[1] == "appsync-api" && parts[3] == "amazonaws"
        return isAWS ? String(parts[2]) : nil
    }
}
#endif
