// swift-tools-version: 6.2
import PackageDescription

// The drawing of the house: a target imports only targets of its own layer and of those above it.

/// Warnings stop our own build, not that of someone with a newer compiler.
let isStrict = Context.environment["BUILD_STRICT"] != nil

let language: [SwiftSetting] =
  (isStrict ? [.treatAllWarnings(as: .error)] : []) + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    // The tests look into what is optimised: one build is tested and shipped. The linker leaves out functions
    // that nothing calls, and the checks of a function end in one place.
    .unsafeFlags(
      ["-enable-testing", "-Xfrontend", "-function-sections", "-Xfrontend", "-mergeable-traps"],
      .when(configuration: .release)),
  ]
/// For targets that call no C: every unsafe step is marked.
let safe = language + [.strictMemorySafety()]

/// Tests are compiled file by file, on all cores: optimising them takes longer than they run.
let tests =
  language + [
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
      .when(configuration: .release))
  ]

/// The program carries the Swift runtime, and the libraries that every start would wait for, from the folder
/// of archives that `scripts/ci/archives` fills; what is not there is loaded as ever. Nothing looks up
/// functions of the program by their names, so that they need not be exported, and equal functions are kept
/// once. Relative relocations are packed: there are 68,000.
let linkedIn: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-L\(Context.packageDirectory)/.build/archives", "-Xclang-linker", "-static-libgcc",
      "-Xlinker", "--no-export-dynamic", "-static-stdlib", "-use-ld=lld", "-Xlinker", "--icf=all",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    ], .when(configuration: .release))
]

/// The layers, from the ground up, each a folder below `Sources` and `Tests`; see `Sources/README.md`.
enum Layer: String {
  case c = "C"
  case ground = "Ground"
  case model = "Model"
  case symbols = "Symbols"
  case reports = "Reports"
  case store = "Store"
  case service = "Service"
  case server = "Server"
  case commands = "Commands"
  case tools = "Tools"
}

/// The layer of each target.
var layers: [String: Layer] = [:]

/// Targets in the folder of their layer. Traps where one uses a target that is declared further down.
@MainActor func layer(_ layer: Layer, _ targets: [Target]) -> [Target] {
  for target in targets {
    target.path = "Sources/\(layer.rawValue)/\(target.name)"
    layers[target.name] = layer
    for case .byNameItem(let name, _) in target.dependencies where layers[name] == nil {
      // The helpers of tests are below every layer.
      precondition(
        name == "TestSupport", "\(target.name) uses \(name), which is declared further down")
    }
  }
  return targets
}

let c = layer(
  .c,
  [
    // C libraries of the system.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CLZMA", providers: [.apt(["liblzma-dev"])]),
    // libcrypto, libarchive, libmicrohttpd and libcurl, loaded where they are needed.
    .target(name: "CLoading"),
    .target(name: "CCrypto", dependencies: ["CLoading"]),
    .target(name: "CArchive", dependencies: ["CLoading"]),
    .target(name: "CMicrohttpd", dependencies: ["CLoading"]),
    .target(name: "CCurl", dependencies: ["CLoading"]),
    // libqrencode, loaded where it is needed: the server does without it.
    .target(name: "CQRCode"),
    // The grouping rules, compiled by RuleCompiler; `make rules` renews them.
    .target(name: "CRules", exclude: ["v1.table"]),
    // libjq, loaded for --jq alone.
    .target(name: "CJQ"),
    .systemLibrary(name: "CCMark", providers: [.apt(["libcmark-dev"])]),
    .systemLibrary(name: "CInih", providers: [.apt(["libinih-dev"])]),
    .systemLibrary(name: "CArgon2", providers: [.apt(["libargon2-dev"])]),
    // libelf and libdwarf give the second opinion, in a child process only.
    .systemLibrary(name: "CElf", providers: [.apt(["libelf-dev"])]),
    .systemLibrary(name: "CDwarf", providers: [.apt(["libdwarf-dev"])]),
    .systemLibrary(name: "CDemangle", providers: [.apt(["libiberty-dev"])]),
    // What Swift's module of the C library leaves out of how memory is kept.
    .systemLibrary(name: "CMemory"),
    // Calls that Swift's module of the C library leaves out: pipes, files in memory, holes in files.
    .systemLibrary(name: "CFiles"),
    .systemLibrary(name: "CAttributes"),
    // Instructions for which Swift has no words: bytes looked up in tables.
    .systemLibrary(name: "CMarkSearch"),
    .systemLibrary(name: "CSegmentScan"),
    // System calls that Swift cannot import: the sandbox of a child process.
    .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
  ])

