import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Attachments")
struct AttachmentTests {
  private static let sample = "apple-ips/abort-1.0.0-macos-x86_64.ips"
  private let folder = ScratchFolder()

  private func mayday(_ words: String..., home: String = "home") -> Run {
    Run(words, environment: ["MAYDAY_HOME": folder.path(home)])
  }

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try ByteView(reading: path, limit: 1 << 26).array
  }

  /// A folder with a report and its attachments.
  private func reportWithAttachments() throws -> String {
    let report = try bytes(Samples.path(Self.sample))
    folder.write("in/crash.ips", report)
    folder.write("in/crash.ips.log", "first line\n\u{1b}[31msecond\n".utf8)
    folder.write("in/crash.ips.attachments/state.json", "{\"basket\": 3}".utf8)
    folder.write(
      "in/crash.ips.attachments/deep/shot.png", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    // A report in that folder is an attachment, too.
    folder.write("in/crash.ips.attachments/earlier.ips", report)
    return folder.path("in")
  }

  private static let names = ["earlier.ips", "log", "shot.png", "state.json"]

  @Test("Files beside a report are attached to it, once")
  func sidecars() throws {
    let place = try reportWithAttachments()
    let first = mayday("ingest", place)
    #expect(first.status == 0)
    let parts = "from 5 files: 1 with a report, 4 attachments"
    let errors = first.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(errors.contains(parts), "\(first.errors)")
    let again = try json(mayday("ingest", place, "--json"))
    #expect(again["attachments_added"]?.integer == 0 && again["duplicates"]?.integer == 1)
    #expect(again["unrecognised"]?.array?.isEmpty == true)

    folder.write("in/crash.ips.attachments/late.txt", "late".utf8)
    folder.write("in/crash.ips.log", "another one".utf8)
    #expect(try json(mayday("ingest", place, "--json"))["attachments_added"]?.integer == 2)
    #expect(try json(mayday("ingest", place, "--json"))["attachments_added"]?.integer == 0)

    let report = try json(mayday("show", "TERN-1", "--json"))["report"]
    let attachments = try #require(report?["attachments"]?.array)
    #expect(
      attachments.map { $0["name"]?.string } == [
        "earlier.ips", "late.txt", "log", "log-2", "shot.png", "state.json",
      ])
    #expect(
      attachments.map { $0["content_type"]?.string } == [
        "application/json", "text/plain", "text/plain", "text/plain", "image/png",
        "application/json",
      ])
    #expect(attachments[4]["size"]?.integer == 8 && attachments[4]["digest"]?.string?.count == 64)
    let text = mayday("show", "TERN-1", "--full").output
    #expect(text.contains("Attachment ") && text.contains("shot.png (image/png, 8 B)"))
    #expect(try json(mayday("groups", "--json"))[0]?["reports"]?.integer == 1)
    HomeCare.expectWhole(folder.path("home"))
  }

  @Test("triage does not mention files beside a report that its name does not claim")
  func triage() throws {
    let place = try reportWithAttachments()
    let run = try json(mayday("triage", place, "--json"))
    #expect(run["unrecognised"]?.array?.isEmpty == true)
    #expect(run["groups"]?.array?.count == 1 && run["counts"]?["reports"]?.integer == 1)
    let stacks = mayday("symbolicate", place, "--json")
    #expect(try json(stacks).object != nil)
  }

  @Test("A report whose name contains another report's name is a report")
  func reportsBeside() throws {
    let report = try bytes(Samples.path(Self.sample))
    let other = try bytes(Samples.path("apple-ips/abort-1.1.0-ios-arm64.ips"))
    folder.write("in/crash", report)
    folder.write("in/crash.ips", other)
    folder.write("in/crash.ips.attachments.txt", "words".utf8)
    folder.write("in/nobody.attachments/crash.ips", report)
    let run = try json(mayday("ingest", folder.path("in"), "--json"))
    #expect(run["reports"]?.integer == 2 && run["duplicates"]?.integer == 1)
    #expect(run["attachments_added"]?.integer == 1)
  }

  @Test("--attach takes one report, and nothing is stored if there are more or none")
  func attach() throws {
    let log = folder.write("app.log", "words\n".utf8)
    let sample = Samples.path(Self.sample)
    let several = mayday("ingest", Samples.path("apple-ips"), "--attach", log)
    #expect(several.status == 1 && several.errors.contains("nothing was stored"))
    let none = mayday("ingest", log, "--attach", log)
    #expect(none.status == 1 && none.errors.contains("no report to attach to"))
    #expect(mayday("reports", "--json").output == "[]\n")
    #expect(mayday("ingest", sample, "--attach", folder.path("no.log")).status == 3)

    #expect(mayday("ingest", sample, "--attach", log, "--attach", sample).status == 0)
    let again = mayday("ingest", sample, "--attach", log, "--app", "Tern", "--json")
    #expect(try json(again)["attachments_added"]?.integer == 0)
    let report = try json(mayday("show", "TERN-1", "--json"))["report"]
    let names = report?["attachments"]?.array?.map { $0["name"]?.string }
    #expect(names == ["abort-1.0.0-macos-x86_64.ips", "app.log"])
  }

  @Test("Attachments beyond the limits of a report are refused; the report is kept")
  func limits() throws {
    folder.write("in/crash.ips", try bytes(Samples.path(Self.sample)))
    for number in 0..<34 { folder.write("in/crash.ips.attachments/\(number)", "\(number)".utf8) }
    let run = mayday("ingest", folder.path("in"))
    #expect(run.status == 6, "\(run.errors)")
    #expect(run.output.contains("limit of 32 attachments of a report reached"))
    #expect(run.errors.contains("1 report stored") && run.errors.contains("32 attachments"))
  }

  @Test("An attachment is printed unchanged, or saved where the user asks")
  func print() throws {
    #expect(mayday("ingest", try reportWithAttachments()).status == 0)
    let show = ["show", "TERN-1", "--attachment"]
    func run(_ words: String...) -> Run {
      Run(show + words, environment: ["MAYDAY_HOME": folder.path("home")])
    }
    #expect(run("log").output == "first line\n\u{1b}[31msecond\n")
    #expect(run("shot.png", "-o", "-").status == 0)
    let saved = folder.path("saved.png")
    #expect(run("shot.png", "-o", saved).status == 0)
    #expect(try bytes(saved) == [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    let twice = run("log", "-o", saved)
    #expect(twice.status == 1 && twice.errors.contains("--force"))
    #expect(run("log", "-o", saved, "--force").status == 0)
    #expect(try bytes(saved).count == 23)
    let missing = run("nothing")
    #expect(missing.status == 3)
    #expect(missing.errors.contains("which has earlier.ips, log, shot.png, state.json"))
    #expect(run("log", "--json").status == 2)
    #expect(mayday("show", "TERN-1", "-o", saved).status == 2)
    #expect(mayday("show", "TERN-1", "--force").status == 2)
  }

  @Test("A terminal gets text without control characters, and nothing else")
  func terminal() throws {
    #expect(mayday("ingest", try reportWithAttachments()).status == 0)
    let script = try #require(OtherTool.path("script"), "it comes with bsdutils")
    let command =
      "MAYDAY_HOME=\(folder.path("home")) \(BuiltProgram.mayday) show TERN-1 --attachment"
    func run(_ name: String) -> String {
      OtherTool.output(of: "\(script) -qc '\(command) \(name)' /dev/null </dev/null") ?? ""
    }
    #expect(run("log") == "first line\r\n\\x1b[31msecond\r\n")
    #expect(run("shot.png").contains("save it with -o FILE"))
  }

  @Test("A zip of a report has everything, is reproducible, and can be ingested")
  func archive() throws {
    #expect(mayday("ingest", try reportWithAttachments()).status == 0)
    let one = folder.path("one.zip")
    #expect(mayday("show", "TERN-1", "--archive", one).status == 0)
    let id = try #require(try json(mayday("reports", "--json"))[0]?["id"]?.string)
    let two = folder.path("two.zip")
    #expect(mayday("show", id, "--archive", two).status == 0)
    #expect(try bytes(one) == bytes(two))
    let refused = mayday("show", id, "--archive", one)
    #expect(refused.status == 1 && refused.errors.contains("--force overwrites it"))
    #expect(mayday("show", id, "--archive", one, "--force").status == 0)

    let unzip = try #require(OtherTool.path("unzip"))
    let list = OtherTool.output(of: "\(unzip) -Z1 \(one)") ?? ""
    #expect(
      list.split(separator: "\n") == [
        "README.txt", "crash.ips", "crash.ips.attachments/earlier.ips",
        "crash.ips.attachments/log", "crash.ips.attachments/shot.png",
        "crash.ips.attachments/state.json", "report.json", "report.txt", "group.json",
      ])
    #expect(OtherTool.output(of: "\(unzip) -tqq \(one)") == "")
    let raw = OtherTool.output(of: "\(unzip) -p \(one) crash.ips")
    #expect(try raw == ByteView(bytes(Samples.path(Self.sample))).text)
    let document = OtherTool.output(of: "\(unzip) -p \(one) report.json")
    #expect(document == mayday("show", id, "--json").output)
    #expect(mayday("ingest", one, home: "other").status == 0)
    let again = try json(mayday("show", id, "--json", home: "other"))
    #expect(again["attachments"]?.array?.map { $0["name"]?.string } == Self.names)
  }

  @Test("In an archive, attachments may come before their report")
  func archiveOrder() throws {
    let report = try bytes(Samples.path(Self.sample))
    var zip = ZipBuilder()
    zip.add("a/crash.ips.attachments/../../../etc/log", "words")
    zip.add("b/none.attachments/alone", "words")
    zip.add("a/crash.ips".utf8, report)
    let place = folder.write("in.zip", zip.bytes)
    let run = try json(mayday("ingest", place, "--json"))
    #expect(run["attachments_added"]?.integer == 1 && run["unrecognised"]?.array?.count == 1)
    let shown = try json(mayday("show", "TERN-1", "--json"))["report"]
    #expect(shown?["attachments"]?[0]?["name"]?.string == "log")
  }
}
