import Bytes
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("cores")
struct CoresCommandTests {
  private let folder = ScratchFolder()

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("The files of systemd-coredump are listed, newest first, with the facts in their names")
  func list() throws {
    let boot = "0123456789abcdef0123456789abcdef"
    let sample = try Samples.bytes("elf-core/null-read-1.1.0-gcc-O2.core")
    let old = "core.tern.1000.\(boot).77.1800000000000000"
    folder.write("in/" + old, sample)
    folder.write("in/core.my\\x2ftill.2.0.0.\(boot).78.1800000060000000.zst", "x".utf8)
    folder.write("in/other.txt", "x".utf8)
    let setting =
      "import os; os.setxattr('\(folder.path("in/" + old))', 'user.coredump.signal', b'11')"
    // File systems without attributes store none.
    let hasAttributes = OtherTool.output(of: "python3 -c \"\(setting)\" && echo done") == "done\n"
    let run = Run(["cores", "--dir", folder.path("in"), "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let cores = try #require(json(run).array)
    #expect(cores.map { $0["program"]?.string } == ["my/till.2.0", "tern"])
    #expect(cores.map { $0["pid"]?.integer } == [78, 77])
    #expect(cores.map { $0["uid"]?.integer } == [0, 1000])
    #expect(cores[1]["time"]?.string == "2027-01-15T08:00:00Z")
    #expect(cores[1]["bytes"]?.integer == sample.count)
    if hasAttributes { #expect(cores[1]["signal"]?.string == "SIGSEGV") }
    #expect(cores[1]["stored"] == nil)

    let home = folder.path("home")
    #expect(Run(["ingest", folder.path("in/" + old), "--home", home]).status == 0)
    let looked = Run(["cores", "--dir", folder.path("in"), "--stored", "--home", home, "--json"])
    #expect(try json(looked).array?.last?["stored"]?.bool == true)
    let text = Run(["cores", "--dir", folder.path("in")])
    #expect(text.output.contains("my/till.2.0"))
    #expect(Run(["cores", "--dir", folder.path("none")]).status != 0)
  }

  @Test(
    "The packed core of systemd-coredump is read by ingest",
    .enabled(if: OtherTool.path("xz") != nil, "xz is not installed"))
  func packed() throws {
    let sample = try Samples.bytes("elf-core/abort-1.1.0-gcc-O2.core")
    folder.write("core", sample)
    try #require(
      OtherTool.output(of: "xz -k \(folder.path("core")) && rm \(folder.path("core"))") != nil)
    let run = Run([
      "triage", folder.path("core.xz"), "--symbols", Samples.debugFile("dumps"), "--json",
    ])
    #expect(try json(run)["counts"]?["reports"]?.integer == 1)
    #expect(run.output.contains("tern::invariant"))
  }
}
