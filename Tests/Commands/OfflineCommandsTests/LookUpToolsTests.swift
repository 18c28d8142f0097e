import Bytes
import CrashService
import Glibc
import TestSupport
import Testing

@testable import Arguments
@testable import OfflineCommands
@testable import ProgramSupport

/// Commands that replace other tools; if a tool is installed, its output is computed while the test runs.
@Suite("Replacements of other tools")
struct LookUpToolsTests {
  private static let variants = Samples.debugFile("variants/")
  /// Addresses of code, of gaps between functions, and outside of code.
  private static let addresses =
    stride(from: 0x20_11d0, to: 0x20_1400, by: 7).map { String($0, radix: 16) } + ["1", "0"]
  private static let prefixed = addresses.map { "0x" + $0 }

  /// A tool, or a link that makes another tool behave like it.
  private static func theirs(
    _ tool: String, _ words: [String], input: String = ""
  ) throws -> Run {
    let isLink = tool == "llvm-addr2line"
    let path = try #require(
      OtherTool.path(isLink ? "llvm-symbolizer" : tool), "it comes with binutils, or with Swift")
    guard isLink else { return Run(words, input: input, program: path) }
    let folder = ScratchFolder()
    let link = folder.path(tool)
    symlink(path, link)
    return withExtendedLifetime(folder) { Run(words, input: input, program: link) }
  }

  /// Without facts that symbol caches do not contain: discriminators, and where inlined calls begin.
  private static func withoutDetails(_ text: String) -> String {
    text.replacing(#/ \(discriminator \d+\)/#, with: "")
      .replacing(#/  (Discriminator|Function start address): .*\n/#, with: "")
      .replacing(#/"Discriminator":\d+/#, with: "")
      .replacing(#/"StartAddress":"[^"]*"/#, with: "")
  }

  private static func compare(
    _ tool: String, _ words: [String], input: String = "",
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let ours = Run([tool] + words + ["--no-cache"], input: input)
    let theirs = try theirs(tool, words, input: input)
    #expect(!theirs.output.isEmpty, "\(tool) \(words): \(theirs.errors)", sourceLocation: place)
    #expect(
      withoutDetails(ours.output) == withoutDetails(theirs.output),
      "\(tool) \(words.prefix(6)) \(ours.errors)",
      sourceLocation: place)
    #expect(ours.status == 0 && theirs.status == 0, sourceLocation: place)
  }

  // MARK: addr2line

  @Test(
    "addr2line prints what that of binutils prints, flag by flag",
    .enabled(if: OtherTool.path("addr2line") != nil, "binutils is not installed"),
    arguments: [
      "", "-f", "-i", "-p", "-a", "-s", "-C", "-fi", "-fip", "-fipa", "-fCips", "-pa", "-Cfi",
      "--functions --inlines --pretty-print --addresses --basenames --demangle",
      "--func --inl --pretty --addr --base", "--demangle=gnu-v3 -f", "--demangle=none -f",
      "-r -R -b elf64-x86-64 -f", "--recurse-limit --target=elf64-x86-64",
    ])
  func binutils(options: String) throws {
    let options = options.split(separator: " ").map(String.init)
    for file in ["dwarf4-gcc", "dwarf2-gcc", "i386"] {
      let words = options + ["-e", Self.variants + file]
      try Self.compare("addr2line", words + Self.addresses)
      try Self.compare("addr2line", words, input: Self.prefixed.joined(separator: "\n"))
    }
  }

  @Test(
    "addr2line reads invalid numbers as the one of binutils does, and empty lines, too",
    .enabled(if: OtherTool.path("addr2line") != nil, "binutils is not installed"))
  func numbers() throws {
    let file = ["-f", "-e", Self.variants + "dwarf4-gcc"]
    try Self.compare("addr2line", file + ["zz", "2012d0zz", "0X2012d0", "", "0x"])
    try Self.compare("addr2line", file, input: "\n  0x2012d0  \nzz\n2012D0\n")
  }

  @Test(
    "addr2line counts from the start of a section, prints 8 digits for 32 bits, and takes options of a file",
    .enabled(if: OtherTool.path("addr2line") != nil, "binutils is not installed"))
  func sections() throws {
    for file in ["dwarf4-gcc", "i386"] {
      try Self.compare(
        "addr2line", ["-j", ".text", "-fa", "-e", Self.variants + file, "0", "0x10", "40"])
    }
    let folder = ScratchFolder()
    let words = folder.write("words", Array("-f -e '\(Self.variants)dwarf4-gcc' 2012d0\n".utf8))
    try withExtendedLifetime(folder) { try Self.compare("addr2line", ["@" + words]) }
    let wrong = Run(["addr2line", "-j", ".none", "-e", Self.variants + "i386", "0"])
    #expect(wrong.status == 3 && wrong.errors.contains("there is no section .none"))
    let missing = Run(["addr2line", "-e", "/no/such", "0"])
    #expect(missing.status == 3 && missing.output.isEmpty)
    #expect(
      Addr2lineCommand.longNames.allSatisfy { name in
        name == "--help" || name == "--version"
          || Program(Addr2lineCommand.self).description.options
            .contains { $0.names.contains(name) }
      })
  }

  // MARK: LLVM's tools

  @Test(
    "llvm-symbolizer prints what LLVM's prints, flag by flag",
    arguments: [
      "", "-a", "-p", "-ap", "-i", "--no-inlines", "--no-demangle", "-s", "--relativenames",
      "--verbose", "--verbose -p -a", "-f=none", "-f=linkage", "-f=short", "-f", "-fCi",
      "--functions=none -p -i", "--functions=short --no-inlines", "--output-style=GNU",
      "--output-style=GNU --no-inlines", "--output-style=GNU -p -a -i",
      "--output-style=GNU --verbose", "--output-style=JSON", "--output-style=JSON --no-inlines",
      "--no-inlines --inlines", "--inlines --no-inlines", "--adjust-vma=16",
      "--adjust-vma=0x10 -a", "--relative-address", "-demangle=false", "--inlining=false",
      "--print-source-context-lines=3", "--default-arch=x86_64", "--no-untag-addresses",
    ])
  func symbolizer(options: String) throws {
    let options = options.split(separator: " ").map(String.init)
    let words = options + ["--obj=" + Self.variants + "dwarf4-gcc"]
    try Self.compare("llvm-symbolizer", words + Self.prefixed)
    try Self.compare(
      "llvm-symbolizer", words, input: Self.prefixed.joined(separator: "\n") + "\n\n9z\n010\n")
  }

  @Test(
    "llvm-addr2line prints what LLVM's prints, flag by flag",
    arguments: ["", "-f", "-i", "-fi", "-fip", "-fipa", "-a", "-fC", "-fCips", "-f=short", "-p"])
  func llvmAddr2line(options: String) throws {
    let options = options.split(separator: " ").map(String.init)
    for file in ["dwarf4-gcc", "cpp-clang"] {
      let words = options + ["-e", Self.variants + file]
      try Self.compare("llvm-addr2line", words + Self.addresses)
      try Self.compare("llvm-addr2line", words, input: Self.prefixed.joined(separator: "\n"))
    }
  }

  @Test(
    "What llvm-symbolizer takes besides addresses is answered in its bytes",
    arguments: [
      "zz", "9z", "CODE", "DATA", "CODE 0x2012d0", "0x2012d0 more", "FRAME 0x1", "DATA 0x1",
      "tide_steepest", "tide_steepest+1", "tide_steepest+0x10", "FILE:x 0x1",
      "BUILDID:aa 0x1", "0b1", "10026320", "010011320",
    ])
  func words(word: String) throws {
    for style in ["LLVM", "GNU", "JSON"] {
      let words = ["--output-style=" + style, "-a", "-e", Self.variants + "dwarf4-gcc", word]
      try Self.compare("llvm-symbolizer", words)
    }
  }

  @Test(
    "Lines of llvm-symbolizer may name their file, and those that cannot be read are answered in step",
    arguments: ["LLVM", "GNU", "JSON"])
  func lines(style: String) throws {
    let file = Self.variants + "dwarf4-gcc"
    let lines = [
      "CODE \(file) 0x2012d0", "\"\(file)\" 0x2012d0", "FILE:\(file) tide_steepest", "FILE:", "x",
      "BUILDID:zz 0x1", "'\(file) 0x1", "DATA \(file) 0x1", "\(Self.variants)cpp-clang 0x2013a0",
    ]
    try Self.compare("llvm-symbolizer", ["--output-style=" + style] + lines)
    try Self.compare(
      "llvm-symbolizer", ["--output-style=" + style], input: lines.joined(separator: "\n"))
  }

  @Test("A hint names the debug file of a stripped program; one of another build is not used")
  func hints() throws {
    let folder = ScratchFolder()
    let stripped = folder.write(
      "program", try ByteView(reading: Self.variants + "debuglink", limit: 1 << 20).array)
    let words = ["llvm-symbolizer", "--no-cache", "-e", stripped, "0x201250"]
    let without = Run(words)
    let debug = Self.variants + "debuglink.debug"
    let hinted = Run(words + ["--dsym-hint", debug])
    #expect(hinted.output == "tide_clamp\n/app/src/clamp.c:6:14\n\n", "\(hinted.errors)")
    #expect(without.output != hinted.output)
    let other = Run(words + ["--dsym-hint", Self.variants + "dwarf4-gcc"])
    #expect(other.output == without.output)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Options of the tools that are not taken are refused by name",
    arguments: ["--debuginfod", "--filter-markup", "--skip-line-zero", "--dia"])
  func refused(option: String) {
    let run = Run(["llvm-symbolizer", option, "-e", Self.variants + "plain", "0x1"])
    #expect(run.status == 2 && run.errors.contains("unknown option \(option)"))
  }

  // MARK: atos

  /// The format follows the manual of Apple's atos, its recorded output in crash reports, and what the
  /// sanitizer runtime reads: `name (in Image) (file:line)`, an empty line after each result with inlined
  /// calls.
  @Test(
    "atos prints what Apple's prints, flag by flag",
    arguments: [
      ("0x1000006d7", "ADD (in Tern) (basket.cpp:10)\n"),
      ("4294969047", "ADD (in Tern) (basket.cpp:10)\n"),
      ("-fullPath 0x1000006d7", "ADD (in Tern) (/app/src/basket.cpp:10)\n"),
      ("-i 0x1000006d7", "RAISE (in Tern) (basket.cpp:7)\nADD (in Tern) (basket.cpp:10)\n\n"),
      (
        "-inlineFrames -fullPath 0x1000006d7 0x1",
        """
        RAISE (in Tern) (/app/src/basket.cpp:7)
        ADD (in Tern) (/app/src/basket.cpp:10)

        0x1


        """
      ),
      ("-i -d / 0x1000006d7", "RAISE (in Tern) (basket.cpp:7)/ADD (in Tern) (basket.cpp:10)\n\n"),
      ("-l 0x104a3c000 0x104a3c6d7", "ADD (in Tern) (basket.cpp:10)\n"),
      ("-l 104a3c000 0x104a3c6d7", "ADD (in Tern) (basket.cpp:10)\n"),
      ("-s 0x4a3c000 0x104a3c6d7", "ADD (in Tern) (basket.cpp:10)\n"),
      ("-offset 0x6d7", "ADD (in Tern) (basket.cpp:10)\n"),
      ("-printHeader 0x1 zz", "0x1\nzz\n"),
    ])
  func atos(line: String, expected: String) {
    let words = ["atos", "-arch", "arm64", "-o", Samples.universal]
    let run = Run(words + line.split(separator: " ").map(String.init))
    let text = expected.replacing("ADD", with: "tern::Basket::add(tern::Item const*, int)")
      .replacing("RAISE", with: "tern::raise(char const*)")
    #expect(run.output == text, "\(run.errors)")
    #expect(run.status == 0)
  }

  @Test("atos reads addresses from a file and from standard input, several on a line")
  func atosInput() {
    let folder = ScratchFolder()
    let words = ["atos", "-arch", "arm64", "-o", Samples.universal]
    let both = "tern::Basket::add(tern::Item const*, int) (in Tern) (basket.cpp:10)\n0x1\n"
    let list = folder.write("addresses", Array("0x1000006d7\n0x1 ".utf8))
    #expect(Run(words + ["-f", list]).output == both)
    #expect(Run(words, input: "0x1000006d7 0x1\n").output == both)
    #expect(Run(words, input: "0x1000006d7\n\n0x1").output == both)
    withExtendedLifetime(folder) {}
  }

  @Test("atos prints the offset if only the symbol is known")
  func atosSymbols() {
    let file = Self.variants + "macho-symtab-only-arm64.dylib"
    let run = Run(["atos", "-o", file, "0x338", "0x33c"])
    #expect(
      run.output == """
        tide_clamp (in macho-symtab-only-arm64.dylib) + 0
        tide_clamp (in macho-symtab-only-arm64.dylib) + 4

        """)
  }

  @Test(
    "atos says what it needs",
    arguments: [
      (["0x1"], "-o FILE is missing"), (["-p", "1", "0x1"], "unknown option -p"),
      (["-o", "x", "-l", "1", "-offset", "0x1"], "exclude each other"),
      (["-o", "x", "-f", "y", "0x1"], "give addresses either by -f"),
    ])
  func atosUsage(words: [String], message: String) {
    let run = Run(["atos"] + words)
    #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
  }

  // MARK: Links

  @Test(
    "A link to the program is the tool whose name it has",
    arguments: [
      ("addr2line", "addr2line"), ("aarch64-linux-gnu-addr2line", "addr2line"),
      ("llvm-addr2line", "llvm-addr2line"), ("llvm-addr2line-19", "llvm-addr2line"),
      ("llvm-symbolizer", "llvm-symbolizer"), ("llvm-symbolizer-14", "llvm-symbolizer"),
      ("atos", "atos"),
    ])
  func links(name: String, tool: String) {
    #expect(ToolName.tool(calledAs: "/usr/bin/" + name) == tool)
    let folder = ScratchFolder()
    symlink(BuiltProgram.mayday, folder.path(name))
    let isAtos = tool == "atos"
    let words = [isAtos ? "-o" : "-e", Self.variants + "dwarf4-gcc", "0x2012d0"]
    let run = Run(words, program: folder.path(name))
    #expect(run.status == 0 && run.output == Run([tool] + words).output)
    #expect(run.output.contains("steepest.c:10"))
    #expect(Run(["--help"], program: folder.path(name)).output.contains("mayday \(tool)"))
    guard !isAtos else { return }
    let version = Run(["--version"], program: folder.path(name)).output
    #expect(version == "mayday \(tool) \(Product.version)\n")
    withExtendedLifetime(folder) {}
  }

  @Test(
    "A program of another name is itself",
    arguments: ["mayday", "/opt/mayday-0.1", "atos-1.py", "my-atos", "addr2lines", "", "-", "-9"])
  func others(path: String) {
    #expect(ToolName.tool(calledAs: path) == nil)
  }

  @Test("A sanitizer uses a link to the program as its symbolizer, and continues line by line")
  func sanitizer() {
    let file = Self.variants + "dwarf4-gcc"
    let run = Run(
      ["llvm-symbolizer", "--no-cache", "--demangle", "--inlines", "--default-arch=x86_64"],
      input: "CODE \"\(file)\" 0x2012d0\nDATA \"\(file)\" 0x2012d0\nFRAME \"\(file)\" 0x1\n")
    #expect(
      run.output == "tide_steepest\n/app/src/steepest.c:10:25\n\n??\n0 0\n??:?\n\n??\n\n")
    #expect(run.errors == "warning: DATA and FRAME are not looked up, only code is\n")
  }
}
