internal import APIDocuments
package import Arguments
internal import Bytes
internal import CommandSupport
internal import CrashModel
internal import Documents
package import ReportFormats
internal import Spelling
internal import Terminal

/// `mayday formats`
package struct FormatsCommand: Command {
  package static let name = "formats"
  package static let summary = "List the supported formats of crash reports."
  package static let discussion = """
    With names, shows how reports of these formats are recognised and what is read from them. \
    Formats are recognised by content alone; 'mayday triage' reads all of them.
    """
  package static let examples = [
    Example("mayday formats", "All formats, one per line."),
    Example("mayday formats minidump go-panic", "What is read from these two."),
    Example("mayday formats --json | jq -r '.[].name'", "Only the names."),
  ]

  @Argument("FORMAT", help: "Formats to describe.", isRequired: false)
  var formats: [String]
  @Flag("--markdown", help: "Print Markdown, as in docs/reference/formats.md.") var markdown
  @OptionGroup var output = ListOptions()

  package init() {}

  package func run() throws {
    let chosen = try self.chosen()
    guard try output.printedJSON(chosen, { $0.write($1) }) == false else { return }
    let console = output.console
    if markdown {
      try console.write(lines: FormatPage(formats: chosen).lines)
    } else if formats.isEmpty {
      let list = FormatList(formats: chosen)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    } else {
      let text = FormatText(formats: chosen)
      try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
  }

  /// The named formats, in the given order; all of them, by family, if none is named.
  private func chosen() throws -> [KnownFormat] {
    let all = KnownFormat.byFamily
    guard !formats.isEmpty else { return all }
    return try formats.map { name in
      guard let format = all.first(where: { $0.format.description == name }) else {
        let near = Suggestion.nearest(to: name, among: all.map(\.format.description))
        throw CommandFailure(
          "there is no format '\(name.printable)'; "
            + (near.map { "did you mean '\($0)'?" } ?? "'mayday formats' lists them"), .wrongUsage)
      }
      return format
    }
  }
}

extension KnownFormat {
  /// All formats, grouped by family.
  package static var byFamily: [KnownFormat] {
    let all = FormatRegistry.builtIn.formats
    return FormatDescription.Family.allCases.flatMap { family in
      all.filter { $0.about.family == family }
    }
  }
}
