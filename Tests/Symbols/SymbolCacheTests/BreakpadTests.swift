import Bytes
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Look-ups in Breakpad symbol files. The results for ``sample`` were compared with symbolic 13.9.
@Suite struct BreakpadTests {
  static let sample = """
    MODULE Linux x86_64 8F7AA0BA3C848070451BE2B27CD0A45A0 tern
    INFO CODE_ID BAA07A8F843C7080451BE2B27CD0A45AD86F205D
    INFO GENERATOR a person
    FILE 0 /src/main.c
    FILE 7 /src/swap.h
    INLINE_ORIGIN 0 swap(int*, int*)
    INLINE_ORIGIN 1 load
    PUBLIC 0f00 0 _start
    FUNC 1000 100 0 main
    INLINE 0 12 0 0 1010 20 1040 10
    INLINE 1 3 7 1 1018 8 1040 4
    1000 10 10 0
    1010 8 2 7
    1018 8 9 7
    1020 10 4 7
    1030 10 13 0
    1040 10 9 7
    1050 50 20 0
    FUNC m 1100 10 8 fold
    1100 10 30 0
    PUBLIC m 1108 0 inside
    PUBLIC 1200 4 last
    PUBLIC 1200 4 alias of last
    STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
    STACK WIN 4 2170 14 1 0 0 0 0 0 1 $eip 4 + ^ =

    """

  /// Results of a file at an address, innermost first: `name file:line`.
  static func answers(_ text: String, at address: UInt64) throws -> [String] {
    let object = try #require(try ObjectFile.objects(in: ByteView(text.utf8)).first)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(address), into: &frames)
    return frames.map { frame in
      [frame.name ?? "?", frame.file ?? "-", frame.line.map(String.init) ?? "-"]
        .joined(separator: " ")
    }
  }

  static func notes(_ text: String) throws -> [String] {
    let object = try #require(try ObjectFile.objects(in: ByteView(text.utf8)).first)
    return try SymbolCache.compiling(object).notes
  }

  @Test(
    "Functions, inlined calls, lines and public symbols",
    arguments: [
      (0x0f00, ["_start - -"]), (0x0fff, ["_start - -"]), (0x0eff, []),
      (0x1000, ["main /src/main.c 10"]),
      (0x1010, ["swap(int*, int*) /src/swap.h 2", "main /src/main.c 12"]),
      (
        0x101f,
        ["load /src/swap.h 9", "swap(int*, int*) /src/swap.h 3", "main /src/main.c 12"]
      ),
      (0x1020, ["swap(int*, int*) /src/swap.h 4", "main /src/main.c 12"]),
      (0x1030, ["main /src/main.c 13"]),
      (
        0x1043,
        ["load /src/swap.h 9", "swap(int*, int*) /src/swap.h 3", "main /src/main.c 12"]
      ),
      (0x1044, ["swap(int*, int*) /src/swap.h 9", "main /src/main.c 12"]),
      (0x109f, ["main /src/main.c 20"]), (0x10a0, ["main - -"]),
      (0x1108, ["fold /src/main.c 30"]), (0x1110, ["inside - -"]),
      (0x1200, ["last - -"]),
      // No address of data is named by the last symbol before it, as it is by symbolic.
      (0x1fff, ["last - -"]), (0x2000, []), (0xffff_fff0, []),
    ] as [(UInt64, [String])])
  func sampleAnswers(address: UInt64, expected: [String]) throws {
    #expect(try Self.answers(Self.sample, at: address) == expected)
    let other = Self.sample.split(separator: "\n").joined(separator: "\r\r\n\n")
    #expect(try Self.answers(other, at: address) == expected)
  }

