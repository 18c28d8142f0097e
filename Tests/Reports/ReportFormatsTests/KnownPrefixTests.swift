import CrashModel
import Testing

/// Prefixes that only one line has, among lines of other loggers.
@Suite("Prefixes of well-known loggers")
struct KnownPrefixTests {
  private static let prefixes = [
    "till-1  | ", "0|till  | ", "10:11:12 till.1  | ", "till.1.k2x9@node-3    | ",
    "2026-05-01T10:11:12.123456789Z stderr F ", "2026-05-01T10:11:12.5Z till-1  | ",
    "May 01 10:11:12 counter till[771]: ", "May  1 10:11:12 counter till-agent: ",
    "2026-05-01T10:11:12.123456+00:00 app[worker.1]: ",
    "2026-05-01T10:11:12.123456+02:00 counter till[771]: ",
    "2026-05-01T10:11:12Z app[148ed] fra [info]", "2026-05-01T10:11:12Z app[148ed] fra [info] ",
    "   2026-05-01T10:11:12.12+0200 [APP/PROC/WEB/0] ERR ",
    "2026-05-01T10:11:12.123000+00:00 till/app/1f2e3d4c5b6a7988 ",
    "2026-05-01T10:11:12.123456Z 01E ", "[pod/till-5/app] ", "[till-5d8f9c7b6-x2x4z app] ",
    "till-5d8f9c7b6-x2x4z app ", "test\tRun tests\t2026-05-01T10:11:12.1234567Z ",
  ]

  private static let reports = [
    "no price: pencil at /opt/tern/Cart.pm line 12.",
    "Use of uninitialized value $price in addition (+) at /opt/tern/Cart.pm line 12.",
    "Tern/Cart.swift:12: Fatal error: Index out of range",
    "/opt/tern/cart.cc:12:3: runtime error: index 9 out of bounds for type 'int[4]'",
    "object.Exception@src/cart.d(12): no price",
    "cart.nim(12)             total\nError: unhandled exception: no price [ValueError]",
    "TypeError: items is undefined\n    at total (/opt/tern/cart.js:12:5)",
    "terminate called after throwing an instance of 'std::out_of_range'\n  what():  no such line",
  ]

  @Test(
    "A report behind one is the bare report, alone and between lines of others", arguments: reports)
  func same(bare: String) throws {
    let expected = try #require(try LogReaderChecks.reports(bare + "\n").first)
    for prefix in Self.prefixes {
      let lines = bare.split(separator: "\n").map { prefix + $0 + "\n" }.joined()
      let others = ("db-1  | LOG:  checkpoint starting\n", "db-1  | LOG:  checkpoint complete\n")
      for text in [lines, others.0 + lines + others.1] {
        let reports = try LogReaderChecks.reports(text)
        try #require(reports.count == 1, "\(prefix)\(text)")
        let report = reports[0]
        #expect(report.kind == expected.kind, "\(prefix)")
        #expect(report.reason.type == expected.reason.type, "\(prefix)")
        #expect(report.reason.message == expected.reason.message, "\(prefix)")
        #expect(report.reason.exception == expected.reason.exception, "\(prefix)")
        #expect(report.threads == expected.threads, "\(prefix)")
      }
    }
  }

  @Test("A line with indented continuation lines keeps its prefix: they are one entry")
  func continued() throws {
    let blanks = String(repeating: " ", count: 40)
    let report = try LogReaderChecks.only(
      """
      2026-05-01T10:12:44+0000 counter systemd-coredump[2219]: Process 2217 (tern) of user 1000 dumped core.
      \(blanks)
      \(blanks)Stack trace of thread 2217:
      \(blanks)#0  0x0000555f076397a0 n/a (tern + 0x17a0)
      \(blanks)#1  0x0000555f0763938d n/a (tern + 0x138d)

      """)
    #expect(report.process.name == "tern" && report.threads.first?.frames.count == 2)
  }

  @Test("One quoted line")
  func quoted() throws {
    let report = try LogReaderChecks.reports("> no price: pencil at /opt/tern/Cart.pm line 12.\n")
      .first
    #expect(report?.reason.message == "no price: pencil")
  }

  @Test("Names before a colon that belong to the message are kept")
  func kept() throws {
    let line = "till: src/cart.c:12: total: Assertion `price > 0' failed.\n"
    for prefix in ["", "till-1  | ", "May 01 10:11:12 counter till[771]: "] {
      let report = try LogReaderChecks.reports(prefix + line).first
      #expect(report?.process.name == "till" && report?.reason.message == "price > 0")
    }
  }
}