let ground = layer(
  .ground,
  [
    // Owned views, checked readers, LEB128.
    .target(name: "Bytes", dependencies: ["CMemory"], swiftSettings: safe),
    // Opening, whole files with one rule of durability, locks, folders, clocks.
    .target(name: "Files", dependencies: ["Bytes", "CFiles"], swiftSettings: language),
    // Programs that are started, those in a sandbox in particular.
    .target(
      name: "ChildProcess", dependencies: ["Files", "Bytes", "CSandbox"], swiftSettings: language),
    // A fixed set of threads with large stacks that share out a list of work.
    .target(name: "Workers", dependencies: ["CMemory"], swiftSettings: language),
    // A bounded JSON reader that keeps 64-bit integers and survives a cut, and a writer.
    .target(name: "JSON", dependencies: ["Bytes"], swiftSettings: safe),
    // What a misspelt word was probably meant to be.
    .target(name: "Spelling", swiftSettings: safe),
    // Tests of whether a difference is more than chance.
    .target(name: "Statistics", swiftSettings: safe),
    // Declared options, parsing, help.
    .target(
      name: "Arguments", dependencies: ["Spelling"],
      resources: [
        .embedInCode("Completions/completion.bash"), .embedInCode("Completions/completion.zsh"),
        .embedInCode("Completions/completion.fish"),
      ],
      swiftSettings: safe),
    // The values of an INI file, with their lines.
    .target(name: "INI", dependencies: ["Bytes", "CInih"], swiftSettings: language),
    // Debug ids, code ids, architectures, addresses, times, versions and their order.
    .target(name: "Identifiers", swiftSettings: safe),
    // Digests, signatures and passwords, by libcrypto and libargon2.
    .target(
      name: "Crypto", dependencies: ["Bytes", "CCrypto", "CArgon2"], swiftSettings: language),
    // zlib, zstd and xz, with a limit on what comes out.
    .target(
      name: "Compression", dependencies: ["Bytes", "CDeflate", "CZlib", "CZstd", "CLZMA"],
      swiftSettings: language),
    // The members of zip, tar and compressed files, read in a sandboxed child.
    .target(
      name: "Archives", dependencies: ["ChildProcess", "Files", "Bytes", "CArchive"],
      swiftSettings: language),
    // The members of zip files that lie in memory or are mapped, unpacked when they are asked for.
    .target(name: "ZipFiles", dependencies: ["Compression", "Bytes"], swiftSettings: safe),
    // Request, response, router, middleware, server.
    .target(
      name: "HTTP",
      dependencies: ["Bytes", "Files", "JSON", "Compression", "CMicrohttpd", "Crypto"],
      swiftSettings: language),
    // Requests to a server, tried again where that helps.
    .target(
      name: "HTTPClient", dependencies: ["Files", "Bytes", "CCurl"], swiftSettings: language),
    // Connection, statement, row; SQLite is a driver behind them.
    .target(name: "Database", dependencies: ["Files", "CSQLite"], swiftSettings: language),
    // QR codes of texts.
    .target(name: "QRCodes", dependencies: ["CQRCode"], swiftSettings: language),
    .target(name: "JQ", dependencies: ["CJQ"], swiftSettings: language),
    // Markdown as safe HTML.
    .target(name: "CommonMark", dependencies: ["CCMark"], swiftSettings: language),
    // Elements of XML documents, with limits and without entities of their own.
    .target(name: "XML", dependencies: ["Bytes"], swiftSettings: safe),
    // Objects in S3 and stores that speak its protocol, and by plain HTTP.
    .target(
      name: "ObjectStorage",
      dependencies: [
        "HTTPClient", "Crypto", "XML", "INI", "JSON", "Identifiers", "Files", "Bytes",
      ],
      swiftSettings: language),
    // Patterns of text that look at each byte once, whatever they are.
    .target(name: "Patterns", swiftSettings: safe),
  ])

