import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("The configuration file")
struct ConfigurationTests {
  private let folder = ScratchFolder()

  private func file(_ text: String) -> String {
    folder.write("config/mayday/mayday.conf", Array(text.utf8))
  }

  private func mayday(_ words: String..., environment: [String: String] = [:]) -> Run {
    Run(words, environment: environment)
  }

  @Test("It is found at its default paths, and at a given path")
  func places() {
    let path = file("[symbols list]\njson = yes\n")
    let home = ["MAYDAY_HOME": folder.path("home")]
    #expect(Run(["apps", "add", "Tern"], environment: home).status == 0)
    for environment in [
      ["XDG_CONFIG_HOME": folder.path("config")], ["MAYDAY_CONFIG": path],
    ] {
      let run = Run(["symbols", "list"], environment: home.merging(environment) { $1 })
      #expect(run.output == "[]\n", "\(environment) \(run.errors)")
    }
    #expect(Run(["--config", path, "symbols", "list"], environment: home).output == "[]\n")
    #expect(Run(["symbols", "list", "--config=\(path)"], environment: home).output == "[]\n")
    folder.write("user/.config/mayday/mayday.conf", Array("[symbols]\nndjson = yes\n".utf8))
    let user = home.merging(["HOME": folder.path("user")]) { $1 }
    #expect(Run(["symbols", "list"], environment: user).errors == "")
    #expect(Run(["symbols", "list", "--config", "/dev/null"], environment: user).errors != "")
  }

  @Test(
    "The command line counts before the environment, that before the file, that before defaults")
  func precedence() throws {
    let path = file("[mayday]\nhome = \(folder.path("file"))\n\n[ingest]\napp = Stored\n")
    let sample = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")
    let environment = ["MAYDAY_CONFIG": path]
    #expect(Run(["ingest", sample], environment: environment).status == 0)
    #expect(Run(["groups"], environment: environment).output.contains("STORED-1"))
    let named = environment.merging(["MAYDAY_HOME": folder.path("named")]) { $1 }
    #expect(Run(["groups"], environment: named).output == "")
    let asked = Run(["groups", "--home", folder.path("file"), "--json"], environment: named)
    #expect(asked.output.contains("STORED-1"))
  }

