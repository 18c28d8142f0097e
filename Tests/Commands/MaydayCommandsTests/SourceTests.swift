import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Source lines in the output of a look-up or a report.
@Suite("--source")
struct SourceTests {
  private let folder = ScratchFolder()
  private static let bundle = Samples.debugFile("sources/plain.src.zip")
  private static let report = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")

  /// A bundle for the build with a debug id, of one file.
  private static func bundle(_ id: String, path: String, text: String) -> [UInt8] {
    var zip = ZipBuilder()
    zip.add("files/one", text)
    zip.add(
      "manifest.json",
      """
      {"files":{"files/one":{"type":"source","path":"\(path)"}},"debug_id":"\(id)","arch":"arm64"}
      """)
    return Array("SYSB".utf8) + [2, 0, 0, 0] + zip.bytes
  }

  // The lines are those of Symbols/recipes/variants/clamp.c; the format is llvm-symbolizer's with
  // --print-source-context-lines=3.
  @Test("A look-up prints the lines around each location, from the bundle beside the file")
  func lookUp() throws {
    let program = folder.write("plain", try ByteView(mapping: Samples.tern).array)
    let without = Run(["lookup", "-o", program, "--source=3", "0x201250"])
    #expect(without.output == "tide_clamp\n/app/src/clamp.c:6:14\n\n")
    _ = folder.write("plain.src.zip", try ByteView(mapping: Self.bundle).array)
    let lines = """
      5  : int tide_clamp(int height) {
      6 >:   if (height < least) {
      7  :     tide_sink = height;

      """
    for object in [program, folder.path("")] {
      let run = Run(["lookup", "-o", object, "--source=3", "0x201250"])
      #expect(run.output == "tide_clamp\n/app/src/clamp.c:6:14\n\(lines)\n", "\(run.errors)")
    }
    let other = Run(
      ["llvm-symbolizer", "-e", program, "--print-source-context-lines=3", "0x201250"])
    #expect(other.output == "tide_clamp\n/app/src/clamp.c:6:14\n\(lines)\n", "\(other.errors)")
    let json = Run(["lookup", "-o", program, "--source=3", "--json", "0x201250"]).json
    #expect(json[0]?["Symbol"]?[0]?["Source"]?.string == lines)
    let five = Run(["lookup", "-o", program, "--source", "0x201250"])
    #expect(five.output.split(separator: "\n").count == 7)
  }

  @Test("Tabs stay tabs in the lines around a location, and other control characters are shown")
  func tabs() throws {
    let program = folder.write("plain", try ByteView(mapping: Samples.tern).array)
    let object = Run(["symbols", "show", program, "--json"]).json
    let id = try #require(object[0]?["debug_id"]?.string ?? object["debug_id"]?.string)
    let text = "1\n2\n3\n4\n5\n\tif\t(height\u{7})\n7\n"
    _ = folder.write("plain.src.zip", Self.bundle(id, path: "/app/src/clamp.c", text: text))
    let run = Run(["lookup", "-o", program, "--source=1", "0x201250"])
    #expect(run.output.contains("6 >: \tif\t(height\\x07)\n"), "\(run.output)\(run.errors)")
  }

  @Test("A bundle of another build, and a source newer than the debug file, are ignored")
  func otherBuild() throws {
    let program = folder.write("plain", try ByteView(mapping: Samples.tern).array)
    _ = folder.write(
      "plain.src.zip",
      Self.bundle(
        "11111111-2222-3333-4444-555555555555", path: "/app/src/clamp.c", text: "a\nb\nc\nd\ne\nf"))
    let run = Run(["lookup", "-o", program, "--source", "0x201250"])
    #expect(run.output == "tide_clamp\n/app/src/clamp.c:6:14\n\n")
    let source = folder.write("new.c", Array("int a;\nint b;\n".utf8))
    let symbols = folder.write(
      "old.sym",
      Array(
        """
        MODULE Linux x86_64 8F7AA0BA3C848070451BE2B27CD0A45A0 old
        FILE 0 \(source)
        FUNC 10 10 0 f
        10 10 2 0
        """.utf8))
    #expect(
      Run(["lookup", "-o", symbols, "--source=1", "0x10"]).output
        == "f\n\(source):2:0\n2 >: int b;\n\n")
    let touched = Run(["-c", "touch -d '2001-01-01' \"$0\"", symbols], program: "/bin/sh")
    #expect(touched.status == 0)
    #expect(
      Run(["lookup", "-o", symbols, "--source=1", "0x10"]).output == "f\n\(source):2:0\n\n")
  }

  @Test("Invalid numbers of lines, and formats without sources, are refused")
  func wrongUse() {
    for words in [
      ["lookup", "-o", Samples.tern, "--source=0", "0x1"],
      ["lookup", "-o", Samples.tern, "--source=many", "0x1"],
      ["lookup", "-o", Samples.tern, "--source", "--functions-only", "0x1"],
      ["symbolicate", Self.report, "--source"], ["show", "1234", "--source=3"],
    ] {
      #expect(Run(words).status == 2, "\(words)")
    }
  }

  @Test("Beside its debug file, a bundle adds lines to a report's document, and nothing else")
  func stored() throws {
    let home = folder.path("home")
    func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }
    let plain = Run(["symbolicate", Self.report, "--symbols", Samples.symbols, "--json"])
    let image = try #require(
      plain.json["images"]?.array?.first { $0["symbols"]?["status"]?.string == "found" })
    let id = try #require(image["debug_id"]?.string)
    let text = (1...30).map { "line \($0)\n" }.joined()
    let bundle = folder.write(
      "Tern.src.zip", Self.bundle(id, path: "D:/build/src/basket.h", text: text))

    func excerpts(_ report: JSONValue) -> [JSONValue] {
      (report["threads"]?.array ?? []).flatMap { $0["frames"]?.array ?? [] }
        .filter { $0["source"] != nil }
    }
    let here = Run([
      "symbolicate", Self.report, "--symbols", Samples.symbols, "--symbols", bundle, "--json",
      "--source=3",
    ]).json
    let frame = try #require(excerpts(here).first)
    #expect(frame["file"]?.string == "/app/src/basket.h" && frame["line"]?.integer == 17)
    #expect(frame["source"]?["first"]?.integer == 16)
    #expect(frame["source"]?["lines"]?[1]?.string == "line 17")

    #expect(mayday("ingest", Self.report).status == 0)
    let early = mayday("symbols", "add", bundle)
    #expect(early.status == 0 && !early.errors.contains("reprocessed"), "\(early.errors)")
    #expect(mayday("symbols", "missing", "--json").json.array?.isEmpty == false)
    #expect(mayday("symbols", "add", Samples.symbols).errors.contains("reprocessed"))
    #expect(mayday("symbols", "add", bundle).output.contains("known"))
    let listed = mayday("symbols", "list", "--json").json.array ?? []
    #expect(listed.contains { $0["kind"]?.string == "sources" && $0["debug_id"]?.string == id })
    let report = try #require(mayday("reports", "--json").json[0]?["id"]?.string)
    let shown = mayday("show", report, "--json", "--source=3").json
    #expect(excerpts(shown) == excerpts(here))
    #expect(excerpts(mayday("show", report, "--json").json).isEmpty)
  }
}
