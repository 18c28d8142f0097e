import Bytes
import CrashInput
import CrashModel
import Files
import Glibc
import ReportFormats
import SymbolSources

/// Runs the formats and the engine over a folder of real files and prints the results.
///
/// The folder may contain an `INDEX.tsv` (format, path, role, licence): then the files with the role `input`
/// are read and counted by format; otherwise every file, by the first folder of its path. Files named
/// `X.expected-lookups.json` contain addresses of `X` with the frames that another symbolizer gave for them.
struct CorpusCheck {
  private struct Row {
    var files = 0
    var parsed = 0
    var reports = 0
    var frames = 0
    var notes = 0
    /// Number of files that are read as each format.
    var formats: [String: Int] = [:]
    /// Files that are read as another format than the folder's.
    var mistaken: [String] = []
    var failures: [String: [String]] = [:]
  }

  /// The result of reading a file.
  private struct Finding {
    var formats: Set<String> = []
    var reports: [CrashReport] = []
    var failure: String?
  }

  private let folder: String
  private var rows: [String: Row] = [:]
  private var titles: TitleTable

  /// Checks `folder` and prints the tables.
  ///
  /// - Parameters:
  ///   - symbols: Folders of debug files, which improve the titles.
  ///   - listsTitles: Whether only the titles are printed, one per line.
  ///   - unread: Maximum number of files that are unread, or read as another format.
  /// - Returns: 0, or 1 when more files are unread or read as another format, or a look-up differs.
  static func run(
    _ folder: String, symbols: [String] = [], listsTitles: Bool = false, unread: Int = 0
  ) -> Int32 {
    var check = CorpusCheck(folder, TitleTable(symbols: symbols))
    let files = check.inputs()
    for file in files { check.read(file) }
    if listsTitles {
      check.titles.list()
      return 0
    }
    check.print()
    check.titles.print()
    let lookUps = LookUpCheck(folder: folder)
    let agree = lookUps.run()
    let wrong = check.rows.values.map { $0.files - $0.parsed + $0.mistaken.count }.reduce(0, +)
    if wrong > unread {
      Swift.print("\n\(wrong) files are not read or are read as another format; \(unread) may be")
    }
    return wrong > unread || !agree ? 1 : 0
  }

  private init(_ folder: String, _ titles: TitleTable) {
    self.folder = folder
    self.titles = titles
  }

  /// The formats as which the files of an index's format may be read, where the names differ. The output of a
  /// runtime before a sanitizer's, debugger's or system's report of the same death is part of that report,
  /// and an index names such files by either.
  private static let known: [String: Set<String>] = [
    "abrt-problem-dir": ["abrt", "linux-kernel"],
    "android-tombstone-text": ["android-tombstone"],
    "apple-crash-text": ["apple-crash"],
    "apple-ips-other": ["apple-ips", "apple-crash"],
    "apple-other-text": ["apple-crash"],
    "apple-panic": ["apple-crash", "apple-ips"],
    "crashprobe-json": ["sentry-event"],
    "dotnet-trace": ["dotnet", "mono-crash"],
    "elf-core": ["elf-core", "debug file"],
    "flutter-dart": ["dart", "debug file"],
    "gdb-backtrace": ["debugger"],
    "go-panic": ["go-panic", "sanitizer"],
    "java-trace": ["java-trace", "java-hs-err"],
    "linux-kernel": ["linux-kernel", "linux-fault", "trusty", "sanitizer"],
    "native-log": [
      "native-log", "sanitizer", "android-tombstone", "debugger", "java-trace", "javascript",
    ],
    "node-js": ["javascript", "node-report"],
    "other-kernel": ["bsd-kernel", "fuchsia", "apple-crash", "go-panic"],
    "other-langs": ["language-trace", "ruby", "php", "perl", "dart"],
    "rust-panic": ["rust-panic", "sanitizer"],
    "sanitizer": ["sanitizer", "casr", "native-log"],
    "sdk-events": ["sdk-event", "debug file"],
    "swift-backtrace": ["swift-backtrace", "swift-backtrace-json"],
    "systemd-journal": ["systemd-coredump"],
    "unreal": ["unreal", "minidump"],
    "windows-cdb-log": ["windows-debugger"],
    "breakpad-sym": ["debug file"], "debug-elf": ["debug file"], "debug-macho": ["debug file"],
    "debug-pe-pdb": ["debug file"], "debug-ppdb": ["debug file"], "debug-wasm": ["debug file"],
    "proguard-map": ["debug file"], "sourcemap-js": ["debug file"],
  ]