  @Test(
    "Mistakes are reported with their location, and nothing is done",
    arguments: [
      ("[mayday]\nhoem = /x\n", ":2: 'hoem' is not an option of any command; did you mean 'home'?"),
      ("[ingset]\njson = yes\n", ":2: no command matches [ingset]; did you mean [ingest]?"),
      ("[groups]\nlimit = many\n", ":2: limit cannot be 'many': write it like 20"),
      ("[mayday]\ncolor = alwys\n", "must be one of auto, always, never; did you mean always?"),
      ("[groups]\ntrend = perhaps\n", ":2: trend must be yes or no, not 'perhaps'"),
      ("# x\n[groups\n", ":2: the ] after the name of a section is missing"),
      ("words\n", ":1: neither a [section] nor name = value"),
      ("[groups]\nlimit = 1\nlimit = 2\n", ":3: 'limit' already has a value, from "),
      ("[config show]\njson = yes\n", ":2: no command matches [config show]"),
    ])
  func wrong(text: String, message: String) {
    let path = file(text)
    for words in [["groups"], ["config", "check"], ["config"]] {
      let run = Run(words, environment: ["MAYDAY_CONFIG": path, "MAYDAY_HOME": "/none"])
      #expect(run.status == 2 && run.output == "", "\(words)")
      #expect(run.errors.hasPrefix("mayday: \(path):"), "\(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
    // Commands that explain the program do not need the file.
    let quiet = ["MAYDAY_CONFIG": path]
    for words in [["--help"], ["help", "configuration"], ["config", "example"], ["man"]] {
      #expect(Run(words, environment: quiet).status == 0)
    }
  }

  @Test("A file for 0.1.0 stays valid, though newer options have the names of its settings")
  func namesOfNewerOptions() throws {
    let path = file(
      """
      [mayday]
      format = md
      watch = yes
      quiet = 22:00-07:00
      tester = ann@example.org
      tester = bob@example.org

      [groups]
      quiet = yes

      [triage]
      format = json
      """)
    let environment = ["MAYDAY_CONFIG": path, "MAYDAY_HOME": folder.path("home")]
    #expect(mayday("apps", "add", "Tern", environment: environment).status == 0)
    let check = mayday("config", "check", environment: environment)
    #expect(check.status == 0, "\(check.errors)")
    let sample = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")
    let page = mayday("symbolicate", sample, environment: environment)
    #expect(page.status == 0 && page.output.hasPrefix("#"), "\(page.errors)")
    let triage = mayday("triage", sample, environment: environment)
    #expect(triage.status == 0 && triage.output.hasPrefix("{"), "\(triage.errors)")
    // Variables are for the older options, too.
    for (variable, value, words) in [
      ("MAYDAY_FORMAT", "md", ["triage", sample]), ("MAYDAY_QUIET", "22:00-07:00", ["reports"]),
      ("MAYDAY_WATCH", "yes", ["reports"]),
    ] {
      let run = Run(words, environment: [variable: value, "MAYDAY_HOME": folder.path("home")])
      #expect(run.status == 0, "\(variable): \(run.errors)")
    }
    let list = mayday("groups", environment: environment)
    #expect(list.status == 0 && list.output == "", "\(list.output)\(list.errors)")
  }

  @Test("Every mistake in a file is printed on its own line")
  func several() {
    let path = file("[groups]\nlimt = 1\nsort = x\n\n[zoo]\na = b\n")
    let run = mayday("config", "check", path)
    #expect(run.status == 2 && run.errors.split(separator: "\n").count == 3, "\(run.errors)")
    for line in run.errors.split(separator: "\n") { #expect(line.hasPrefix("mayday: " + path)) }
  }

  @Test("A file that is missing or unreadable is reported, unless it is optional")
  func missing() {
    let missing = mayday("groups", "--config", folder.path("none"))
    #expect(missing.status == 3 && missing.errors.contains(folder.path("none")))
    let folderRun = mayday("groups", "--config", folder.path)
    #expect(folderRun.status == 1 && folderRun.errors.contains(folder.path))
    let none = mayday("config", environment: ["XDG_CONFIG_HOME": folder.path("nowhere")])
    #expect(none.status == 0 && none.output.contains("none"))
  }

  @Test("A hostile file is refused within limits")
  func hostile() {
    let long = file("[mayday]\nhome = " + String(repeating: "x", count: 5000))
    let run = mayday("groups", environment: ["MAYDAY_CONFIG": long])
    #expect(run.status == 2 && run.errors.contains(":2: the line is longer than 4000 bytes"))
    let large = file(String(repeating: "# words\n", count: 40_000))
    let refused = mayday("groups", environment: ["MAYDAY_CONFIG": large])
    #expect(refused.status == 1 && refused.errors.contains("exceed the limit"))
    let escape = file("[mayday]\nhome\u{1b}[31m = x\n")
    let shown = mayday("groups", environment: ["MAYDAY_CONFIG": escape])
    #expect(shown.status == 2 && !shown.errors.contains("\u{1b}"), "\(shown.errors)")
    let binary = folder.write("binary", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    #expect(mayday("groups", "--config", binary).status == 2)
  }

  @Test("The settings in effect are shown with their sources")
  func show() throws {
    let path = file("[mayday]\nhome = ~/crashes\ncolor = never\n[groups]\nlimit = 9\n")
    let environment = ["MAYDAY_CONFIG": path, "HOME": "/home/me", "MAYDAY_SORT": "last-seen"]
    let run = mayday("config", environment: environment)
    #expect(run.status == 0)
    for text in [
      "Configuration file: \(path)", "/home/me/crashes", "mayday.conf:2", "$MAYDAY_SORT",
    ] {
      #expect(run.output.contains(text), "\(run.output)")
    }
    for line in run.output.split(separator: "\n").dropFirst() {
      #expect(String(line).columns <= 80)
    }
    let json = mayday("config", "show", "groups", "--json", environment: environment)
    let document = try JSONDocument.parse(ByteView(Array(json.output.utf8))).value
    #expect(document["file"]?.string == path)
    let options = try #require(document["options"]?.array)
    func option(_ name: String) -> JSONValue? {
      options.first { $0["option"]?.string == name }
    }
    #expect(option("limit")?["from"]?.string == "file")
    #expect(option("limit")?["values"]?[0]?.string == "9")
    #expect(option("sort")?["variable"]?.string == "MAYDAY_SORT")
    #expect(option("json")?["from"]?.string == "default")
    #expect(mayday("config", "show", "gruops").status == 2)
  }

  @Test("The example is valid when uncommented")
  func example() throws {
    let example = mayday("config", "example")
    #expect(example.status == 0)
    for line in example.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let asIs = folder.write("example", Array(example.output.utf8))
    #expect(mayday("config", "check", asIs).errors.contains("0 settings"))
    // It has a line for every option of every command.
    let open = example.output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let uncommented = folder.write("open", Array(open.joined(separator: "\n").utf8))
    let run = mayday("config", "check", uncommented)
    // Values like N and ADDRESS are placeholders.
    let wrong = run.errors.split(separator: "\n").filter {
      !$0.contains("write it like") && !$0.contains("jq cannot be 'PROGRAM'")
    }
    #expect(wrong.isEmpty || run.status == 0, "\(run.errors)")
  }
}
