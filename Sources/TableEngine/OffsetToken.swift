import Cryptography
import RowhouseModel
import Storage

/// Where the next page of a list begins, as a text that the client hands back.
///
/// `itr` + 14 characters that stay the same over one walk, `/`, the id of the last record, `/`, and base64url of what
/// is left of `maxRecords`, how many choices the fields of the order had, the record's sort key, and a signature. It needs no memory on the server, so it survives
/// restarts, and the record it names may change or go.
struct OffsetToken: Equatable {
    /// Records still to be answered, where the request has `maxRecords`.
    let remaining: Int?
    let position: PagePosition

    private static let signatureLength = 12

    /// What ties a token to one list: the same table, order, view and filter, and an order that means the same.
    struct Walk {
        private let secret: [UInt8]
        private let order: OrderMeaning
        /// How many choices there were in each list of the order when the walk began.
        private(set) var counts: [Int]
        private var description: [UInt8]
        private let list: [UInt8]

        init(
            secret: [UInt8], table: TableID, order: OrderMeaning, isByHand: Bool, view: ViewID?, filters: [String]
        ) {
            self.secret = secret
            self.order = order
            var text = table.description
            if isByHand { text += "|by hand" }
            text += "|\(view?.description ?? "")"
            for filter in filters { text += "|\(filter.utf8.count):\(filter)" }
            list = Array(text.utf8) + [0]
            counts = order.counts
            description = list + (order.description(first: counts) ?? [])
        }

        /// Goes on with a walk that began when lists of choices had so many; false where it is none of this order.
        fileprivate mutating func goOn(with counts: [Int]) -> Bool {
            guard let meaning = order.description(first: counts) else { return false }
            self.counts = counts
            description = list + meaning
            return true
        }

        var iterator: IdentifierText {
            let hash = HMACSHA256.authenticate(message: description, key: secret)
            return IdentifierText(random: Self.word(hash, 0), Self.word(hash, 8))
        }

        func signature(of payload: [UInt8]) -> [UInt8] {
            Array(HMACSHA256.authenticate(message: description + [0] + payload, key: secret).prefix(signatureLength))
        }

        private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    func text(_ walk: Walk) -> String {
        let head = "\(IteratorID(text: walk.iterator))/\(position.record)"
        let payload = Self.payload(remaining, walk.counts) + position.key
        let signature = walk.signature(of: Array(head.utf8) + payload)
        return head + "/" + Base64URL.encode(payload + signature)
    }

    /// - Throws: `INVALID_OFFSET_VALUE` for a malformed text, `LIST_RECORDS_ITERATOR_NOT_AVAILABLE` for one that
    ///   does not belong to this walk.
    init(_ text: String, walk: inout Walk) throws(APIError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count), text.utf8.count <= 8_192, IteratorID(parts[0]) != nil,
            let record = RecordID(parts[1])
        else { throw .invalidOffset(text) }
        guard parts.count == 3 else { throw .iteratorNotAvailable }
        guard let bytes = Base64URL.decode(parts[2]), bytes.count >= 8 + Self.signatureLength else {
            throw .invalidOffset(text)
        }
        let payload = Array(bytes.dropLast(Self.signatureLength))
        let start = 8 + 4 * walk.counts.count
        guard payload.count >= start else { throw .iteratorNotAvailable }
        let counts = stride(from: 8, to: start, by: 4).map { Int(Self.number(payload[$0..<$0 + 4])) }
        guard walk.goOn(with: counts) else { throw .iteratorNotAvailable }
        let signature = walk.signature(of: Array("\(parts[0])/\(parts[1])".utf8) + payload)
        guard constantTimeEquals(signature, Array(bytes.suffix(Self.signatureLength))) else {
            throw .iteratorNotAvailable
        }
        let count = Self.number(payload[..<8])
        remaining = count == 0 ? nil : Int(truncatingIfNeeded: count)
        position = PagePosition(record: record, key: Array(payload[start...]))
    }

    init(remaining: Int?, position: PagePosition) {
        self.remaining = remaining
        self.position = position
    }

    /// What is left, and how many choices count.
    private static func payload(_ remaining: Int?, _ counts: [Int]) -> [UInt8] {
        bytes(UInt64(max(0, remaining ?? 0)), count: 8)
            + counts.flatMap { bytes(UInt64(UInt32(clamping: $0)), count: 4) }
    }

    private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
        stride(from: 8 * (count - 1), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
