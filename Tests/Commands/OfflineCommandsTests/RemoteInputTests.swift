import Bytes
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

/// Objects in memory, as an S3 server has them, in pages of two.
private final class ObjectServer: Sendable {
  private let objects: Mutex<[String: [UInt8]]>
  private let server: Mutex<ScriptedServer?> = Mutex(nil)
  /// Keys that are answered with an error, by its status.
  private let refused: [String: Int]

  init(_ objects: [String: [UInt8]], refusing refused: [String: Int] = [:]) {
    self.objects = Mutex(objects)
    self.refused = refused
    let server = ScriptedServer { [unowned self] in reply(to: $0) }
    self.server.withLock { $0 = server }
  }

  var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": server.withLock { $0?.origin ?? "" }, "AWS_REGION": "us-east-1",
      "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret",
      "AWS_EC2_METADATA_DISABLED": "true",
    ]
  }

  var origin: String { server.withLock { $0?.origin ?? "" } }

  func object(_ key: String) -> [UInt8]? { objects.withLock { $0[key] } }

  private func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
    let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    let key = String(parts[0].dropFirst("/bucket/".count))
    guard parts[0].count > "/bucket/".count else { return list(parts.count > 1 ? parts[1] : "") }
    if let status = refused[key], request.method == "GET" {
      return .init(
        status, body: Array("<Error><Code>Refused</Code><Message>no</Message></Error>".utf8))
    }
    if request.method == "PUT" {
      objects.withLock { $0[key] = request.body }
      return .init(200, headers: ["ETag: \"1\""])
    }
    guard let bytes = object(key) else { return .init(404) }
    let tag = "ETag: \"\(bytes.count)\""
    guard request.method == "GET" else { return .init(200, headers: [tag], length: bytes.count) }
    return .init(200, headers: [tag], body: bytes)
  }

  private func list(_ query: String) -> ScriptedServer.Reply {
    let fields = Dictionary(
      query.split(separator: "&").map { field in
        let pair = field.split(separator: "=", maxSplits: 1).map(String.init)
        return (pair[0], pair.count > 1 ? pair[1].replacing("%2F", with: "/") : "")
      }, uniquingKeysWith: { first, _ in first })
    let prefix = fields["prefix"] ?? ""
    let start = fields["continuation-token"].flatMap { Int($0) } ?? 0
    let keys = objects.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
    let page = keys.dropFirst(start).prefix(2)
    let isLast = start + page.count >= keys.count
    var text = "<ListBucketResult><IsTruncated>\(isLast ? "false" : "true")</IsTruncated>"
    if !isLast { text += "<NextContinuationToken>\(start + 2)</NextContinuationToken>" }
    for key in page {
      let size = object(key)?.count ?? 0
      text += "<Contents><Key>\(key)</Key><Size>\(size)</Size><ETag>\"\(size)\"</ETag></Contents>"
    }
    return .init(200, body: Array((text + "</ListBucketResult>").utf8))
  }
}

@Suite("Inputs at addresses") struct RemoteInputTests {
  private let folder = ScratchFolder()
  private static let symbols = ["--symbols", Samples.symbolsFolder]
  private static let names = [
    "abort-1.0.0-macos-x86_64.ips", "trap-1.0.0-ios-arm64.ips", "assert-1.0.0-ios-arm64.ips",
  ]

