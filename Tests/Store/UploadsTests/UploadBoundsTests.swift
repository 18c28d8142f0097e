import Bytes
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import ServerStore
@testable import Uploads

@Suite("Limits of uploads in several steps")
struct UploadBoundsTests {
  private let folder = ScratchFolder()
  private let now = Timestamp(seconds: 1_800_000_000)

  private func plan(_ number: Int, size: Int = 10, caller: String = "one") -> PartialUploads.Plan {
    PartialUploads.Plan(
      size: size, digest: "\(number)", kind: "report", name: "file", app: nil, version: nil,
      caller: caller)
  }

  @Test("The release of a bundle is stored with the file that is sent in parts")
  func bundle() throws {
    let parts = PartialUploads(home: folder.path)
    let plan = PartialUploads.Plan(
      size: 10, digest: "d", kind: "symbols", name: "Tern", app: nil, version: nil,
      bundle: "1.4.0 (512)", caller: "one")
    _ = try parts.begin(plan)
    #expect(parts.plan(plan.id)?.bundle == "1.4.0 (512)")
    #expect(plan.id != self.plan(1).id)
  }

  private func uploads(_ limits: UploadLimits) throws -> BlobUploads {
    BlobUploads(in: try ServerStore(opening: folder.path("home")), limits: limits)
  }

  private func begin(_ uploads: BlobUploads, _ caller: String = "one") throws -> String {
    try uploads.begin(
      app: "Tern", kind: "Apple", fileName: nil, version: nil, build: nil, caller: caller, now: now
    ).upload.id
  }

  @Test("Files in parts are limited in number and bytes, per token and in total; one may continue")
  func parts() throws {
    _ = try ServerStore(opening: folder.path("home"))
    var limits = UploadLimits()
    (limits.files, limits.filesOfCaller, limits.bytes) = (3, 2, 100)
    let parts = PartialUploads(home: folder.path("home"), limits: limits)
    #expect(throws: UploadRefusal.tooLargeOfToken(limit: 50)) { try parts.begin(plan(1, size: 51)) }
    #expect(throws: UploadRefusal.tooLarge(limit: 100)) {
      try parts.begin(plan(1, size: .max, caller: "two"))
    }
    for number in 1...2 { #expect(try parts.begin(plan(number)).isEmpty) }
    #expect(throws: UploadRefusal.tooManyOfToken(limit: 2)) { try parts.begin(plan(3)) }
    #expect(try parts.begin(plan(1)).isEmpty)
    #expect(try parts.begin(plan(3, caller: "two")).isEmpty)
    #expect(throws: UploadRefusal.tooMany(limit: 3)) { try parts.begin(plan(4, caller: "three")) }
    // An upload with a verdict is no longer in progress.
    try parts.end(
      plan(1), PartialUploads.StoredResponse(status: 201, document: ByteView("{}".utf8)))
    #expect(try parts.begin(plan(4, caller: "three")).isEmpty)
  }

