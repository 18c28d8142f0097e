import Bytes
import Glibc
import HTTPClient
import ObjectStorage
import SymbolCache
import SymbolSources
import Synchronization
import TestSupport
import Testing

@testable import Symbolication

@Suite("Symbol caches on S3") struct SharedCachesTests {
  private let folder = ScratchFolder()
  private let bucket = BucketServer()
  private let warnings = Warnings()

  private final class Warnings: Sendable {
    let texts = Mutex<[String]>([])
    let stores = Mutex(0)
  }

  private func shared(_ address: String = "s3://bucket/caches") throws -> SharedCaches {
    let (origin, warnings) = (bucket.origin, warnings)
    return try SharedCaches(at: ObjectAddress(parsing: address)) {
      () throws(ObjectStorageError) in
      warnings.stores.withLock { $0 += 1 }
      var plan = RetryPlan()
      plan.tries = 2
      plan.first = 0.01
      return ObjectStore(
        try ObjectStorageAccount(
          credentials: ObjectCredentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), endpoint: origin),
        agent: "tests", plan: plan)
    } warn: { text in
      warnings.texts.withLock { $0.append(text) }
    }
  }

  private static let files = DebugFileScanner().scan([
    Samples.debugFile("variants/dwarf5-clang"), Samples.debugFile("variants/dwarf4-gcc"),
  ]).files

  /// What a machine did that asked for the caches of some files.
  private func run(
    _ machine: String?, _ files: [DebugFile] = files, at address: String = "s3://bucket/caches"
  ) throws -> CacheUse.Counts {
    let use = CacheUse()
    let shared = try shared(address)
    let pool = SymbolCachePool(
      folder: machine.map { CacheFolder(folder.path($0)) }, shared: shared, counting: use)
    for file in files {
      let expected = try SymbolCache.compile(file.object).array
      #expect(try pool.cache(for: file).get().bytes.array == expected)
    }
    shared.finish()
    return use.take()
  }

  private var caches: [String] { bucket.keys }

  @Test("A cache is made once for two machines, and fetched once by each")
  func once() throws {
    let files = Self.files
    try #require(files.count == 2)
    #expect(try run("one") == CacheUse.Counts(ready: 0, made: 2, damaged: 0))
    #expect(caches.count == 2)
    let prefix = "caches/\(engineVersion)-\(SymbolCache.formatVersion)/"
    #expect(
      Set(caches) == Set(files.map { "\(prefix)\($0.digest)-\($0.architecture).symcache" }))
    #expect(try run("two") == CacheUse.Counts(ready: 2, made: 0, damaged: 0))
    let asked = bucket.requests.count
    #expect(try run("two") == CacheUse.Counts(ready: 2, made: 0, damaged: 0))
    #expect(bucket.requests.count == asked)
    #expect(bucket.requests("PUT").count == 2)
    #expect(warnings.texts.withLock { $0 } == [])
    // A machine without a folder of its own.
    #expect(try run(nil) == CacheUse.Counts(ready: 2, made: 0, damaged: 0))
  }

  @Test("Nothing is asked of a bucket, and no account made, before a cache is missing")
  func lazily() throws {
    _ = try run("one")
    let made = warnings.stores.withLock { $0 }
    _ = try run("one")
    #expect(made == 1 && warnings.stores.withLock { $0 } == 1)
  }

  @Test("A damaged or foreign cache in the bucket is not used, and replaced only locally")
  func damaged() throws {
    _ = try run("one")
    let keys = caches
    let whole = try #require(bucket[keys[0]])
    let other = try #require(bucket[keys[1]])
    var version = whole
    version[8] ^= 1
    var content = whole
    content[whole.count - 5] ^= 1
    for (number, bytes) in [
      Array(whole.dropLast()), [], version, content, other, whole + [0], Array("words".utf8),
    ].enumerated() {
      bucket[keys[0]] = bytes
      let counts = try run("machine \(number)")
      #expect(counts == CacheUse.Counts(ready: 1, made: 1, damaged: 0), "\(number)")
      #expect(bucket[keys[0]] == bytes)
      #expect(try run("machine \(number)").ready == 2)
    }
    #expect(bucket.requests("PUT").count == 2)
  }

  @Test("Of two machines that make a cache at the same time, the first stores it")
  func race() throws {
    let (one, two) = (try shared(), try shared())
    one.offer(ByteView([1]), named: "a")
    one.finish()
    two.offer(ByteView([2]), named: "a")
    two.finish()
    #expect(caches.count == 1 && bucket[caches[0]] == [1])
    #expect(warnings.texts.withLock { $0 } == [])
  }

  @Test(
    "A bucket that refuses or fails costs time alone, and is reported once",
    arguments: [
      (403, "AccessDenied", 4), (404, "NoSuchBucket", 1), (500, "InternalError", 2),
      (400, "Whatever", 4),
    ])
  func refusals(status: Int, code: String, most: Int) throws {
    bucket.fail { _, _ in BucketServer.refusal(status, code) }
    #expect(try run("one") == CacheUse.Counts(ready: 0, made: 2, damaged: 0))
    let texts = warnings.texts.withLock { $0 }
    #expect(texts.count == 1 && texts[0].contains(code))
    // What cannot be reached is not asked for each cache.
    #expect(bucket.requests.count <= most)
    bucket.fail(nil)
    #expect(try run("one").ready == 2)
  }

  @Test("A bucket that may only be read is read")
  func readOnly() throws {
    _ = try run("one", [Self.files[0]])
    bucket.fail { request, _ in
      request.method == "PUT" ? BucketServer.refusal(403, "AccessDenied") : nil
    }
    #expect(
      try run("two", Self.files.reversed()) == CacheUse.Counts(ready: 1, made: 1, damaged: 0))
    #expect(caches.count == 1)
    #expect(warnings.texts.withLock { $0.count } == 1)
  }

  @Test("A cut answer is not a cache")
  func cut() throws {
    _ = try run("one")
    bucket.fail { request, _ in
      request.method == "GET"
        ? ScriptedServer.Reply(200, body: Array("MD".utf8), length: 5_000) : nil
    }
    #expect(try run("two").made == 2)
    #expect(warnings.texts.withLock { $0.count } == 1)
  }

  @Test(
    "Keys begin with the address and a slash",
    arguments: [
      ("s3://bucket", ""), ("s3://bucket/", ""), ("s3://bucket/a", "a/"), ("s3://bucket/a/", "a/"),
    ])
  func keys(address: String, prefix: String) throws {
    _ = try run("one", [Self.files[0]], at: address)
    #expect(caches.count == 1 && caches[0].hasPrefix("\(prefix)\(engineVersion)-"))
  }

  @Test("An address that leaves no room for keys is refused at once")
  func long() {
    #expect(throws: ObjectAddressError.self) {
      _ = try shared("s3://bucket/" + String(repeating: "k", count: 1020))
    }
  }
}
