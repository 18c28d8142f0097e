import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Ruby, PHP, Perl and Dart")
struct ScriptingReaderTests {
  static let ruby = """
    till.rb:13:in `rescue in charge': checkout failed (Basket::PaymentError)
    ask a colleague
    	from till.rb:10:in `charge'
    	 ... 17 levels...
    	from till.rb:17:in `<main>'
    till.rb:7:in 'Hash#fetch': key not found: :price (KeyError)

    item.fetch(:price)
              ^^^^^^^
    	from till.rb:7:in 'block in Basket#total'

    """
  static let php = """
    PHP Fatal error:  Uncaught DivisionByZeroError: Division by zero in /src/till.php:11
    Stack trace:
    #0 /src/till.php(11): intdiv(1, 0)
    #1 [internal function]: Tern\\Basket->Tern\\{closure}(Array, 'a (b): c')
    #2 /src/till.php(17): array_map()
    #3 {main}

    Next Tern\\PaymentError: checkout failed
    ask a colleague in /src/till.php:19
    Stack trace:
    #0 /src/till.php(23): Tern\\charge()
    #1 {main}
      thrown in /src/till.php on line 19

    """
  static let perl = """
    no price: pencil at lib/Tern/Till.pm line 14, <STDIN> line 3.
    \tTern::Basket::total(Tern::Basket=HASH(0x564a)) called at till.pl line 22
    \teval {...} called at till.pl line 23

    """
  static let dart = """
    Unhandled exception:
    FormatException: Invalid number (at character 1)
    x
    ^

    #0      int.parse (dart:core-patch/integers_patch.dart:57:5)
    #1      Basket.total.<anonymous closure> (package:tern/till.dart:4:39)
    <asynchronous suspension>
    #2      main (file:///src/my app/main.dart:9)

    """
  static let obfuscated = """
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    pid: 9437, tid: 10069, name 1.ui
    os: android arch: arm64 comp: yes sim: no
    build_id: 'bca64abfdfcc84d231bb8f1ccdbfbd8d'
    isolate_dso_base: 752602b000, vm_dso_base: 752602b000
    isolate_instructions: 7526344980, vm_instructions: 752633f000
        #00 abs 00000075266c2fbf virt 0000000000697fbf _kDartIsolateSnapshotInstructions+0x37e63f
        #01 abs 000000752685211f _kDartIsolateSnapshotInstructions+5297055

    """

  @Test("A message ends at an empty line, and a path may contain spaces after a logger's prefix")
  func rubyInLogs() throws {
    let found = try LogReaderChecks.reports(
      """
      2026-05-01T10:11:12.1234Z stderr F /opt/tern desk/till.rb:13:in 'charge': no price (ArgumentError)
      2026-05-01T10:11:12.1234Z stderr F
      2026-05-01T10:11:12.1234Z stderr F tern goes on
      2026-05-01T10:11:12.1234Z stderr F /app/till.js:1
      2026-05-01T10:11:12.1234Z stderr F   x()
      2026-05-01T10:11:12.1234Z stderr F   ^
      """)
    let exception = try #require(found.first?.reason.exception)
    #expect(exception.message == "no price" && exception.type == "ArgumentError")
    #expect(exception.frames.map(\.file) == ["/opt/tern desk/till.rb"])
  }