  @Test("A pending file and its outcome survive a restart; begun again it is new")
  func finishing() throws {
    _ = try ServerStore(opening: folder.path("home"))
    let plan = plan(1)
    let parts = PartialUploads(home: folder.path("home"))
    _ = try parts.begin(plan)
    try parts.note(.init(caller: "one", label: "CI", peer: "127.0.0.1"), of: plan)
    let later = PartialUploads(home: folder.path("home"))
    #expect(later.unfinished() == [plan.id] && later.finishing(plan.id)?.label == "CI")
    // It was acknowledged: it waits as long as necessary.
    later.clearLeftovers(now: Timestamp(seconds: 4_000_000_000))
    #expect(later.unfinished() == [plan.id])
    try later.end(
      plan, PartialUploads.StoredResponse(status: 422, document: ByteView(#"{"a":1}"#.utf8)))
    #expect(later.unfinished().isEmpty && later.finishing(plan.id) == nil)
    #expect(later.verdict(plan.id)?.status == 422)
    #expect(later.verdict(plan.id)?.document.text == #"{"a":1}"#)
    #expect(try later.begin(plan).isEmpty && later.verdict(plan.id) == nil)
    later.clearLeftovers(now: Timestamp(seconds: 4_000_000_000))
    #expect(later.plan(plan.id) == nil)
    for id in ["", "..", "../x", String(repeating: "g", count: 40)] {
      #expect(later.verdict(id) == nil && later.finishing(id) == nil && later.plan(id) == nil)
    }
  }

  @Test("App Center's uploads are limited in number, per token and in total, until they expire")
  func announced() throws {
    var limits = UploadLimits()
    (limits.announced, limits.announcedOfCaller) = (3, 2)
    let uploads = try uploads(limits)
    for _ in 1...2 { _ = try begin(uploads) }
    #expect(throws: UploadRefusal.tooManyOfToken(limit: 2)) { try begin(uploads) }
    _ = try begin(uploads, "two")
    #expect(throws: UploadRefusal.tooMany(limit: 3)) { try begin(uploads, "three") }
    try uploads.clearLeftovers(now: Timestamp(seconds: now.seconds + BlobUploads.lifetime + 1))
    _ = try begin(uploads)
    #expect(try uploads.uploads(of: "Tern").map(\.status).filter { $0 == .aborted }.count == 3)
  }

  @Test("Blocks are limited in number and bytes: per upload, per token and in total")
  func blocks() throws {
    var limits = UploadLimits()
    (limits.bytesOfUpload, limits.bytes) = (40, 120)
    (limits.blocksOfUpload, limits.blocksOfCaller, limits.blocks) = (3, 4, 5)
    let uploads = try uploads(limits)
    let first = try begin(uploads)
    try uploads.take(bytes: 30, blocks: 1, for: first)
    #expect(throws: UploadRefusal.uploadTooLarge(limit: 40)) {
      try uploads.take(bytes: 11, blocks: 1, for: first)
    }
    #expect(throws: UploadRefusal.uploadTooLarge(limit: 40)) {
      try uploads.take(bytes: .max, for: first)
    }
    for _ in 1...2 { try uploads.take(bytes: 1, blocks: 1, for: first) }
    #expect(throws: UploadRefusal.tooManyBlocks(limit: 3)) {
      try uploads.take(bytes: 1, blocks: 1, for: first)
    }
    let second = try begin(uploads)
    #expect(throws: UploadRefusal.tooLargeOfToken(limit: 60)) {
      try uploads.take(bytes: 29, for: second)
    }
    try uploads.take(bytes: 20, blocks: 1, for: second)
    #expect(throws: UploadRefusal.tooMany(limit: 5)) {
      try uploads.take(bytes: 1, blocks: 1, for: second)
    }
    // A block that replaces an earlier one frees its space.
    try uploads.take(bytes: -20, blocks: -1, for: second)
    try uploads.take(bytes: 28, for: second)
    // An ended upload takes no space any more, files stored unchanged still do.
    try uploads.finish(first, .indexed, size: 32, now: now)
    let third = try begin(uploads)
    try uploads.take(bytes: 32, for: third)
    try uploads.finish(third, .committed, size: 32, now: now)
    #expect(throws: UploadRefusal.tooLargeOfToken(limit: 60)) {
      try uploads.take(bytes: 1, for: second)
    }
  }

  @Test("Ended uploads beyond a number are forgotten, and orphaned folders are deleted")
  func leftovers() throws {
    var limits = UploadLimits()
    limits.remembered = 2
    let uploads = try uploads(limits)
    for _ in 1...4 { try uploads.finish(begin(uploads), .failed, problem: "none", now: now) }
    let open = try begin(uploads)
    let stray = uploads.folder(of: "stray")
    #expect(mkdir(stray, 0o700) == 0)
    _ = folder.write("home/uploads/stray/blob", [1])
    try uploads.clearLeftovers(now: now)
    #expect(try uploads.uploads(of: "Tern").count == 3)
    #expect(access(stray, F_OK) == 0 || now.seconds > Int64(time(nil)))
    try uploads.clearFolders(olderThan: Timestamp(seconds: 4_000_000_000))
    #expect(access(stray, F_OK) != 0 && access(uploads.folder(of: open), F_OK) == 0)
  }

  @Test("An upload in processing is found after a restart, and is not retried for ever")
  func processing() throws {
    var limits = UploadLimits()
    limits.tries = 2
    let uploads = try uploads(limits)
    let id = try begin(uploads)
    try uploads.finish(id, .processing, size: 5, now: now)
    let later = BlobUploads(in: try ServerStore(opening: folder.path("home")), limits: limits)
    #expect(try later.processing().map(\.id) == [id])
    #expect(try [1, 2, 3].map { _ in try later.beginTry(id) } == [true, true, false])
    try later.finish(id, .failed, problem: "too often", now: now)
    #expect(try later.processing().isEmpty)
    #expect(try later.upload(id, of: "Tern")?.problem == "too often")
  }
}