  @Test("The header gives the ids and the architecture")
  func head() throws {
    let object = try #require(try ObjectFile.objects(in: ByteView(Self.sample.utf8)).first)
    #expect(object.container == .breakpad)
    #expect(object.architecture == .x86_64)
    #expect(object.addressSize == 8)
    #expect(object.debugID == DebugID("8f7aa0ba-3c84-8070-451b-e2b27cd0a45a"))
    #expect(object.codeID == CodeID("baa07a8f843c7080451be2b27cd0a45ad86f205d"))
    #expect(object.hasDebugInfo)
    #expect(object.hasSymbols)
    let table = try object.symbolTable()
    #expect(
      table.symbols.map { table.name(of: $0) } == ["_start", "main", "fold", "inside", "last"])
  }

  @Test(
    "Files that only name functions, and files of nothing",
    arguments: [
      ("FUNC 10 10 0 a\n", false, true), ("PUBLIC 10 0 a", false, true),
      ("FILE 1 a\n", false, false),
      ("FUNC 10 10 0 a\n10 10 1 1", true, true),
    ])
  func contents(text: String, hasLines: Bool, hasNames: Bool) throws {
    let all = "MODULE windows x86 222222222 a.pdb\n" + text
    let object = try #require(try ObjectFile.objects(in: ByteView(all.utf8)).first)
    #expect(object.debugID?.description == "22222222-2")
    #expect(object.architecture == .i386)
    #expect(object.hasDebugInfo == hasLines)
    #expect(object.hasSymbols == hasNames)
  }

  static let head = "MODULE Linux x86_64 8F7AA0BA3C848070451BE2B27CD0A45A0 a\n"

  @Test("Calls sorted by address, joined across the calls around them, are distinguished")
  func sortedCalls() throws {
    let text =
      Self.head + """
        FILE 0 a.c
        INLINE_ORIGIN 0 f
        INLINE_ORIGIN 1 g
        FUNC 100 100 0 main
        INLINE 0 1 0 0 110 10
        INLINE 1 5 0 1 110 20
        INLINE 0 2 0 0 120 10
        INLINE 3 5 0 1 110 20
        100 100 9 0
        """
    #expect(try Self.answers(text, at: 0x118) == ["g a.c 9", "f a.c 5", "main a.c 1"])
    #expect(try Self.answers(text, at: 0x128) == ["g a.c 9", "f a.c 5", "main a.c 2"])
    #expect(try Self.answers(text, at: 0x130) == ["main a.c 9"])
  }

  @Test("Files and names may come after their use, or be missing")
  func lateNames() throws {
    let text =
      Self.head + """
        FUNC 100 100 0 main
        INLINE 0 1 5 3 110 10
        INLINE 0 2 4000000000 9 120 10
        100 80 9 5
        180 80 10 6
        INLINE_ORIGIN 3 late
        FILE 5 late.c
        FILE 5 later.c
        """
    #expect(try Self.answers(text, at: 0x110) == ["late late.c 9", "main late.c 1"])
    #expect(try Self.answers(text, at: 0x120) == ["? late.c 9", "main - 2"])
    #expect(try Self.answers(text, at: 0x180) == ["main - 10"])
  }

  @Test("Records that overlap or leave their function count only where nothing came before")
  func overlaps() throws {
    let text =
      Self.head + """
        FILE 0 a.c
        FUNC 100 20 0 first
        100 30 1 0
        FUNC 110 20 0 second
        110 20 2 0
        FUNC 200 0 0 empty
        200 10 3 0
        FUNC fffffff0 20 0 end
        fffffff0 20 4 0
        FUNC 100000000 20 0 far
        """
    #expect(try Self.answers(text, at: 0x118) == ["first a.c 1"])
    #expect(try Self.answers(text, at: 0x120) == ["second a.c 2"])
    #expect(try Self.answers(text, at: 0x200) == [])
    #expect(try Self.answers(text, at: 0xffff_fff8) == ["end a.c 4"])
    #expect(try Self.notes(text) == ["Breakpad symbols: line 11 is not a readable record"])
  }

  @Test(
    "A line that is not a record is reported by its number, and the rest is read",
    arguments: [
      "FUNC", "FUNC 10 10", "FUNC xyz 10 0 a", "FUNC 10000000000000000 1 0 a", "PUBLIC 10",
      "FILE x",
      "INLINE_ORIGIN", "INLINE 0 1 2", "INLINE 0 1 0 0 10", "10 10 5", "10 10 99999999999 0",
      "MODULE Linux x86_64 0 b", "NONSENSE", "10 -4 5 0", "INLINE -1 1 0 0 10 10",
    ])
  func damage(line: String) throws {
    let text =
      Self.head + "FILE 0 a.c\nFUNC 500 10 0 before\n\(line)\nFUNC 100 10 0 main\n100 10 1 0"
    #expect(try Self.answers(text, at: 0x100) == ["main a.c 1"])
    #expect(try Self.notes(text) == ["Breakpad symbols: line 4 is not a readable record"])
  }

  @Test(
    "Text that does not begin with a complete MODULE line is not a symbol file",
    arguments: ["", "MODULE", "MODULE ", "MODULE Linux", "MODULE a b xyz c", "FILE 0 a"])
  func noFile(text: String) {
    #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(text.utf8)) }
    #expect(!ObjectFile.isObject(ByteView(text.utf8)))
  }

  @Test("Truncated anywhere or changed at random, a file is read to its end")
  func mutations() throws {
    let bytes = Array(Self.sample.utf8)
    var outcomes = Outcomes()
    for count in 0..<bytes.count { outcomes.count { try Self.read(Array(bytes[..<count])) } }
    var mutator = Mutator(seed: 7)
    for copy in mutator.copies(of: bytes, count: 300) { outcomes.count { try Self.read(copy) } }
    #expect(outcomes.isMixed && outcomes.all == bytes.count + 300)
  }

  private static func read(_ bytes: [UInt8]) throws {
    let object = try ObjectFile.objects(in: ByteView(bytes))[0]
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    for address in stride(from: UInt64(0xf00), to: 0x1300, by: 0x40) {
      cache.lookUp(ImageOffset(address), into: &frames)
    }
  }

  @Test("Calls that would expand to millions end at a limit, with a note")
  func hostileCalls() throws {
    var text = Self.head + "FILE 0 a.c\nINLINE_ORIGIN 0 f\nFUNC 0 100000 0 main\n"
    for index in 0..<20_000 { text += "INLINE 0 1 0 0 \(String(index * 16, radix: 16)) 10\n" }
    for level in 1..<20_000 { text += "INLINE \(level) 1 0 0 0 100000\n" }
    let notes = try Self.notes(text)
    #expect(notes.count == 1)
    #expect(notes.first?.contains("too many inlined calls") == true)
  }
}
