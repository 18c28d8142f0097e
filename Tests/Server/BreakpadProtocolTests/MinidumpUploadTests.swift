import Bytes
import Compression
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Requests of Crashpad, Breakpad and Mozilla's clients, byte for byte, to the built program.
@Suite("Uploads of minidumps", .serialized)
struct MinidumpUploadTests {
  private let folder = ScratchFolder()

  private func dump() -> [UInt8] {
    var dump = MinidumpBuilder()
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    dump.list(3, [dump.thread(id: 1, stack: (0x7000, [1]), context: context)])
    dump.exception(thread: 1, code: 11, flags: 1, address: 0x18, context: context)
    return dump.bytes()
  }

  private static let boundary = "---MultipartBoundary-VoRKiTAUSHEyqSzqZqoPNvnKqsN3ZKOu---"

  /// A form as Crashpad writes it: fields, then an attachment, then the dump.
  private func form(
    _ fields: [(String, String)], attachment: String? = "log.txt", hasDump: Bool = true,
    beforeLast: String = "\r\n", version: String = "1"
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in fields {
      bytes += Array(
        "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
          .utf8)
    }
    func file(_ name: String, _ fileName: String, _ content: [UInt8]) {
      bytes += Array(
        ("--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; "
          + "filename=\"\(fileName)\"\r\nContent-Type: application/octet-stream\r\n\r\n").utf8)
      bytes += content + Array("\r\n".utf8)
    }
    if let attachment { file(attachment, attachment, Array("one\ntwo \(version)\n".utf8)) }
    if hasDump { file("upload_file_minidump", "5f1e.dmp", dump()) }
    bytes.removeLast(2)
    return bytes + Array("\(beforeLast)--\(Self.boundary)--\r\n".utf8)
  }

