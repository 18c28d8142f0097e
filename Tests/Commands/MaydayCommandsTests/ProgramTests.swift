import Arguments
import Glibc
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("The program")
struct ProgramTests {
  /// Every command that help shows, with the words that call it.
  static let commands: [CommandDescription] = all(in: Program(Mayday.self).description)

  private static func all(in description: CommandDescription) -> [CommandDescription] {
    [description] + description.subcommands.filter { !$0.isHidden }.flatMap(all)
  }

  @Test("Without arguments it suggests three commands")
  func alone() {
    let run = Run([])
    #expect(run.status == 0)
    #expect(run.output == Mayday.firstSteps && run.errors == "")
    let tries = run.output.split(separator: "\n").filter { $0.hasPrefix("  mayday ") }
    #expect(tries.count == 3)
    let names = Self.commands.map(\.name)
    for line in tries { #expect(names.contains(String(line.split(separator: " ")[1]))) }
  }

  @Test("Every command has help with an example, 80 columns wide", arguments: commands.map(\.path))
  func help(path: [String]) throws {
    let words = Array(path.dropFirst())
    let run = Run(words + ["--help"])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains("Usage: " + path.joined(separator: " ")))
    #expect(run.output.contains("Examples:"))
    for line in run.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    #expect(Run(["help"] + words).output == run.output)
    Golden.expect(run.output, is: "help/\(path.joined(separator: "-")).txt")
  }

  @Test("Each example in help is a valid command line")
  func examples() throws {
    for description in Self.commands {
      for example in description.examples {
        // Text after a pipe or another shell operator is not ours.
        let words = example.commandLine.split(separator: " ").map(String.init)
        let start = try #require(words.firstIndex(of: "mayday"))
        let ours = words[(start + 1)...].prefix { !["|", "<", ">", "&&"].contains($0) }
        #expect(throws: Never.self, "\(example.commandLine)") {
          try Program(Mayday.self).parse(Array(ours))
        }
      }
    }
  }

  @Test("Every option but newer ones of an older name has an environment variable of its own")
  func environment() {
    var without: [String] = []
    for description in Self.commands {
      let shared = description.options.filter(\.isShared)
      without += description.options.filter { !$0.isShared }.map {
        description.path.dropFirst().joined(separator: " ") + " " + $0.displayName
      }
      let names = shared.map { $0.environmentVariable(prefix: "MAYDAY") }
      #expect(names.allSatisfy { $0 != nil }, "\(description.path)")
      #expect(Set(names).count == names.count)
    }
    #expect(
      without == [
        "triage --null", "triage --merge", "triage --format", "symbolicate --null",
        "symbolicate --ndjson",
        "symbolicate --strict", "groups --quiet", "groups --watch", "reports --quiet",
        "reports --watch", "releases explain --tester",
      ])
  }

  @Test("The version is one line")
  func version() {
    let run = Run(["--version"])
    #expect(run.status == 0 && run.output == "mayday \(MaydayProgram.version)\n")
  }

  @Test(
    "Wrong usage is 2, on standard error, with what was probably meant",
    arguments: [
      (["tirage"], "unknown command 'tirage'"), (["lookp"], "did you mean 'lookup'?"),
      (["lookup", "--objct", "x"], "did you mean --object?"),
      (["lookup", "-l", "0x1"], "--object FILE is missing"),
      (["lookup", "-o"], "-o needs a value"),
      (["lookup", "-o", "/dev/null", "-l", "x"], "cannot be"),
      (["--frobnicate"], "unknown option --frobnicate"),
      (["ls"], "did you mean 'groups'?"), (["list"], "did you mean 'groups'?"),
      (["version"], "did you mean '--version'?"), (["delete"], "did you mean 'remove'?"),
      (["ignore", "T-1", "--for", "yesterday"], "write it like 30d, 12h or 45m"),
      (["groups", "--limit", "many"], "write it like 20"),
      (["serve", "--listen", "here:there"], "write it like 127.0.0.1:8080"),
    ] as [([String], String)])
  func usage(words: [String], message: String) {
    let run = Run(words)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("mayday: ") && run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("--help"))
  }

  @Test(
    "A name of things alone lists them",
    arguments: ["apps", "symbols", "releases", "tokens", "rules", "intake"])
  func bareNames(word: String) {
    let home = ScratchFolder()
    defer { withExtendedLifetime(home) {} }
    #expect(Run(["apps", "add", "Tern", "--home", home.path]).status == 0)
    let words = word == "rules" ? [] : ["--home", home.path]
    let run = Run([word] + words)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("A reader that goes away ends the program quietly")
  func brokenPipe() {
    let addresses = String(repeating: "0x1\n", count: 15_000)
    let run = Run(["lookup", "-o", Samples.tern, "--json"], input: addresses, reading: 10)
    #expect(run.status == 0)
    #expect(run.errors == "")
  }

  @Test("Ctrl-C ends the program as a shell expects", arguments: [SIGINT, SIGTERM])
  func interrupt(number: Int32) {
    let run = Run(["lookup", "-o", Samples.tern], input: "0x1\n", killing: number)
    #expect(run.status == 128 + number)
    #expect(run.output == "??\n??:0:0\n\n" && run.errors == "")
  }
}
