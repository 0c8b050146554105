extension EntityID {
    /// A new identifier from two random words (never a record's: those sort by time).
    package init(random words: (UInt64, UInt64)) {
        self.init(text: IdentifierText(random: words.0, words.1))
    }
}
