import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Input forms of llvm-symbolizer besides addresses of one file; its output is computed while the test runs.
@Suite("lookup with files on the lines")
struct LookUpLinesTests {
  private static let variants = Samples.debugFile("variants/")
  /// Addresses in code, between functions and outside of it.
  private static let addresses = stride(from: 0x20_1240, to: 0x20_1400, by: 3)
    .map { "0x" + String($0, radix: 16) }

  private static func theirs(_ words: [String], input: String = "") throws -> Run {
    let tool = try #require(
      OtherTool.path("llvm-symbolizer"), "it comes with the Swift toolchain")
    return Run(words, input: input, program: tool)
  }

  @Test(
    "Each line may name its file, in every spelling of llvm-symbolizer",
    arguments: ["LLVM", "GNU", "JSON"])
  func lines(style: String) throws {
    let four = Self.variants + "dwarf4-gcc"
    let five = Self.variants + "dwarf5-clang"
    let input = """
      \(four) 0x2012d0
      "\(five)" 0x2012d0
      '\(four)' 0x2012d0
      FILE:\(four) 0x2012d0
      FILE: "\(five)" 0x2012d0
      CODE \(four) 0x2012d0
        \(four)   0x2012d0 more
      \(four) 0x1

      """
    let run = Run(["lookup", "--no-cache", "--output-style", style], input: input)
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output == (try Self.theirs(["--output-style=" + style], input: input).output))
  }

  @Test("Words of the command line are such lines, too")
  func words() throws {
    let words = [Self.variants + "dwarf4-gcc 0x2012d0", "FILE:\(Self.variants)cpp-clang 0x1"]
    for style in ["LLVM", "JSON"] {
      let run = Run(["lookup", "--no-cache", "--output-style", style] + words)
      #expect(run.output == (try Self.theirs(["--output-style=" + style] + words).output))
    }
  }

  @Test("A missing file costs its lines, and is reported once")
  func missing() throws {
    let good = Self.variants + "dwarf4-gcc"
    let input = "/no/such 0x1\n\(good) 0x2012d0\n/no/such 0x2\n"
    let text = Run(["lookup", "--no-cache"], input: input)
    #expect(text.output == (try Self.theirs([], input: input).output))
    #expect(text.status == 6)
    #expect(text.errors == "warning: /no/such: cannot open: No such file or directory\n")
    let json = Run(["lookup", "--no-cache", "--json"], input: input)
    let first = try #require(json.output.split(separator: "\n").first)
    #expect(
      first == """
        {"Address":"0x1","Error":{"Message":"/no/such: cannot open: No such file or directory"},\
        "ModuleName":"/no/such"}
        """)
  }

  @Test("A line without an address keeps its position", arguments: ["0x10", "/no/such"])
  func unreadable(line: String) {
    let good = Self.variants + "dwarf4-gcc 0x1"
    let run = Run(["lookup", "--no-cache"], input: "\(line)\n\(good)\n")
    #expect(run.status == 2)
    #expect(run.output == "??\n??:0:0\n\n??\n??:0:0\n\n")
    #expect(run.errors.contains("'\(line)' is not a file and an address"))
  }

  @Test("More files than can stay open are all answered")
  func many() throws {
    let folder = ScratchFolder()
    let bytes = try ByteView(mapping: Self.variants + "dwarf4-gcc").array
    let names = (0..<70).map { folder.write("f\($0)", bytes) }
    let lines = (names + names.reversed()).map { $0 + " 0x2012d0\n" }.joined()
    let run = Run(["lookup", "--no-cache"], input: lines)
    let answer = "tide_steepest\n/app/src/steepest.c:10:25\n\n"
    #expect(run.output == String(repeating: answer, count: 140))
  }

  @Test("A build id finds the file that a system stores under it")
  func buildID() throws {
    let folder = ScratchFolder()
    // `readelf -n` of the sample.
    let id = "e0d94076917aa43d5505428f956381692b964178"
    let debug = try ByteView(mapping: Self.variants + "debuglink.debug").array
    folder.write(".build-id/e0/\(id.dropFirst(2)).debug", debug)
    let words = ["--debug-file-directory=" + folder.path]
    let input = "BUILDID:\(id) 0x201250\n"
    let run = Run(["lookup", "--no-cache"] + words, input: input)
    #expect(run.output == (try Self.theirs(words, input: input).output))
    #expect(run.output == "tide_clamp\n/app/src/clamp.c:6:14\n\n", "\(run.errors)")
    // A stripped program is answered from it, too.
    let other = ScratchFolder()
    let program = other.write("p", try ByteView(mapping: Self.variants + "debuglink").array)
    let stripped = Run(["lookup", "--no-cache", "-o", program] + words + ["0x201250"])
    #expect(stripped.output == run.output, "\(stripped.errors)")
    let unknown = Run(["lookup"] + words, input: "BUILDID:00112233 0x1\n")
    #expect(unknown.output == "??\n??:0:0\n\n" && unknown.status == 6)
    #expect(unknown.errors.contains("no debug file for build id 00112233"))
  }

  @Test(
    "Files as the compiler was given them",
    arguments: [
      "dwarf2-gcc", "dwarf4-clang", "dwarf5-gcc", "dwarf5-clang", "dwarf3-gcc", "dwarf4-gcc",
    ])
  func relativeNames(file: String) throws {
    let options = ["--relativenames", "--functions=none", "-e", Self.variants + file]
    let run = Run(["lookup", "--no-cache"] + options + Self.addresses)
    #expect(run.output.contains("steepest.c:") && !run.output.contains("/app"))
    #expect(run.output == (try Self.theirs(options + Self.addresses).output))
  }

  /// Where the debug information has no function, that tool also omits the symbol table's.
  @Test(
    "Functions without scopes and parameters",
    arguments: ["cpp-gcc", "cpp-clang", "type-units-gcc", "unoptimised-clang"])
  func shortNames(file: String) throws {
    let options = ["--functions=short", "-e", Self.variants + file]
    let mine = Run(["lookup", "--no-cache"] + options + Self.addresses).output
    let theirs = try Self.theirs(options + Self.addresses).output
    let lines = mine.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = theirs.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == expected.count)
    let different = zip(lines, expected).filter { $0 != $1 && $1 != "??" }
    #expect(different.isEmpty, "\(different.prefix(3))")
    #expect(expected.contains { !$0.isEmpty && !$0.hasPrefix("?") && !$0.hasPrefix("/") })
  }

  @Test("Addresses from a file, among others")
  func responseFile() throws {
    let folder = ScratchFolder()
    let list = folder.write("list", Array("0x2012d0\n'0x201250' \"0x1\"\t0x201\\2d0\n".utf8))
    let words = ["-e", Self.variants + "dwarf4-gcc", "0x1", "@" + list, "0x201250"]
    for style in ["LLVM", "JSON"] {
      let run = Run(["lookup", "--no-cache", "--output-style=" + style] + words)
      #expect(run.status == 0)
      #expect(run.output == (try Self.theirs(["--output-style=" + style] + words).output))
    }
    let none = Run(["lookup", "-e", Self.variants + "dwarf4-gcc", "@" + folder.path("none")])
    #expect(none.status == 3 && none.errors.contains("none: cannot open"))
    let empty = folder.write("empty", [])
    let nothing = Run(["lookup", "-e", Self.variants + "dwarf4-gcc", "@" + empty, "--json"])
    #expect(nothing.output == "[]\n" && nothing.status == 0)
  }

  @Test("Conflicting options are refused")
  func refused() {
    let words = ["lookup", "-e", Self.variants + "dwarf4-gcc", "0x1"]
    let source = Run(words + ["--source", "--relativenames"])
    #expect(source.status == 2 && source.errors.contains("--relativenames"))
    let load = Run(["lookup", "-l", "0x1", "x 0x1"])
    #expect(load.status == 2 && load.errors.contains("--object FILE is missing"))
  }
}
