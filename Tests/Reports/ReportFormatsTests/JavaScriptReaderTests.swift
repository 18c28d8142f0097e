import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("JavaScript")
struct JavaScriptReaderTests {
  static let uncaught = """
    /src/my shop/till.js:13
      throw new PaymentError('checkout failed', { cause: e });
            ^

    PaymentError [E_PAY]: checkout failed

    on two lines
        at charge (/src/my shop/till.js:13:9)
        at Object.<anonymous> (/src/my shop/till.js:20:3)
        ... 2 lines matching cause stack trace ...
        at node:internal/main/run_main_module:28:49 {
      code: 'E_DECLINED',
      basket: {
        items: [
          1
        ]
      },
      [cause]: TypeError: Cannot read properties of null (reading 'length')
          at total (/src/my shop/till.js:5:36)
          at Object.<anonymous> (/src/my shop/till.js:20:3)
          at Module._compile (node:internal/modules/cjs/loader:1521:14)
          at Module.load (node:internal/modules/cjs/loader:1266:32)
          at node:internal/main/run_main_module:28:49 {
        [cause]: RangeError: deep
            at <anonymous>
      }
    }

    Node.js v20.20.2

    """

  static let aggregate = """
    node:internal/process/promises:391
        triggerUncaughtException(err, true /* fromPromise */);
        ^

    [AggregateError: All promises were rejected] {
      [errors]: [
        Error: a
            at one (/src/till.js:14:49)
            at node:internal/main/run_main_module:28:49,
        TypeError: b
            at two (/src/till.js:14:81)
      ]
    }

    Node.js v20.20.2

    """

  static let heap = """
    <--- Last few GCs --->

    [71:0x5b0]  1234 ms: Mark-sweep 2047.0 (2080.0) -> 2046.9 (2079.9) MB

    FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
    ----- Native stack trace -----

     1: 0xb7a3e0 node::Abort() [node]
     2: 0x7f5e10 v8::internal::V8::FatalProcessOutOfMemory(v8::internal::Isolate*, char const*, bool) [/opt/my node/node]
     3: 0x195e376  [node]

    ----- JavaScript stack trace -----

    1: grow (/src/till.js:4:39)
    2: /src/till.js:9:1

    Aborted

    """