  @Test("An exception of Ruby with its cause")
  func ruby() throws {
    let reports = try LogReaderChecks.reports("start\n" + Self.ruby + "\nend\n")
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "ruby" && report.kind == .crash)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "Basket::PaymentError")
    #expect(exception.message == "checkout failed\nask a colleague")
    #expect(exception.frames.map(\.function) == ["rescue in charge", "charge", "<main>"])
    #expect(exception.frames.map(\.line) == [13, 10, 17])
    #expect(exception.inner.map(\.type) == ["KeyError"])
    #expect(exception.inner.first?.message == "key not found: :price")
    #expect(exception.inner.first?.frames.count == 2)
    #expect(report.notes == ["Ruby left out calls in the middle of the stack"])
  }

  @Test("Rails: an error in a template, with the lines around it")
  func rubyTemplate() throws {
    let report = try LogReaderChecks.only(
      """
      [6f1d2c3b]   
      [6f1d2c3b] ActionView::Template::Error (undefined method `price' for nil:NilClass):
      [6f1d2c3b]     10: <p>
      [6f1d2c3b]     11:   <%= @cart.total %>
      [6f1d2c3b]     12: </p>
      [6f1d2c3b]   
      [6f1d2c3b] app/models/cart.rb:12:in `total'
      [6f1d2c3b] app/controllers/carts_controller.rb:8:in `show'

      """)
    #expect(report.reason.exception?.type == "ActionView::Template::Error")
    #expect(report.kind == .handled)
    #expect(report.reason.exception?.frames.map(\.function) == ["total", "show"])
  }

  @Test("A long chain of causes is one report, with the first and the last of them")
  func rubyCauses() throws {
    let text = (0..<90).map { index in
      "/app/cart.rb:\(index + 1):in `total\(index)': no price (Tern::PriceError)\n"
        + "\tfrom /app/tern:3:in `<main>'\n"
    }.joined()
    let report = try LogReaderChecks.only(text)
    var exception = try #require(report.reason.exception)
    #expect(exception.frames.first?.function == "total0")
    while let inner = exception.inner.first { exception = inner }
    #expect(exception.frames.first?.function == "total89")
    #expect(report.notes.contains { $0.contains("causes before the last one were left out") })
  }

  @Test("Ruby before 3 prints the stack first, and a thread its exception twice")
  func otherRuby() throws {
    let old =
      "Traceback (most recent call last):\n\t1: from a.rb:9:in `<main>'\na.rb:2:in `f': no (E)\n"
    let exception = try #require(
      try LogReaderChecks.reports(old).first { $0.format.description == "ruby" }?.reason.exception)
    #expect(exception.frames.map(\.line) == [2, 9] && exception.type == "E")
    let block = "a.rb:5:in `Integer': bad (ArgumentError)\n\tfrom a.rb:6:in `f'\n"
    let thread = "#<Thread:0x7f@worker a.rb:14 run> terminated with exception:\n" + block + block
    let reports = try LogReaderChecks.reports(thread)
    #expect(reports.count == 1 && reports.first?.reason.exception?.inner.isEmpty == true)
    let rails =
      "ActiveRecord::RecordNotFound (no basket 7):\n  \napp/till.rb:3:in `show'\napp/x.rb:4:in `y'\n"
    let logged = try #require(try LogReaderChecks.reports(rails).first)
    #expect(logged.kind == .handled && logged.reason.type == "ActiveRecord::RecordNotFound")
    #expect(logged.reason.message == "no basket 7" && logged.reason.exception?.frames.count == 2)
  }

  @Test("A crash of Ruby's interpreter, symbolicated by its memory map")
  func rubyCrash() throws {
    let text = """
      till.rb:16: [BUG] Segmentation fault at 0x0000000000004f41
      ruby 3.1.7p261 (2025-03-26 revision 0a3704f218) [x86_64-linux-gnu]

      -- Ruby level backtrace information ----
      till.rb:16:in `<main>'
      till.rb:16:in `kill'

      -- Machine register context ----
       RIP: 0x00007f5a3853e267 RBP: 0x000000000000000b

      -- C level backtrace information ----
      /lib/libruby.so.3.1(rb_f_kill+0x1f1) [0x7f5a389da521] signal.c:470
      ruby(0x55adaf26f10b) [0x55adaf26f10b]

      -- Other runtime information ----
      * Process memory map:

      7f5a38800000-7f5a38890000 r--p 00000000 fe:00 161   /lib/libruby.so.3.1
      7f5a38890000-7f5a38b00000 r-xp 00090000 fe:00 161   /lib/libruby.so.3.1

      [NOTE]
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.address == Address(0x4f41))
    #expect(report.device.architecture == .x86_64)
    let thread = try #require(report.threads.first)
    #expect(thread.frames.map(\.function) == ["rb_f_kill", nil, "kill", "<main>"])
    #expect(thread.registers.first == Register("rip", 0x7f5a_3853_e267))
    #expect(thread.frames[0].imageOffset == ImageOffset(0x1da521))
    #expect(thread.frames[0].line == 470 && report.images[0].base == Address(0x7f5a_3880_0000))
  }

  @Test("Uncaught exceptions of PHP: functions with the lines in them, printed once or twice")
  func php() throws {
    for text in [
      Self.php, Self.php + "\n" + Self.php.replacing("PHP Fatal error:  ", with: "Fatal error: "),
    ] {
      let reports = try LogReaderChecks.reports("x\n" + text + "y\n")
      #expect(reports.count == 1)
      let exception = try #require(reports.first?.reason.exception)
      #expect(exception.type == "Tern\\PaymentError")
      #expect(exception.message == "checkout failed\nask a colleague")
      #expect(exception.frames.map(\.function) == ["Tern\\charge", "{main}"])
      #expect(exception.frames.map(\.line) == [19, 23])
      let cause = try #require(exception.inner.first)
      #expect(
        cause.frames.map(\.function) == [
          "intdiv", "Tern\\Basket->Tern\\{closure}", "array_map", "{main}",
        ])
      #expect(cause.frames.map(\.line) == [11, 11, nil, 17])
      #expect(cause.frames.map(\.inApp) == [false, nil, false, nil])
    }
  }

  @Test(
    "Errors and warnings of PHP without a stack",
    arguments: [
      (
        "PHP Warning:  Undefined array key 1 in /src/a b.php on line 3", "Warning",
        ReportKind.handled
      ),
      (
        "PHP Fatal error:  Allowed memory size of 1 bytes exhausted (tried to allocate 2 bytes) in /a.php on line 3",
        "Fatal error", .oom
      ),
      (
        "PHP Parse error:  syntax error, unexpected token in /a.php on line 3", "Parse error",
        .crash
      ),
    ])
  func phpError(line: String, type: String, kind: ReportKind) throws {
    let report = try #require(
      try LogReaderChecks.reports("[01-May-2024 10:00:00 UTC] \(line)\nnext\n").first)
    #expect(report.kind == kind && report.reason.exception?.type == type)
    #expect(report.reason.exception?.frames.map(\.line) == [3])
  }

  @Test("Perl's messages with the stacks of Carp")
  func perl() throws {
    let report = try #require(try LogReaderChecks.reports("x\n" + Self.perl).first)
    #expect(report.format.description == "perl" && report.kind == .crash)
    let exception = try #require(report.reason.exception)
    #expect(exception.message == "no price: pencil")
    #expect(exception.frames.map(\.function) == ["Tern::Basket::total", "eval", nil])
    #expect(exception.frames.map(\.file) == ["lib/Tern/Till.pm", "till.pl", "till.pl"])
    #expect(exception.frames.map(\.line) == [14, 22, 23])
    let warning = try #require(
      try LogReaderChecks.reports("Use of uninitialized value in print at perl/main.pl line 11.\n")
        .first)
    #expect(warning.kind == .handled && warning.reason.exception?.frames.map(\.line) == [11])
  }

  @Test("Exceptions of Dart and Flutter")
  func dart() throws {
    let report = try #require(try LogReaderChecks.reports("x\n" + Self.dart).first)
    #expect(report.format.description == "dart" && report.kind == .crash)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "FormatException")
    #expect(exception.message == "Invalid number (at character 1)\nx\n^")
    #expect(exception.frames.map(\.line) == [57, 4, 9])
    #expect(exception.frames.map(\.file).last == "file:///src/my app/main.dart")
    let box = """
      ══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞═══════
      The following StateError was thrown building Till:
      Bad state: no price

      When the exception was thrown, this was the stack:
      #0      Basket.total (package:tern/till.dart:4:39)
      (elided 4 frames from dart:async)

      """
    let caught = try #require(try LogReaderChecks.reports(box).first)
    #expect(caught.kind == .handled && caught.reason.exception?.type == "StateError")
    #expect(caught.reason.message == "Bad state: no price")
    #expect(caught.reason.exception?.frames.count == 1)
  }

  @Test("A stack of Dart without names is looked up in the program's debug file")
  func obfuscated() throws {
    let report = try #require(
      try LogReaderChecks.reports("Unhandled exception:\nStateError: x\n" + Self.obfuscated).first)
    #expect(report.os.name == "Android" && report.device.architecture == .arm64)
    #expect(report.process.pid == 9437 && report.tags[.threadName] == "1.ui")
    #expect(report.images.first?.codeID?.description == "bca64abfdfcc84d231bb8f1ccdbfbd8d")
    #expect(report.images.first?.base == Address(0x75_2602_b000))
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.imageOffset) == [ImageOffset(0x697fbf), ImageOffset(0x82711f)])
    #expect(frames.map(\.symbolOffset) == [nil, nil] && frames.map(\.symbol) == [nil, nil])
    #expect(frames.allSatisfy { $0.image == 0 && $0.position == .returnAddress })
    let crashlytics =
      "Non-fatal Exception: io.flutter.FlutterError: Bad state. Error thrown null.\nBuildId: c3126a4381294e13185549e5e94a4db9\nat . #00 abs 0 virt 000000000031ba6f _kDartIsolateSnapshotInstructions+0x14e87f\nat . #01 abs 0 virt 0000000000472017 _kDartIsolateSnapshotInstructions+0x2a4e27\n"
    let rewritten = try #require(try LogReaderChecks.reports(crashlytics).first)
    #expect(rewritten.format.description == "dart" && rewritten.kind == .handled)
    #expect(
      rewritten.reason.exception?.frames.map(\.imageOffset) == [
        ImageOffset(0x31ba6f), ImageOffset(0x472017),
      ])
    #expect(rewritten.reason.exception?.frames.first?.address == nil)
  }

  @Test("After a logger's prefix, several in one log")
  func prefixed() throws {
    let text = Self.ruby + Self.php + Self.perl + Self.dart + Self.obfuscated
    let log = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "May 01 10:11:12 host tern[42]: \($0)" }.joined(separator: "\n")
    let reports = try LogReaderChecks.reports(log)
    #expect(reports.map(\.format.description) == ["ruby", "php", "perl", "dart", "dart"])
    #expect(reports.map { $0.reason.exception?.inner.count } == [1, 1, 0, 0, 0])
  }

  @Test(
    "What others print is not theirs",
    arguments: [
      "a.c:3:in `x' the function\n", "Fatal error: the disk is full in the cellar\n",
      "see lib.pl line by line\n", "main.c:10: in 'f': bad\n", "#0  0x1 in main () at a.c:3\n",
    ])
  func others(text: String) throws {
    let known: Set<String> = ["ruby", "php", "perl", "dart"]
    #expect(try LogReaderChecks.reports(text).allSatisfy { !known.contains($0.format.description) })
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array((Self.ruby + Self.php + Self.perl + Self.dart + Self.obfuscated).utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      #expect(
        try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self)).count <= 6)
    }
    var mutator = Mutator(seed: 1)
    for _ in 0..<300 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      #expect(try LogReaderChecks.reports(text).flatMap(\.threads).flatMap(\.frames).count < 1000)
    }
  }
}
