import Bytes
import Glibc
import TestSupport
import Testing

/// The pages for people who change the program name files, types and functions that exist.
///
/// A type is looked for in the folder of the file that is named for it.
@Suite("Sources that the pages name") struct NamedSourcesTests {
  private static let pages = [
    "adding-a-route", "path-of-a-report", "testing-and-debugging",
  ].map { "docs/develop/\($0).md" }

  /// The names of the Swift files in each folder.
  private static let folders: [Substring: [Substring]] = {
    do {
      let paths = try ["Sources", "Tests"].flatMap { folder in
        try FolderListing.files(below: "\(Samples.root)/\(folder)").map { "\(folder)/\($0)" }
      }
      return paths.filter { $0.hasSuffix(".swift") }.reduce(into: [:]) { folders, path in
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        folders[path[..<slash], default: []].append(path[path.utf8.index(after: slash)...])
      }
    } catch {
      fatalError("\(error)")
    }
  }()

  /// The lines of a page, those of code blocks with the path of the file that they show.
  private struct Page {
    private(set) var names: [String] = []
    private(set) var shown: [(path: String, line: String)] = []

    init(_ page: DocumentationPage) {
      var path: String?
      var isFenced = false
      for line in page.lines {
        if line.hasPrefix("```") {
          isFenced.toggle()
          if !isFenced { path = nil }
        } else if isFenced {
          if let path, let line = Self.trimmed(line) { shown.append((path, line)) }
        } else if !line.hasPrefix("    ") {
          let parts = line.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
          names += stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
          if parts.count == 3, parts[0].isEmpty, parts[2] == ":" { path = parts[1] }
        }
      }
    }

    static func trimmed(_ line: some StringProtocol) -> String? {
      line.firstIndex { $0 != " " }.map { String(line[$0...]) }
    }
  }

  private static func text(_ path: String) throws -> String {
    try ByteView(reading: "\(Samples.root)/\(path)", limit: 1 << 20).text
  }

  /// The words of the Swift files that declare or extend a type.
  private static func declarations(of type: String) throws -> [[Substring]] {
    let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "extension"]
    let paths = folders.flatMap { folder, names in
      names.contains { $0 == "\(type).swift" || $0.hasPrefix("\(type)+") }
        ? names.map { "\(folder)/\($0)" } : []
    }
    return try paths.map(words).filter { words in
      zip(words, words.dropFirst()).contains {
        keywords.contains($0) && ($1 == type || $1.hasSuffix(".\(type)"))
      }
    }
  }

  /// The words of a file, with the dots in them.
  private static func words(of path: String) throws -> [Substring] {
    try text(path).utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
        false
      default: true
      }
    }.map(Substring.init)
  }

  @Test("Every path, type and member in backquotes exists", arguments: pages)
  func names(page: String) throws {
    var count = 0
    for name in Page(try DocumentationPage(page)).names {
      if ["Sources/", "Tests/", "scripts/"].contains(where: { name.hasPrefix($0) }) {
        #expect(access("\(Samples.root)/\(name)", F_OK) == 0, "\(name)")
        count += 1
        continue
      }
      // `Type` or `Type.member`; constants such as `MAYDAY_SEED` and commands are neither.
      guard let match = name.wholeMatch(of: /([A-Z]\w*[a-z]\w*)(?:\.([a-z]\w*))?/) else { continue }
      count += 1
      let declarations = try Self.declarations(of: String(match.output.1))
      #expect(!declarations.isEmpty, "\(name): no such type")
      guard let member = match.output.2, !declarations.isEmpty else { continue }
      let kinds: Set<Substring> = ["func", "var", "let", "case"]
      let isThere = declarations.contains { words in
        zip(words, words.dropFirst()).contains { kinds.contains($0) && $1 == member }
      }
      #expect(isThere, "\(name): no such member")
    }
    #expect(count > 5)
  }

  @Test("Every line of code that a page shows of a file is in that file", arguments: pages)
  func lines(page: String) throws {
    let shown = Page(try DocumentationPage(page)).shown
    for path in Set(shown.map(\.path)) {
      let text = try Self.text(path)
      let lines = Set(
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap {
          Page.trimmed(Substring($0))
        })
      for (file, line) in shown where file == path {
        let isThere = lines.contains(line)
        #expect(isThere, "\(path): \(line)")
      }
    }
  }
}