  @Test("Functions of the engine are not the app's")
  func engineFunctions() throws {
    let report = try LogReaderChecks.only(
      """
      TypeError: undefined is not an object (evaluating 'this.items[id].price')
      @https://tern.example/cart.js:12:27
      forEach@[native code]
      total@https://tern.example/cart.js:20:12

      """)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.function) == [nil, "forEach", "total"])
    #expect(frames.map(\.inApp)[1] == false && frames[2].inApp != false)
  }

  @Test("An uncaught exception of Node with properties and causes")
  func uncaught() throws {
    let reports = try LogReaderChecks.reports("tern: open\n" + Self.uncaught + "tern: closed\n")
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "javascript" && report.kind == .crash)
    #expect(report.tags[.wrapperRuntime] == "Node.js v20.20.2")
    #expect(report.reason.code == "E_PAY")
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "PaymentError")
    #expect(exception.message == "checkout failed\n\non two lines")
    // Two frames were left out because the cause has them.
    #expect(
      exception.frames.map(\.function) == ["charge", nil, "Module._compile", "Module.load", nil])
    #expect(exception.frames[0].file == "/src/my shop/till.js")
    #expect(exception.frames[0].line == 13 && exception.frames[0].column == 9)
    let cause = try #require(exception.inner.first)
    #expect(exception.inner.count == 1 && cause.type == "TypeError" && cause.frames.count == 5)
    #expect(cause.inner.map(\.message) == ["deep"])
  }

  @Test("An aggregate has its list")
  func aggregate() throws {
    let report = try #require(try LogReaderChecks.reports(Self.aggregate).first)
    #expect(report.kind == .crash && report.reason.type == "AggregateError")
    let exception = try #require(report.reason.exception)
    #expect(exception.message == "All promises were rejected" && exception.frames.isEmpty)
    #expect(exception.inner.map(\.type) == ["Error", "TypeError"])
    #expect(exception.inner.map(\.frames.count) == [2, 1])
  }

  @Test("A thrown value has only the line")
  func value() throws {
    let text =
      "\n/src/till.js:25\n  throw { code: 42 };\n  ^\n{ code: 42 }\nThrown at:\n    at /src/till.js:25:3\n\nNode.js v20.20.2\n"
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.reason.message == "{ code: 42 }")
    let frame = try #require(report.reason.exception?.frames.first)
    #expect(frame.file == "/src/till.js" && frame.line == 25 && frame.column == 3)
  }

  @Test("Source that cannot be parsed: the excerpt is the location")
  func syntax() throws {
    let text = """
      /src/till.js:3
      charge(
            ^

      SyntaxError: missing ) after argument list
          at wrapSafe (node:internal/modules/cjs/loader:1378:20)
      """
    let frames = try #require(try LogReaderChecks.reports(text).first?.reason.exception?.frames)
    #expect(frames.map(\.file) == ["/src/till.js", "node:internal/modules/cjs/loader"])
    #expect(frames[0].line == 3 && frames[0].column == 7)
  }

  @Test("Out of memory: native frames, then those of the script")
  func heap() throws {
    let reports = try LogReaderChecks.reports(Self.heap)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.kind == .oom && report.reason.type == "FATAL ERROR")
    #expect(
      report.reason.message
        == "Reached heap limit Allocation failed - JavaScript heap out of memory")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.address?.value) == [0xb7a3e0, 0x7f5e10, 0x195e376, nil, nil])
    #expect(frames[0].function == "node::Abort()" && frames[3].function == "grow")
    #expect(frames[4].line == 9 && frames[0].position == .returnAddress)
    #expect(report.images.map(\.name) == ["node", "node"])
    #expect(report.images[1].path == "/opt/my node/node")
  }

  // The lines are those of `node::Assert` in Node 18 and in Node 22.
  @Test("A failed check of Node is one report with the stack below it")
  func failedCheck() throws {
    let stack = """
       1: 0xb09980 node::Abort() [/usr/bin/node]
       2: 0xa1c235 node::http2::Http2Session::Close(unsigned int, bool) [/usr/bin/node]

      """
    let old =
      "/usr/bin/node[4217]: ../src/node_http2.cc:1043:virtual void"
      + " node::http2::Http2Session::Close(): Assertion `(session) != nullptr' failed.\n"
    let new = """

        #  /usr/bin/node[4217]: virtual void node::http2::Http2Session::Close() at ../src/node_http2.cc:1043
        #  Assertion failed: (session) != nullptr

      ----- Native stack trace -----


      """
    for words in [old, new] {
      let reports = try LogReaderChecks.reports("ready\n" + words + stack + "Aborted\n")
      #expect(reports.count == 1)
      let report = try #require(reports.first)
      #expect(report.reason.type == "Assertion failed" && report.reason.signal == "SIGABRT")
      #expect(report.reason.message == "(session) != nullptr")
      #expect(report.threads.first?.frames.count == 2)
      #expect(report.tags.contains { $0.value == "../src/node_http2.cc:1043" })
    }
    // Other lines follow the check of another process.
    let check = new.prefix { $0 != "-" }
    let reports = try LogReaderChecks.reports(check + "restarted\n" + stack)
    #expect(reports.last?.reason.message == nil)
  }

  @Test(
    "One call of each browser",
    arguments: [
      ("at Cart.total [as sum] (/a b/c.js:1:2)", "Cart.total [as sum]", "/a b/c.js", 1, 2),
      ("at async total (file:///c.js:1:2)", "async total", "file:///c.js", 1, 2),
      ("at new Cart (http://h:80/c.js:1:2)", "new Cart", "http://h:80/c.js", 1, 2),
      ("at /a b/c.js:1:2", nil, "/a b/c.js", 1, 2),
      ("at async /c.js:1:2", nil, "/c.js", 1, 2),
      (
        "at eval (eval at f (eval at g (http://h/c.js:21:17)), <anonymous>:1:30)", "eval",
        "http://h/c.js", 21, 17
      ),
      ("at Array.map (<anonymous>)", "Array.map", nil, nil, nil),
      ("at async Promise.all (index 0)", "async Promise.all", nil, nil, nil),
      (
        "at total (address at index.android.bundle:1:2345)", "total", "index.android.bundle", 1,
        2346
      ),
      ("at total (address at main.jsbundle:1:0)", "total", "main.jsbundle", 1, 1),
      (
        "at f (wasm://wasm/0a1b:wasm-function[12]:0x34)", "f", "wasm://wasm/0a1b:wasm-function[12]",
        nil, nil
      ),
      ("at Anonymous function (http://h/c.js:48:13)", nil, "http://h/c.js", 48, 13),
      ("total/<@http://h/@x/c.js:1:2", "total/<", "http://h/@x/c.js", 1, 2),
      ("obj[\"@fn\"]@Scratchpad/1:10:29", "obj[\"@fn\"]", "Scratchpad/1", 10, 29),
      ("f@http://h/c.js line 26 > eval line 2 > eval:1:30", "f", "http://h/c.js", 26, nil),
      ("bar(2)@http://h/c.js:16", "bar", "http://h/c.js", 16, nil),
      (
        "<anonymous function: run>([arguments not available])@http://h/c.js:27", "run",
        "http://h/c.js", 27, nil
      ),
      ("eval@[native code]", "eval", nil, nil, nil),
      ("@file:///c.js:1:2", nil, "file:///c.js", 1, 2),
    ] as [(String, String?, String?, Int?, Int?)])
  func frames(text: String, function: String?, file: String?, line: Int?, column: Int?) throws {
    let frame = try #require(ManagedStackText.frame(text))
    #expect(frame.function == function && frame.file == file)
    #expect(frame.line == line && frame.column == column)
  }

  @Test(
    "A stack without an exception's message",
    arguments: [
      ("Error\n    at f (a.js:1:2)\n    at a.js:3:4\n", "Error"),
      ("f@http://h/a.js:1\n@http://h/a.js:2\n", nil),
      ("eval code\neval@[native code]\nf@http://h/a.js:58:21\n", nil),
    ] as [(String, String?)])
  func bare(text: String, type: String?) throws {
    let report = try #require(try LogReaderChecks.reports("# a log\n" + text + "\nend\n").first)
    #expect(report.reason.exception?.type == type)
    #expect(report.reason.exception?.frames.count == 2)
  }

  @Test("A stack of Firefox's Scratchpad, with a file's marker in a property's name")
  func scratchpad() throws {
    let report = try #require(
      try LogReaderChecks.reports("obj[\"@fn\"]@Scratchpad/1:10:29\n@Scratchpad/1:11:1\n").first)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.function) == ["obj[\"@fn\"]", nil])
    #expect(frames.map(\.line) == [10, 11])
  }

  @Test("A caught exception in a log, and a warning that continues")
  func handled() throws {
    let text = """
      2024-05-01T10:00:00Z error: TypeError: x is not a function
          at f (/src/a.js:1:2)
      (node:71) UnhandledPromiseRejectionWarning: Error: late
          at g (/src/a.js:3:4)
      """
    let reports = try LogReaderChecks.reports(text)
    #expect(reports.map(\.kind) == [.handled, .handled])
    #expect(reports.map(\.reason.message) == ["x is not a function", "late"])
  }

  @Test(
    "What others print is not JavaScript's",
    arguments: [
      "FATAL ERROR: the disk is full\n", "a.c:3: error: no semicolon\n  x = 1\n      ^\n",
      "mail admin@example.com:25:10 is down\n", "Error: nothing to see\nnext line\n",
      "java.lang.Error: x\n\tat com.acme.Cart.total(Cart.java:3)\n", "10:11:12 at 10:11:12\n",
    ])
  func others(text: String) throws {
    #expect(try LogReaderChecks.reports(text).allSatisfy { $0.format.description != "javascript" })
  }

  @Test("After a logger's prefix, several in one log")
  func prefixed() throws {
    let log = (Self.uncaught + Self.aggregate + Self.heap).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { "May 01 10:11:12 host tern[42]: \($0)" }.joined(separator: "\n")
    let reports = try LogReaderChecks.reports(log)
    #expect(reports.map(\.reason.type) == ["PaymentError", "AggregateError", "FATAL ERROR"])
    #expect(reports.first?.reason.exception?.inner.count == 1)
    #expect(reports.last?.threads.first?.frames.count == 5)
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array((Self.uncaught + Self.aggregate + Self.heap).utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      #expect(
        try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self)).count <= 4)
    }
    var mutator = Mutator(seed: 1)
    for _ in 0..<300 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      #expect(try LogReaderChecks.reports(text).flatMap(\.threads).flatMap(\.frames).count < 1000)
    }
  }

  @Test("A diagnostic report of Node")
  func diagnosticReport() throws {
    let text = """
      {"header": {"reportVersion": 4, "event": "Exception", "trigger": "Exception",
        "dumpEventTimeStamp": "1795228935515", "processId": 25483, "commandLine": ["/usr/bin/node", "--report", "/src/till.js"],
        "nodejsVersion": "v20.20.2", "arch": "x64", "osName": "Linux", "osRelease": "6.1", "cpus": [{}, {}]},
       "javascriptStack": {"message": "TypeError [E_X]: no length", "stack": ["at total (/src/till.js:4:39)"],
        "errorProperties": {"order": "71"}},
       "nativeStack": [{"pc": "0x00000000010059a0", "symbol": "node::Report(int) [node]"}, {"pc": "0x2", "symbol": ""}],
       "sharedObjects": ["/lib/libc.so.6"]}
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.format.description == "node-report" && report.kind == .crash)
    #expect(report.time == Timestamp(microseconds: 1_795_228_935_515_000))
    #expect(report.process.pid == 25483 && report.app.name == "till.js")
    #expect(report.device.architecture == .x86_64 && report.tags[.cpuCount] == "2")
    #expect(report.reason.exception?.type == "TypeError" && report.reason.code == "E_X")
    #expect(report.reason.exception?.frames.map(\.line) == [4])
    #expect(report.properties == ["order": "71"])
    #expect(report.threads.first?.frames.map(\.function) == ["node::Report(int)", nil])
    #expect(report.images.map(\.name) == ["libc.so.6", "node"])
  }
}