  private func post(
    _ server: RunningServer, _ path: String, _ body: [UInt8], version: String = "1.1",
    coding: String? = nil, isChunked: Bool = false
  ) throws -> (answer: WebClient.Answer, raw: String) {
    var head = "POST \(path) HTTP/\(version)\r\nHost: localhost\r\n"
    head += "Content-Type: multipart/form-data; boundary=\(Self.boundary)\r\n"
    if let coding { head += "Content-Encoding: \(coding)\r\n" }
    var bytes = Array(
      (head
        + (isChunked
          ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(body.count)\r\n\r\n"))
        .utf8)
    if isChunked {
      for start in stride(from: 0, to: body.count, by: 700) {
        let part = body[start..<min(start + 700, body.count)]
        bytes += Array((String(part.count, radix: 16) + "\r\n").utf8) + part + [13, 10]
      }
      bytes += Array("0\r\n\r\n".utf8)
    } else {
      bytes += body
    }
    let client = WebClient(port: server.port)
    client.send(bytes)
    return (try #require(client.answer()), "")
  }

  private func report(_ server: RunningServer, _ query: String) throws -> JSONValue {
    #expect(server.waitForQueue())
    let list = server.json("/api/v1/reports?query=\(query)")
    let id = try #require(list["items"]?.array?.first?["id"]?.string, "\(list)")
    return server.json("/api/v1/reports/\(id)")
  }

  private static let fields = [
    ("_productName", "Tern"), ("_version", "1.2.3"), ("guid", "0d1e"), ("prod", "Electron"),
    ("ptype", "browser"), ("ver", "30.0"),
  ]

  @Test("Each client's form becomes a report of its app, with annotations and attachments")
  func clients() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let made = try #require(
      server.ask("POST", "/api/v1/apps", body: Array(#"{"name":"Tern"}"#.utf8)))
    #expect(made.status < 300, "\(made.text)")
    let apps = server.json("/api/v1/apps")
    let key = try #require(
      apps["items"]?.array?.first { $0["name"]?.string == "Tern" }?["intake_key"]?.string, "\(apps)"
    )
    let path = "/minidump?key=\(key)&product=Electron&version=30.0&guid=0d1e"
    let gzip = try Gzip.compress(ByteView(form(Self.fields, version: "2"))).array
    for (body, coding, version, isChunked) in [
      (form(Self.fields), nil, "1.1", false), (gzip, "gzip", "1.1", true),
      (form(Self.fields, version: "3"), nil, "1.0", true),
      (form(Self.fields, beforeLast: "", version: "4"), nil, "1.1", false),
    ] as [([UInt8], String?, String, Bool)] {
      let answer = try post(
        server, path, body, version: version, coding: coding, isChunked: isChunked
      ).answer
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"]?.hasPrefix("text/plain") == true)
      #expect(answer.headers["content-length"] == "\(answer.body.count)")
      // It becomes the name of a file.
      let isName = answer.text.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
      }
      #expect(!answer.text.isEmpty && isName, "\(answer.text)")
    }
    let report = try report(server, "app:Tern")
    #expect(report["format"]?.string == "minidump")
    #expect(report["reason"]?["signal"]?.string == "SIGSEGV")
    #expect(report["app"]?["version"]?.string == "1.2.3")
    #expect(report["install"]?.string == "0d1e")
    #expect(report["properties"]?["ptype"]?.string == "browser")
    // The same dump is one report, with the annotations of each form.
    #expect(report["attachments"]?.array?.count == 4)
    #expect(report["attachments"]?.array?.contains { $0["name"]?.string == "log.txt" } == true)
  }

  @Test("Mozilla's clients get an id with its mark, and their annotations come as JSON")
  func socorro() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    var body = Array(
      ("--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"extra\"\r\n"
        + "Content-Type: application/json\r\n\r\n"
        + #"{"ProductName":"Heron","Version":"99.0","BuildID":"20260301"}"# + "\r\n").utf8)
    body += form([], attachment: nil)
    let head = ["Content-Type: multipart/form-data; boundary=\(Self.boundary)"]
    let answer = try #require(server.ask("POST", "/submit", headers: head, body: body))
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("CrashID=bp-") && answer.text.hasSuffix("\n"))
    let report = try report(server, "app:Heron")
    #expect(report["app"]?["build"]?.string == "20260301")
  }

  @Test("A submission that can never be read is refused at once, so that it is not sent again")
  func refused() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let head = ["Content-Type: multipart/form-data; boundary=\(Self.boundary)"]
    for (headers, body) in [
      (head, []), (["Content-Type: text/plain"], Array("no form".utf8)),
      (head, form(Self.fields, attachment: nil, hasDump: false)),
      (head + ["Content-Encoding: gzip"], Array("no gzip".utf8)),
    ] as [([String], [UInt8])] {
      let answer = try #require(server.ask("POST", "/minidump", headers: headers, body: body))
      #expect(answer.status == 400, "\(answer.text)")
    }
    let body = form(Self.fields)
    #expect(try post(server, "/minidump", body).answer.status == 401)
    #expect(try post(server, "/minidump?key=made-up", body).answer.status == 401)
    let whole = try #require(server.ask("POST", "/minidump", headers: head, body: body))
    #expect(whole.status == 200)
  }

  private static let handler = "/usr/lib/chromium/chrome_crashpad_handler"
  private static var hasHandler: Bool {
    OtherTool.output(of: "test -x \(handler) && command -v python3")?.isEmpty == false
  }

  /// The handler sends the reports in its database when it starts, and lives as long as its client's socket.
  private static let client = """
    import os, socket, subprocess, sys, time
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handler = subprocess.Popen(
        [sys.argv[1], f"--initial-client-fd={theirs.fileno()}", "--shared-client-connection",
         f"--database={sys.argv[2]}", f"--url={sys.argv[3]}", "--no-rate-limit", "--annotation=prod=Tern",
         "--annotation=ver=1.2.3"], pass_fds=[theirs.fileno()])
    theirs.close()
    for _ in range(300):
        if os.path.exists(sys.argv[4]): break
        time.sleep(0.05)
    ours.close()
    handler.wait(20)
    """

  @Test(
    "Crashpad's own handler sends a dump and keeps the id that it gets",
    .enabled(if: hasHandler, "chromium-common or python3 is not installed"))
  func realHandler() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let made = try #require(
      server.ask("POST", "/api/v1/apps", body: Array(#"{"name":"Tern"}"#.utf8)))
    #expect(made.status < 300)
    let key = try #require(server.json("/api/v1/apps")["items"]?[0]?["intake_key"]?.string)
    let id = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
    let numbers = MinidumpBuilder()
    // Uploads are allowed.
    folder.write(
      "db/settings.dat",
      numbers.numbers((0x4350_6473, 4), (1, 4), (1, 4), (0, 4), (0, 8)) + Array(1...16))
    folder.write("db/pending/\(id).dmp", try Samples.bytes("minidump/null-read-1.1.0-gcc-O2.dmp"))
    folder.write(
      "db/pending/\(id).meta", numbers.numbers((1, 4), (0, 4), (0, 8), (1_800_000_000, 8), (0, 8)))
    folder.write("db/attachments/\(id)/log.txt", Array("started\n".utf8))
    let script = folder.write("client.py", Array(Self.client.utf8))
    let sent = folder.path("db/completed/\(id).meta")
    let url = "http://127.0.0.1:\(server.port)/minidump?key=\(key)"
    _ = OtherTool.output(
      of: "python3 \(script) \(Self.handler) \(folder.path("db")) '\(url)' \(sent) 2>&1")
    let meta = try ByteView(reading: sent, limit: 1 << 10).text
    let report = try report(server, "app:Tern")
    #expect(report["attachments"]?[0]?["name"]?.string == "log.txt")
    #expect(report["properties"]?["guid"]?.string == report["install"]?.string)
    // The server's answer is the id of the submission.
    let submissionID =
      meta.split { !$0.isASCII || !$0.isLetter && !$0.isNumber && $0 != "-" }.last ?? ""
    #expect(server.ask("GET", "/api/v1/submissions/\(submissionID)")?.status == 200, "\(meta)")
  }
}
