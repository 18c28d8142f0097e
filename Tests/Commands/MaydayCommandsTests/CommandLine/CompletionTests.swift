import Arguments
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Shell completions")
struct CompletionTests {
  private let session = ShellSession()

  private func home() -> String {
    let home = session.folder.path("home")
    let run = Run(["ingest", Samples.path("apple-ips"), "--home", home, "--app", "Shop"])
    #expect(run.status == 0, "\(run.errors)")
    return home
  }

  @Test(
    "bash offers commands, options, choices and paths",
    arguments: [
      ("gr", "groups"), ("symbols ", "add list show"), ("symbols li", "list"),
      ("groups --so", "--sort"), ("groups --color a", "auto always"),
      ("groups --color=ne", "never"), ("help symbols a", "add"), ("help exi", "exit-codes"),
      ("completions ", "bash zsh fish"), ("--config /dev/null symbols li", "list"),
      ("lookup -o \(Samples.root)/Package.s", "\(Samples.root)/Package.swift"),
      ("groups --home \(Samples.root)/Sam", "\(Samples.root)/Samples"),
      ("ingest -- \(Samples.root)/Package.s", "\(Samples.root)/Package.swift"),
      ("groups --limit ", ""), ("config show symb", "symbolicate symbols"),
      ("man symbols li", "list"), ("groups __", ""),
    ])
  func bash(line: String, expected: String) {
    let offered = session.bash(line).trimmed
    // Entries that other sources add come last.
    #expect(
      expected.isEmpty
        ? offered.isEmpty
        : offered.split(separator: " ").starts(with: expected.split(separator: " ")),
      "\(line): \(offered)")
  }

  @Test("bash offers values from the store")
  func bashNames() {
    let home = home()
    #expect(session.bash("show --home \(home) SHOP-1").hasPrefix("SHOP-1"))
    #expect(session.bash("show --home=\(home) SHOP-1").hasPrefix("SHOP-1"))
    #expect(session.bash("ingest --home \(home) --app S").trimmed == "Shop")
    #expect(session.bash("groups --home \(home) ap").trimmed == "app:")
    #expect(session.bash("groups --home \(home) app:S").trimmed == "Shop")
    #expect(session.bash("groups --home \(home) is:").contains("open"))
    #expect(session.bash("groups --home \(home) -is:op").trimmed == "open")
    #expect(session.bash("reports --home \(home) version:").trimmed == "1.1.0 1.0.0")
  }

  @Test("Without a store, nothing is offered, printed or created")
  func noStore() {
    let home = session.folder.path("none")
    for kind in [CompletionKind.app, .group, .id, .version] {
      let run = Run(["__complete", kind.rawValue, "--", "", "groups", "--home", home])
      #expect(run.output == "" && run.errors == "" && run.status == 0)
    }
    let damaged = session.folder.write("damaged/mayday.db", Array("no database".utf8))
    let folder = String(damaged.dropLast("/mayday.db".count))
    let run = Run(["__complete", "group", "--", "", "groups", "--home", folder])
    #expect(run.output == "" && run.errors == "" && run.status == 0)
    #expect(Run(["groups", "--home", home, "--json"]).status == 3)
  }

  @Test("The home of a configuration file is used, and a broken file prints nothing")
  func configured() {
    let home = home()
    let file = session.folder.write("a.conf", Array("[mayday]\nhome = \(home)\n".utf8))
    let environment = ["MAYDAY_CONFIG": file]
    #expect(Run(["__complete", "app", "--", ""], environment: environment).output == "Shop\n")
    session.folder.write("a.conf", Array("[mayday\n".utf8))
    let run = Run(["__complete", "app", "--", ""], environment: environment)
    #expect(run.output == "" && run.errors == "" && run.status == 0)
  }

  @Test(
    "fish offers the same, with meanings",
    .enabled(if: OtherShells.fish != nil, "fish is not installed"),
    arguments: [
      ("gr", "groups\tList"), ("symbols li", "list\tList stored debug files"),
      ("groups --so", "--sort\tSort order"), ("groups --color=ne", "--color=never"),
      ("help exi", "exit-codes\t"), ("completions z", "zsh"),
      ("--config /dev/null symbols li", "list\t"),
      ("symbols add \(Samples.root)/Package.s", "\(Samples.root)/Package.swift"),
      ("groups --home \(Samples.root)/Sam", "\(Samples.root)/Samples/"),
    ])
  func fish(line: String, expected: String) throws {
    let offered = session.fish(try #require(OtherShells.fish), line)
    #expect(offered.first?.hasPrefix(expected) == true, "\(offered)")
  }

  @Test(
    "fish offers what the store knows",
    .enabled(if: OtherShells.fish != nil, "fish is not installed"))
  func fishNames() throws {
    let fish = try #require(OtherShells.fish)
    let home = home()
    #expect(
      session.fish(fish, "ingest --home \(home) --app S").first
        == "Shop\tAssign all reports to this app")
    #expect(session.fish(fish, "groups --home \(home) app:S") == ["app:Shop"])
    #expect(session.fish(fish, "show --home=\(home) SHOP-1").first?.hasPrefix("SHOP-1\t") == true)
  }

  @Test(
    "zsh offers the same, at a terminal",
    .enabled(if: OtherShells.zsh != nil, "zsh is not installed"),
    arguments: [
      ("gr", "[mayday groups ]"), ("symbols li", "[mayday symbols list ]"),
      ("groups --so", "[mayday groups --sort="),
      ("groups --color=ne", "[mayday groups --color=never ]"),
      ("completions z", "[mayday completions zsh ]"), ("help exi", "[mayday help exit-codes ]"),
      ("lookup -o \(Samples.root)/Package.s", "Package.swift ]"),
      ("symbols ", "-- Add debug files"),
    ])
  func zsh(line: String, expected: String) throws {
    let shown = session.zsh(try #require(OtherShells.zsh), line)
    #expect(shown.contains(expected), "\(shown)")
  }

  @Test(
    "zsh offers what the store knows", .enabled(if: OtherShells.zsh != nil, "zsh is not installed"))
  func zshNames() throws {
    let zsh = try #require(OtherShells.zsh)
    let home = home()
    #expect(session.zsh(zsh, "groups --home \(home) app:S").contains("app:Shop ]"))
    #expect(session.zsh(zsh, "groups --home=\(home) ap").contains(" app:]"))
    #expect(session.zsh(zsh, "ingest --home \(home) --app=S").contains("--app=Shop ]"))
  }

  @Test("An unknown shell is an error that lists the known ones")
  func unknownShell() {
    let run = Run(["completions", "zhs"])
    #expect(run.status == 2)
    #expect(
      run.errors.contains("must be one of bash, zsh, fish; did you mean zsh?"), "\(run.errors)")
  }
}

/// Shells that may be missing: bash is always there.
private enum OtherShells {
  static let fish = OtherTool.path("fish")
  static let zsh = OtherTool.path("zsh")
}

extension String {
  fileprivate var trimmed: String {
    split(separator: "\n").joined(separator: "\n").trimmingSuffix(while: \.isWhitespace)
  }

  private func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, predicate(last) { text.removeLast() }
    return text
  }
}
