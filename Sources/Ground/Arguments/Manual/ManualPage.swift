/// A page of the manual about a command, in section 1.
public struct ManualPage {
  /// A section of a page besides those of its command's declarations.
  public struct Appendix: Sendable {
    public let title: String
    public let blocks: [HelpTopic.Block]

    public init(_ title: String, _ blocks: [HelpTopic.Block]) {
      self.title = title
      self.blocks = blocks
    }
  }

  private let command: CommandDescription
  private let parent: CommandDescription?
  private let release: String
  private let date: String
  private let appendices: [Appendix]

  /// - Parameters:
  ///   - parent: The command that this one is below; `nil` for the program itself.
  ///   - release: The footer: `mayday 1.0`.
  ///   - date: When that was: `2026-11-21`.
  ///   - appendices: Sections after those that follow from the declarations.
  public init(
    of command: CommandDescription, below parent: CommandDescription?, release: String,
    date: String, appendices: [Appendix]
  ) {
    self.command = command
    self.parent = parent
    self.release = release
    self.date = date
    self.appendices = appendices
  }

  /// `mayday-symbols-add`
  public var name: String { Self.name(of: command.path) }
  /// `mayday-symbols-add.1`
  public var fileName: String { name + ".1" }

  private static func name(of path: [String]) -> String { path.joined(separator: "-") }

  /// The page in the language of man(7).
  public var text: String {
    var page = Roff()
    page.macro("TH", name.uppercased(), "1", date, release, "")
    // Names of options are neither parted nor spread.
    page.macro("nh")
    page.macro("ad", "l")
    page.macro("SH", "NAME")
    page.line([.plain("\(name) - \(Self.title(command.summary))")])
    page.macro("SH", "SYNOPSIS")
    page.line(synopsis)
    if !command.discussion.isEmpty {
      page.macro("SH", "DESCRIPTION")
      write([.paragraph(command.discussion)], to: &page)
    }
    writeCommands(to: &page)
    writeParameters(to: &page)
    for appendix in appendices {
      page.macro("SH", appendix.title)
      write(appendix.blocks, to: &page)
    }
    writeExamples(to: &page)
    writeSeeAlso(to: &page)
    return page.text
  }

  /// The summary as a title has it: without capital and full stop.
  private static func title(_ summary: String) -> String {
    let text = summary.hasSuffix(".") ? summary.dropLast() : summary[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private var synopsis: [Roff.Span] {
    var spans: [Roff.Span] = [.bold(command.path.joined(separator: " "))]
    for word in command.usage.split(separator: " ").dropFirst(command.path.count) {
      spans += [.plain(" "), word == "[options]" ? .plain("[options]") : .italic(String(word))]
    }
    return spans
  }

  private var visible: [CommandDescription] { command.subcommands.filter { !$0.isHidden } }

  private func writeCommands(to page: inout Roff) {
    let sections = command.arrangedSubcommands
    guard !sections.isEmpty else { return }
    page.macro("SH", "COMMANDS")
    for (title, commands) in sections {
      if sections.count > 1 { page.macro("SS", title) }
      for next in commands {
        page.macro("TP")
        page.line([.bold(Self.name(of: next.path)), .plain("(1)")])
        page.line(
          next.summary + (next.name == command.defaultSubcommand ? " This is the default." : ""))
      }
    }
  }

  private func writeParameters(to page: inout Roff) {
    if !command.arguments.isEmpty {
      page.macro("SH", "ARGUMENTS")
      for argument in command.arguments {
        page.macro("TP")
        page.line([.italic(argument.valueName + (argument.isRepeated ? "..." : ""))])
        page.line(argument.help)
      }
    }
    page.macro("SH", "OPTIONS")
    for option in command.options {
      page.macro("TP")
      var spans: [Roff.Span] = []
      for name in option.names {
        if !spans.isEmpty { spans.append(.plain(", ")) }
        spans.append(.bold(name))
      }
      if option.impliedText != nil {
        spans += [.plain("[="), .italic(option.valueName), .plain("]")]
      } else if !option.valueName.isEmpty {
        spans += [.plain(" "), .italic(option.valueName)]
      }
      page.line(spans)
      page.line(command.meaning(of: option))
    }
    page.macro("TP")
    page.line([.bold("-h"), .plain(", "), .bold("--help")])
    page.line("Show help.")
    if parent == nil {
      page.macro("TP")
      page.line([.bold("--version")])
      page.line("Show the version.")
    }
  }

  private func writeExamples(to page: inout Roff) {
    guard !command.examples.isEmpty else { return }
    page.macro("SH", "EXAMPLES")
    for example in command.examples {
      page.macro("TP")
      page.line([.bold(example.commandLine)])
      page.line(example.meaning)
    }
  }

  private func writeSeeAlso(to page: inout Roff) {
    let siblings = parent.map { [$0] + $0.subcommands.filter { !$0.isHidden && $0 != command } }
    // The program's own page lists its commands above; a top-level command need not list them
    // again.
    let pages = parent?.path.count == 1 ? parent.map { [$0] } : siblings
    guard let pages, !pages.isEmpty else { return }
    page.macro("SH", "SEE ALSO")
    var spans: [Roff.Span] = []
    for next in pages + visible {
      if !spans.isEmpty { spans.append(.plain(", ")) }
      spans += [.bold(Self.name(of: next.path)), .plain("(1)")]
    }
    page.line(spans)
  }

  private func write(_ blocks: [HelpTopic.Block], to page: inout Roff) {
    for (index, block) in blocks.enumerated() {
      switch block {
      case .paragraph(let text):
        for (number, paragraph) in text.split(separator: "\n\n").enumerated() {
          if index + number > 0 { page.macro("PP") }
          page.line(String(paragraph))
        }
      case .list(let rows):
        for row in rows {
          page.macro("TP")
          page.line([.bold(row.term)])
          page.line(row.meaning)
        }
      case .verbatim(let text):
        page.verbatim(
          text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      }
    }
  }
}
