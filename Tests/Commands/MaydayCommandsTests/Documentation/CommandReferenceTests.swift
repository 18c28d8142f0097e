import Arguments
import Bytes
import Glibc
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// docs/reference/commands.md is what the declarations give.
@Suite("The reference of the commands")
struct CommandReferenceTests {
  private static let isRenewing = getenv("MAYDAY_RENEW_GOLDEN") != nil

  @Test("docs/reference/commands.md is what `mayday man --markdown` prints")
  func page() throws {
    let printed = Run(["man", "--markdown"])
    #expect(printed.status == 0)
    if Self.isRenewing { try write(printed.output, to: "docs/reference/commands.md") }
    let page = try DocumentationPage("docs/reference/commands.md").lines.joined(separator: "\n")
    #expect(page == printed.output)
    for command in ProgramTests.commands where command.path.count > 1 {
      #expect(page.contains("# \(command.path.joined(separator: " "))\n"))
      for option in command.options { #expect(page.contains("`\(option.displayName)")) }
    }
  }

  @Test("The table at the start of the page links to every command that help lists")
  func table() throws {
    let rows = try DocumentationPage("docs/reference/commands.md").lines.prefix {
      $0 != "## Common options"
    }
    let commands = ProgramTests.commands.filter { !$0.isHidden && $0.path.count > 1 }
    try #require(commands.count > 50)
    for command in commands {
      let link = "[`\(command.name)`](#\(command.path.joined(separator: "-")))"
      #expect(rows.contains { $0.hasPrefix("|") && $0.contains(link) }, "\(command.path)")
    }
  }

  @Test("Every command that help lists is in one of its sections")
  func sections() throws {
    let program = try #require(ProgramTests.commands.first { $0.path.count == 1 })
    let titles = program.arrangedSubcommands.map(\.title)
    #expect(titles.count > 5 && !titles.contains("Other commands"))
  }

  @Test("docs/use/cli.md has the exit codes of `mayday help exit-codes`")
  func exitCodes() throws {
    let lines = try DocumentationPage("docs/use/cli.md").lines
    let part = try #require(HelpTopics.exitCodes.blocks.first)
    guard case .list(let rows) = part else {
      Issue.record("the topic is not a list")
      return
    }
    #expect(rows.count == 8)
    for row in rows { #expect(lines.contains { $0.hasPrefix("| \(row.term) | ") }, "\(row.term)") }
  }

  @Test("--markdown takes neither a page nor a folder")
  func wrong() {
    #expect(Run(["man", "--markdown", "groups"]).status == 2)
    #expect(Run(["man", "--markdown", "--all", "/tmp"]).status == 2)
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen("\(Samples.root)/\(path)", "w"))
    defer { fclose(file) }
    try #require(fputs(text, file) >= 0)
  }
}
