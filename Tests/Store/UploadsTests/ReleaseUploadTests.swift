import Identifiers
import ServerStore
import TestSupport
import Testing
import Uploads

@Suite("Uploads of files of releases")
struct ReleaseUploadTests {
  @Test("A client's description of the file, its committer and its number are stored")
  func facts() throws {
    let folder = ScratchFolder()
    let uploads = BlobUploads(in: try ServerStore(opening: folder.path("home")))
    let now = Timestamp(seconds: 1_800_000_000)
    let id = try uploads.begin(
      app: "Tern", kind: BlobUploads.releaseKind, fileName: nil, version: "1.2", build: "34",
      now: now
    ).upload.id
    try uploads.announce(id, fileName: "tern.dmg", size: 9)
    try uploads.setAuthor("CI", of: id)
    try uploads.finish(id, .processing, size: 9, now: now)
    // Once committed, a client cannot change it.
    try uploads.announce(id, fileName: "other.ipa", size: 1)
    try uploads.setArtefact(7, of: id)
    let upload = try #require(try uploads.upload(id, of: "Tern"))
    #expect(upload.fileName == "tern.dmg")
    #expect(upload.announced == 9)
    #expect(upload.author == "CI")
    #expect(upload.artefact == 7)
    #expect(try uploads.processing().map(\.id) == [id])
  }
}
