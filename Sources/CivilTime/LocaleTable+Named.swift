extension LocaleTable {
    /// The table of a locale by its name, such as `zh-tw`, `zh-TW`, `fr_CA` or `de`; nil when there is none.
    ///
    /// As moment does, a name that is too exact is cut from its end: `fr-be` is read as `fr`. Of names of scripts,
    /// `zh-hant` and `zh-hans` are known too.
    package static func named(_ name: String) -> LocaleTable? {
        guard name.utf8.count <= 32 else { return nil }
        var parts = name.lowercased().split { $0 == "-" || $0 == "_" }
        while !parts.isEmpty {
            if let table = tables[parts.joined(separator: "-")] { return table }
            parts.removeLast()
        }
        return nil
    }

    /// All tables by their identifiers, and the other names of some.
    static let tables: [String: LocaleTable] = {
        let all = [
            english, britishEnglish, irishEnglish, australianEnglish, newZealandEnglish, indianEnglish,
            singaporeanEnglish, canadianEnglish, traditionalChinese, hongKongChinese, simplifiedChinese, japanese,
            korean, german, french, spanish,
        ]
        var tables = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })
        tables["zh"] = simplifiedChinese
        tables["zh-hans"] = simplifiedChinese
        tables["zh-hant"] = traditionalChinese
        tables["zh-hant-hk"] = hongKongChinese
        return tables
    }()
}
