/// One command: its words, what follows them, and its help.
struct CommandForm: Sendable {
    let words: [String]
    /// What must follow, such as `TOKENID`.
    var operands: [String] = []
    let summary: String
    var details: [String] = []
    let options: [CommandOption]
    /// Whether it is for the program itself, and in no list.
    var isHidden = false

    var name: String { words.joined(separator: " ") }
}

extension CommandForm {
    private static let data = CommandOption(
        name: "data", placeholder: "FOLDER", help: "The folder that holds everything.", isSetting: true)
    private static let config = CommandOption(
        name: "config", placeholder: "FILE", help: "A file of settings, one `name = value` a line.")

    static let serve = CommandForm(
        words: ["serve"],
        summary: "Serve a folder over HTTP.",
        details: [
            "A folder that does not exist is made; the first start prints a token.",
            "SIGTERM and SIGINT end it after what is in flight; SIGHUP reads the certificate again.",
        ],
        options: [data] + ServeSettings.options + [config])

    static let createToken = CommandForm(
        words: ["token", "create"],
        summary: "Make a personal access token and print it.",
        details: ["All scopes and all bases are given unless named. The token is shown this once."],
        options: [
            data,
            CommandOption(name: "name", placeholder: "NAME", help: "What it is for."),
            CommandOption(
                name: "user", placeholder: "ID", help: "Whom it stands for, by id or e-mail; else the owner."),
            CommandOption(
                name: "scopes", placeholder: "A,B", help: "What it may do, such as data.records:read.",
                isRepeatable: true),
            CommandOption(name: "bases", placeholder: "ID,…", help: "The bases it reaches.", isRepeatable: true),
            CommandOption(name: "expires-days", placeholder: "N", help: "When it ends, in days from now."),
            config,
        ])

    static let listTokens = CommandForm(
        words: ["token", "list"], summary: "List all tokens, never their secrets.", options: [data, config])

    static let revokeToken = CommandForm(
        words: ["token", "revoke"], operands: ["TOKENID"], summary: "End a token at once.", options: [data, config])

    static let createUser = CommandForm(
        words: ["user", "create"], summary: "Make a user and print the id.",
        options: [
            data,
            CommandOption(name: "email", placeholder: "E", help: "The e-mail address, no two users the same."),
            CommandOption(name: "name", placeholder: "N", help: "The name that others see."),
            config,
        ])

    static let listUsers = CommandForm(
        words: ["user", "list"], summary: "List all users, the owner first.", options: [data, config])

    static let createBase = CommandForm(
        words: ["base", "create"], summary: "Make a base from a file and print its id.",
        details: [
            "The file holds {\"name\", \"tables\": [{\"name\", \"description\"?, \"fields\": […], \"records\"?: […]}]};",
            "fields are written as for POST /v0/meta/bases, a record is {\"field name\": value, …}.",
            "What `base export` wrote is read too. A .csv file becomes a base of one table, its first line the fields.",
        ],
        options: [
            data, CommandOption(name: "from", placeholder: "FILE", help: "The JSON or CSV file to read."), config,
        ])

    static let listBases = CommandForm(
        words: ["base", "list"], summary: "List all bases.", options: [data, config])

    static let imageWorker = CommandForm(
        words: ["image-worker"],
        summary: "Render images for the server that started it.",
        options: [
            CommandOption(name: "idle-seconds", placeholder: "N", help: "When it ends if nothing is asked of it.")
        ],
        isHidden: true)

    static let exportBase = CommandForm(
        words: ["base", "export"], operands: ["BASE"],
        summary: "Write a base as JSON, or one of its tables as CSV.",
        details: [
            "BASE is an id or a name. `base create --from` reads what this writes.",
            "Attachments are written as links to their files.",
        ],
        options: [
            data, CommandOption(name: "table", placeholder: "NAME", help: "Write this table as CSV, by name or id."),
            CommandOption(name: "to", placeholder: "FILE", help: "Write a file; else standard output."),
            CommandOption(
                name: "spreadsheet-safe", placeholder: nil,
                help: "Put an apostrophe before CSV cells that a spreadsheet would run as formulas."),
            config,
        ])

    static let backUp = CommandForm(
        words: ["backup"], summary: "Make a verified backup, also while the server runs.",
        details: [
            "PLACE gets a folder `rowhouse-TIME` with the database, the files and a manifest.",
            "Files that an earlier backup in PLACE has are linked from it.",
        ],
        options: [
            data,
            CommandOption(name: "to", placeholder: "PLACE", help: "The folder to make it in, on another disk at best."),
            config,
        ])

    static let restore = CommandForm(
        words: ["restore"], operands: ["BACKUP"], summary: "Make a data folder of a backup.",
        details: ["Every byte is verified first. The folder must be new or empty."], options: [data, config])

    static let examine = CommandForm(
        words: ["doctor"], summary: "Look a folder over, and change nothing.",
        details: ["Each line begins with `ok` or `attention`; the exit code is not 0 when anything needs attention."],
        options: [
            data, CommandOption(name: "files", placeholder: nil, help: "Read every file and compare its hash."), config,
        ])

    /// Every command, in the order of the help.
    static let all = [
        serve, createToken, listTokens, revokeToken, createUser, listUsers, createBase, listBases, exportBase,
        backUp, restore, examine, imageWorker,
    ]
}
