import CrashModel
import Testing

@testable import ReportFormats

/// Tracebacks as other tools print them, and where one ends.
@Suite("Shapes of Python's tracebacks") struct PythonShapeTests {
  private func one(_ text: String) throws -> LanguageException {
    let report = try LogReaderChecks.only(text)
    #expect(report.format == .pythonTraceback)
    return try #require(report.reason.exception)
  }

  private static let plain = """
    Traceback (most recent call last):
      File "/app/tern/worker.py", line 88, in run
        self.desk.take(9)
        ~~~~~~~~~~~~~~^^^
      File "/app/tern/desk.py", line 17, in take
        raise DeskError("desk 9 is gone")
    tern.desk.DeskError: desk 9 is gone

    """

  @Test(
    "A message ends before what ran the program goes on",
    arguments: [
      "make: *** [Makefile:12: check] Error 134", "make[2]: *** [check] Error 1", "```", "~~~",
      "##[error]Process completed with exit code 2.", "==7== ERROR: libFuzzer: fuzz",
      "Error: Process completed with exit code 1.", "npm ERR! code 1", "INFO: Instrumenting 3",
      "2026-05-01 10:11:12 next", "ERROR:root:next", "Aborted (core dumped)", ">>> ", "</pre>",
      "The command '/bin/sh -c make' returned a non-zero code: 1", "ninja: build stopped: x.",
    ])
  func ends(line: String) throws {
    for gap in ["", "\n"] {
      let exception = try #require(
        try LogReaderChecks.reports(Self.plain + gap + line + "\nmore\n").first?.reason.exception)
      #expect(exception.type == "tern.desk.DeskError" && exception.message == "desk 9 is gone")
      #expect(exception.frames.map(\.function) == ["take", "run"])
    }
  }

  @Test("A message continues over its own lines")
  func goesOn() throws {
    let exception = try one(Self.plain + "details:\n  - desk 9\n")
    #expect(exception.message == "desk 9 is gone\ndetails:\n- desk 9")
  }

  @Test("A time in a message", arguments: ["at 12:34:56 lost", "MAC 00:1b:44:11:3a:b7 unknown"])
  func time(message: String) throws {
    let exception = try one(Self.plain.replacing("desk 9 is gone\n", with: message + "\n"))
    #expect(exception.type == "tern.desk.DeskError" && exception.message == message)
  }

  @Test("Lost indentation")
  func flat() throws {
    let flat = Self.plain.split(separator: "\n").map {
      String($0.drop { $0 == " " })
    }.joined(separator: "\n")
    let exception = try one(
      flat + "\n\nThe above exception was the direct cause of the following exception:\n\n" + flat)
    for exception in [exception, try #require(exception.inner.first)] {
      #expect(exception.type == "tern.desk.DeskError" && exception.message == "desk 9 is gone")
      #expect(exception.frames.map(\.line) == [17, 88])
    }
    let bare = try one(
      """
      Traceback (most recent call last):
      File "/app/tern.py", line 12, in <module>
      main()
      File "/app/tern.py", line 9, in main
      Basket
      KeyboardInterrupt
      """)
    #expect(bare.type == "KeyboardInterrupt" && bare.frames.count == 2)
  }

  @Test("The exception of another process, in quotes before the traceback")
  func remote() throws {
    let exception = try one(
      "multiprocessing.pool.RemoteTraceback: \n\"\"\"\n" + Self.plain + "\"\"\"\n\n"
        + "The above exception was the direct cause of the following exception:\n\n"
          + """
          Traceback (most recent call last):
            File "/app/tern/main.py", line 3, in <module>
              pool.map(take, [9])
          tern.desk.DeskError: desk 9 is gone

          """)
    #expect(exception.frames.map(\.function) == ["<module>"])
    #expect(exception.message == "desk 9 is gone")
    #expect(exception.inner.first?.message == "desk 9 is gone")
    #expect(exception.inner.first?.frames.map(\.function) == ["take", "run"])
  }

  @Test(
    "An exception of which another traceback is the message",
    arguments: [
      "FuzzError: Traceback (most recent call last):",
      "ray.exceptions.RayTaskError(DeskError): ray::take() (pid=771, ip=10.0.0.7)",
    ])
  func wrapped(line: String) throws {
    let rest = Self.plain.split(separator: "\n", maxSplits: 1)[1]
    let exception = try one(
      """
      Traceback (most recent call last):
        File "/app/tern/main.py", line 3, in <module>
          fuzz()
      \(line)
      \(rest)
      """)
    #expect(exception.type.map { line.hasPrefix($0) } == true)
    #expect(exception.message == "tern.desk.DeskError: desk 9 is gone")
    #expect(exception.frames.map(\.function) == ["<module>"])
    #expect(exception.inner.first?.type == "tern.desk.DeskError")
    #expect(exception.inner.first?.frames.map(\.function) == ["take", "run"])
    guard line.hasPrefix("Fuzz") else { return }
    let alone = try one("\(line)\n\(rest)")
    #expect(alone.type == "FuzzError" && alone.inner.first?.frames.count == 2)
  }

  @Test("Atheris prints the exception before its stack")
  func atheris() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
         === Uncaught Python exception: ===
        ValueError: not enough values
        of two
        Traceback (most recent call last):
          File "fuzz.py", line 24, in TestOneInput
          File "tern/desk.py", line 17, in take
        INFO: Instrumenting 2391 functions...
        """
      ).first)
    #expect(report.reason.type == "ValueError")
    #expect(report.reason.message == "not enough values\nof two")
    #expect(report.reason.exception?.frames.map(\.function) == ["take", "TestOneInput"])
  }

  @Test("rich draws boxes, with local variables and paths over two lines")
  func rich() throws {
    let exception = try one(
      """
      ╭────────────── Traceback (most recent call last) ───────────────╮
      │ /app/tern/worker.py:88 in run                                  │
      │                                                                │
      │    87 │   def run(self):                                       │
      │ ❱  88 │   │   self.desk.take(9)                                │
      │                                                                │
      │ ╭──────── locals ────────╮                                     │
      │ │ self = <Worker in x:1> │                                     │
      │ ╰────────────────────────╯                                     │
      │ /opt/a/very/long/path/that/is/wrapped/by/the/terminal/         │
      │ desk.py:17 in take                                             │
      ╰────────────────────────────────────────────────────────────────╯
      KeyError: 9

      The above exception was the direct cause of the following exception:

      ╭────────────── Traceback (most recent call last) ───────────────╮
      │ /app/tern/__main__.py:12 in <module>                           │
      │ ❱ 12 main()                                                    │
      ╰────────────────────────────────────────────────────────────────╯
      DeskError: desk 9 is gone
      make: *** [Makefile:12: check] Error 1
      """)
    #expect(exception.type == "DeskError" && exception.message == "desk 9 is gone")
    #expect(exception.frames.map(\.function) == ["<module>"])
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "KeyError" && cause.message == "9")
    #expect(cause.frames.map(\.function) == ["take", "run"])
    #expect(
      cause.frames.map(\.file) == [
        "/opt/a/very/long/path/that/is/wrapped/by/the/terminal/desk.py", "/app/tern/worker.py",
      ])
  }

  @Test("Notebooks show cells and arrows")
  func notebooks() throws {
    let exception = try one(
      """
      ---------------------------------------------------------------------------
      KeyError                                  Traceback (most recent call last)
      File /app/tern/desk.py:171, in Desk.take(self, slot)
          170 def take(self, slot):
      --> 171     return self.slots[slot]

      KeyError: 9

      The above exception was the direct cause of the following exception:

      DeskError                                 Traceback (most recent call last)
      Cell In[3], line 5
            3 desk = Desk()
      ----> 5 desk.take(9)

      File /app/tern/desk.py:173, in Desk.take(self, slot)
      --> 173     raise DeskError("desk 9 is gone") from error

      DeskError: desk 9 is gone
      """)
    #expect(exception.type == "DeskError" && exception.message == "desk 9 is gone")
    #expect(exception.frames.map(\.function) == ["take", nil])
    #expect(exception.frames.map(\.line) == [173, 5])
    #expect(exception.frames.map(\.file) == ["/app/tern/desk.py", "Cell In[3]"])
    #expect(exception.inner.first?.frames.map(\.line) == [171])
    let old = try one(
      """
      ValueError                                Traceback (most recent call last)
      <ipython-input-3-ab12cd34> in <module>
            1 from tern import take
      ----> 2 take(9)

      /app/tern/desk.py in take(slot)
          169 def take(slot):
      --> 171     raise ValueError("gone")
          172

      ValueError: gone
      """)
    #expect(old.frames.map(\.function) == ["take", "<module>"])
    #expect(old.frames.map(\.line) == [171, 2] && old.message == "gone")
  }

  @Test("loguru marks the frame that caught the exception")
  func loguru() throws {
    let exception = try one(
      """
      Traceback (most recent call last):

        File "/app/tern.py", line 12, in <module>
          main()
          └ <function main at 0x7f>

      > File "/app/tern.py", line 9, in main
          take(9)

      ValueError: no till
      """)
    #expect(exception.type == "ValueError" && exception.frames.map(\.line) == [9, 12])
  }

  @Test("Truncated or damaged anywhere, they are read or refused")
  func bounded() throws {
    try LogReaderChecks.expectBounded(
      """
      FuzzError: Traceback (most recent call last):
      File "/app/tern.py", line 12, in read
      return self
      ╭────────────── Traceback (most recent call last) ───────────────╮
      │ /app/tern/worker.py:88 in run                                  │
      ╰────────────────────────────────────────────────────────────────╯
      KeyError: 9
      KeyError                                  Traceback (most recent call last)
      File /app/tern/desk.py:171, in Desk.take(self, slot)
      --> 171     return self.slots[slot]
      KeyError: 9
      """)
  }
}
