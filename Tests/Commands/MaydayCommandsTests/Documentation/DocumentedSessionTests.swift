import Bytes
import Glibc
import TestSupport
import Testing

@testable import ProgramSupport

/// Every `$` line of every page, run in the order of the page, with its output compared.
@Suite("Documentation", .serialized)
struct DocumentedSessionTests {
  /// Data needed before the first command of a page; the other pages begin with only `Samples`, `Symbols` and
  /// `Artefacts`.
  private static let preparation = [
    "docs/operate/quickstart-server.md": files, "docs/reference/report-document.md": files,
    "docs/use/cli.md": files, "docs/use/query.md": ingested,
    "docs/use/triage.md": ingested, "docs/use/releases.md": ingested + released,
    "docs/use/explain.md": ingested, "docs/use/custom-rules.md": ingested,
    "docs/use/regressions.md": ingested + nightly,
    "docs/operate/alerts.md": ingested,
    "docs/operate/operations.md": ingested, "docs/reference/store.md": ingested,
    "docs/reference/archive.md": ingested,
    "docs/use/attachments.md": files
      + "echo started > app.log; printf '\\211PNG\\r\\n\\032\\n' > screen.png",
    "docs/reference/debug-files.md": files, "docs/use/ci.md": files,
    "docs/use/batch.md": files,
    "docs/reference/formats.md": files,
    // Both are complete when the program starts, so that they are one batch on any machine.
    "docs/use/watching.md": files
      + "mkdir drop && cp crash.ips drop && echo text > drop/README && sleep 2.1",
    "docs/operate/scrubbing.md": ingested
      + "echo 'POST /login user=jo@example.com password=hunter2' > app.log",
  ]

  /// A folder of crash files and one of debug files.
  private static let files = """
    ln -s Samples/apple-ips crashes
    ln -s Symbols/apple build
    cp Samples/apple-ips/null-read-1.1.0-ios-arm64.ips crash.ips

    """
  /// The same files in the store.
  private static let ingested = files + "mayday ingest crashes/ --symbols build/ > /dev/null\n"

  /// Reports of a build in which one crash is more frequent, each from another device.
  private static let nightly = """
    mkdir nightly
    change() { sed -e 's/1\\.1\\.0/1.2.0/g' -e 's/"117"/"130"/g' "$@"; }
    for file in crashes/*-1.1.0-*; do
      change -e 's/\\("crashReporterKey" *: *"\\)..../\\1AAAA/' $file > nightly/${file##*/}
    done
    for number in $(seq 10 49); do
      change -e "s/02FFC0B8/000000$number/" crashes/worker-null-1.1.0-ios-arm64.ips > nightly/$number.ips
    done

    """

  /// The app as a file.
  private static let released = "cp '\(Samples.root)/Artefacts/Tern-1.1.0.ipa' tern.ipa\n"

  /// The placeholders for the server's address in the pages.
  private static let addresses = ["https://crashes.example.org", "http://127.0.0.1:8080"]

  @Test("Every command prints what the page shows", arguments: DocumentationPage.withSteps)
  func session(name: String) throws {
    let page = try DocumentationPage(name)
    let steps = page.steps
    try #require(!steps.isEmpty)
    let folder = ScratchFolder()
    let session = try Session(folder: folder.path, preparation: Self.preparation[name] ?? "")
    // A page that calls a server without starting one finds one running.
    let needsServer =
      steps.contains { step in Self.addresses.contains { step.command.contains($0) } }
      && !steps.contains { $0.command.hasPrefix("mayday serve") }
    if needsServer {
      let server = session.start(
        "mayday serve --home served", printing: ["Listening on ...", "..."])
      #expect(server, "\(session.printed)")
    }
    for step in steps {
      let command = Self.addresses.reduce(step.command) { $0.replacing($1, with: session.address) }
      let isRight =
        if ["mayday serve", "mayday login"].contains(where: step.command.hasPrefix)
          || step.command.contains(" --watch")
        {
          session.start(command, printing: step.output)
        } else {
          session.run(command, printing: step.output)
        }
      #expect(isRight, "\(name): $ \(step.command)\n\(session.printed)")
    }
  }

  @Test("The pages show sessions")
  func count() throws {
    let counts = try DocumentationPage.names.map { try DocumentationPage($0).steps.count }
    #expect(counts.reduce(0, +) > 100)
  }

