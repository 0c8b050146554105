/// One option of a command, as it is read and as its help tells it.
struct CommandOption: Sendable {
    let name: String
    /// What stands for the value in the help; nil for a switch.
    let placeholder: String?
    let help: String
    var isRepeatable = false
    /// Whether it may also be set by the environment or a file of settings.
    var isSetting = false

    /// Its name in the environment.
    var variable: String {
        let letters = name.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & ~0x20
            default: byte
            }
        }
        return "ROWHOUSE_" + String(decoding: letters, as: UTF8.self)
    }
}
