import Files
import Bytes
import CrashModel
import Glibc
import ReportFormats

/// Runs the formats and the engine over a folder of real files and prints what became of them.
///
/// The folder may hold an `INDEX.tsv` (format, path, role, licence): then the files with the role
/// `input` are read and counted by format; else every file, by the first folder of its path. Files
/// named `X.expected-lookups.json` hold addresses of `X` with the frames that another symbolizer
/// gave for them.
struct CorpusCheck {
  private struct Row {
    var files = 0
    var recognised = 0
    var parsed = 0
    var reports = 0
    var frames = 0
    var notes = 0
    var failures: [String: [String]] = [:]
  }

  private let folder: String
  private var rows: [String: Row] = [:]

  /// Checks `folder` and prints the tables.
  ///
  /// - Returns: 0, or 1 when a file that was recognised could not be read or a look-up differs.
  static func run(_ folder: String) -> Int32 {
    var check = CorpusCheck(folder: folder)
    let files = check.inputs()
    for file in files { check.read(file) }
    check.print()
    let lookUps = LookUpCheck(folder: folder)
    let agree = lookUps.run()
    let damaged = check.rows.values.contains { $0.parsed < $0.recognised }
    return damaged || !agree ? 1 : 0
  }

  private init(folder: String) { self.folder = folder }

  /// Format and path of each file to read.
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
    defer { rows[file.format] = row }
    row.files += 1
    do {
      let bytes = try ByteView(reading: folder + "/" + file.path, limit: 512 << 20)
      guard FormatRegistry.builtIn.format(of: bytes) != nil else {
        do throws(ParseError) {
          _ = try FormatRegistry.builtIn.reports(in: bytes)
        } catch {
          row.failures[error.refusal, default: []].append(file.path)
        }
        return
      }
      row.recognised += 1
      let reports = try FormatRegistry.builtIn.reports(in: bytes)
      guard !reports.isEmpty else { return }
      row.parsed += 1
      row.reports += reports.count
      for report in reports {
        row.notes += report.notes.count
        row.frames += report.threads.reduce(0) { $0 + $1.frames.count }
        row.frames += report.otherStacks.reduce(0) { $0 + $1.frames.count }
      }
    } catch {
      row.failures["\(error)", default: []].append(file.path)
    }
  }

  private func print() {
    let header = ["format", "files", "recogn.", "parsed", "reports", "frames", "notes"]
    let formats = rows.keys.sorted {
      (rows[$1]?.recognised ?? 0, $0) < (rows[$0]?.recognised ?? 0, $1)
    }
    var lines = [header]
    for format in formats {
      guard let row = rows[format] else { continue }
      let numbers = [row.files, row.recognised, row.parsed, row.reports, row.frames, row.notes]
      lines.append([format] + numbers.map { String($0) })
    }
    TextTable.print(lines)
    Swift.print("\nFailures by reason:")
    for format in formats {
      for (reason, paths) in (rows[format]?.failures ?? [:]).sorted(by: { $0.key < $1.key }) {
        Swift.print("  \(format): \(paths.count) x \(reason)")
        for path in paths.prefix(rows[format]?.recognised == 0 ? 0 : 5) {
          Swift.print("      \(path)")
        }
      }
    }
  }
}

/// The regular files below a folder.
enum FileTree {
  /// Paths relative to `folder`, sorted; links are not followed.
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

/// Columns of text, the first to the left and the others to the right.
enum TextTable {
  static func print(_ lines: [[String]]) { Swift.print(text(lines)) }

  static func text(_ lines: [[String]]) -> String {
    guard let first = lines.first else { return "" }
    let widths = first.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      var text = ""
      for (column, cell) in line.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        text += column == 0 ? cell + padding : "  " + padding + cell
      }
      return text
    }.joined(separator: "\n")
  }
}
