import Database
import Identifiers
import ServerStore
import TestSupport
import Testing
import Uploads

@Suite struct DamagedUploadTests {
  @Test("An upload's row with any numbers is listed", arguments: [Int.max, .min, -1, 1 << 62])
  func rows(number: Int) throws {
    let folder = ScratchFolder()
    let store = try ServerStore(opening: folder.path("home"))
    let uploads = BlobUploads(in: store)
    let now = Timestamp(seconds: 1)
    let (upload, signature) = try uploads.begin(
      app: "a", kind: "Apple", fileName: nil, version: nil, build: nil, now: now)
    let columns = ["created", "size", "sent", "blocks", "tries"]
    let values = columns.map { $0 + " = ?1" }.joined(separator: ", ")
    try store.write { try $0.run("UPDATE uploads SET " + values, number) }
    _ = try? uploads.mayReceive(upload.id, signature: signature, now: now)
    _ = try? uploads.beginTry(upload.id)
    #expect(try uploads.uploads(of: "a").map(\.id) == [upload.id])
    _ = try? uploads.begin(
      app: "a", kind: "Apple", fileName: nil, version: nil, build: nil, now: now)
    #expect(throws: Never.self) { try uploads.clearLeftovers(now: now) }
  }
}
