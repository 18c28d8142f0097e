import Bytes
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("triage")
struct TriageCommandTests {
  private let folder = ScratchFolder()
  private let reports = Samples.path("apple-ips")

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("The location of a group is that of the function in its signature")
  func place() {
    let report = """
      {"app_name":"Pay","bug_type":"309","os_version":"iPhone OS 17.0 (21A1)"}
      {"procName":"Pay","faultingThread":0,"threads":[{"triggered":true,"id":1,"frames":[
      {"imageOffset":16,"imageIndex":0,"symbol":"std::vector<int>::operator[](unsigned long)",
      "sourceFile":"vector","sourceLine":10,"inline":true},
      {"imageOffset":16,"imageIndex":0,"symbol":"shop::pay(int)",
      "sourceFile":"pay.cpp","sourceLine":5}]}],
      "usedImages":[{"base":4294967296,"size":4096,"arch":"arm64","name":"Pay",
      "path":"/private/var/containers/Bundle/Application/1/Pay.app/Pay",
      "uuid":"11111111-2222-3333-4444-555555555555"}]}
      """
    let run = Run(["triage", "-"], input: report)
    #expect(run.output.contains("shop::pay") && run.output.contains("pay.cpp:5"))
    #expect(!run.output.contains("vector:10"))
  }

  @Test("Groups have functions and lines; messages go to standard error")
  func text() {
    let run = Run(["triage", reports, "--symbols", Samples.symbols])
    #expect(run.status == 0)
    #expect(run.output.contains("tern::take") && run.output.contains("/app/src/stock.h:10:48"))
    #expect(run.errors.contains("33 reports in"), "\(run.errors)")
    #expect(!run.output.contains("\u{1b}") && !run.errors.contains("\u{1b}"))
    for line in run.output.split(separator: "\n") { #expect(String(line).columns <= 80) }
    #expect(Run(["triage", reports, "--symbols", Samples.symbols]).output == run.output)
  }

  @Test("As JSON every report is in a group, and the same run gives the same bytes")
  func document() throws {
    let run = Run(["triage", reports, "--symbols", Samples.symbols, "--json"])
    let value = try json(run)
    let groups = try #require(value["groups"]?.array)
    #expect(groups.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) } == 33)
    #expect(value["counts"]?["reports"]?.integer == 33)
    #expect(value["unrecognised"]?.array == [])
    for group in groups {
      #expect(group["report"]?["schema"]?.integer == 1)
      #expect(group["members"]?.array?.count == group["reports"]?.integer)
    }
    #expect(Run(["triage", reports, "--symbols", Samples.symbols, "--json"]).output == run.output)
  }

  @Test("A file that is not a report is listed with the reason and stops nothing")
  func unrecognised() throws {
    let report = folder.write("a.ips", try sample("null-read-1.1.0-ios-arm64.ips"))
    folder.write("note\u{1b}[2J.txt", Array("no report at all".utf8))
    folder.write("empty", [])
    let run = Run(["triage", folder.path])
    #expect(run.status == 0)
    #expect(run.output.contains("Not reports:") && run.output.contains("/empty"))
    #expect(run.output.contains("note\\x1b[2J.txt") && !run.output.contains("\u{1b}"))
    let value = try json(Run(["triage", folder.path, "--json"]))
    #expect(value["unrecognised"]?.array?.count == 2)
    #expect(value["counts"]?["reports"]?.integer == 1)
    #expect(value["groups"]?[0]?["members"]?[0]?["file"]?.string == report)
  }

  @Test("Archives and standard input are read like files")
  func archives() throws {
    var zip = ZipBuilder()
    zip.add(Array("in/a.ips".utf8), try sample("null-read-1.1.0-ios-arm64.ips"))
    let archive = folder.write("crashes.zip", zip.bytes)
    let value = try json(Run(["triage", archive, "--json"]))
    #expect(value["counts"]?["reports"]?.integer == 1)
    #expect(value["groups"]?[0]?["members"]?[0]?["file"]?.string?.hasSuffix("in/a.ips") == true)
    let text = String(decoding: try sample("null-read-1.1.0-ios-arm64.ips"), as: UTF8.self)
    let piped = Run(["triage", "-", "--json"], input: text)
    #expect(try json(piped)["counts"]?["reports"]?.integer == 1)
  }

  @Test("Finding no report is a failure, which comes after what was found")
  func empty() throws {
    let run = Run(["triage", folder.path])
    #expect(run.status == 1 && run.output == "")
    #expect(
      run.errors == "0 reports in 0 groups, from 0 files\nmayday: no crash report was found\n")
    let document = Run(["triage", folder.path, "--json"])
    #expect(document.status == 1)
    #expect(try json(document)["groups"]?.array == [])
    folder.write("notes.txt", "only words".utf8)
    let words = Run(["triage", folder.path])
    #expect(words.status == 1 && words.output.contains("notes.txt"))
  }