  @Test(
    "Links lead to files and headings that exist",
    arguments: DocumentationPage.names + DocumentationPage.readmes)
  func links(name: String) throws {
    let page = try DocumentationPage(name)
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    for link in page.links {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? name : Self.resolved("\(folder)/\(parts[0])")
      #expect(access("\(Samples.root)/\(path)", F_OK) == 0, "\(name): \(link)")
      guard parts.count == 2, path.hasSuffix(".md") else { continue }
      let anchors = try DocumentationPage(path).anchors
      #expect(anchors.contains(String(parts[1])), "\(name): \(link)")
    }
  }

  @Test(
    "Lines have at most 110 columns, but for tables and output",
    arguments: DocumentationPage.names)
  func width(name: String) throws {
    for (index, line) in try DocumentationPage(name).lines.enumerated()
    where !line.hasPrefix("|") && !line.hasPrefix("    ") {
      #expect(line.count <= 110, "\(name):\(index + 1)")
    }
  }

  private static func resolved(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == ".." { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// A shell in a folder of its own, and the programs that it left running.
  private final class Session {
    /// Output of the last command.
    private(set) var printed = ""
    /// Address of the server started last.
    private(set) var address = "http://127.0.0.1:1"
    private let folder: String
    private let home: String
    private let programs: String
    private var environment: [String: String]
    private var running: [RunningMayday] = []

    init(folder: String, preparation: String) throws {
      self.folder = folder
      home = folder + "/home"
      programs = BuiltProgram.mayday.dropLast("/mayday".count) + ":/usr/bin:/bin"
      environment = [
        "PATH": programs, "MAYDAY_HOME": home, "HOME": folder,
        "USER": "ann", "LOGNAME": "ann", "MAYDAY_AS": "ann", "MAYDAY_LISTEN": "0",
        "SWIFT_BACKTRACE": "enable=no",
      ]
      let links =
        "ln -s '\(Samples.root)/Samples' '\(Samples.root)/Symbols' '\(Samples.root)/Artefacts' .\n"
      let made = shell(links + preparation)
      try #require(made.status == 0, "\(made.output)")
    }

    /// - Returns: Whether the command printed the page's output.
    func run(_ command: String, printing pattern: [String]) -> Bool {
      if let assignments = command.wholeMatch(of: /export (.*)/)?.output.1 {
        for assignment in assignments.split(separator: " ") {
          let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
          guard parts.count == 2 else { return false }
          // The token that a page omits is the server's.
          let isToken = parts[1] == "mayday_..."
          // The history on a server names the token.
          if parts[0] == "MAYDAY_SERVER" {
            environment["MAYDAY_AS"] = nil
            // The home is where commands look for it by themselves.
            environment["MAYDAY_HOME"] = nil
          }
          environment[parts[0]] = isToken ? environment["TOKEN"] : parts[1]
        }
        return pattern.isEmpty
      }
      if command == "unset MAYDAY_SERVER" {
        environment["MAYDAY_SERVER"] = nil
        environment["MAYDAY_AS"] = "ann"
        environment["MAYDAY_HOME"] = home
        return pattern.isEmpty
      }
      printed = shell(command).output
      return isShown(pattern)
    }

    /// Leaves the command running once it has printed the page's output.
    func start(_ command: String, printing pattern: [String]) -> Bool {
      let program = RunningMayday(
        ["-c", "PATH='\(programs)'; cd '\(folder)' && exec \(command) 2>&1"],
        home: home, program: "/bin/sh",
        environment: environment.map { "\($0.key)=\($0.value)" })
      running.append(program)
      return RunningMayday.wait {
        printed = program.output
        if let port = printed.firstMatch(of: /http:..127\.0\.0\.1:(\d+)/)?.output.1 {
          address = "http://127.0.0.1:\(port)"
        }
        if let token = printed.firstMatch(of: /\n  (mayday_\S+)\n/)?.output.1 {
          environment["TOKEN"] = String(token)
        }
        // An incomplete line may look like the end of the page's, and hide the token.
        // A new home's server prints its first token after its address.
        return printed.hasSuffix("\n") && isShown(pattern)
          && (environment["TOKEN"] != nil || !command.hasPrefix("mayday serve"))
      }
    }

    private func isShown(_ pattern: [String]) -> Bool {
      DocumentedSessionTests.addresses.contains { shown in
        var lines = printed.replacing(address, with: shown)
          .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return DocumentationPage.matches(lines[...], pattern[...])
      }
    }

    private func shell(_ script: String) -> (status: Int32, output: String) {
      let run = Run(
        ["-c", "exec 2>&1; cd \"$0\" || exit\n\(script)\n", folder], environment: environment,
        program: "/bin/sh")
      return (run.status, run.output)
    }

    deinit { for program in running { program.stop(SIGTERM) } }
  }
}
