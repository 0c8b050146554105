/// One GET, bound to the network addresses that were checked for it.
package struct OutgoingCall: Sendable, Equatable {
    package let address: WebAddress
    /// The only ones that may be connected to, the best first.
    package let endpoints: [NetworkAddress]
    package let limits: CallLimits

    package init(address: WebAddress, endpoints: [NetworkAddress], limits: CallLimits) {
        self.address = address
        self.endpoints = endpoints
        self.limits = limits
    }
}

/// How long a call may take and how much may come.
package struct CallLimits: Sendable, Equatable {
    /// Until the connection stands, with TLS.
    package var connecting: Duration = .seconds(10)
    /// From the first look-up to the last byte, redirects and all.
    package var total: Duration = .seconds(300)
    /// In bytes a second; slower than that for `patience` is too slow.
    package var lowestSpeed = 1024
    /// In whole seconds.
    package var patience: Duration = .seconds(20)
    /// Bytes of headers, of interim answers and trailers too.
    package var head = 65_536
    /// Bytes of the body.
    package var body = 0

    package init() {}
}
