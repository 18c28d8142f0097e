import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Import of parts of a triage") struct ImportBatchTests {
  private let folder = ScratchFolder()
  private static let symbols = ["--symbols", Samples.symbolsFolder]

  private func part(_ number: Int, of count: Int) throws -> String {
    let path = folder.path("\(number).mdp")
    let run = Run(
      [
        "triage", Samples.folder, "--shard", "\(number)/\(count)", "--partial", path,
        "--with-documents",
      ] + Self.symbols)
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  /// The titles of groups, with the number of reports of each, in order.
  private func titles(_ document: String, _ list: String?) throws -> [String] {
    let value = try JSONDocument.parse(ByteView(document.utf8)).value
    let groups = (list.map { value[$0] } ?? value)?.array ?? []
    return groups.map {
      "\($0["app"]?.string ?? "") \($0["signature"]?["text"]?.string ?? "") "
        + "\($0["reports"]?.integer ?? 0)"
    }
    // The document of a script names the id that its release stands for, not the release.
    .map { $0.replacing("load [51bd0ddc]", with: "load [1.2.0 (34)]") }.sorted()
  }

  @Test("The groups of a home are those of the triage, and each report is stored once")
  func groups() throws {
    let parts = try [part(1, of: 2), part(2, of: 2)]
    let home = folder.path("home")
    let imported = Run(["import", "batch"] + parts + [parts[0], "--home", home])
    #expect(imported.status == 0, "\(imported.errors)")
    let triage = Run(["triage", Samples.folder, "--json"] + Self.symbols)
    let expected = try titles(triage.output, "groups")
    let groups = Run(["groups", "--json", "--limit", "1000", "--home", home])
    #expect(expected.count > 50)
    #expect(try titles(groups.output, nil) == expected)
    // The short form, of what is known already.
    let again = Run(["import", parts[0], "--home", home])
    #expect(again.status == 0 && again.errors.contains("0 reports"), "\(again.errors)")
    #expect(
      try titles(Run(["groups", "--json", "-n", "1000", "--home", home]).output, nil) == expected)
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
  }

  @Test("A part without documents, a damaged one and a foreign file are refused")
  func refusals() throws {
    let bare = folder.path("bare.mdp")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["triage", sample, "--partial", bare]).status == 0)
    let home = folder.path("home")
    let run = Run(["import", bare, "--home", home])
    #expect(run.status == 1 && run.errors.contains("--with-documents"), "\(run.errors)")
    let bytes = try ByteView(mapping: bare).array
    folder.write("cut.mdp", bytes.dropLast(9))
    #expect(Run(["import", "batch", folder.path("cut.mdp"), "--home", home]).status == 1)
    #expect(Run(["import", "batch", sample, "--home", home]).errors.contains("is not a file of"))
    let kept = folder.path("kept.mdp")
    #expect(Run(["triage", sample, "--partial", kept, "--with-documents"]).status == 0)
    let mixed = Run(["triage", "--merge", bare, kept])
    #expect(mixed.status == 1 && mixed.errors.contains("they differ in --with-documents: "))
    #expect(Run(["triage", sample, "--with-documents"]).status == 2)
  }
}
