import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportDocument

@Suite("The report document")
struct ReportDocumentTests {
  @Test("Everything in a report is read back", arguments: 0..<300)
  func roundTrip(seed: Int) throws {
    var random = RandomReport(seed: UInt64(seed))
    let report = random.next()
    let received = Timestamp(seconds: 1_772_000_000, nanoseconds: 5)
    let document = ByteView(report.document(id: "r\(seed)", received: received))
    let stored = try StoredReport(document: document)
    #expect(stored == StoredReport(id: "r\(seed)", received: received, report: report))
    #expect(try CrashReport(document: document) == report)
    let pretty = ByteView(report.document(id: "r\(seed)", received: received, pretty: true))
    #expect(try StoredReport(document: pretty) == stored)
    #expect(stored.report.document(id: "r\(seed)", received: received) == document.array)
  }

  @Test("The fields have the documented names")
  func names() {
    var report = CrashReport(format: .appleIPS)
    report.app = AppIdentity(name: "Tern", version: "1.4.0", build: "512")
    report.time = Timestamp("2026-03-02 10:11:12.5 +0100")
    report.reason = CrashReason(
      type: "EXC_BAD_ACCESS", signal: "SIGSEGV", code: "KERN_INVALID_ADDRESS",
      address: Address(0))
    report.crashedThread = 0
    report.threads = [
      CrashThread(
        index: 0, id: 771, crashed: true, registers: [Register("rip", 0x1_04a3_c1f0)],
        frames: [
          Frame(
            address: Address(0x1_04a3_c1f0), position: .exact, image: 0,
            imageOffset: ImageOffset(0x1f0), function: "demo.crash()", symbol: "$s4demo5crashyyF",
            symbolOffset: 20, file: "Sources/demo/Crash.swift", line: 12, column: 5, inApp: true,
            trust: .context)
        ])
    ]
    var image = LoadedImage(
      name: "Tern", architecture: .arm64,
      debugID: DebugID("00112233-4455-6677-8899-aabbccddeeff"), base: Address(0x1_04a3_c000),
      size: 4096)
    image.symbols = SymbolStatus(.found, file: "Tern.dSYM")
    report.images = [image]
    report.signature = Signature(
      text: "demo.crash() | main", key: "00ff", category: .signal, rules: "v1",
      steps: [
        SignatureStep(
          frame: 0, subject: "demo.crash()", result: "demo.crash()", frameClass: "app",
          rule: "in-app", used: true)
      ])
    let text = String(decoding: report.document(id: "r1", pretty: true), as: UTF8.self)
    #expect(
      text == """
        {
          "schema": 1,
          "id": "r1",
          "format": "apple-ips",
          "kind": "crash",
          "app": {
            "name": "Tern",
            "version": "1.4.0",
            "build": "512"
          },
          "time": "2026-03-02T09:11:12.5Z",
          "reason": {
            "type": "EXC_BAD_ACCESS",
            "signal": "SIGSEGV",
            "code": "KERN_INVALID_ADDRESS",
            "address": "0x0"
          },
          "crashed_thread": 0,
          "threads": [
            {
              "index": 0,
              "id": 771,
              "crashed": true,
              "registers": {
                "rip": "0x104a3c1f0"
              },
              "frames": [
                {
                  "index": 0,
                  "address": "0x104a3c1f0",
                  "position": "exact",
                  "image": 0,
                  "image_offset": "0x1f0",
                  "function": "demo.crash()",
                  "symbol": "$s4demo5crashyyF",
                  "symbol_offset": 20,
                  "file": "Sources/demo/Crash.swift",
                  "line": 12,
                  "column": 5,
                  "inlined": false,
                  "in_app": true,
                  "trust": "context"
                }
              ]
            }
          ],
          "images": [
            {
              "index": 0,
              "name": "Tern",
              "arch": "arm64",
              "debug_id": "00112233-4455-6677-8899-aabbccddeeff",
              "base": "0x104a3c000",
              "size": 4096,
              "symbols": {
                "status": "found",
                "file": "Tern.dSYM",
                "tried": []
              }
            }
          ],
          "signature": {
            "text": "demo.crash() | main",
            "hash": "00ff",
            "category": "signal",
            "rules": "v1",
            "provisional": false,
            "steps": [
              {
                "frame": 0,
                "subject": "demo.crash()",
                "result": "demo.crash()",
                "class": "app",
                "rule": "in-app",
                "used": true
              }
            ]
          },
          "notes": []
        }
        """)
  }

  @Test("Exceptions nest as deep as documented, and no deeper")
  func depth() throws {
    var report = CrashReport(format: .sanitizer)
    var exception = LanguageException(type: "innermost")
    for level in 0..<100 { exception = LanguageException(type: "\(level)", inner: [exception]) }
    report.reason.exception = exception
    let written = report
    var read: CrashReport?
    let stack = StackUse.measure {
      read = try? CrashReport(document: ByteView(written.document()))
    }
    #expect(try #require(stack) <= StackUse.most)
    var depth = 0
    var next = read?.reason.exception
    while let level = next {
      depth += 1
      next = level.inner.first
    }
    #expect(depth == CrashReport.maximumExceptionDepth)
  }

  @Test(
    "A document that is not a report's is refused with a reason",
    arguments: [
      ("", "JSON"), ("[]", "report document: not recognised"),
      ("{\"schema\":1}", "report document: not recognised"),
      ("{\"schema\":2,\"format\":\"x\"}", "schema 2 at 0x0 is not supported"),
      ("{\"schema\":1,\"id\":\"a\",\"format\":\"x\"", "report document: 1 byte needed"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: ParseError.self) {
      try CrashReport(document: ByteView(Array(text.utf8)))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test("A field of another type, and unknown values, lose only themselves")
  func lenient() throws {
    let text = """
      {"schema":1,"format":"x","kind":"sleepy","app":[],"time":7,"threads":[3,{"frames":
      [{"trust":"hunch","position":9,"address":"zz","line":1.5,"function":"f"}]}],
      "crashed_thread":9,"signature":{"text":"a"},"future":{"a":[1]},"notes":["n",4]}
      """
    let report = try CrashReport(document: ByteView(Array(text.utf8)))
    #expect(report.kind == .other)
    #expect(report.crashedThread == nil)
    #expect(report.threads.last?.frames == [Frame(position: .exact, function: "f")])
    #expect(report.signature == nil)
    #expect(report.notes == ["n"])
  }

  @Test("Truncated or changed anywhere, a document is read or refused")
  func damage() {
    var random = RandomReport(seed: 7)
    let document = random.next().document(id: "x")
    for length in stride(from: 0, to: document.count, by: 7) {
      #expect(throws: ParseError.self) {
        try CrashReport(document: ByteView(document.prefix(length)))
      }
    }
    var mutator = Mutator(seed: 11, .anyByte, changes: 3...3)
    var outcomes = Outcomes()
    for changed in mutator.copies(of: document, count: 300) {
      outcomes.count { _ = try CrashReport(document: ByteView(changed)) }
    }
    #expect(outcomes.all == 300 && outcomes.isMixed)
  }
}