  /// Returns the format and path of each file to read.
  private func inputs() -> [(format: String, path: String)] {
    if let index = try? ByteView(reading: folder + "/INDEX.tsv", limit: 64 << 20) {
      return index.text.split(separator: "\n").dropFirst().compactMap { line in
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count >= 3, columns[2] == "input" else { return nil }
        return (String(columns[0]), String(columns[1]))
      }
    }
    return FileTree.files(below: folder).map { path in
      (path.contains("/") ? String(path.prefix { $0 != "/" }) : ".", path)
    }
  }

  private mutating func read(_ file: (format: String, path: String)) {
    var row = rows[file.format] ?? Row()
    row.files += 1
    let finding = find(folder + "/" + file.path)
    for format in finding.formats { row.formats[format, default: 0] += 1 }
    let wanted = Self.known[file.format] ?? [file.format]
    if finding.formats.isEmpty {
      row.failures[finding.failure ?? "no report", default: []].append(file.path)
    } else {
      row.parsed += 1
      if finding.formats.isDisjoint(with: wanted) {
        row.mistaken.append("\(file.path): \(finding.formats.sorted().joined(separator: ", "))")
      }
    }
    row.reports += finding.reports.count
    for report in finding.reports {
      titles.add(report, file: file.path)
      row.notes += report.notes.count
      row.frames += report.threads.reduce(0) { $0 + $1.frames.count }
      row.frames += report.otherStacks.reduce(0) { $0 + $1.frames.count }
      row.frames += report.reason.exception?.allFrames ?? 0
    }
    rows[file.format] = row
  }

  /// Returns the reports of a file or of files packed in it; without any, whether it is a debug file.
  private func find(_ path: String) -> Finding {
    var finding = Finding()
    InputWalker(limits: .passing).walk([path]) { file in
      do {
        let reports = try FormatRegistry.builtIn.reports(in: try file.content.get())
        finding.formats.formUnion(reports.map(\.format.description))
        finding.reports += reports
      } catch let error as ParseError {
        finding.failure = finding.failure ?? error.refusal
      } catch {
        finding.failure = finding.failure ?? "\(error)"
      }
      return .next
    }
    guard finding.formats.isEmpty else { return finding }
    let scan = DebugFileScanner().scan([path])
    if !scan.files.isEmpty || !scan.bundles.isEmpty || !scan.mappings.isEmpty {
      finding.formats = ["debug file"]
    } else if let refusal = scan.refusals.first {
      finding.failure = refusal.reason
    }
    return finding
  }

  private func print() {
    let header = ["format", "files", "read", "reports", "frames", "notes", "as"]
    var lines = [header]
    for (format, row) in rows.sorted(by: { $0.key < $1.key }) {
      let numbers = [row.files, row.parsed, row.reports, row.frames, row.notes]
      let formats = row.formats.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      lines.append(
        [format] + numbers.map { String($0) }
          + [formats.map { "\($0.key) \($0.value)" }.joined(separator: ", ")])
    }
    TextTable.print(lines)
    for (title, list) in [
      ("Read as another format", rows.mapValues { ["": $0.mistaken] }),
      ("Not read", rows.mapValues(\.failures)),
    ] where list.values.contains(where: { $0.values.contains { !$0.isEmpty } }) {
      Swift.print("\n\(title):")
      for (format, reasons) in list.sorted(by: { $0.key < $1.key }) {
        for (reason, paths) in reasons.sorted(by: { $0.key < $1.key }) where !paths.isEmpty {
          Swift.print("  \(format): \(paths.count)\(reason.isEmpty ? "" : " x " + reason)")
          for path in paths.prefix(5) { Swift.print("      \(path)") }
        }
      }
    }
  }
}

extension LanguageException {
  /// The number of frames in its stack and in those of its causes.
  fileprivate var allFrames: Int { frames.count + inner.reduce(0) { $0 + $1.allFrames } }
}

/// The regular files below a folder.
enum FileTree {
  /// Returns paths relative to `folder`, sorted; links are not followed.
  static func files(below folder: String) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let prefix = folders.popLast() {
      for name in FolderNames.of(folder + "/" + prefix) {
        let path = prefix.isEmpty ? name : prefix + "/" + name
        var status = stat()
        guard lstat(folder + "/" + path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
        if status.st_mode & S_IFMT == S_IFREG { found.append(path) }
      }
    }
    return found.sorted()
  }
}

/// Columns of text, the first aligned to the left and the others to the right.
enum TextTable {
  static func print(_ lines: [[String]]) { Swift.print(text(lines)) }

  static func text(_ lines: [[String]]) -> String {
    guard let first = lines.first else { return "" }
    let widths = first.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      var text = ""
      for (column, cell) in line.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let isText = Int(cell) == nil && cell.contains { $0.isLetter }
        text += column == 0 ? cell + padding : isText ? "  " + cell : "  " + padding + cell
      }
      return text
    }.joined(separator: "\n")
  }
}
