import Bytes
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

extension BucketServer {
  convenience init(_ objects: [String: [UInt8]]) {
    self.init()
    for (key, bytes) in objects { self[key] = bytes }
  }

  /// The account of the program.
  var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": origin, "AWS_REGION": "us-east-1",
      "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret",
      "AWS_EC2_METADATA_DISABLED": "true",
    ]
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
    let server = BucketServer(objects)
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
    let server = BucketServer(try dumps())
    let whole = Run(
      ["triage", "s3://bucket/dumps/", "--json"] + Self.symbols, environment: server.environment)
    for share in 1...3 {
      let run = Run(
        [
          "triage", "s3://bucket/dumps/", "--shard", "\(share)/3", "--partial",
          "s3://bucket/parts/\(share).mdp",
        ] + Self.symbols, environment: server.environment)
      #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
      #expect(server["parts/\(share).mdp"]?.starts(with: Array("MDBATCH".utf8)) == true)
    }
    let merge = Run(
      ["triage", "--merge", "s3://bucket/parts/", "--json"], environment: server.environment)
    #expect(merge.status == 0 && merge.output == whole.output, "\(merge.errors)")
  }

  @Test("An object that cannot be fetched is named with the reason, and the others are read")
  func refusedObjects() throws {
    let objects = try dumps()
    let keys = objects.keys.sorted().filter { $0.hasSuffix(".ips") }
    let server = BucketServer(objects)
    server.fail { request, key in
      let status = [keys[0]: 403, keys[1]: 404][key]
      return request.method == "GET" ? status.map { BucketServer.refusal($0, "Refused") } : nil
    }
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

  @Test("A bucket that does not answer any more ends the run; not each object is waited for")
  func silentBucket() throws {
    let server = BucketServer(try dumps())
    server.fail { request, key in
      request.method == "GET" && key.hasSuffix(".ips") ? BucketServer.refusal(503, "SlowDown") : nil
    }
    let run = Run(["triage", "s3://bucket/dumps/", "--json"], environment: server.environment)
    #expect(run.status == 5 && run.output.isEmpty, "\(run.status) \(run.output)")
    #expect(run.errors.contains("SlowDown (503)"), "\(run.errors)")
  }

  @Test("A list that cannot be had, and an empty one, are errors and no empty triage")
  func lists() throws {
    let server = BucketServer(try dumps())
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

  @Test("Debug files, their index and their caches may be on S3: the results are those of a folder")
  func symbols() throws {
    let server = BucketServer()
    let files = try FolderListing.files(below: Samples.symbolsFolder)
    for file in files {
      server["symbols/\(file)"] = try ByteView(mapping: "\(Samples.symbolsFolder)/\(file)").array
    }
    // Two machines with one bucket.
    let machines = ["one", "two"].map { name in
      server.environment.merging(["XDG_CACHE_HOME": folder.path(name)]) { $1 }
    }
    let index = folder.path("symbols.mdi")
    let made = Run(
      ["symbols", "index", "s3://bucket/symbols/", "-o", index], environment: machines[0])
    #expect(made.status == 0, "\(made.errors)")
    let command = ["triage", Samples.path("apple-ips"), Samples.path("minidump"), "--json"]
    let local = Run(command + Self.symbols)
    #expect(local.status == 0 && local.output.contains("\"status\": \"found\""))
    for (number, machine) in machines.enumerated() {
      let run = Run(
        command + ["--symbols", index, "--cache", "s3://bucket/caches/"], environment: machine)
      #expect(run.status == 0 && run.output == local.output, "\(run.errors)")
      let caches = server.keys.filter { $0.hasPrefix("caches/") }
      #expect(!caches.isEmpty && !run.errors.contains("warning"), "\(run.errors)")
      // The second machine makes none.
      let stored = server.requests("PUT").count
      #expect(stored == caches.count, "machine \(number)")
    }
    server["index.mdi"] = try ByteView(mapping: index).array
    for place in ["s3://bucket/index.mdi", "s3://bucket/symbols/"] {
      let run = Run(command + ["--symbols", place], environment: machines[1])
      #expect(run.status == 0 && run.output == local.output, "\(place): \(run.errors)")
    }
    server.fail { _, _ in BucketServer.refusal(403, "AccessDenied") }
    let refused = Run(command + ["--symbols", "s3://bucket/symbols/"], environment: machines[0])
    #expect(refused.status == 4 && refused.errors.contains("AccessDenied (403)"))
    let cached = Run(
      command + Self.symbols + ["--cache", "s3://bucket/caches/"], environment: machines[1])
    #expect(cached.status == 0 && cached.output == local.output)
  }

  @Test("Where the debug files of an index cannot be reached, reading ends with the reason")
  func outage() throws {
    let server = BucketServer()
    for file in try FolderListing.files(below: Samples.symbolsFolder) {
      server["symbols/\(file)"] = try ByteView(mapping: "\(Samples.symbolsFolder)/\(file)").array
    }
    let environment = server.environment.merging(["XDG_CACHE_HOME": folder.path("cache")]) { $1 }
    let index = folder.path("symbols.mdi")
    let made = Run(
      ["symbols", "index", "s3://bucket/symbols/", "-o", index], environment: environment)
    #expect(made.status == 0, "\(made.errors)")
    let fresh = environment.merging(["XDG_CACHE_HOME": folder.path("other")]) { $1 }
    let inputs = [Samples.path("apple-ips"), Samples.path("minidump"), "--symbols", index]
    for (status, code, exit) in [(403, "AccessDenied", 4), (404, "NoSuchBucket", 3)] {
      server.fail { _, _ in BucketServer.refusal(status, code) }
      for command in [
        ["triage", "--json"], ["triage", "--partial", folder.path("part.mdp")],
        ["symbolicate", "--ndjson"], ["symbolicate", "--json"],
        ["triage", "--per-file-seconds", "60"],
      ] {
        let before = server.requests("GET").count
        let run = Run(command + inputs, environment: fresh)
        #expect(run.status == exit, "\(command): \(run.errors)")
        #expect(run.errors.contains("\(code) (\(status))"), "\(command): \(run.errors)")
        #expect(!run.output.contains("groups"), "\(command): \(run.output)")
        // Those that were being read had asked for theirs.
        #expect(server.requests("GET").count - before < 100, "\(command)")
      }
    }
    #expect(try !FolderListing.names(in: folder.path("")).contains("part.mdp"))
  }
}
