import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("Candidates for the debug file of an image")
struct CandidateTests {
  private let home = ExplainHome()
  private let sample = Samples.path("apple-ips/trap-1.1.0-macos-arm64.ips")

  /// The app's image in a report's document.
  private func tern(_ document: JSONValue) throws -> JSONValue {
    let images = try #require((document["report"] ?? document)["images"]?.array)
    return try #require(images.first { $0["name"]?.string == "Tern" }?["symbols"])
  }

  private func verdicts(_ symbols: JSONValue) -> [String] {
    (symbols["tried"]?.array ?? []).compactMap { $0["verdict"]?.string }
  }

  private func images(_ words: String...) -> String {
    let lines = home.run(words).output.split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("Images") } ?? lines.endIndex
    return lines[start...].prefix { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test("No candidate: absent")
  func absent() throws {
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let symbols = try tern(try home.json("show", "TERN-1"))
    #expect(symbols["status"]?.string == "missing" && verdicts(symbols) == [])
    #expect(images("show", "TERN-1", "--full").contains("Tern: absent: no debug file has its id"))
  }

  @Test("Other builds and slices of the name: wrong id, wrong architecture; no part of the result")
  func others() throws {
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    #expect(home.mayday("symbols", "add", Samples.symbols + "/1.0.0").status == 0)
    let symbols = try tern(try home.json("show", "TERN-1"))
    #expect(symbols["status"]?.string == "missing")
    #expect(Set(verdicts(symbols)) == ["wrong-id", "wrong-architecture"])
    let words = images("show", "TERN-1", "--full")
    #expect(words.contains("- Tern: wrong id, 4c4c44"))
    #expect(words.contains("- Tern: wrong architecture, x86_64"))
    #expect(words.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
    #expect(home.mayday("verify", "TERN-1").status == 0)
    // Without a store, too.
    let read = try ExplainHome.parse(
      Run(["symbolicate", sample, "--json", "--symbols", Samples.symbols + "/1.0.0"]))
    #expect(Set(verdicts(try tern(read))) == ["wrong-id", "wrong-architecture"])
  }

  @Test("Only a symbol table: no line table")
  func lines() throws {
    let table = Samples.symbols + "/1.1.0/macos/Tern"
    #expect(home.mayday("symbols", "add", table).status == 0)
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let symbols = try tern(try home.json("show", "TERN-1"))
    #expect(symbols["status"]?.string == "found" && verdicts(symbols) == ["no-line-table"])
    #expect(images("show", "TERN-1", "--full").contains("Tern: no line table"))
  }

  @Test("Unreadable candidates: damaged, with the reason")
  func damaged() throws {
    let build = Samples.symbols + "/1.1.0/macos/Tern.app.dSYM"
    #expect(home.mayday("symbols", "add", build).status == 0)
    let files = try #require(try home.json("symbols", "list").array)
    let digest = try #require(files.first?["digest"]?.string)
    home.folder.write("home/blobs/\(digest.prefix(2))/\(digest)", [1, 2, 3])
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let symbols = try tern(try home.json("show", "TERN-1"))
    #expect(symbols["status"]?.string == "damaged" && verdicts(symbols) == ["damaged"])
    #expect(images("show", "TERN-1", "--full").contains("Tern: damaged: "))
    // The refused file in a folder is named.
    home.folder.write("cut/Tern", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0])
    let read = try ExplainHome.parse(
      Run(["symbolicate", sample, "--json", "--symbols", home.folder.path("cut")]))
    #expect(verdicts(try tern(read)) == ["damaged"])
  }
}