let model = layer(
  .model,
  [
    // The report and its parts, as values.
    .target(
      name: "CrashModel", dependencies: ["JSON", "Bytes", "Identifiers"], swiftSettings: safe),
    // Statuses, fixes and summaries of groups, and the policies that decide which keys are one group.
    .target(name: "TriageModel", dependencies: ["CrashModel", "Identifiers"], swiftSettings: safe),
    // A JSON document declared once: its writer, reader, schema and table of members.
    .target(name: "Documents", dependencies: ["JSON", "Identifiers"], swiftSettings: safe),
    // The report as the JSON document that commands print and the store keeps.
    .target(
      name: "ReportDocument",
      dependencies: ["CrashModel", "Documents", "JSON", "Bytes", "Identifiers"],
      swiftSettings: safe),
  ])

let symbols = layer(
  .symbols,
  [
    // Swift, C++ and Rust names.
    .target(name: "Demangling", dependencies: ["CDemangle"], swiftSettings: language),
    // ELF and Mach-O: sections, symbols, ids.
    .target(
      name: "ObjectFormats", dependencies: ["Bytes", "Compression", "CrashModel", "Identifiers"],
      swiftSettings: safe),
    // Units, entries, line programs, call frames out of section views; knows no container.
    .target(name: "DWARF", dependencies: ["Bytes", "Workers"], swiftSettings: safe),
    // Functions, lines and inlining of an object, whatever it is written in.
    .target(
      name: "DebugInfo",
      dependencies: ["ObjectFormats", "DWARF", "Bytes", "Workers"],
      swiftSettings: safe),
    // Header, sections and checksums of the files that are written once, mapped and searched.
    .target(name: "FlatFile", dependencies: ["Bytes", "Identifiers"], swiftSettings: safe),
    // The flat look-up file: written once, mapped, searched.
    .target(
      name: "SymbolCache",
      dependencies: [
        "FlatFile", "DebugInfo", "DWARF", "ObjectFormats", "Bytes", "Workers", "Identifiers",
      ],
      swiftSettings: safe),
    // How the callers' registers are found at each address: compiled once, mapped, searched.
    .target(
      name: "UnwindRules",
      dependencies: ["FlatFile", "DWARF", "ObjectFormats", "Bytes", "Identifiers"],
      swiftSettings: safe),
    // The same file read by libelf and libdwarf, in a sandboxed child, for comparison.
    .target(
      name: "ReferenceReader",
      dependencies: [
        "SymbolCache", "DebugInfo", "DWARF", "ObjectFormats", "ChildProcess", "Files", "Bytes",
        "CElf", "CDwarf", "Identifiers",
      ],
      swiftSettings: language),
    // The lines of source files: bundles of them, and files on disk.
    .target(
      name: "SourceText", dependencies: ["ZipFiles", "Bytes", "JSON", "CrashModel", "Identifiers"],
      swiftSettings: safe),
    // Source maps of scripts: positions in generated code to positions in its sources.
    .target(
      name: "SourceMaps", dependencies: ["JSON", "Bytes", "Identifiers"], swiftSettings: safe),
    // Metadata of .NET: names of methods by token, and the lines of portable PDBs.
    .target(
      name: "ManagedMetadata", dependencies: ["Compression", "JSON", "Bytes", "Identifiers"],
      swiftSettings: safe),
    // Mappings of shortened and moved code: the names and lines of its source. No input or output.
    .target(name: "Retracing", dependencies: ["JSON", "Bytes", "Crypto"], swiftSettings: safe),
    // Where a debug file may lie.
    .target(
      name: "SymbolSources",
      dependencies: [
        "Retracing", "SourceMaps", "ManagedMetadata", "DebugInfo", "DWARF", "ObjectFormats",
        "SourceText", "ObjectStorage", "Archives", "Workers", "Compression", "Files", "Bytes",
        "CrashModel", "Crypto", "Identifiers", "JSON",
      ],
      swiftSettings: safe),
    // Registers and the memory of a stack to frames.
    .target(
      name: "StackWalking",
      dependencies: ["UnwindRules", "DWARF", "Bytes", "CrashModel", "Identifiers"],
      swiftSettings: safe),
    // Instructions of processors, as far as a crash is explained by them: lengths, operands, accesses.
    .target(
      name: "Instructions", resources: [.embedInCode("X86/opcodes.txt")], swiftSettings: safe),
    // Why a process died, in words, by the registers and the memory of its dump.
    .target(
      name: "FaultAnalysis",
      dependencies: ["Instructions", "CrashModel", "Identifiers"],
      swiftSettings: safe),
    // Report to symbolicated report.
    .target(
      name: "Symbolication",
      dependencies: [
        "SourceMaps", "ManagedMetadata", "SymbolSources", "SymbolCache", "StackWalking",
        "FaultAnalysis", "UnwindRules", "ObjectFormats", "Retracing", "Demangling",
        "ObjectStorage", "Workers", "Files", "Bytes", "CrashModel", "Identifiers",
      ],
      swiftSettings: safe),
  ])

