import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("Many inputs") struct InputListTests {
  private let folder = ScratchFolder()
  private let reports = Samples.path("apple-ips")

  private func lines(_ run: Run) throws -> [JSONValue] {
    try run.output.split(separator: "\n").map {
      try JSONDocument.parse(ByteView(Array($0.utf8))).value
    }
  }

  private func names(in folder: String) -> [String] {
    Samples.all(in: folder).map(Samples.path).sorted()
  }

  @Test("Each report is a line with its file, in the order of the names; a failure is one, too")
  func ndjson() throws {
    let text = folder.write("note.txt", Array("nothing".utf8))
    let files = names(in: "apple-ips")
    let list = [files[1], text, folder.path("none"), files[0], files[1]]
    let run = Run(
      ["symbolicate", "--ndjson", "--files-from", "-", "--symbols", Samples.symbols],
      input: list.joined(separator: "\n"))
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let found = try lines(run)
    #expect(found.map { $0["source"]?.string } == list)
    #expect(found.map { $0["error"] != nil } == [false, true, true, false, false])
    #expect(found[1]["error"]?.string?.contains("no report of a known format") == true)
    #expect(found[2]["error"]?.string == "cannot open: No such file or directory")
    // Otherwise a line is the document that --json prints.
    let whole = Run(["symbolicate", files[0], "--json", "--symbols", Samples.symbols])
    let document = try JSONDocument.parse(ByteView(Array(whole.output.utf8))).value
    let members = found[3].object?.filter { $0.key != "source" }
    #expect(members?.map(\.key) == document.object?.map(\.key))
    #expect(members?.map(\.value) == document.object?.map(\.value))
    #expect(
      Run(["symbolicate", "--ndjson", "--strict", text]).status == 6
        && Run(["symbolicate", "--ndjson", "--strict", files[0]]).status == 0)
    #expect(Run(["symbolicate", "--ndjson", files[0], "--require-symbols"]).status == 6)
  }

  @Test("A program that waits for each answer before it sends the next name gets it")
  func answers() throws {
    let files = names(in: "apple-ips").prefix(3)
    let script = """
      coproc "$0" symbolicate --ndjson --files-from -
      for file in "$@"; do
        echo "$file" >&${COPROC[1]}
        read -r -t 60 line <&${COPROC[0]} || exit 9
        echo "${line:0:200}"
      done
      """
    let run = Run(
      ["-c", script, BuiltProgram.mayday] + files, program: "/bin/bash")
    #expect(run.status == 0, "\(run.errors)")
    let sources = run.output.split(separator: "\n").map(String.init)
    #expect(sources.count == 3)
    for (line, file) in zip(sources, files) { #expect(line.hasPrefix("{\"source\":\"\(file)\"")) }
  }

  @Test("jq is applied to each line")
  func filter() {
    let text = folder.write("note.txt", Array("nothing".utf8))
    let words = ["symbolicate", "--ndjson", reports, text]
    let run = Run(words + ["--jq", ".format // \"no report\""])
    let found = run.output.split(separator: "\n")
    #expect(found.count == 34 && Set(found) == ["apple-ips", "no report"])
    #expect(found.last == "no report")
    #expect(Run(words + ["--jq", ".format | error"]).status == 2)
    #expect(Run(words + ["--json=id"]).errors.contains("choose members with --jq"))
    #expect(Run(words + ["--format", "md"]).status == 2)
    let schema = Run(words + ["--schema", "rust-minidump", "--jq", ".status // .error"]).output
    #expect(schema.hasPrefix("OK\n"))
  }

  @Test("A reader that goes away ends the stream")
  func head() {
    let run = Run(["symbolicate", "--ndjson", Samples.folder], reading: 100)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
  }

  @Test("Shares have every file once, by arguments and by list")
  func shares() throws {
    let whole = try lines(Run(["symbolicate", "--ndjson", reports])).map { $0["source"]?.string }
    let list = names(in: "apple-ips").joined(separator: "\0")
    for inputs in [[reports], ["--files-from", "-", "-0"]] {
      var found: [String?] = []
      for share in 1...3 {
        let run = Run(
          ["symbolicate", "--ndjson", "--shard", "\(share)/3"] + inputs, input: list)
        #expect(run.status == 0)
        found += try lines(run).map { $0["source"]?.string }
      }
      #expect(found.compactMap(\.self).sorted() == whole.compactMap(\.self).sorted())
      #expect(found.count == 33)
    }
  }

  @Test("A triage of a list is that of its files")
  func triage() throws {
    let list = folder.write("list", Array(names(in: "apple-ips").joined(separator: "\n").utf8))
    let symbols = ["--json", "--symbols", Samples.symbols]
    let listed = Run(["triage", "--files-from", list] + symbols)
    #expect(listed.status == 0)
    #expect(listed.output == Run(["triage", reports] + symbols).output)
    let shares = (1...4).map { Run(["triage", reports, "--shard", "\($0)/4", "--json"]) }
    let counts = try shares.map {
      try JSONDocument.parse(ByteView(Array($0.output.utf8))).value["counts"]?["reports"]?.integer
    }
    #expect(counts.compactMap(\.self).reduce(0, +) == 33)
  }

  @Test(
    "What is wrong with a list or a share is named",
    arguments: [
      (["--files-from", "-"], "a\0b\0", Int32(2), "add -0"),
      (["--files-from", "none"], "", 3, "none"),
      (["--files-from", "/"], "", 1, "--files-from: cannot read"),
      (["--files-from", "-", "-"], "", 2, "share standard input"),
      (["-0", "x"], "", 2, "-0 is for --files-from"),
      ([], "", 2, "is missing; write - for standard input, or name a list: --files-from"),
      (["--shard", "4/3", "x"], "", 2, "write it like 1/16"),
      (["--shard", "0/3", "x"], "", 2, "write it like 1/16"),
      (["--shard", "1/99999999999999999999", "x"], "", 2, "write it like 1/16"),
    ])
  func mistakes(words: [String], input: String, status: Int32, named: String) {
    for command in [["symbolicate", "--ndjson"], ["symbolicate"], ["triage"]] {
      let run = Run(command + words, input: input)
      #expect(run.status == status, "\(command): \(run.errors)")
      #expect(run.errors.contains(named), "\(command): \(run.errors)")
    }
  }

  @Test("A member of an archive is read by the name that results give it")
  func members() throws {
    let report = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).array
    var inner = ZipBuilder()
    inner.add(Array("deep.ips".utf8), report + [10, 10])
    var archive = ZipBuilder()
    archive.add(Array("logs/a.ips".utf8), report)
    archive.add("logs/notes.txt", "no report")
    archive.add(Array("inner.zip".utf8), inner.bytes)
    let zip = folder.write("dumps.zip", archive.bytes)
    let all = Run(["symbolicate", zip, "--ndjson"])
    for name in ["logs/a.ips", "inner.zip!deep.ips", "logs/notes.txt"] {
      let source = "\(zip)!\(name)"
      let line = all.output.split(separator: "\n").first { $0.contains("\"source\":\"\(source)\"") }
      for run in [
        Run(["symbolicate", "--ndjson", source]),
        Run(["symbolicate", "--ndjson", "--files-from", "-"], input: source + "\n"),
      ] {
        #expect(run.status == 0 && run.output == (line ?? "") + "\n", "\(run.errors)")
      }
    }
    let nested = Run(["triage", "\(zip)!inner.zip", "--json"])
    #expect(nested.status == 0 && nested.output.contains("dumps.zip!inner.zip!deep.ips"))
    let none = Run(["symbolicate", "\(zip)!none.ips"])
    #expect(none.status == 3 && none.errors.contains("none.ips"), "\(none.status) \(none.errors)")
    #expect(Run(["triage", "\(zip)x!a"]).status == 3)
  }
}
