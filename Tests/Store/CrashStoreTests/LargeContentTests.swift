import Bytes
import CrashModel
import Crypto
import Glibc
import TestSupport
import Testing

@testable import CrashStore

@Suite("Contents that are too large to compress")
struct LargeContentTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  /// A file of zeros with a few bytes here and there, mapped.
  private func sparse(_ name: String, size: Int) throws -> ByteView {
    let path = fixture.folder.path(name)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(ftruncate(file, off_t(size)) == 0)
    for offset in [0, 1 << 20, size / 2 + 7, size - 3] {
      try #require(pwrite(file, name, name.utf8.count > 3 ? 3 : 1, off_t(offset)) > 0)
    }
    return try ByteView(mapping: path)
  }

  private func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  @Test("It is stored unchanged, its zeros take no space, and it is read, swept and erased")
  func large() throws {
    let size = Content.compressedLimit + (1 << 20) + 5
    let bytes = try sparse("core", size: size)
    func add(_ bytes: ByteView, user: String) throws -> String {
      var report = StoreFixture.report("k")
      report.user = user
      let submission = Submission(
        bytes: bytes, source: "core", received: StoreFixture.start, app: "Tern")
      return try store.reports.add(
        submission, reports: [(report, ByteView("{\"document\": \"\(user)\"}".utf8))]
      ).reports[0].report
    }
    let report = try add(bytes, user: "jo")
    let digest = SHA256.digest(of: bytes)
    let path = store.contents.folder.path(of: digest, isPlain: true)
    let found = try #require(self.status(path))
    #expect(found.st_size == size && found.st_blocks * 512 < 4 << 20)
    let read = try store.contents.read(digest)
    #expect(read.count == size && SHA256.digest(of: read) == digest)
    #expect(try store.contents.packedSize(digest) == size)
    #expect(try store.contents.storedSize(of: digest, isPlain: false) == size)
    let check = try store.checkContents()
    #expect(check.missing == 0 && check.count > 1)
    #expect(try store.retention.sweep(grace: 0).contents == 0)

    // Damage is reported.
    let damaged = open(path, O_WRONLY | O_CLOEXEC)
    #expect(pwrite(damaged, "x", 1, off_t(size / 3)) == 1)
    close(damaged)
    #expect(throws: StoreError.self) { try store.contents.read(digest) }

    try store.retention.remove(reports: [report], at: StoreFixture.start)
    #expect(try store.retention.sweep(grace: 0).contents > 0)
    #expect(self.status(path) == nil)

    let other = try sparse("other core", size: size)
    _ = try add(other, user: "al")
    let place = store.contents.folder.path(of: SHA256.digest(of: other), isPlain: true)
    #expect(self.status(place) != nil)
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, place, &times, 0) == 0)
    _ = try store.retention.erase(.user(["al"]), at: StoreFixture.start)
    #expect(self.status(place) == nil)
  }

  @Test("Only zeros are zeros", arguments: [0, 1, 2, 100, 4_096, 4_097])
  func zeros(count: Int) {
    var bytes = [UInt8](repeating: 0, count: count)
    #expect(ByteView(bytes).isZero)
    for index in Set([0, count / 2, count - 1]) where bytes.indices.contains(index) {
      bytes[index] = 1
      #expect(!ByteView(bytes).isZero, "\(index)")
      bytes[index] = 0
    }
  }
}
