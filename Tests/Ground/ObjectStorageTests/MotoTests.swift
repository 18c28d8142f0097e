import Bytes
import Glibc
import ObjectStorage
import TestSupport
import Testing

@Suite(
  "A server that speaks S3 and checks signatures",
  .enabled(if: MotoServer.python != nil, MotoServer.absence))
struct MotoTests {
  private static let keys = [
    "plain.dmp", "a b", "a+b", "100%", "%2F", "é", "e\u{301}", "日本/😀.txt", "../up", "a/../b",
    "./c", "/leading", "//two", "trailing/", "a//b", "tab\t", "q?x=1&y=2", "#hash", "'\"<>\\",
    "~-_.!*()", "=;:@,$", "a\u{7f}", "..", String(repeating: "k", count: 1024),
  ]

  @Test("Objects with odd keys are stored, listed, read and deleted")
  func oddKeys() throws {
    let store = try MotoServer.shared.store()
    let folder = "odd-keys/"
    for key in Self.keys {
      let address = try ObjectAddress(bucket: "bucket", key: key)
      #expect(try store.put(ByteView(key.utf8), at: address) == .stored)
      #expect(try store.get(address, limit: 2000).bytes.array == Array(key.utf8))
      #expect(try store.head(address)?.size == key.utf8.count)
      try store.delete(address)
      try store.delete(address)
      #expect(try store.head(address) == nil)
      guard key.utf8.count < 1000 else { continue }
      try store.put(.empty, at: try ObjectAddress(bucket: "bucket", key: folder + key))
    }
    var listing = store.list(Fixture.address("s3://bucket/\(folder)"))
    var found: Set<[UInt8]> = []
    while let entry = try listing.next() {
      found.insert(Array(entry.address.key.utf8.dropFirst(folder.utf8.count)))
      #expect(entry.size == 0)
    }
    #expect(found == Set(Self.keys.filter { $0.utf8.count < 1000 }.map { Array($0.utf8) }))
  }

  @Test("Three thousand objects are listed in pages")
  func paging() throws {
    let store = try MotoServer.shared.store()
    let names = (0..<3000).map { "p/\(String($0 + 10_000))" }
    for name in names { try store.put(.empty, at: Fixture.address("s3://paging/\(name)")) }
    try store.put(.empty, at: Fixture.address("s3://paging/other"))
    var listing = store.list(Fixture.address("s3://paging/p/"))
    var pages: [[String]] = []
    while true {
      let page = try listing.nextPage()
      if page.isEmpty { break }
      pages.append(page.map(\.address.key))
    }
    #expect(pages.map(\.count) == [1000, 1000, 1000])
    #expect(Array(pages.joined()) == names)
    var bucket = store.list(Fixture.address("s3://paging"))
    var count = 0
    while try bucket.next() != nil { count += 1 }
    #expect(count == 3001)
  }

  @Test("Ranges, and the version that they are of")
  func ranges() throws {
    let store = try MotoServer.shared.store()
    let address = Fixture.address("s3://bucket/ranges")
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try store.put(ByteView(bytes), at: address)
    let part = try store.get(address, range: 100..<200, limit: 100)
    #expect(part.bytes.array == Array(bytes[100..<200]))
    #expect(part.object.size == 5000)
    let tag = try #require(part.object.entityTag)
    let rest = try store.get(address, range: 4000..<9000, entityTag: tag, limit: 5000)
    #expect(rest.bytes.array == Array(bytes[4000...]))
    try store.put(ByteView([1]), at: address)
    #expect(
      Fixture.error { _ = try store.get(address, range: 0..<1, entityTag: tag, limit: 5) }?.kind
        == .changed)
    #expect(
      Fixture.error { _ = try store.get(address, range: 7..<8, limit: 5) }?.kind == .outOfRange)
  }

  @Test("The first writer wins, in one piece and in parts")
  func firstWriter() throws {
    let folder = ScratchFolder()
    let bytes = (0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 + $0 >> 10) }
    let file = open(folder.write("large", bytes), O_RDONLY)
    defer { close(file) }
    for limit in [1 << 20, 64 << 20] {
      var limits = ObjectStoreLimits()
      limits.wholeUpload = limit
      limits.partBytes = 5 << 20
      let store = try MotoServer.shared.store(limits: limits)
      let address = Fixture.address("s3://bucket/first-\(limit)")
      #expect(try store.put(contentsOf: file, at: address, ifAbsent: true) == .stored)
      #expect(try store.put(contentsOf: file, at: address, ifAbsent: true) == .existed)
      #expect(try store.put(ByteView([1]), at: address, ifAbsent: true) == .existed)
      let path = folder.path("copy")
      let copy = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      defer { close(copy) }
      #expect(try store.get(address, into: copy, limit: 12 << 20).size == 12 << 20)
      #expect(try ByteView(reading: path, limit: 1 << 30).array == bytes)
      #expect(try store.put(contentsOf: file, at: address) == .stored)
    }
  }

  @Test("Missing objects and buckets, wrong keys and no signature")
  func refusals() throws {
    let server = MotoServer.shared
    let store = try server.store()
    let missing = Fixture.error {
      _ = try store.get(Fixture.address("s3://bucket/none"), limit: 1)
    }
    #expect(missing?.kind == .notFound)
    #expect(missing?.code == "NoSuchKey")
    #expect(try store.head(Fixture.address("s3://bucket/none")) == nil)
    var listing = store.list(Fixture.address("s3://no-such-bucket"))
    #expect(Fixture.error { _ = try listing.next() }?.code == "NoSuchBucket")
    let wrong = try Fixture.store(
      at: server.endpoint,
      credentials: ObjectCredentials(
        accessKeyID: server.credentials.accessKeyID, secretAccessKey: "wrong"))
    let refusal = Fixture.error { _ = try wrong.get(Fixture.object, limit: 1) }
    #expect(refusal?.code == "SignatureDoesNotMatch")
    #expect(refusal?.kind == .notAllowed)
  }
}
