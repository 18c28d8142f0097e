import Bytes
import Files
import Identifiers
import ServerStore
import TestSupport
import Testing

@testable import Uploads

/// The pieces of an upload, as its sender sends them.
@Suite("Pieces of uploads") struct UploadPiecesTests {
  private let folder = ScratchFolder()
  private let uploads: BlobUploads
  private let id: String

  init() throws {
    var limits = UploadLimits()
    limits.bytesOfUpload = 100
    uploads = BlobUploads(in: try ServerStore(opening: folder.path("home")), limits: limits)
    id = try uploads.begin(
      app: "Tern", kind: "Apple", fileName: nil, version: nil, build: nil,
      now: Timestamp(seconds: 1_700_000_000)
    ).upload.id
  }

  private func keep(_ piece: BlobUploads.Piece, _ text: String) throws {
    let bytes = ByteView(text.utf8)
    try uploads.keep(piece, of: id, size: bytes.count, request: "r") { path in
      try NewFile.write(bytes, to: path, replacing: false)
      return true
    }
  }

  private func text() throws -> String {
    try ByteView(reading: #require(uploads.blob(of: id)), limit: 1_000).text
  }

  @Test("Blocks are joined in the order of their list, which may be sent again")
  func blocks() throws {
    try keep(.block("b"), "second")
    try keep(.block("a+"), "old")
    try keep(.block("a "), "first ")
    guard case .missing(2) = try uploads.join(blocks: ["a+", "b", "c"], of: id, limit: 100) else {
      Issue.record("joined without a block")
      return
    }
    #expect(uploads.blob(of: id) == nil)
    for _ in 0..<2 {
      let failure = try uploads.join(blocks: ["a+", "b"], of: id, limit: 100)
      #expect(failure == nil)
    }
    #expect(try text() == "first second")
    #expect(uploads.size(of: .block("b"), of: id) == nil)
  }

  @Test("Chunks are joined up to a limit")
  func chunks() throws {
    try keep(.chunk(2), "cd")
    try keep(.chunk(1), "ab")
    guard case .tooLarge = try uploads.join(chunks: 2, of: id, limit: 3) else {
      Issue.record("joined beyond the limit")
      return
    }
    #expect(uploads.size(of: .chunk(2), of: id) == 2)
    let failure = try uploads.join(chunks: 2, of: id, limit: 4)
    #expect(failure == nil)
    #expect(try text() == "abcd")
    #expect(uploads.size(of: .blob, of: id) == 4)
  }

  @Test("A piece that would exceed a limit, or is not written, counts nothing")
  func limits() throws {
    let long = String(repeating: "x", count: 60)
    try keep(.chunk(1), long)
    #expect(throws: UploadRefusal.self) { try keep(.chunk(2), long) }
    #expect(throws: FileError.self) {
      try uploads.keep(.chunk(2), of: id, size: 40, request: "r") { _ in false }
    }
    try keep(.chunk(1), String(long.prefix(50)))
    try keep(.chunk(2), String(long.prefix(50)))
    #expect(uploads.size(of: .chunk(2), of: id) == 50)
  }
}
