import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Commands over a store")
struct StoreCommandTests {
  private let folder = ScratchFolder()
  private var home: [String: String] { ["MAYDAY_HOME": folder.path("home")] }

  private func mayday(_ words: String...) -> Run { Run(words, environment: home) }

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("Adding from a folder without debug files fails")
  func nothingToAdd() {
    let place = folder.write("build/notes.txt", Array("no symbols".utf8))
    let run = mayday("symbols", "add", place)
    #expect(run.status == 1 && run.errors.contains("there are no debug files under the paths"))
  }

  @Test(
    "Before anything is stored, a list names the home that is missing, and nothing is made",
    arguments: [["groups"], ["reports"], ["symbols", "list"]])
  func empty(words: [String]) {
    let text = Run(words, environment: home)
    #expect(text.status == 3 && text.output == "" && text.errors.contains(folder.path("home")))
    #expect(Run(words + ["--json"], environment: home).status == 3)
    #expect(mayday("show", "X-1").status == 3)
    #expect(mayday("symbols", "show", "00").status == 3)
    #expect(throws: FileError.self) {
      try ByteView(reading: folder.path("home/mayday.db"), limit: 9)
    }
  }

  @Test("From a folder to a group, its reports and their bytes")
  func path() throws {
    let added = mayday("symbols", "add", Samples.symbols)
    #expect(added.output.contains("added"))
    let files = try #require(try json(mayday("symbols", "list", "--json")).array)
    #expect(!files.isEmpty)
    let id = try #require(files[0]["debug_id"]?.string)
    #expect(mayday("symbols", "show", id).output.contains(id))
    #expect(try json(mayday("symbols", "show", id, "--json")).array?.isEmpty == false)
    #expect(mayday("symbols", "add", Samples.symbols, "--ndjson").output.contains("\"known\""))

    let ingest = mayday("ingest", Samples.path("apple-ips"))
    #expect(ingest.status == 0 && ingest.errors.contains("33 reports stored"), "\(ingest.errors)")
    let again = mayday("ingest", Samples.path("apple-ips"), "--json")
    #expect(try json(again)["reports"]?.integer == 0)
    #expect(try json(again)["duplicates"]?.integer == 33)

    let groups = try #require(try json(mayday("groups", "--json")).array)
    #expect(groups.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) } == 33)
    let lines = mayday("groups", "--ndjson").output.split(separator: "\n")
    #expect(lines.count == groups.count)
    let name = try #require(groups[0]["id"]?.string)
    #expect(mayday("groups").output.contains(name))
    #expect(mayday("groups", "--limit", "1").output.split(separator: "\n").count == 2)
    #expect(
      mayday("groups", "--limit", "1").errors.hasPrefix("1 of \(groups.count) groups (--limit"))
    #expect(mayday("groups", "is:resolved", "--json").output == "[]\n")
    let found = try #require(try json(mayday("groups", "tern::take", "--json")).array)
    #expect(found.count < groups.count && !found.isEmpty)

    let reports = try #require(try json(mayday("reports", "group:" + name, "--json")).array)
    #expect(reports.count == groups[0]["reports"]?.integer)
    let report = try #require(reports[0]["id"]?.string)
    let source = try #require(reports[0]["file"]?.string)
    #expect(mayday("reports").output.contains(report.prefix(10)))

    #expect(mayday("show", name).output.contains(name))
    #expect(try json(mayday("show", name.lowercased(), "--json"))["id"]?.string == name)
    #expect(mayday("show", String(report.prefix(12))).output.contains(report))
    #expect(mayday("show", report, "--format", "md").output.hasPrefix("## "))
    #expect(try json(mayday("show", report, "--json"))["id"]?.string == report)
    #expect(
      mayday("show", report, "--raw").output == (try ByteView(reading: source, limit: 1 << 24)).text
    )
    #expect(mayday("show", "zz").status == 3)
    let many = mayday("show", "")
    #expect(many.status == 3 && many.output == "")
  }

  @Test("An ingest says which symbols are missing, and how to get or use them")
  func missingSymbols() throws {
    let home = folder.path("missing")
    let reports = Samples.path("apple-ips")
    let run = Run(["ingest", reports, "--home", home])
    #expect(run.status == 0)
    #expect(run.output.contains("Symbols missing:") && run.output.contains("Tern"))
    #expect(run.errors.contains("; symbols missing for"), "\(run.errors)")
    #expect(run.errors.contains("'mayday symbols missing' shows"))
    // Nothing new is nothing to say.
    #expect(!Run(["ingest", reports, "--home", home]).errors.contains("symbols missing"))
    // Symbols that an earlier run lacked are not named again, even within the same second.
    let next = Run(["ingest", Samples.path("python-traceback"), "--home", home])
    #expect(next.status == 0 && !next.errors.contains("symbols missing"), "\(next.errors)")
    let other = folder.path("forgotten")
    let forgotten = Run(["ingest", reports, Samples.symbols, "--home", other])
    #expect(forgotten.errors.contains("add --symbols \(Samples.symbols)"), "\(forgotten.errors)")
    let third = folder.path("given")
    let given = Run(["ingest", reports, "--symbols", Samples.symbols, "--home", third])
    #expect(given.status == 0 && !given.output.contains("Symbols missing:"))
    let document = Run(["ingest", reports, "--home", folder.path("json"), "--json"])
    let missing = try #require(document.json["missing_symbols"]?.array)
    #expect(missing.contains { $0["name"]?.string == "Tern" && $0["in_app"]?.bool == true })
    #expect(!document.errors.contains("'mayday symbols missing'"))
  }

  @Test("Symbols that arrive late explain waiting reports")
  func late() throws {
    let sample = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")
    #expect(mayday("ingest", sample, "--app", "Shop").status == 0)
    let before = try #require(try json(mayday("groups", "--json"))[0])
    #expect(before["signature"]?["provisional"]?.bool == true && before["id"]?.string == "SHOP-1")
    let added = mayday("symbols", "add", Samples.symbols)
    #expect(added.errors.contains("1 waiting report reprocessed"), "\(added.errors)")
    let after = try #require(try json(mayday("groups", "--json")).array)
    #expect(after.count == 1 && after[0]["id"]?.string == "SHOP-1")
    #expect(
      after[0]["signature"]?["provisional"]?.bool == false && after[0]["reports"]?.integer == 1)
    #expect(mayday("show", "SHOP-1").output.contains("/app/src/basket.h"))
  }

  @Test("If only the program was there, its debug file explains more when it arrives")
  func later() throws {
    let folder = Samples.symbols + "/1.1.0/macos"
    #expect(mayday("symbols", "add", folder + "/Tern").status == 0)
    let sample = Samples.path("apple-crash/worker-null-1.1.0-macos-x86_64.crash")
    #expect(mayday("ingest", sample).status == 0)
    let report = try #require(try json(mayday("reports", "--json"))[0]?["id"]?.string)
    #expect(!mayday("show", report).output.contains("/app/src/"))
    let added = mayday("symbols", "add", folder + "/Tern.app.dSYM")
    #expect(added.errors.contains("1 waiting report reprocessed"), "\(added.errors)")
    #expect(mayday("show", report).output.contains("/app/src/"))
  }

  @Test("Files that are not stored are listed; an unreadable report makes the run incomplete")
  func refused() throws {
    folder.write("in/README", Array("words".utf8))
    let foreign = mayday("ingest", folder.path("in"))
    #expect(foreign.status == 0 && foreign.output.contains("README"), "\(foreign.errors)")
    var zip = ZipBuilder()
    zip.add("a.txt", "words")
    folder.write("in/cut.zip", Array(zip.bytes.prefix(40)))
    let damaged = mayday("ingest", folder.path("in"))
    #expect(
      damaged.status == 6 && damaged.errors.contains("could not be read"), "\(damaged.errors)")
  }

  @Test("A debug file that explains nothing is refused, and the batch is incomplete")
  func refusedSymbols() {
    let cut = folder.write("cut", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0])
    let run = mayday("symbols", "add", cut)
    #expect(run.status == 6)
    #expect(run.output.contains("refused") && run.errors.contains("1 refused"))
  }

  @Test("A home that cannot be created is reported with its path")
  func noHome() {
    let file = folder.write("file", [1])
    let run = Run(["ingest", Samples.path("apple-ips"), "--home", file + "/home"])
    #expect(run.status == 3 || run.status == 1)
    #expect(run.errors.contains(file), "\(run.errors)")
    let none = Run(["groups"])
    #expect(none.status == 2 && none.errors.contains("--home"))
    let data = Run(["groups", "--json"], environment: ["XDG_DATA_HOME": folder.path("data")])
    #expect(data.status == 3 && data.output.isEmpty && data.errors.contains(folder.path("data")))
  }

  @Test("An invalid query shows the position and lists the fields")
  func query() {
    let run = mayday("groups", "colour:red")
    #expect(run.status == 2 && run.output == "")
    #expect(run.errors.contains("no field 'colour'\n  colour:red\n  ^~~~~~\n"))
    #expect(run.errors.contains("Fields: text, app, group"))
    #expect(mayday("groups", "is:newish").status == 2)
    #expect(mayday("groups", "app:").status == 2)
    #expect(mayday("groups", "std::vector").status == 3)
    #expect(mayday("groups", "--limit", "-1").status == 2)
  }
}
