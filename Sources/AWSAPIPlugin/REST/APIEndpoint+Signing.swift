import AWSPluginsCore
import Amplify
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if Sync
import HoldfastSyncHTTP

/// The credentials of the transport, whose name the plug-in's protocol has, too.
typealias SigningCredentials = HoldfastSyncHTTP.AWSCredentials

extension SigningCredentials {
    /// The credentials of a session.
    init(_ credentials: any AWSPluginsCore.AWSCredentials) {
        self.init(
            accessKeyID: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey,
            sessionToken: (credentials as? any AWSTemporaryCredentials)?.sessionToken)
    }
}
#endif

extension APIEndpoint {
    /// A request to a REST service of AWS with a signature.
    ///
    /// - Throws: `APIError` `.invalidConfiguration` without credentials, a region, or the package trait `Sync`;
    ///   `.operationError` if there are no credentials at the moment.
    func signed(_ request: URLRequest, _ tokens: APITokens) async throws -> URLRequest {
        #if Sync
        guard tokens.has(.awsIAM) else { throw APIError.withoutCredentials(self) }
        guard let address = request.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }),
            let host = address.host
        else { throw APIError.invalidURL("A request to the API '\(name)' has no host.", "Correct its address.") }
        guard let region = region ?? Self.region(of: host) else {
            throw APIError.invalidConfiguration(
                "Requests to the API '\(name)' must be signed, but its region is not known.",
                "Give the API its 'region' in the configuration.")
        }
        guard let credentials = try await currentCredentials(tokens) else { throw APIError.signedOut }
        let date = SignatureV4.date(wallMicroseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var request = request
        request.setValue(date, forHTTPHeaderField: "X-Amz-Date")
        if let token = credentials.sessionToken { request.setValue(token, forHTTPHeaderField: "X-Amz-Security-Token") }
        let isUsualPort = address.port == nil || address.port == (address.scheme == "https" ? 443 : 80)
        var headers = [("host", isUsualPort ? host : "\(host):\(address.port ?? 0)")]
        // The session may change others on their way.
        for (name, value) in request.allHTTPHeaderFields ?? [:]
        where name.lowercased() == "content-type" || name.lowercased().hasPrefix("x-amz-") {
            headers.append((name, value))
        }
        let signature = SignatureV4(
            method: request.httpMethod ?? "GET",
            path: address.percentEncodedPath.isEmpty ? "/" : address.percentEncodedPath,
            query: (address.percentEncodedQueryItems ?? []).map {
                ($0.name.removingPercentEncoding ?? $0.name, $0.value?.removingPercentEncoding ?? $0.value ?? "")
            },
            headers: headers, body: Array(request.httpBody ?? Data()), region: region, service: "execute-api",
            date: date)
        request.setValue(signature.authorization(credentials), forHTTPHeaderField: "Authorization")
        return request
        #else
        throw APIError.withoutSignatures(self)
        #endif
    }

    #if Sync
    private func currentCredentials(_ tokens: APITokens) async throws -> SigningCredentials? {
        do {
            return try await tokens.credentials().map { SigningCredentials($0) }
        } catch {
            throw APIError.operationError(
                "There are no credentials at the moment.", "Try again when the user can be authorized.", error)
        }
    }

    /// The region in the name of AWS's own hosts: `id.execute-api.region.amazonaws.com`; `nil` elsewhere.
    private static func region(of host: String) -> String? {
        let parts = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[1] == "execute-api", parts[3] == "amazonaws" else { return nil }
        return String(parts[2])
    }
    #endif
}
