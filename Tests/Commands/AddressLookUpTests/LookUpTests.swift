import AddressLookUp
import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("lookup")
struct LookUpTests {
  @Test(
    "Addresses are read as they are written in reports",
    arguments: [
      ("0x10", 16), ("0X1f", 31), ("10", 10), ("1f", 31), ("ffffffffffffffff", .max), ("0", 0),
      ("18446744073709551615", .max), ("10000000000000000", 10_000_000_000_000_000),
      ("", nil), ("0x", nil), ("x", nil), ("-1", nil), ("0x10000000000000000", nil), ("1 2", nil),
    ] as [(String, UInt64?)])
  func addresses(text: String, value: UInt64?) {
    #expect(AddressText.parse(Array(text.utf8)[...]) == value)
  }

  @Test("Unknown addresses give ?? in text and empty values in JSON")
  func unknown() {
    let text = Run(["lookup", "-o", Samples.tern, "0x1", "0x2"])
    #expect(text.output == "??\n??:0:0\n\n??\n??:0:0\n\n")
    #expect(text.status == 0 && text.errors == "")
    let names = Run(["lookup", "-o", Samples.tern, "--functions-only", "0x1"])
    #expect(names.output == "??\n\n")
    let symbol = """
      {"Column":0,"Discriminator":0,"FileName":"","FunctionName":"","Line":0,"StartAddress":"",\
      "StartFileName":"","StartLine":0}
      """
    let object = """
      {"Address":"0x1","ModuleName":"\(Samples.tern)","Symbol":[\(symbol)]}
      """
    #expect(Run(["lookup", "-o", Samples.tern, "--json", "0x1"]).output == "[\(object)]\n")
    let lines = Run(["lookup", "-o", Samples.tern, "--json"], input: "0x1\n\n 1 \r\n0x1")
    #expect(lines.output == "\(object)\n\(object)\n\(object)\n")
  }

  @Test("A word that is not an address keeps its position, and is named")
  func unreadable() {
    let run = Run(["lookup", "-o", Samples.tern, "zz", "0x1"])
    #expect(run.status == 2)
    #expect(run.output == "??\n??:0:0\n\n??\n??:0:0\n\n")
    #expect(run.errors == "mayday: 'zz' is not an address\n")
    let json = Run(["lookup", "-o", Samples.tern, "--json"], input: "zz\n")
    #expect(json.output.hasPrefix(#"{"Error":{"Message":"unable to parse arguments: zz"}"#))
  }

