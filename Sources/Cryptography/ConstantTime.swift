import CSodium

/// Whether both hold the same bytes, in a time that depends on their length alone.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && sodium_memcmp(left, right, left.count) == 0
}
