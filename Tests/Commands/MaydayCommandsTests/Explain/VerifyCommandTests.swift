import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport
@testable import MaydayCommands

@Suite("mayday verify")
struct VerifyCommandTests {
  private let home = ExplainHome()
  private let sample = Samples.path("apple-ips/trap-1.1.0-macos-arm64.ips")

  /// All contents of the home, to check that nothing has changed. For databases, which change whenever they
  /// are opened, the output of commands.
  private func snapshot() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for list in ["groups", "reports", "symbols list"] {
      let words = list.split(separator: " ").map(String.init) + ["--json"]
      files[list] = Array(home.run(words).output.utf8)
    }
    for report in try home.reports().prefix(5) {
      files[report] = Array(home.mayday("explain", report, "--json").output.utf8)
    }
    for name in try FolderListing.files(below: home.path) where !name.contains(".db") {
      files[name] = try ByteView(reading: "\(home.path)/\(name)", limit: 1 << 26).array
    }
    return files
  }

  @Test("Every sample gives the same bytes again, early and late symbols alike")
  func everything() throws {
    let folders = ["apple-ips", "swift-backtrace"].map { Samples.path($0) }
    #expect(home.run(["ingest"] + folders + ["--app", "Tern"]).status == 0)
    #expect(home.mayday("verify", "--all").status == 0)
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(home.mayday("ingest", Samples.path("apple-crash")).status == 0)
    let before = try snapshot()
    let run = home.mayday("verify", "--all")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
    let count = try home.reports().count
    #expect(run.errors.hasPrefix("\(count) reports, all identical"), "\(run.errors)")
    #expect(try snapshot() == before)
    let sums = try home.json("verify", "--all")
    #expect(sums["reports"]?.integer == count && sums["identical"]?.integer == count)
    #expect(sums["different"]?.integer == 0 && sums["causes"]?.array?.isEmpty == true)
    #expect(sums["results"] == nil)
    let all = try #require(try home.json("verify", "--all", "--details")["results"]?.array)
    #expect(all.count == count && all.allSatisfy { $0["identical"]?.bool == true })
    #expect(home.mayday("verify", "TERN-1").output.hasPrefix("identical  TERN-1"))
  }

  @Test("A debug file that was used but not stored is named; adding it makes the result identical")
  func absent() throws {
    let ingest = home.mayday("ingest", sample, "--app", "Tern", "--symbols", Samples.symbols)
    #expect(ingest.status == 0)
    let run = home.mayday("verify", "TERN-1")
    #expect(run.status == 1 && run.output.hasPrefix("differs  "))
    let words = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      .joined(separator: " ")
    #expect(
      words.contains("made with Tern (4c4c44cf-5555-3144-a1ee-160a29ef6f71, SHA-256 "))
    #expect(words.contains("which the store does not have: add it with mayday symbols add"))
    let causes = try #require(try home.json("verify", "TERN-1")["results"]?[0]?["causes"]?.array)
    #expect(causes.compactMap { $0["cause"]?.string } == ["debug-file-absent"])
    // The document does not depend on the file's path.
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(home.mayday("verify", "TERN-1").status == 0)
    #expect(!home.mayday("show", "TERN-1", "--json").output.contains(Samples.symbols))
  }

  @Test("verify --all sums up by cause; --details prints each report")
  func sums() throws {
    let folder = Samples.path("apple-ips")
    let given = ["ingest", folder, "--app", "Tern", "--symbols", Samples.symbols]
    #expect(home.run(given).status == 0)
    #expect(
      home.mayday("ingest", Samples.path("sanitizer/abort-asan-1.0.0-gcc-O0.txt")).status == 0)
    let run = home.mayday("verify", "--all")
    #expect(run.status == 1)
    #expect(run.errors.contains("34 reports: 1 identical, 33 differ"), "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count < 8, "\(run.output)")
    #expect(lines.first == "REPORTS  CAUSE              EXAMPLE")
    #expect(lines.dropFirst().first?.hasPrefix("     33  debug-file-absent  ") == true)
    #expect(run.output.contains("which the store does not have"))

    let document = try home.json("verify", "--all")
    #expect(document["reports"]?.integer == 34 && document["identical"]?.integer == 1)
    #expect(document["different"]?.integer == 33 && document["results"] == nil)
    let cause = try #require(document["causes"]?[0])
    #expect(cause["cause"]?.string == "debug-file-absent" && cause["reports"]?.integer == 33)
    let example = try #require(cause["example"]?["report"]?.string)
    #expect(home.mayday("verify", example).output.hasPrefix("differs  \(example)"))

    let details = home.mayday("verify", "--all", "--details")
    #expect(details.output.split(separator: "\n").count { $0.hasPrefix("differs  ") } == 33)
    #expect(details.output.contains("     33  debug-file-absent  "))
    let results = try home.json("verify", "--all", "--details")["results"]?.array
    #expect(results?.count == 34)
  }

  @Test("Damage is reported, and repaired by adding the debug file again")
  func damage() throws {
    let build = Samples.symbols + "/1.1.0/macos/Tern.app.dSYM"
    #expect(home.mayday("symbols", "add", build).status == 0)
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    #expect(home.mayday("verify", "TERN-1").status == 0)
    let digest = try #require(
      try home.json("symbols", "list").array?.first?["digest"]?.string)
    let blob = "\(home.path)/blobs/\(digest.prefix(2))/\(digest)"
    #expect(truncate(blob, 4000) == 0)
    let causes = try #require(try home.json("verify", "TERN-1")["results"]?[0]?["causes"]?.array)
    #expect(causes.compactMap { $0["cause"]?.string } == ["debug-file-damaged"])
    #expect(home.mayday("symbols", "add", build).status == 0)
    #expect(home.mayday("verify", "TERN-1").status == 0)
    // Another byte changes the file's digest, and so the document.
    let file = open(blob, O_RDWR)
    defer { close(file) }
    var byte: UInt8 = 0
    #expect(pread(file, &byte, 1, 5000) == 1)
    byte ^= 0x55
    #expect(pwrite(file, &byte, 1, 5000) == 1)
    #expect(home.mayday("verify", "TERN-1").output.contains("which is damaged in"))
  }

  @Test("Wrong names and arguments are reported")
  func wrong() {
    #expect(home.mayday("verify", "TERN-1").status == 3)
    #expect(home.mayday("verify").status == 2)
    #expect(home.mayday("verify", "--all", "TERN-1").status == 2)
    #expect(home.mayday("verify", "--all", "--json").status == 3)
    #expect(home.mayday("ingest", sample).status == 0)
    #expect(home.mayday("verify", "zz").status == 3)
  }
}