  @Test("An unusable file is an error with its reason")
  func refused() {
    let folder = ScratchFolder()
    let missing = Run(["lookup", "-o", folder.path("none"), "0x1"])
    #expect(missing.status == 3 && missing.errors.contains("cannot open: No such file"))
    let text = folder.write("text", Array("not an object".utf8))
    let other = Run(["lookup", "-o", text, "0x1"])
    #expect(other.status == 1 && other.errors.contains("neither a program nor a debug file"))
    let cut = folder.write("cut", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
    let damaged = Run(["lookup", "-o", cut, "0x1"])
    #expect(damaged.status == 1 && damaged.errors.contains("needed at"), "\(damaged.errors)")
    let wrong = Run(["lookup", "-o", Samples.tern, "-a", "vax", "0x1"])
    #expect(wrong.status == 3 && wrong.errors.contains("holds no vax"))
  }

  @Test(
    "Function, file, line and the whole inline chain are those of llvm-symbolizer",
    arguments: [
      "05098c9c07e8ddd37a41469fc4d78a78cc55e777", "1ecbc5b72a3b72c575da40df8f291ee5a2a2cef8",
      "5a229afc0222d55276e7ad2cefc7e49d1f0e7fb3",
    ])
  func expected(name: String) throws {
    let path = Samples.debugFile("expected/\(name).jsonl")
    let lines = try ByteView(reading: path, limit: 1 << 24).text.split(separator: "\n")
    let answers = try lines.map { try Self.value($0) }
    let module = try #require(answers.first?["ModuleName"]?.string)
    let addresses = answers.compactMap { $0["Address"]?.string }.joined(separator: "\n")
    let run = Run(
      ["lookup", "-o", "\(Samples.root)/Symbols/\(module)", "--json", "--no-demangle"],
      input: addresses)
    let found = try run.output.split(separator: "\n").map { try Self.value($0) }
    #expect(found.count == answers.count)
    // Without a line, that tool prints neighbours: source files named in a symbol table, and
    // functions that have ended.
    let different = zip(found, answers).filter { mine, theirs in
      theirs["Symbol"]?[0]?["Line"]?.integer != 0 && Self.chain(mine) != Self.chain(theirs)
    }
    #expect(answers.contains { ($0["Symbol"]?.array?.count ?? 0) > 1 })
    #expect(different.isEmpty, "\(different.count) of \(answers.count): \(different.prefix(2))")
  }

  private static func value(_ line: Substring) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(line.utf8))).value
  }

  /// The members that must be equal: the others depend on how much a symbol table contains.
  private static func chain(_ answer: JSONValue) -> [[JSONValue?]] {
    (answer["Symbol"]?.array ?? []).map { frame in
      ["FunctionName", "FileName", "Line", "Column"].map { frame[$0] }
    }
  }

  @Test("Addresses of a process are relative to the load address; a bundle needs an architecture")
  func universal() {
    let words = ["lookup", "-o", Samples.universal]
    let ambiguous = Run(words + ["0x1"])
    #expect(ambiguous.status == 2 && ambiguous.errors.contains("arm64, x86_64"))
    let linked = Run(words + ["-a", "arm64", "0x1000006d7"])
    #expect(linked.output.contains("/app/src/basket.cpp:7:"), "\(linked.output)")
    let loaded = Run(words + ["-a", "arm64", "-l", "0x104a3c000", "0x104a3c6d7"])
    #expect(loaded.output == linked.output)
    let names = Run(words + ["-a", "arm64", "--functions-only", "--no-demangle", "0x1000006d7"])
    #expect(
      names.output == "_ZN4ternL5raiseEPKc\n_ZN4tern6Basket3addEPKNS_4ItemEi\n\n", "\(names.output)"
    )
  }

  /// Output of `llvm-symbolizer OPTIONS -e Symbols/variants/dwarf4-gcc 0x2012d0 0x1`.
  @Test(
    "The styles and options of llvm-symbolizer give its bytes",
    arguments: [
      ("", "tide_steepest\n/app/src/steepest.c:10:25\n\n??\n??:0:0\n\n"),
      ("--output-style=GNU", "tide_steepest\n/app/src/steepest.c:10\n??\n??:0\n"),
      ("--output-style=GNU -p", "tide_steepest at /app/src/steepest.c:10\n?? at ??:0\n"),
      (
        "--output-style=GNU --print-address",
        "0x2012d0\ntide_steepest\n/app/src/steepest.c:10\n0x1\n??\n??:0\n"
      ),
      ("--functions=none", "/app/src/steepest.c:10:25\n\n??:0:0\n\n"),
      ("--functions=none -p", "/app/src/steepest.c:10:25\n\n??:0:0\n\n"),
      ("--functions=linkage -fCi", "tide_steepest\n/app/src/steepest.c:10:25\n\n??\n??:0:0\n\n"),
      ("--adjust-vma=0x10 -p", "_start at /app/src/start.c:15:22\n\n?? at ??:0:0\n\n"),
      ("-arch x86_64 -fullPath", "tide_steepest\n/app/src/steepest.c:10:25\n\n??\n??:0:0\n\n"),
    ])
  func styles(options: String, expected: String) {
    let file = Samples.debugFile("variants/dwarf4-gcc")
    let words = options.split(separator: " ").map(String.init)
    let run = Run(["lookup", "--no-cache"] + words + ["-e", file, "0x2012d0", "0x1"])
    #expect(run.output == expected, "\(run.errors)")
  }

  @Test("JSON can be requested in two ways, and may omit functions")
  func jsonStyle() {
    let words = ["lookup", "--no-cache", "-e", Samples.tern, "0x1"]
    #expect(Run(words + ["--output-style=JSON"]).output == Run(words + ["--json"]).output)
    let named = Run(["lookup", "-e", Samples.tern, "--functions=long", "0x1"])
    #expect(named.status == 2 && named.errors.contains("linkage"), "\(named.errors)")
  }

  @Test("A stripped program is answered from the file beside it that its debug link names")
  func debugLink() throws {
    let folder = ScratchFolder()
    for name in ["debuglink", "debuglink.debug"] {
      let path = Samples.debugFile("variants/" + name)
      _ = folder.write(name, try ByteView(reading: path, limit: 1 << 20).array)
    }
    let run = Run(["lookup", "-o", folder.path("debuglink"), "0x201250"])
    #expect(run.output == "tide_clamp\n/app/src/clamp.c:6:14\n\n", "\(run.errors)")
  }
}