let reports = layer(
  .reports,
  [
    // What may be crash reports: files, folders, archives, with what lies beside each.
    .target(
      name: "CrashInput",
      dependencies: ["Archives", "ObjectStorage", "Workers", "Crypto", "Files", "Bytes"],
      swiftSettings: language),
    // Folders whose files are taken as they come.
    .target(name: "Watching", dependencies: ["Files", "Bytes"], swiftSettings: language),
    // Secrets out of texts and reports: patterns and lists of rules.
    .target(
      name: "Scrubbing", dependencies: ["CrashModel", "Patterns", "INI", "Bytes", "Crypto"],
      resources: [.embedInCode("Rules")], swiftSettings: safe),
    // Bytes to reports; a folder a format.
    .target(
      name: "ReportFormats",
      dependencies: [
        "Bytes", "CMarkSearch", "Compression", "JSON", "ReportDocument", "CrashModel",
        "Identifiers",
      ],
      swiftSettings: safe),
    // Report to signature.
    .target(
      name: "Grouping",
      dependencies: [
        "CrashModel", "Patterns", "Demangling", "Spelling", "Bytes", "Crypto", "Identifiers",
        "CRules",
      ],
      // They are in CRules, compiled.
      exclude: ["Rules"], swiftSettings: safe),
    // Two stacks to how much alike they are, and whether that makes them one bug.
    .target(
      name: "Likeness", dependencies: ["CrashModel", "Bytes", "TriageModel", "Crypto"],
      swiftSettings: safe),
  ])

