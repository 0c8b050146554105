// swift-tools-version: 6.2
// The table of rooms. A dependency named here is a door; a room opens no other
// (Tests/ArchitectureTests holds every `import` against this table).
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A room without C: nothing unsafe can be written in it.
func room(_ name: String, _ doors: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: doors, path: path, swiftSettings: strict + [.strictMemorySafety()])
}

/// A room that wraps a C library or the operating system.
func wrapper(_ name: String, _ doors: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: doors, swiftSettings: strict)
}

func tests(_ name: String, _ doors: [Target.Dependency], data: [String] = []) -> Target {
    .testTarget(name: name, dependencies: doors, exclude: data, swiftSettings: strict)
}

let cellar: [Target] = [
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // No library: calls that the toolchain's own module of the system leaves out.
    .systemLibrary(name: "CLinux"),
    // Opened at its first use and never linked, so without the flags of its pkg-config file.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    // RE2 speaks C++: its one C++ file is this room, its header is C.
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
]

let ground: [Target] = [
    room("RowhouseJSON"),
    room("CivilTime"),
    room("HTTPCore"),
    wrapper("Platform", ["CLinux"]),
    wrapper("Cryptography", ["CSodium"]),
    wrapper("RegularExpressions", ["CRE2"]),
]

let floor1: [Target] = [
    room("RowhouseModel", ["RowhouseJSON", "CivilTime"])
]

let floor2: [Target] = [
    room("RowhouseWire", ["RowhouseModel", "RowhouseJSON", "CivilTime", "Cryptography"]),
    room("FormulaLanguage", ["RowhouseModel", "CivilTime", "RegularExpressions", "Platform"]),
    room("Storage", ["RowhouseModel", "RowhouseJSON", "CivilTime"]),
    room("Blobs", ["RowhouseModel", "Cryptography", "Platform"]),
    wrapper(
        "SQLiteStorage",
        ["Storage", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform", "Cryptography", "CSQLite"]),
]

let floor3: [Target] = [
    room(
        "TableEngine",
        [
            "Storage", "Blobs", "FormulaLanguage", "RowhouseWire", "RowhouseModel", "RowhouseJSON", "CivilTime",
            "Cryptography", "Platform",
        ]),
    room("Accounts", ["Storage", "RowhouseModel", "RowhouseJSON", "CivilTime", "Cryptography", "Platform"]),
    wrapper("Media", ["RowhouseModel", "Platform", "CLinux"]),
    wrapper("Outgoing", ["RowhouseModel", "HTTPCore", "CCurl"]),
]

let floor4: [Target] = [
    wrapper("HTTPServer", ["HTTPCore", "Platform", "CMicrohttpd", "CGnuTLS", "CZlib"]),
    room("Transfer", ["RowhouseWire", "RowhouseModel", "RowhouseJSON", "CivilTime"]),
    room(
        "Backups",
        ["SQLiteStorage", "Blobs", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform", "Cryptography"]),
    room("WebAPI", ["RowhouseWire", "RowhouseModel", "RowhouseJSON", "HTTPCore", "CivilTime", "Cryptography"]),
]

let roof: [Target] = [
    .executableTarget(
        name: "rowhouse",
        dependencies: [
            "HTTPServer", "WebAPI", "Transfer", "Backups", "TableEngine", "Accounts", "Media", "Outgoing",
            "SQLiteStorage",
            "Storage", "Blobs", "RowhouseWire",
            "RowhouseModel", "RowhouseJSON", "CivilTime", "HTTPCore", "Platform", "Cryptography",
        ],
        path: "Apps/rowhouse", resources: [.embedInCode("Sample/sample.json")], swiftSettings: strict,
        // One file to copy, without the toolchain beside it; it starts faster and calls the runtime without detours.
        linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))])
]

let benchmarks: [Target] = [
    .executableTarget(
        name: "http-limit", dependencies: ["HTTPServer", "HTTPCore"], path: "Benchmarks/HTTPLimit",
        swiftSettings: strict)
]

let testTargets: [Target] = [
    tests("RowhouseJSONTests", ["RowhouseJSON"]),
    tests("CivilTimeTests", ["CivilTime", "Platform"], data: ["Oracle"]),
    tests("HTTPCoreTests", ["HTTPCore"]),
    tests("PlatformTests", ["Platform"]),
    tests("HTTPServerTests", ["HTTPServer", "HTTPCore", "Platform", "CZlib"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests("RowhouseModelTests", ["RowhouseModel", "RowhouseJSON", "CivilTime"]),
    tests(
        "RowhouseWireTests", ["RowhouseWire", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform"],
        data: ["Data"]),
    tests("RegularExpressionsTests", ["RegularExpressions"]),
    tests(
        "FormulaLanguageTests",
        ["FormulaLanguage", "RegularExpressions", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform"],
        data: ["Data", "Oracle"]),
    tests("StorageTests", ["Storage", "RowhouseModel", "RowhouseJSON", "CivilTime"]),
    tests(
        "SQLiteStorageTests", ["SQLiteStorage", "Storage", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform"],
        data: ["Fixtures"]),
    tests("BlobsTests", ["Blobs", "RowhouseModel", "Platform"]),
    tests(
        "TableEngineTests",
        [
            "TableEngine", "FormulaLanguage", "SQLiteStorage", "Storage", "Blobs", "RowhouseWire", "RowhouseModel",
            "RowhouseJSON", "CivilTime", "Platform", "CSQLite",
        ]),
    tests(
        "AccountsTests",
        ["Accounts", "SQLiteStorage", "Storage", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform"]),
    tests("MediaTests", ["Media", "RowhouseModel", "Platform"], data: ["Data"]),
    tests(
        "OutgoingTests", ["Outgoing", "RowhouseModel", "Platform", "HTTPServer", "HTTPCore"], data: ["Data"]),
    tests(
        "BackupsTests",
        [
            "Backups", "SQLiteStorage", "Storage", "Blobs", "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform",
            "Cryptography",
        ]),
    tests("TransferTests", ["Transfer", "RowhouseModel", "RowhouseJSON"]),
    tests(
        "WebAPITests", ["WebAPI", "RowhouseWire", "RowhouseModel", "RowhouseJSON", "HTTPCore", "CivilTime"]),
    tests(
        "RowhouseCommandTests",
        [
            "rowhouse", "Transfer", "Backups", "Accounts", "TableEngine", "Media", "Outgoing", "SQLiteStorage",
            "Storage",
            "RowhouseModel", "RowhouseJSON", "CivilTime", "Platform", "CZlib",
        ]),
    tests("ArchitectureTests", []),
]

let package = Package(
    name: "rowhouse",
    products: [.executable(name: "rowhouse", targets: ["rowhouse"])],
    targets: cellar + ground + floor1 + floor2 + floor3 + floor4 + roof + benchmarks + testTargets,
    cxxLanguageStandard: .cxx17
)