  /// Some samples, an archive of one and other files, below `dumps/`.
  private func dumps() throws -> [String: [UInt8]] {
    var objects: [String: [UInt8]] = [
      "dumps/notes.txt": Array("no report".utf8), "dumps/": [], "other/x.txt": [1],
    ]
    for name in try FolderListing.names(in: Samples.path("apple-ips")).sorted().prefix(5) {
      objects["dumps/\(name)"] = try ByteView(mapping: Samples.path("apple-ips/\(name)")).array
    }
    var archive = ZipBuilder()
    archive.add(
      Array("in.ips".utf8), try #require(objects.values.max { $0.count < $1.count }) + [10])
    objects["dumps/z.zip"] = archive.bytes
    return objects
  }

  @Test("Objects below a prefix are read as files of a folder are")
  func prefix() throws {
    let objects = try dumps()
    for (key, bytes) in objects where !key.hasSuffix("/") { folder.write(key, bytes) }
    let server = ObjectServer(objects)
    for options in [["--json"], [], ["--json", "--per-file-seconds", "60"]] {
      let local = Run(["triage", folder.path("dumps")] + options + Self.symbols)
      let remote = Run(
        ["triage", "s3://bucket/dumps/"] + options + Self.symbols, environment: server.environment)
      #expect(local.status == 0 && remote.status == 0, "\(remote.errors)")
      #expect(
        remote.output.replacing("s3://bucket/", with: folder.path("")) == local.output,
        "\(options)")
    }
    let lines = Run(
      ["symbolicate", "--ndjson", "--files-from", "-"] + Self.symbols,
      environment: server.environment,
      input: objects.keys.sorted().filter { $0.hasSuffix(".ips") }.map { "s3://bucket/\($0)\n" }
        .joined())
    #expect(lines.status == 0 && lines.output.split(separator: "\n").count == 5, "\(lines.errors)")
    let web = Run(
      ["symbolicate", "--ndjson", "\(server.origin)/bucket/dumps/z.zip"] + Self.symbols)
    #expect(web.status == 0 && web.output.contains("z.zip!in.ips"), "\(web.errors)")
  }

  @Test("Shares of a prefix are disjoint, their parts are objects, and the merge is one run")
  func parts() throws {
    let server = ObjectServer(try dumps())
    let whole = Run(
      ["triage", "s3://bucket/dumps/", "--json"] + Self.symbols, environment: server.environment)
    for share in 1...3 {
      let run = Run(
        [
          "triage", "s3://bucket/dumps/", "--shard", "\(share)/3", "--partial",
          "s3://bucket/parts/\(share).mdp",
        ] + Self.symbols, environment: server.environment)
      #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
      #expect(server.object("parts/\(share).mdp")?.starts(with: Array("MDBATCH".utf8)) == true)
    }
    let merge = Run(
      ["triage", "--merge", "s3://bucket/parts/", "--json"], environment: server.environment)
    #expect(merge.status == 0 && merge.output == whole.output, "\(merge.errors)")
  }

  @Test("An object that cannot be fetched is named with the reason, and the others are read")
  func refusedObjects() throws {
    let objects = try dumps()
    let keys = objects.keys.sorted().filter { $0.hasSuffix(".ips") }
    let server = ObjectServer(objects, refusing: [keys[0]: 403, keys[1]: 404])
    let run = Run(["triage", "s3://bucket/dumps/", "--json"], environment: server.environment)
    let document = try JSONDocument.parse(ByteView(run.output.utf8)).value
    let unread = (document["unrecognised"]?.array ?? []).filter { $0["foreign"]?.bool == false }
    #expect(run.status == 0 && unread.count == 2, "\(run.errors)")
    for (entry, key) in zip(unread, keys) {
      #expect(entry["file"]?.string == "s3://bucket/\(key)")
      #expect(entry["reason"]?.string?.contains("Refused (40") == true, "\(entry)")
    }
    #expect(
      Run(["triage", "s3://bucket/dumps/", "--strict"], environment: server.environment).status == 1
    )
  }

  @Test("A list that cannot be had, and an empty one, are errors and no empty triage")
  func lists() throws {
    let server = ObjectServer(try dumps())
    let none = Run(["triage", "s3://bucket/nowhere/"], environment: server.environment)
    #expect(none.status == 1 && none.errors.contains("s3://bucket/nowhere/: no object"))
    var environment = server.environment
    environment["AWS_ENDPOINT_URL"] =
      ScriptedServer { _ in
        .init(403, body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
      }.origin
    for command in [["triage", "s3://bucket/dumps/"], ["symbolicate", "s3://bucket/dumps/"]] {
      let run = Run(command, environment: environment)
      #expect(run.status == 4 && run.errors.contains("AccessDenied (403)"), "\(run.errors)")
    }
    environment["AWS_ACCESS_KEY_ID"] = nil
    environment["HOME"] = folder.path("")
    let anonymous = Run(["triage", "s3://bucket/dumps/"], environment: environment)
    #expect(anonymous.status != 0 && anonymous.errors.contains("AWS_ACCESS_KEY_ID"))
    #expect(Run(["triage", "s3://B/"], environment: environment).status == 2)
  }
}
