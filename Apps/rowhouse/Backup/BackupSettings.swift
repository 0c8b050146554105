/// What `serve` is told of backups, checked.
struct BackupSettings: Sendable, Equatable {
    /// The folder that they are made in.
    let place: String
    /// In milliseconds, between two.
    var pause: Int64 = 24 * 3_600_000
    /// How many are kept.
    var keep = 7

    static let options: [CommandOption] = [
        CommandOption(
            name: "backup-to", placeholder: "PLACE", help: "Make backups in this folder by itself.", isSetting: true),
        CommandOption(
            name: "backup-every", placeholder: "HOURS", help: "How often; 24 unless set, decimals are read.",
            isSetting: true),
        CommandOption(
            name: "backup-keep", placeholder: "N", help: "How many of them stay; 7 unless set.", isSetting: true),
    ]

    init(place: String) { self.place = place }

    /// Nil when no place is set.
    init?(_ settings: Settings) throws(CommandError) {
        guard let place = settings.value("backup-to"), !place.text.isEmpty else {
            for name in ["backup-every", "backup-keep"] {
                if let value = settings.value(name) { throw .usage("\(value.origin) needs --backup-to.") }
            }
            return nil
        }
        self.place = place.text
        if let value = settings.value("backup-every") {
            guard let hours = Double(value.text), hours >= 0.0001, hours <= 87_600 else {
                throw .usage("\(value.origin): \"\(value.text)\" is not a number of hours from 0.0001 to 87600.")
            }
            pause = Int64((hours * 3_600_000).rounded())
        }
        keep = try settings.integer("backup-keep", in: 1...100_000) ?? keep
    }
}
