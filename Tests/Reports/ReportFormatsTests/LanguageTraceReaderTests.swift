import CrashModel
import Testing

@testable import ReportFormats

@Suite("Traces of other languages")
struct LanguageTraceReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .languageTrace)
    return reports[0]
  }

  @Test("The samples of Lua, OCaml and Erlang are read completely")
  func samples() throws {
    let lua = try one(try LogReaderChecks.sample("language-trace/lua.txt"))
    #expect(lua.tags[.language] == "lua" && lua.reason.exception?.type == "error")
    #expect(lua.reason.message == "attempt to index a nil value (field '?')")
    #expect(lua.process.name == "lua5.4")
    #expect(
      lua.reason.exception?.frames.map(\.function)
        == ["line", "charge", "main chunk", nil].filter { $0 != nil })
    #expect(lua.reason.exception?.frames.map(\.line) == [3, 7, 11])
    let ocaml = try one(try LogReaderChecks.sample("language-trace/ocaml.txt"))
    #expect(ocaml.reason.exception?.type == "Invalid_argument")
    #expect(ocaml.reason.message == "index out of bounds")
    #expect(ocaml.reason.exception?.frames.map(\.function) == ["Tern.line", "Tern.charge", "Tern"])
    #expect(ocaml.reason.exception?.frames.map(\.line) == [2, 3, 4])
    let erlang = try one(try LogReaderChecks.sample("language-trace/erlang.txt"))
    #expect(erlang.reason.exception?.type == "error" && erlang.tags[.language] == "erlang")
    #expect(erlang.reason.message?.isEmpty == false)
    #expect(erlang.reason.exception?.frames.isEmpty == false)
  }

  @Test(
    "Each language",
    arguments: [
      (
        "elixir",
        "** (ArithmeticError) bad argument\n    :erlang.div(0, 0)\n    (tern 1.2.0) lib/desk.ex:4: Tern.Desk.charge/2\n    lib/tern.exs:16: (file)\n",
        "ArithmeticError", "bad argument", [":erlang.div", "Tern.Desk.charge/2", "(file)"],
        [nil, 4, 16]
      ),
      (
        "clean",
        "Stack trace:\ncharge [module: Desk]\nstart [module: System]\nExecution: 0.00  Total: 0.00\nRun Time Error: index out of range\n",
        "Run Time Error", "index out of range", ["charge", "start"], [nil, nil]
      ),
      (
        "haskell",
        "tern: Prelude.!!: index too large\nCallStack (from HasCallStack):\n  error, called at libraries/base/GHC/List.hs:1366:14 in base:GHC.List\n"
          + "CallStack (from -prof):\n  Main.charge (app/Main.hs:6:1-30)\n  Main.CAF (<entire-module>)\n",
        "error", "Prelude.!!: index too large",
        ["error", "base:GHC.List", "Main.charge", "Main.CAF"], [nil, 1366, 6, nil]
      ),
      (
        "haskell",
        "tern: Prelude.!!: index too large\nCallStack (from HasCallStack):\n  error, called at libraries/base/GHC/List.hs:1366:14 in base:GHC.List\n"
          + "  tooLarge, called at libraries/base/GHC/List.hs:1376:50 in base:GHC.List\n"
          + "  !!, called at app/Main.hs:6:25 in main:Main\n",
        "error", "Prelude.!!: index too large",
        ["error", "tooLarge", "!!", "main:Main"], [nil, 1366, 1376, 6]
      ),
      (
        "nim",
        "Traceback (most recent call last)\n/app/desk.nim(12) main\n/app/desk.nim(8) charge\nError: unhandled exception: no boat [IndexDefect]\n",
        "IndexDefect", "no boat", ["charge", "main"], [8, 12]
      ),
      (
        "crystal",
        "Unhandled exception: Index out of bounds (IndexError)\n  from src/desk.cr:2:3 in 'charge'\n  from /lib/libc.so.6 in '??'\n",
        "IndexError", "Index out of bounds", ["charge", nil], [2, nil]
      ),
      (
        "d",
        "core.exception.ArrayIndexError@desk.d(4): index [7] is out of bounds\n----------------\n??:? onArrayIndexError [0x55cb]\ndesk.d:4 int desk.charge(int[]) [0x55cc]\n",
        "core.exception.ArrayIndexError", "index [7] is out of bounds",
        ["onArrayIndexError", "int desk.charge(int[])"], [nil, 4]
      ),
      (
        "zig",
        "thread 4711 panic: index out of bounds: index 7, len 3\n/app/desk.zig:9:17: 0x1141de8 in charge (desk.zig)\n    return lines[n];\n                ^\n???:?:?: 0x0 in ??? (???)\n",
        "panic", "index out of bounds: index 7, len 3", ["charge"], [9]
      ),
      (
        "v",
        "================ V panic ================\n   module: builtin\n function: panic_n2()\n  message: no boat\n     file: b.v:193\n=====\n/app/b.v:193: by builtin__panic_n2\n/app/desk.v:3: by main__charge\n",
        "panic", "no boat", ["builtin__panic_n2", "main__charge"], [193, 3]
      ),
      (
        "odin", "/app/desk.odin(7:16) Index 7 is out of range 0..<3\n", "panic",
        "Index 7 is out of range 0..<3", [nil], [7]
      ),
      (
        "ada", "\nraised CONSTRAINT_ERROR : desk.adb:7 index check failed\n", "CONSTRAINT_ERROR",
        "index check failed", [nil], [7]
      ),
      (
        "fortran",
        "At line 7 of file desk.f90\nFortran runtime error: Index '7' above upper bound\n\nError termination. Backtrace:\n#0  0x401234 in charge\n\tat /app/desk.f90:7\n#1  0x401299 in MAIN__\n\tat /app/desk.f90:9\n",
        "Fortran runtime error", "Index '7' above upper bound", ["charge", "MAIN__"], [7, 9]
      ),
      (
        "julia",
        "ERROR: LoadError: BoundsError: attempt to access 3-element Vector\nStacktrace:\n [1] throw_boundserror(A::Vector{Int64})\n   @ Base ./essentials.jl:14\n [2] charge\n   @ ~/desk.jl:2 [inlined]\n [3] top-level scope\n   @ ~/desk.jl:14\nin expression starting at /app/desk.jl:14\n",
        "BoundsError", "attempt to access 3-element Vector",
        ["throw_boundserror", "charge", "top-level scope"], [14, 2, 14]
      ),
      (
        "r",
        "Error in charge(lines, 7) : subscript out of bounds\nCalls: main ... charge_all -> charge\nExecution halted\n",
        "error", "subscript out of bounds", ["charge", "charge_all", "main"], [nil, nil, nil]
      ),
      (
        "smalltalk",
        "Object: 0 error: The program attempted to divide a number by zero\nZeroDivide(Exception)>>signal (ExcHandling.st:254)\nDesk class>>charge: (desk.st:2)\n",
        "ZeroDivide", "The program attempted to divide a number by zero",
        ["ZeroDivide(Exception)>>signal", "Desk class>>charge:"], [254, 2]
      ),
      (
        "erlang",
        "Error in process <0.79.0> with exit value:\n{badarith,[{desk,charge,2,[{file,\"src/desk.erl\"},{line,4}]},{shell,apply_fun,3,[{file,\"shell.erl\"},{line,904}]}]}\n",
        "error", "badarith", ["desk:charge/2", "shell:apply_fun/3"], [4, 904]
      ),
    ] as [(String, String, String, String, [String?], [Int?])])
  func languages(
    language: String, text: String, type: String, message: String, functions: [String?],
    lines: [Int?]
  ) throws {
    let report = try one("before\n" + text)
    #expect(report.tags[.language] == language)
    #expect(report.reason.exception?.type == type)
    #expect(report.reason.exception?.message == message)
    #expect(report.reason.exception?.frames.map(\.function) == functions)
    #expect(report.reason.exception?.frames.map(\.line) == lines)
    try LogReaderChecks.expectBounded(text, copies: 20)
  }

  @Test("Smalltalk's own classes are not the program's")
  func smalltalkLibrary() throws {
    let report = try one(
      """
      Object: 0 error: The program attempted to divide a number by zero
      ZeroDivide(Exception)>>signal (ExcHandling.st:254)
      SmallInteger>>// (SmallInt.st:299)
      Desk class>>charge: (desk.st:2)

      """)
    #expect(report.reason.exception?.frames.map(\.inApp) == [false, false, nil])
  }

  @Test(
    "Other lines are not traces",
    arguments: [
      "** (note) this\n", "Unhandled exception: none\n", "foo@bar(4): said\n", "Calls: 7\n",
      "Stacktrace:\nnone\n",
      "module: builtin\n", "Object: a\n", "error: no zig\nnext\n", "10:11:12 at 7:16) hours\n",
      "stack traceback:\nnone\n", "desk.adb:7:1: error: expected\n",
    ])
  func others(text: String) throws { #expect(try LogReaderChecks.reports(text).isEmpty) }

  @Test("Prefixed and repeated, it is the same")
  func hostile() throws {
    for name in ["lua", "ocaml", "erlang"] {
      let text = try LogReaderChecks.sample("language-trace/\(name).txt")
      if name == "ocaml" { try LogReaderChecks.expectSame(text, in: .languageTrace) }
      try LogReaderChecks.expectBounded(text)
    }
  }
}
