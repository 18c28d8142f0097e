import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("Parts of a triage") struct TriageMergeTests {
  private let folder = ScratchFolder()
  private static let symbols = ["--symbols", Samples.symbolsFolder]
  private static let fixed = ["SOURCE_DATE_EPOCH": "1790000000"]

  /// Makes the parts of a folder.
  private func parts(_ count: Int, of path: String = Samples.folder) throws -> [String] {
    try (1...count).map { number in
      let part = folder.path("\(number).mdp")
      let run = Run(
        ["triage", path, "--shard", "\(number)/\(count)", "--partial", part] + Self.symbols)
      try #require(run.status == 0 && run.output == "", "\(run.errors)")
      return part
    }
  }

  @Test("The merge prints what one run prints, in every form")
  func forms() throws {
    let parts = try parts(3)
    let again = folder.path("again.mdp")
    let tree = Run(["triage", "--merge", parts[0], parts[2], "--partial", again])
    #expect(tree.status == 0 && tree.errors.hasSuffix(" written to \(again)\n"), "\(tree.errors)")
    let merges = [[parts[2], parts[0], parts[1], parts[0]], [parts[1], again], [again] + parts]
    for form in [
      [], ["--json"], ["--html", "-"], ["-f", "junit"], ["-f", "sarif"], ["-f", "github"],
    ] {
      let whole = Run(["triage", Samples.folder] + Self.symbols + form, environment: Self.fixed)
      #expect(whole.status == 0 && whole.output.count > 1_000)
      for merge in merges {
        let run = Run(["triage", "--merge"] + merge + form, environment: Self.fixed)
        #expect(run.status == 0 && run.output == whole.output, "\(form)")
        #expect(run.errors == whole.errors)
      }
    }
  }

  @Test("Parts may come from a list, and a part may go through a pipe")
  func lists() throws {
    let parts = try parts(2, of: Samples.path("apple-ips"))
    let whole = Run(["triage", Samples.path("apple-ips"), "--json"] + Self.symbols)
    let list = parts.joined(separator: "\n")
    let run = Run(["triage", "--merge", "--files-from", "-", "--json"], input: list)
    #expect(run.status == 0 && run.output == whole.output, "\(run.errors)")
    let piped = Run(
      [
        "-c", "\"$0\" triage \"$1\" --partial - --symbols \"$2\" > \"$3\"", BuiltProgram.mayday,
        Samples.path("apple-ips"), Samples.symbolsFolder, folder.path("p.mdp"),
      ], program: "/bin/sh")
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(Run(["triage", "--merge", folder.path("p.mdp"), "--json"]).output == whole.output)
  }

  @Test("A report of many equal threads, which shrinks a thousandfold, is merged like others")
  func repetition() throws {
    let frames = [String](
      repeating: "{\"imageOffset\":16,\"imageIndex\":0,\"symbol\":\"f\"}", count: 500
    ).joined(separator: ",")
    let threads = (0..<150).map {
      "{\"triggered\":\($0 == 0),\"id\":\($0),\"frames\":[\(frames)]}"
    }
    let report = """
      {"app_name":"Pay","bug_type":"309","os_version":"iPhone OS 17.0 (21A1)"}
      {"procName":"Pay","faultingThread":0,"threads":[\(threads.joined(separator: ","))],
      "usedImages":[{"base":4294967296,"size":4096,"arch":"arm64","name":"Pay","path":"/a/Pay",
      "uuid":"11111111-2222-3333-4444-555555555555"}]}
      """
    let file = folder.write("a.ips", Array(report.utf8))
    let part = folder.path("a.mdp")
    #expect(Run(["triage", file, "--partial", part]).status == 0)
    let merged = Run(["triage", "--merge", part, "--json"])
    #expect(merged.status == 0 && merged.errors.contains("1 report in 1 group"), "\(merged.errors)")
    #expect(merged.output == Run(["triage", file, "--json"]).output)
  }

  @Test("A device and a link are written to, and not replaced")
  func devices() throws {
    let reports = Samples.path("apple-ips")
    let target = folder.write("target", [])
    #expect(symlink(target, folder.path("link")) == 0)
    #expect(Run(["triage", reports, "--partial", folder.path("link")]).status == 0)
    let merged = Run(["triage", "--merge", target, "--json"])
    #expect(merged.output == Run(["triage", reports, "--json"]).output)
    var status = stat()
    #expect(lstat(folder.path("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    let full = Run(["triage", reports, "--partial", "/dev/full"])
    #expect(full.status == 1 && full.errors.contains("No space left on device"), "\(full.errors)")
    #expect(lstat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(Run(["triage", reports, "--partial", folder.path]).status == 1)
  }

  @Test("An empty share is no failure; nothing to report is one when all parts are there")
  func empty() throws {
    let part = folder.path("a.mdp")
    let text = folder.write("note.txt", Array("nothing".utf8))
    #expect(Run(["triage", text, "--partial", part]).status == 0)
    let merged = Run(["triage", "--merge", part])
    #expect(merged.status == 1 && merged.errors.contains("no crash report was found"))
    #expect(Run(["triage", "--merge", part, "--strict"]).status == 1)
  }

  @Test("Parts that do not fit together are refused, with the difference and both files")
  func differences() throws {
    let reports = Samples.path("apple-ips")
    let plain = folder.path("plain.mdp")
    #expect(Run(["triage", reports, "--partial", plain]).status == 0)
    for (options, words) in [
      (Self.symbols, "debug files"), (["--app", "Other"], "--app: Other and none"),
      (["--max-report", "1GiB"], "--max-report: 1073741824 and none"),
    ] {
      let other = folder.path("other.mdp")
      #expect(Run(["triage", reports, "--partial", other] + options).status == 0)
      let run = Run(["triage", "--merge", plain, other])
      #expect(run.status == 1 && run.output == "")
      #expect(
        run.errors.contains("\(other) cannot be merged with \(plain): they differ in \(words)"),
        "\(run.errors)")
    }
  }

  @Test("A foreign, cut, damaged or missing part is named, and nothing is printed")
  func damaged() throws {
    let part = folder.path("a.mdp")
    #expect(Run(["triage", Samples.path("apple-ips"), "--partial", part]).status == 0)
    let bytes = try ByteView(reading: part, limit: 1 << 20).array
    var changed = bytes
    changed[bytes.count / 2] ^= 4
    let wrong: [(String, [UInt8], String)] = [
      ("foreign", Array("{}".utf8), "is not a file of triage --partial"),
      ("empty", [], "is not a file of triage --partial"),
      ("cut", Array(bytes.dropLast(9)), "the file is cut off"),
      ("changed", changed, "a wrong checksum"),
    ]
    for (name, bytes, words) in wrong {
      let path = folder.write(name, bytes)
      let run = Run(["triage", "--merge", part, path, "--json"])
      #expect(run.status == 1 && run.output == "", "\(name)")
      #expect(run.errors.contains(path) && run.errors.contains(words), "\(run.errors)")
    }
    #expect(Run(["triage", "--merge", part, folder.path("none")]).status == 3)
    #expect(Run(["triage", "x", "--partial", folder.path("none/a.mdp")]).status == 3)
  }

  @Test(
    "Options that do not go together are wrong usage",
    arguments: [
      ["--merge", "x", "--symbols", "y"], ["--merge", "x", "--app", "y"],
      ["--merge", "x", "--shard", "1/2"], ["--merge", "-"], ["--merge"],
      ["x", "--partial", "p", "--json"], ["x", "--partial", "p", "--html", "h"],
      ["x", "--partial", "p", "-f", "junit"], ["x", "--partial", "p", "--baseline", "b"],
      ["x", "--partial", "p", "--strict"], ["x", "--partial", "p", "--require-symbols"],
    ])
  func usage(words: [String]) {
    let run = Run(["triage"] + words)
    #expect(run.status == 2 && run.output == "", "\(run.errors)")
  }

  @Test("A run that is killed leaves nothing, and its repetition gives the same part")
  func kills() throws {
    let part = folder.path("a.mdp")
    let words = ["triage", Samples.folder, "--partial", part] + Self.symbols
    // The first run may have to wait for the disk.
    #expect(Run(words).status == 0)
    let start = ContinuousClock.now
    #expect(Run(words).status == 0)
    let milliseconds = max(10, Int((ContinuousClock.now - start) / .milliseconds(1)))
    let expected = try ByteView(reading: part, limit: 1 << 24).array
    var random = SplitMix(seed: TestSize.seed)
    var killed = 0
    for number in 0..<TestSize.of(small: 5, all: 100) {
      unlink(part)
      // The first while it works for sure, the others at any time of it.
      let delay = Double(number == 0 ? milliseconds / 8 : random.below(milliseconds)) / 1_000
      let run = Run(
        ["-s", "KILL", "\(delay)", BuiltProgram.mayday] + words, program: "/usr/bin/timeout")
      if run.status != 0 { killed += 1 }
      let names = try folder.names()
      #expect(names.isEmpty || names == ["a.mdp"], "\(names)")
      #expect(Run(words).status == 0)
      #expect(try ByteView(reading: part, limit: 1 << 24).array == expected)
    }
    #expect(killed > 0)
  }
}