let store = layer(
  .store,
  [
    // Releases as files, whom they are for, and which of them a client is offered. No input or output.
    .target(
      name: "Updates",
      dependencies: ["Documents", "JSON", "Statistics", "Bytes", "Crypto", "Identifiers"],
      swiftSettings: safe),
    // What artefacts of releases say of the app in them: bundles, packages and manifests of systems.
    .target(
      name: "AppPackages",
      dependencies: [
        "Updates", "SymbolSources", "ObjectFormats", "ZipFiles", "Compression", "XML", "Bytes",
        "CrashModel", "Identifiers",
      ],
      swiftSettings: safe),
    // The language in which reports and groups are asked for.
    .target(
      name: "Query",
      dependencies: ["CrashModel", "Spelling", "TriageModel", "Crypto", "Identifiers", "Bytes"],
      swiftSettings: safe),
    // Reports column by column, in files that are searched as they are.
    .target(
      name: "Segments", dependencies: ["Compression", "Workers", "Bytes", "CSegmentScan"],
      swiftSettings: safe),
    // Names that the processes of a home hold.
    .target(name: "Leases", dependencies: ["Files", "Bytes"], swiftSettings: language),
    // Submissions, reports, groups and queries in a database, blobs in a folder.
    .target(
      name: "CrashStore",
      dependencies: [
        "Segments", "Leases",
        "Statistics", "Updates", "Documents", "Query", "Database", "Compression", "ReportDocument",
        "Likeness", "CrashModel", "JSON", "Spelling", "Workers", "Files", "Bytes", "TriageModel",
        "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    // What a server keeps beside the reports: its queue, its tokens.
    .target(
      name: "ServerStore",
      dependencies: [
        "Leases", "Database", "JSON", "Compression", "Files", "CFiles", "Bytes", "Crypto",
        "Identifiers",
      ],
      swiftSettings: language),
    // Files that come to a server in several steps.
    .target(
      name: "Uploads",
      dependencies: [
        "Leases", "ServerStore", "Database", "JSON", "Files", "Bytes", "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    // A store, or a part of it, as one file that any machine can read.
    .target(
      name: "HomeArchive",
      dependencies: ["CrashStore", "ServerStore", "Archives", "JSON", "Files", "Bytes", "Crypto"],
      swiftSettings: language),
  ])

let service = layer(
  .service,
  [
    // What is known of reports that were triaged apart, and its merge.
    .target(
      name: "Batches",
      dependencies: [
        "ReportDocument", "JSON", "Compression", "Files", "Bytes", "CrashModel", "Identifiers",
      ],
      swiftSettings: safe),
    // Submission to group: the four steps, with limits and retries.
    .target(
      name: "Pipeline",
      dependencies: [
        "Batches", "ReportFormats", "Scrubbing", "Symbolication", "SymbolSources", "Grouping",
        "Likeness", "CrashStore", "ServerStore", "Leases", "Archives", "CrashInput", "Watching",
        "ReportDocument",
        "Compression", "Workers", "ChildProcess", "ObjectStorage", "JSON", "Files", "Bytes",
        "CrashModel", "TriageModel", "Crypto", "Identifiers",
      ],
      swiftSettings: safe),
    // Every question and decision as a protocol that returns values, answered by a home.
    .target(
      name: "CrashService",
      dependencies: [
        "Pipeline", "CrashStore", "AppPackages", "Updates", "ServerStore", "Query", "Scrubbing",
        "Symbolication", "SymbolSources", "SymbolCache", "UnwindRules", "ObjectFormats",
        "ReportFormats", "ReportDocument", "Documents", "Grouping", "Likeness", "Workers", "JSON",
        "Bytes", "CrashModel", "TriageModel", "Crypto", "Identifiers", "Spelling",
      ],
      swiftSettings: language),
    // What other systems exported, as reports, groups, releases and testers of a home.
    .target(
      name: "Imports",
      dependencies: [
        "Batches", "CrashService", "Pipeline", "CrashInput", "CrashStore", "Updates", "Scrubbing",
        "SymbolSources", "JSON", "Files", "Bytes", "TriageModel", "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    // The API's documents and operations, as one OpenAPI document.
    .target(
      name: "APIDocuments",
      dependencies: [
        "CrashService", "Pipeline", "CrashStore", "Statistics", "Updates", "ServerStore", "Query",
        "HTTP", "Documents", "ReportDocument", "ReportFormats", "JSON", "Bytes", "CrashModel",
        "TriageModel", "Identifiers",
      ],
      swiftSettings: language),
    // Reports, groups and lists as text, Markdown, Apple text and HTML; no input or output.
    .target(
      name: "Rendering",
      dependencies: [
        "APIDocuments", "Documents", "CrashService", "Arguments", "Pipeline", "CrashStore",
        "Statistics", "Updates", "ServerStore", "SymbolSources", "ReportDocument", "Grouping",
        "Likeness", "Archives", "JSON", "Files", "Bytes", "CrashModel", "TriageModel",
        "Identifiers",
        "SymbolCache", "ObjectFormats", "UnwindRules", "ReportFormats", "CommonMark",
      ],
      resources: [.embedInCode("page.css")], swiftSettings: language),
    // Tools of the Model Context Protocol over CrashService; no input or output.
    .target(
      name: "ModelContext",
      dependencies: [
        "Rendering", "APIDocuments", "CrashService", "CrashStore", "ServerStore", "Query",
        "ReportDocument", "Documents", "JSON", "Bytes", "CrashModel", "TriageModel", "Crypto",
        "Identifiers",
      ],
      swiftSettings: language),
  ])

let server = layer(
  .server,
  [
    // Signing in at an identity provider: OpenID Connect, with the checks of its tokens.
    .target(
      name: "OpenIDConnect",
      dependencies: ["HTTPClient", "JSON", "Files", "Bytes", "Crypto", "Identifiers"],
      swiftSettings: language),
    // What somebody wants to be told of, found and sent: by mail, and to webhooks.
    .target(
      name: "Alerts",
      dependencies: [
        "Rendering", "CrashService", "CrashStore", "Updates", "Statistics", "ServerStore", "Query",
        "HTTPClient", "Workers", "JSON", "Files", "Bytes", "CrashModel", "TriageModel",
        "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    // What every protocol of the server needs: access, limits, metrics, downloads, the processes that work.
    .target(
      name: "ServerCore",
      dependencies: [
        "OpenIDConnect", "Rendering", "APIDocuments", "CrashService", "Pipeline", "Uploads",
        "Leases", "ServerStore", "CrashStore", "Query", "Updates", "ReportFormats", "Scrubbing",
        "SymbolSources", "ObjectFormats", "ReportDocument", "Documents", "CrashModel", "HTTP",
        "Archives", "Crypto", "Identifiers", "Arguments", "JSON", "Workers", "ChildProcess",
        "Files", "Bytes",
      ],
      swiftSettings: language),
    // The routes of the API and their endpoints.
    .target(
      name: "ServerAPI",
      dependencies: [
        "Alerts", "ServerCore", "ModelContext", "Rendering", "APIDocuments", "CrashService",
        "Pipeline", "Uploads", "ServerStore", "CrashStore", "Query", "Updates", "ReportDocument",
        "Documents", "HTTP", "Crypto", "Identifiers", "Spelling", "JSON", "ChildProcess", "Files",
        "Bytes", "TriageModel",
      ],
      swiftSettings: language),
    // App Center: what its SDKs send, its REST API.
    .target(
      name: "AppCenterProtocol",
      dependencies: [
        "APIDocuments", "Rendering", "CrashService", "HTTP", "Pipeline", "CrashStore", "Updates",
        "Uploads", "ServerStore", "Query", "ReportDocument", "JSON", "Files", "Bytes", "CrashModel",
        "ServerCore", "TriageModel", "Crypto", "Identifiers", "Documents", "QRCodes",
      ],
      resources: [.embedInCode("Distribute/tester.css")],
      swiftSettings: language),
    // Crashpad, Breakpad, Electron: dumps with their annotations.
    .target(
      name: "BreakpadProtocol",
      dependencies: [
        "APIDocuments", "HTTP", "Pipeline", "ReportFormats", "Compression", "Archives", "JSON",
        "Bytes", "CrashStore", "ServerStore", "ServerCore",
      ],
      swiftSettings: language),
    // RemoteConfiguration, the iTunes lookup, Sparkle: documents that update clients poll.
    .target(
      name: "UpdateProtocols",
      dependencies: [
        "CrashService", "HTTP", "ReportFormats", "Updates", "JSON", "Bytes", "ServerCore", "Crypto",
        "Identifiers", "CommonMark",
      ],
      swiftSettings: language),
    // What people look at: pages over the values of CrashService, and how they sign in.
    .target(
      name: "WebPages",
      dependencies: [
        "Alerts", "APIDocuments", "Rendering", "CrashService", "Pipeline", "HTTP", "CrashStore",
        "ServerStore", "Query", "ReportDocument", "JSON", "Files", "Bytes", "CrashModel",
        "Scrubbing", "Grouping", "Updates", "OpenIDConnect", "Documents", "ServerCore",
        "TriageModel", "Crypto", "Identifiers", "Statistics",
      ],
      resources: [
        .embedInCode("pages.css"), .embedInCode("pages.js"), .embedInCode("completion.js"),
        .embedInCode("icon.svg"),
      ],
      swiftSettings: language),
  ])

let commands = layer(
  .commands,
  [
    // The questions of CrashService asked of a server, and uploads to it.
    .target(
      name: "CrashClient",
      dependencies: [
        "APIDocuments", "Documents", "CrashService", "Arguments", "HTTP", "HTTPClient",
        "CrashStore", "Updates", "ServerStore", "Query", "ReportDocument", "Archives", "JSON",
        "Files", "Bytes", "CrashModel", "Rendering", "TriageModel", "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    // Where commands print: standard output and error, colours, pager, progress, Ctrl-C.
    .target(
      name: "Terminal",
      dependencies: [
        "Rendering", "Arguments", "ChildProcess", "Files", "Bytes", "JSON", "JQ", "Spelling",
      ],
      swiftSettings: language),
    // Addresses and lines of standard input looked up in debug files, printed as other tools do.
    .target(
      name: "AddressLookUp",
      dependencies: [
        "Terminal", "Rendering", "CrashService", "Arguments", "Symbolication", "SymbolSources",
        "SymbolCache", "ObjectFormats", "Demangling", "Workers", "JSON", "Files", "Bytes",
        "CrashModel", "Identifiers",
      ],
      swiftSettings: language),
    // Options that several commands have, and the exit status.
    .target(
      name: "CommandSupport",
      dependencies: [
        "Terminal", "Rendering", "APIDocuments", "CrashService", "Pipeline", "CrashStore",
        "Scrubbing", "Symbolication", "SymbolSources", "ReportDocument", "CrashInput", "Archives",
        "ObjectStorage", "HTTPClient", "Arguments", "JSON", "JQ", "Workers", "Files", "Bytes",
        "Identifiers",
      ],
      swiftSettings: language),
    // Commands that read files and need no store.
    .target(
      name: "OfflineCommands",
      dependencies: [
        "CommandSupport", "AddressLookUp", "Terminal", "Rendering", "APIDocuments", "CrashService",
        "Pipeline", "Batches", "CrashStore", "Grouping", "ReportFormats", "Scrubbing", "CrashInput",
        "Symbolication", "SymbolSources", "ReferenceReader", "UnwindRules", "SymbolCache",
        "ObjectFormats", "ReportDocument", "Documents", "CrashModel", "TriageModel", "Crypto",
        "Identifiers", "ObjectStorage",
        "Arguments", "Spelling", "JSON", "Workers", "Files", "Bytes", "CAttributes",
      ],
      swiftSettings: language),
    // One subcommand a file.
    .target(
      name: "MaydayCommands",
      dependencies: [
        "OfflineCommands", "CommandSupport", "OpenIDConnect", "AppPackages", "AddressLookUp",
        "Terminal", "AppCenterProtocol", "BreakpadProtocol", "UpdateProtocols", "WebPages",
        "CrashClient", "Alerts", "APIDocuments", "Documents", "Rendering", "Imports",
        "CrashService", "Arguments", "Pipeline", "HTTP", "HTTPClient", "Uploads", "ServerStore",
        "ReferenceReader", "ModelContext",
        "HomeArchive", "Scrubbing", "CrashStore", "Updates", "Query", "Symbolication",
        "SymbolSources", "SymbolCache", "ObjectFormats", "ReportFormats", "ReportDocument",
        "Grouping", "Archives", "CrashInput", "Watching", "ChildProcess", "Workers", "JSON", "INI",
        "Spelling", "Files", "Bytes", "CrashModel", "ServerAPI", "ServerCore", "TriageModel",
        "Crypto", "Identifiers",
      ],
      swiftSettings: language),
    .executableTarget(
      name: "mayday",
      dependencies: ["MaydayCommands"],
      swiftSettings: language, linkerSettings: linkedIn),
  ])

let package = Package(
  name: "mayday",
  products: [.executable(name: "mayday", targets: ["mayday"])],
  targets: c + ground + model + symbols + reports + store + service + server + commands
)

/// Targets that run once a command or a request, and are large: less code is worth more than speed.
let optimisedForSize: Set = [
  "Alerts", "APIDocuments", "AppCenterProtocol", "Arguments", "BreakpadProtocol", "CrashClient",
  "CommandSupport", "CrashService", "CrashStore", "HomeArchive", "Imports", "MaydayCommands",
  "ModelContext", "OfflineCommands",
  "OpenIDConnect", "Rendering", "ServerAPI", "ServerCore", "ServerStore", "Terminal",
  "UpdateProtocols", "Updates", "Uploads", "WebPages",
]
for target in package.targets where optimisedForSize.contains(target.name) {
  target.swiftSettings? += [.unsafeFlags(["-Osize"], .when(configuration: .release))]
}

/// Targets whose tests compare with files in a folder beside them.
let withGolden: Set = [
  "CrashStore", "Demangling", "Grouping", "HomeArchive", "MaydayCommands", "OpenIDConnect",
  "Pipeline", "Rendering", "ServerAPI", "Statistics",
]

/// What tests use besides: the answers of another symbolizer are JSON, and homes are looked into.
let wantedByTests: [String: [Target.Dependency]] = [
  "ReportFormats": ["Files"],
  "FaultAnalysis": ["Bytes"],
  "SymbolSources": ["SymbolCache", "HTTPClient"],
  "CrashStore": ["Workers"],
  "ServerStore": ["Workers"],
  "Alerts": ["Database", "HTTP"],
  "Statistics": ["JSON", "Files", "Bytes"],
  "Symbolication": ["JSON", "DWARF", "HTTPClient"],
  "Pipeline": ["ObjectFormats", "Query", "Database"],
  "Imports": ["CrashModel", "Grouping", "Query", "ReportDocument", "Symbolication"],
  "HTTP": ["CDeflate"],
  "HTTPClient": ["HTTP"],
  "Demangling": ["Bytes"],
  "Documents": ["Bytes", "TriageModel"],
  "Grouping": ["TriageModel"],
  "Scrubbing": ["Identifiers"],
  "HomeArchive": ["ReportDocument", "CrashModel", "TriageModel", "Identifiers", "Database"],
  "MaydayCommands": ["Database", "Compression"],
  "AppCenterProtocol": ["MaydayCommands"],
  "ServerAPI": ["MaydayCommands", "Database", "Compression"],
  "ServerCore": ["MaydayCommands", "ServerAPI", "Compression"],
  "UpdateProtocols": ["MaydayCommands", "CrashStore", "AppPackages", "XML"],
  "WebPages": [
    "MaydayCommands", "ServerAPI", "Compression", "AppCenterProtocol", "ModelContext", "Database",
  ],
  "Rendering": ["MaydayCommands", "CrashInput", "Terminal"],
  "AddressLookUp": ["MaydayCommands"],
]

/// Targets that are tested through the commands that use them.
let testedByCommands: Set = ["CommandSupport", "CrashService", "Terminal"]

/// Targets whose tests start the program.
let startProgram: Set = [
  "Rendering", "CrashClient", "ServerCore", "ServerAPI", "AppCenterProtocol", "BreakpadProtocol",
  "UpdateProtocols", "WebPages", "AddressLookUp", "OfflineCommands", "MaydayCommands",
]

// Tests of a target may use what it imports, and the helpers of all tests.
for target in package.targets where target.type == .regular {
  let name = target.name
  guard let layer = layers[name], layer != .c, !testedByCommands.contains(name) else { continue }
  let imports = target.dependencies + [.byName(name: name), "TestSupport"]
  var more = wantedByTests[name, default: []]
  if startProgram.contains(name) { more.append("ProgramSupport") }
  package.targets.append(
    .testTarget(
      name: name + "Tests", dependencies: imports + more,
      path: "Tests/\(layer.rawValue)/\(name)Tests",
      exclude: withGolden.contains(name) ? ["Golden"] : [], swiftSettings: tests))
}

package.targets += [
  // The random generator, damage, samples, builders of hostile input, and running other programs, for
  // the tests and for mayday-bench.
  .target(
    name: "TestSupport", dependencies: ["Bytes", "CrashModel", "Identifiers", "JSON", "CArchive"],
    path: "Tests/TestSupport",
    swiftSettings: tests),
  // Runs of the program and of its server, with every document that they print checked.
  .target(
    name: "ProgramSupport",
    dependencies: [
      "TestSupport", "MaydayCommands", "ServerAPI", "Documents", "JSON", "Bytes",
    ],
    path: "Tests/ProgramSupport", swiftSettings: tests),
]

// Measurements, and entries for a fuzzer: only what asks for them compiles them, such as `make bench`.
let tools = layer(
  .tools,
  [
    .executableTarget(
      name: "mayday-bench",
      dependencies: [
        "Pipeline", "CrashStore", "Query", "Symbolication", "Archives", "ReportFormats",
        "Scrubbing", "SymbolCache", "DWARF", "Demangling", "Instructions", "StackWalking",
        "UnwindRules", "DebugInfo", "ObjectFormats", "Grouping", "Likeness", "HTTP", "JSON",
        "Workers", "Files", "Bytes", "CrashModel", "CrashInput", "SymbolSources", "TestSupport",
        "ReportDocument", "TriageModel", "Identifiers", "Compression",
      ],
      swiftSettings: language),
    .executableTarget(
      name: "mayday-fuzz",
      dependencies: [
        "AppPackages", "Updates", "ZipFiles", "ReportFormats", "ReportDocument", "JSON",
        "ObjectFormats", "DWARF", "DebugInfo", "SymbolCache", "UnwindRules", "SourceText",
        "Retracing", "Demangling", "Compression", "Grouping", "Scrubbing", "ServerStore",
        "Symbolication", "Bytes", "CrashModel", "Identifiers", "Segments", "Batches", "Pipeline",
        "CrashInput", "SymbolSources", "Files",
      ],
      swiftSettings: language),
  ])
if Context.environment["MAYDAY_TOOLS"] != nil { package.targets += tools }
