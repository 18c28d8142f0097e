import Arguments

/// The pages of the manual.
enum Manual {
  /// The page of every command that help shows, the program's own first.
  static var pages: [ManualPage] { pages(of: MaydayProgram.program.description, below: nil) }

  /// All commands on one page.
  static var reference: MarkdownReference {
    MarkdownReference(of: MaydayProgram.program.description)
  }

  /// The page of the command that `words` call after the program's name.
  ///
  /// - Throws: ``CommandFailure`` that names the word that is not a command.
  static func page(for words: [String]) throws -> ManualPage {
    let command = try MaydayProgram.command(named: words)
    let parent = words.isEmpty ? nil : try MaydayProgram.command(named: words.dropLast())
    return page(of: command, below: parent)
  }

  private static func pages(
    of command: CommandDescription, below parent: CommandDescription?
  ) -> [ManualPage] {
    [page(of: command, below: parent)]
      + command.subcommands.filter { !$0.isHidden }.flatMap { pages(of: $0, below: command) }
  }

  private static func page(
    of command: CommandDescription, below parent: CommandDescription?
  ) -> ManualPage {
    ManualPage(
      of: command, below: parent, release: "mayday \(MaydayProgram.version)",
      date: MaydayProgram.releaseDate,
      appendices: parent == nil ? ownAppendices : appendices(of: command))
  }

  private static let ownAppendices = [
    ManualPage.Appendix("EXIT STATUS", HelpTopics.exitCodes.blocks),
    ManualPage.Appendix("ENVIRONMENT", HelpTopics.environment.blocks),
    ManualPage.Appendix("CONFIGURATION", HelpTopics.configuration.blocks),
    ManualPage.Appendix("FILES", [.list(files)]),
  ]

  private static func appendices(of command: CommandDescription) -> [ManualPage.Appendix] {
    let variables = command.options.compactMap {
      $0.environmentVariable(prefix: command.environmentPrefix)
    }
    let words =
      variables.isEmpty
      ? "" : variables.joined(separator: ", ") + " set the options with these names. "
    return [
      ManualPage.Appendix(
        "ENVIRONMENT", [.paragraph(words + "mayday(1) lists the variables of all commands.")]),
      ManualPage.Appendix(
        "EXIT STATUS",
        [.paragraph("0 is fine, 2 wrong usage; mayday(1) lists the others.")]),
    ]
  }

  private static let files: [HelpTopic.Row] = [
    .init("~/.config/mayday/mayday.conf", "The configuration file."),
    .init("~/.local/share/mayday/", "Reports and debug files, for their owner only."),
  ]
}
