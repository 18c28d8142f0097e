import Grouping
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("mayday explain")
struct ExplainCommandTests {
  private let home = ExplainHome()

  /// The key by the documented formula, computed independently of the program.
  private func key(_ text: String, app: String) -> String {
    let message = ["mayday-sig", "v1", app, text].map { Array($0.utf8) }.joined(separator: [0x1f])
    return String(PlainSHA256.hex(Array(message)).prefix(32))
  }

  @Test("The reference is SHA-256")
  func reference() {
    // FIPS 180-4, the examples for "abc" and for no bytes at all.
    #expect(
      PlainSHA256.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      PlainSHA256.hex([])
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test(
    "Key, pieces, frames and rules of every sample add up",
    arguments: [("apple-ips", 33), ("apple-crash", 33), ("sanitizer", 60), ("swift-backtrace", 60)])
  func everything(folder: String, count: Int) throws {
    let words = ["explain", Samples.path(folder), "--symbols", Samples.symbols, "--app", "Tern"]
    let explanations = try #require(try ExplainHome.parse(Run(words + ["--json"])).array)
    #expect(explanations.count >= count)
    var hasTitles = false
    for explained in explanations {
      let text = try #require(explained["text"]?.string)
      let pieces = try #require(explained["pieces"]?.array)
      let inKey = pieces.filter { $0["in_key"]?.bool == true }.compactMap { $0["text"]?.string }
      #expect(explained["key"]?.string == key(inKey.joined(separator: " | "), app: "Tern"))
      hasTitles = hasTitles || inKey.count < pieces.count
      for other in explained["alternatives"]?.array ?? [] {
        let text = try #require(other["text"]?.string)
        #expect(other["key"]?.string == key(text, app: "Tern") && other["reading"] != nil)
      }
      #expect(pieces.compactMap { $0["text"]?.string }.joined(separator: " | ") == text)
      for frame in explained["frames"]?.array ?? [] {
        let isUsed = frame["in_text"]?.bool == true
        #expect(frame["raw"]?.string != nil && frame["class"]?.string != nil)
        #expect(isUsed == (frame["left_out"] == nil), "\(text): \(frame)")
        // A rule of a list is one of its lines.
        let rule = try #require(frame["rule"]?.string)
        let parts = rule.split(separator: ":")
        guard parts.count == 2, parts[0].hasSuffix(".rules"), let line = Int(parts[1]) else {
          #expect(frame["rule_text"] == nil)
          continue
        }
        let list = GroupingRules.standard.lists.first { $0.name == parts[0] }?.text
        let lines = list?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        let stands = lines.indices.contains(line - 1) ? String(lines[line - 1]) : nil
        #expect(stands != nil && frame["rule_text"]?.string == stands)
      }
    }
    // Error kinds appear only in titles.
    #expect(hasTitles == (folder == "sanitizer"))
    let printed = Run(words)
    #expect(printed.status == 0)
    #expect(printed.output.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
  }

  @Test(
    "As words, 80 columns wide",
    arguments: [
      ("abort-1.0.0-macos-x86_64.ips", "abort"),
      ("raised-exception-1.0.0-macos-arm64.ips", "exception"),
      ("stack-overflow-1.1.0-ios-arm64.ips", "overflow"),
      ("watchdog-1.0.0-ios-arm64.ips", "watchdog"),
    ])
  func words(sample: String, name: String) {
    let file = Samples.path("apple-ips/" + sample)
    let run = home.mayday("explain", file, "--symbols", Samples.symbols, "--app", "Tern")
    #expect(run.status == 0 && run.errors == "")
    Golden.expect(run.output, is: "explain/\(name).txt")
  }

  @Test("A file gives the same explanation as the store, except for the group")
  func file() throws {
    let sample = Samples.path("apple-ips/use-after-free-1.0.0-ios-arm64.ips")
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let stored = home.mayday("explain", "TERN-1", "--full").output.split(separator: "\n")
    let read = home.mayday(
      "explain", sample, "--full", "--symbols", Samples.symbols, "--app", "Tern"
    ).output.split(separator: "\n")
    #expect(stored.first == "TERN-1  " + (read.first ?? ""))
    #expect(stored.dropFirst().dropLast(stored.count - read.count) == read.dropFirst())
    #expect(stored.suffix(stored.count - read.count).first?.hasPrefix("  Group") == true)
    // From a pipe, and without any home, just the same.
    let bytes = Run(["show", "TERN-1", "--raw"], environment: ["MAYDAY_HOME": home.path]).output
    let piped = Run(
      ["explain", "-", "--full", "--symbols", Samples.symbols, "--app", "Tern"], input: bytes)
    #expect(piped.output.split(separator: "\n") == read)
  }

  @Test("It shows how a report found its group")
  func found() throws {
    let files = ["1.1.0-macos-arm64", "1.1.0-ios-arm64"].map {
      Samples.path("apple-ips/trap-\($0).ips")
    }
    func found(_ id: String) throws -> (by: String?, detail: String?) {
      let explained = try home.json("explain", id)
      return (explained["found"]?["by"]?.string, explained["found"]?["detail"]?.string)
    }
    // Without symbols two builds make two groups; symbols make them one.
    for file in files { #expect(home.mayday("ingest", file, "--app", "Tern").status == 0) }
    let ids = try home.reports()
    #expect(ids.count == 2)
    for id in ids { #expect(try found(id).by == "new") }
    #expect(home.mayday("explain", "TERN-1").output.contains("Waits"))
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    let ways = try ids.map { try found($0) }
    #expect(Set(ways.compactMap(\.by)) == ["followed", "merged"])
    #expect(ways.contains { $0.detail == "TERN-2" })
    // A report that arrives now finds the key.
    let late = Samples.path("apple-crash/trap-1.0.0-macos-arm64.crash")
    #expect(home.mayday("ingest", late, "--app", "Tern").status == 0)
    let new = try #require(try home.reports().first { !ids.contains($0) })
    #expect(try found(new).by == "key")
    #expect(home.mayday("explain", new).output.contains("the group had its key"))
  }

  @Test("Wrong names, and files that are not reports, are reported")
  func wrong() {
    let none = home.mayday("explain", "TERN-1")
    #expect(none.status == 3 && none.errors.contains("there is no home"))
    #expect(home.mayday("explain", "nowhere/crash.ips").status == 3)
    let text = home.folder.write("words.txt", Array("nothing".utf8))
    #expect(home.mayday("explain", text).status == 1)
    let many = home.mayday("explain", Samples.path("apple-ips"), "--against", text)
    #expect(many.status == 1 && many.output == "")
  }
}
