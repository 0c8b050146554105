package import RowhouseModel

/// Fetches files from the public internet and from nowhere else (but places that are allowed by name).
///
/// Each address, also each that a redirect leads to, is taken apart, looked up and checked here; then a connection is made
/// to what was checked, without another look-up.
package final class RemoteFileFetcher: RemoteFiles {
    private static let redirects = 3

    private let policy: AddressPolicy
    private let resolver: any Resolver
    private let connector: any Connector
    private let limits: CallLimits

    package init(
        policy: AddressPolicy, resolver: any Resolver = SystemResolver(), connector: any Connector = CurlConnector(),
        limits: CallLimits = CallLimits()
    ) {
        self.policy = policy
        self.resolver = resolver
        self.connector = connector
        self.limits = limits
    }

    package func accepts(_ url: String) -> Bool {
        guard let place = WebAddress(url)?.place else { return false }
        guard case .address(let address) = place.host else { return true }
        return policy.permits(place, at: [address])
    }

    package func fetch(
        _ url: String, limit: Int, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> RemoteFileFacts {
        guard var address = WebAddress(url) else { throw .invalidURL }
        let deadline = ContinuousClock.now + limits.total
        for _ in 0...RemoteFileFetcher.redirects {
            let call = try prepared(address, deadline, limit)
            let head = try connector.get(call, wants: \.hasFile, take: take)
            if head.hasFile { return head.facts }
            guard head.isRedirect, let location = head.location else { throw .status(head.status) }
            guard let next = address.following(location) else { throw .invalidURL }
            address = next
        }
        throw .tooManyRedirects
    }

    /// Ends running fetches with ``RemoteFileError/stopped`` and refuses later ones.
    package func stop() { connector.stop() }

    private func prepared(
        _ address: WebAddress, _ deadline: ContinuousClock.Instant, _ limit: Int
    ) throws(RemoteFileError) -> OutgoingCall {
        let endpoints: [NetworkAddress] =
            switch address.place.host {
            case .address(let address): [address]
            case .name(let name): try resolver.addresses(of: name)
            }
        guard policy.permits(address.place, at: endpoints) else { throw .refusedAddress }
        var limits = limits
        limits.body = limit
        limits.total = deadline - ContinuousClock.now
        guard limits.total > .zero else { throw .tooSlow }
        return OutgoingCall(address: address, endpoints: endpoints, limits: limits)
    }
}

extension AnswerHead {
    fileprivate var hasFile: Bool { status == 200 || status == 203 }

    fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    fileprivate var facts: RemoteFileFacts {
        RemoteFileFacts(
            type: contentType.flatMap(ContentHeaders.type),
            filename: contentDisposition.flatMap(ContentHeaders.filename))
    }
}