  @Test("With --strict, every file must be a report")
  func strict() {
    #expect(Run(["triage", reports, "--strict"]).status == 0)
    let notes = folder.write("notes.txt", "only words".utf8)
    #expect(Run(["triage", reports, notes]).status == 0)
    let run = Run(["triage", reports, notes, "--strict"])
    #expect(run.status == 1 && run.errors.contains("1 file is not a report"), "\(run.errors)")
  }

  @Test("Debug files among the reports are noticed where --symbols was forgotten")
  func forgottenSymbols() {
    let run = Run(["triage", reports, Samples.symbols])
    #expect(run.status == 0)
    #expect(run.errors.contains("add --symbols \(Samples.symbols)"), "\(run.errors)")
    #expect(!run.errors.contains("--symbols \(reports)"))
    #expect(!Run(["triage", reports]).errors.contains("--symbols"))
    let given = Run(["triage", reports, Samples.symbols, "--symbols", Samples.symbols])
    #expect(!given.errors.contains("add --symbols"))
  }

  @Test("A page is written whole, beside the groups or in their place")
  func page() throws {
    let file = folder.path("page.html")
    let run = Run(["triage", reports, "--symbols", Samples.symbols, "--html", file])
    #expect(run.status == 0 && run.output.contains("tern::take"))
    let page = Run(["triage", reports, "--symbols", Samples.symbols, "--html", "-"])
    #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.hasSuffix("</html>\n"))
    func timeless(_ text: String?) -> [Substring]? {
      text?.split(separator: "\n").filter { !$0.contains("Made by mayday") }
    }
    let written = try ByteView(reading: file, limit: 1 << 24).text
    #expect(timeless(written) == timeless(page.output))
    #expect(!page.output.contains("<script") && !page.output.contains("src="))
    let refused = Run(["triage", reports, "--html", folder.path("none/page.html")])
    #expect(refused.status == 3 && refused.errors.contains("cannot write"), "\(refused.errors)")
    #expect(Run(["triage", reports, "--html", "/dev/full"]).status == 1)
  }

  @Test("A missing path exits with 3, an unreadable one is reported")
  func missing() {
    let run = Run(["triage", folder.path("none")])
    #expect(run.status == 3 && run.output == "")
    #expect(run.errors.contains("none: cannot open: No such file or directory"))
    let symbols = Run(["triage", reports, "--symbols", folder.path("none")])
    #expect(symbols.status == 3 && symbols.output == "")
  }

  @Test("If no possible report can be read, that is a failure")
  func unreadable() {
    var zip = ZipBuilder()
    zip.add("a.ips", "words")
    folder.write("cut.zip", Array(zip.bytes.prefix(40)))
    let run = Run(["triage", folder.path("cut.zip")])
    #expect(run.status == 1)
    #expect(run.output.contains("cut.zip") && run.errors.contains("no report could be read"))
  }

  @Test("Missing symbols exit with 6 if required")
  func required() {
    let run = Run(["triage", reports, "--require-symbols"])
    #expect(run.status == 6)
    #expect(run.output.contains("Symbols missing:"))
  }

  @Test("Colours are for terminals, or on request")
  func colours() {
    let always = Run(["triage", reports, "--color", "always"], environment: ["NO_COLOR": "1"])
    #expect(always.output.contains("\u{1b}[1m"))
    let byVariable = Run(["triage", reports], environment: ["MAYDAY_COLOR": "always"])
    #expect(byVariable.output == always.output)
    // `script` runs a command on a terminal of its own.
    func onTerminal(_ environment: [String: String]) -> String {
      let command = "\(BuiltProgram.mayday) triage \(reports)"
      return Run(
        ["-qec", command, "/dev/null"], environment: environment, program: "/usr/bin/script"
      ).output
    }
    let coloured = onTerminal(["TERM": "xterm"])
    #expect(coloured.contains("\u{1b}[1m") && coloured.contains("Reading █"))
    #expect(!onTerminal(["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1b}[1m"))
    #expect(!onTerminal(["TERM": "dumb"]).contains("\u{1b}[1m"))
  }

  private func sample(_ name: String) throws -> [UInt8] {
    try ByteView(reading: Samples.path("apple-ips/" + name), limit: 1 << 20).array
  }
}
