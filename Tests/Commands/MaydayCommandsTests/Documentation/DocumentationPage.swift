import Bytes
import Glibc
import TestSupport

/// A Markdown page of the project, with the sessions it shows.
///
/// Commands are in indented blocks after `$ `, with their output below. A line of three dots matches any
/// lines, three dots in a line any text.
struct DocumentationPage: CustomStringConvertible {
  /// A command and the output that the page shows for it.
  struct Step {
    var command: String
    var output: [String]
  }

  /// The path relative to the project's root.
  let name: String
  let lines: [String]
  var description: String { name }

  init(_ name: String) throws {
    self.name = name
    lines = try ByteView(reading: "\(Samples.root)/\(name)", limit: 1 << 20).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// README and its siblings, and every page below `docs/`.
  static let names: [String] = {
    do {
      let names = try FolderListing.names(in: Samples.root)
      let pages = try FolderListing.files(below: Samples.root + "/docs").map { "docs/" + $0 }
      return (names + pages).filter { $0.hasSuffix(".md") }
    } catch {
      fatalError("\(error)")
    }
  }()

  /// The pages of other folders, whose links are checked too.
  static let readmes: [String] = {
    do {
      return try ["Artefacts", "Samples", "Sources", "Symbols", "scripts"].flatMap { folder in
        try FolderListing.files(below: "\(Samples.root)/\(folder)")
          .filter { $0 == "README.md" || $0.hasSuffix("/README.md") }.map { "\(folder)/\($0)" }
      }
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Those that show commands.
  static let withSteps = names.filter { name in
    guard let page = try? DocumentationPage(name) else { fatalError("\(name) cannot be read") }
    return !page.steps.isEmpty
  }

  var steps: [Step] {
    var steps: [Step] = []
    var isInside = false
    for line in lines {
      if line.hasPrefix("    $ ") {
        steps.append(Step(command: String(line.dropFirst(6)), output: []))
        isInside = true
      } else if isInside, line.hasPrefix("    "), steps[steps.count - 1].command.hasSuffix("\\") {
        steps[steps.count - 1].command += "\n" + line.dropFirst(4)
      } else if isInside && (line.hasPrefix("    ") || line.isEmpty) {
        steps[steps.count - 1].output.append(String(line.dropFirst(4)))
      } else {
        isInside = false
      }
    }
    for index in steps.indices {
      while steps[index].output.last?.isEmpty == true { steps[index].output.removeLast() }
    }
    return steps
  }

  /// The anchors that GitHub generates for the headings.
  var anchors: Set<String> {
    var anchors: Set<String> = []
    var isFenced = false
    for line in lines {
      if line.hasPrefix("```") { isFenced.toggle() }
      guard !isFenced, line.hasPrefix("#") else { continue }
      let title = line.drop { $0 == "#" }.dropFirst().lowercased()
      anchors.insert(
        String(
          title.compactMap { character in
            if character == " " { return "-" as Character }
            let isKept =
              character.isLetter || character.isNumber || character == "-" || character == "_"
            return isKept ? character : nil
          }))
    }
    return anchors
  }

  /// The targets of its links, except those to other sites.
  var links: [String] {
    var links: [String] = []
    // A link's text may continue on the next line, its target does not.
    for line in lines where !line.hasPrefix("    ") {
      // Text in code is not a link, whatever it looks like.
      var rest = line.replacing(/`[^`]*`/, with: "")[...]
      while let start = rest.firstRange(of: "]("),
        let end = rest[start.upperBound...].firstIndex(of: ")")
      {
        let link = rest[start.upperBound..<end]
        // `operator[](unsigned long)` is code: a target contains no space.
        if !link.contains("://"), !link.contains(" ") { links.append(String(link)) }
        rest = rest[end...]
      }
    }
    return links
  }

  /// Whether the printed lines match those of a page.
  static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return lines.isEmpty }
    if first.trimmingPrefix(while: { $0 == " " }) == "..." {
      return (lines.startIndex...lines.endIndex).contains {
        matches(lines[$0...], pattern.dropFirst())
      }
    }
    guard let line = lines.first, isSame(line[...], first) else { return false }
    return matches(lines.dropFirst(), pattern.dropFirst())
  }

  private static func isSame(_ line: Substring, _ pattern: String) -> Bool {
    var rest = line
    let parts = pattern.split(separator: "...", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line == pattern }
    for (number, part) in parts.enumerated() {
      if number == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if number == parts.count - 1 {
        return rest.hasSuffix(part)
      } else {
        guard let range = rest.firstRange(of: part) else { return false }
        rest = rest[range.upperBound...]
      }
    }
    return true
  }
}
